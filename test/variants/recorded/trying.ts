import type { Condition } from './forced.ts';

/**
 * How often a condition was tried, how often another value of it changed the result of a look, and how often that `asks` for what
 * was not read: then nobody knows what it would have changed.
 */
type Count = { reached: number; decided: number; asks: number };

type Tried = Readonly<{ result: unknown } | { wants: unknown }>;
type Step = (look: unknown, reading: unknown) => Tried;

/**
 * Forces the conditions of instrumented code (forced.ts) one by one in each look of this process, and counts which change its
 * result. Looks that went the same way are alike: so many of each are tried.
 */
export function tryConditions(conditions: readonly Condition[], ofEachWay: number): readonly Count[] {
  const counts = conditions.map(() => ({ reached: 0, decided: 0, asks: 0 }));
  const ways = new Map<string, number>();
  let forced: Readonly<{ number: number; to: boolean }> | undefined;
  let reached: Set<string> | undefined;
  Object.assign(globalThis, {
    condition(number: number, value: unknown) {
      reached?.add(`${number} ${Boolean(value)}`);
      return forced?.number === number ? forced.to : value;
    },
    looked(step: Step, look: unknown, reading: unknown) {
      if (forced) return;
      reached = new Set();
      const tried = step(look, reading);
      const [seen, way] = [reached, [...reached].toSorted().join()];
      reached = undefined;
      const times = ways.get(way) ?? 0;
      ways.set(way, times + 1);
      if (!('result' in tried) || times >= ofEachWay) return;
      const told = shown(tried.result);
      for (const [number, { forcedTo }] of conditions.entries()) {
        const count = counts[number];
        if (!count || !(seen.has(`${number} true`) || seen.has(`${number} false`))) continue;
        count.reached += 1;
        for (const to of forcedTo.filter(one => seen.has(`${number} ${!one}`))) {
          forced = { number, to };
          const effect = effectOf(() => step(look, reading), told);
          if (effect) count[effect] += 1;
          forced = undefined;
        }
      }
    },
  });
  return counts;
}

function effectOf(again: () => Tried, told: string): 'decided' | 'asks' | undefined {
  try {
    const tried = again();
    if (!('result' in tried)) return 'asks';
    return shown(tried.result) === told ? undefined : 'decided';
  } catch {
    // Without the condition there is nothing to look at.
    return 'decided';
  }
}

/** What a look tells of its job. After its end, that is a sentence. */
function shown(result: unknown): string {
  if (typeof result !== 'object' || result === null) return String(result);
  // A release before this one calls it a verdict.
  const { verdict, judgement = verdict, seen, claims, claimed, arrived }: Record<string, unknown> = { ...result };
  return JSON.stringify([judgement, seen, claims, claimed, arrived]);
}
