import type { Fact } from '../../store/jobs/rows/data.ts';

/*
 * The facts of a plan are those of all its steps. The key of each begins with the index of its step, so that one digest
 * covers them, and that each step gets its own.
 */

/** Marks the facts of a step as such. */
export function markStep(facts: readonly Fact[], step: number): readonly Fact[] {
  return facts.map(fact => ({
    ...fact,
    key: `${step} ${fact.key}`,
    label: `${step + 1}. ${fact.label}`,
  }));
}

/** The facts of one step, as if the step had been asked for alone. */
export function factsOfStep(facts: readonly Fact[], step: number): readonly Fact[] {
  const start = `${step} `;
  return facts.flatMap(fact =>
    fact.key?.startsWith(start)
      ? [{ ...fact, key: fact.key.slice(start.length), label: fact.label.replace(/^\d+\. /, '') }]
      : [],
  );
}
