import { memoByObject } from '../../ground/remembered.ts';
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

/** The index of the step that a fact is of; `undefined` for a fact of the request itself. */
export function stepOfFact({ key }: Fact): number | undefined {
  const [index = ''] = /^\d+(?= )/.exec(key) ?? [];
  return index === '' ? undefined : Number(index);
}

/** The facts of one step, as if the step had been asked for alone. */
export function factsOfStep(facts: readonly Fact[], step: number): readonly Fact[] {
  return factsBySteps(facts).get(step) ?? [];
}

/** The same by step: a plan may have hundreds of them. */
const factsBySteps = memoByObject((facts: readonly Fact[]) => {
  const grouped = Map.groupBy(facts, stepOfFact);
  const alone = (fact: Fact): Fact => ({
    ...fact,
    key: fact.key.slice(fact.key.indexOf(' ') + 1),
    label: fact.label.replace(/^\d+\. /, ''),
  });
  return new Map([...grouped].map(([step, some]) => [step, some.map(alone)] as const));
});
