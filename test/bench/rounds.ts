import type { Pair } from './statistics.ts';

/** The two apps that are compared. */
export const kinds = ['bare', 'dolly'] as const;
export type Kind = (typeof kinds)[number];

/**
 * Measures both apps in each of `count` rounds, one right after the other, and who is first changes with each round: what
 * else the machine does, and whatever the first leaves for the second, then falls on both alike.
 * @param names of what one measurement gives
 */
export async function inRounds<Name extends string>(
  count: number,
  names: readonly Name[],
  measure: (kind: Kind) => Promise<Readonly<Record<Name, number>>>,
): Promise<Map<Name, Pair[]>> {
  const pairs = new Map<Name, Pair[]>(names.map(name => [name, []]));
  for (let round = 0; round < count; round++) {
    const dollyFirst = round % 2 === 1;
    const early = await measure(dollyFirst ? 'dolly' : 'bare');
    const late = await measure(dollyFirst ? 'bare' : 'dolly');
    const [bare, dolly] = dollyFirst ? [late, early] : [early, late];
    for (const [name, list] of pairs) list.push({ bare: bare[name], dolly: dolly[name] });
  }
  return pairs;
}

/**
 * Measures both apps `count` times each, turn by turn, for what is too short to be measured in rounds: a moment in which
 * the machine is busy elsewhere then is a moment of both. What one begins has to be over when it returns.
 */
export async function inTurns(
  count: number,
  measure: (kind: Kind) => Promise<number>,
): Promise<Readonly<Record<Kind, readonly number[]>>> {
  const values: Record<Kind, number[]> = { bare: [], dolly: [] };
  for (let turn = 0; turn < count; turn++) {
    for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) values[kind].push(await measure(kind));
  }
  return values;
}
