import type { Act, ActOf, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/* What the ways are made of in which people look around: each is a few steps of one or two people. */

/** A step: who takes it, how long after the one before, what they type, and what they press then. */
export type Step = Readonly<{
  who: PersonName;
  after?: number;
  words?: string;
  picks?: ActOf<'wander'>['picks'];
  patience?: number;
  /** Another act in its place, whose time and identifier are of no account; or how to make it. `idOf` names the act of a step. */
  act?: Act | ((idOf: (step: number) => string) => Act);
}>;

/** A way: its steps, drawn anew each time. */
export type Way = (random: Random) => readonly Step[];

/** Those who may do everything at the service, and all. */
export const dbas = ['Ana', 'Dev'] as const;
export const all = ['Ana', 'Ben', 'Chi', 'Dev', 'Eve'] as const;
/** Draws up to so many presses of whatever is there. */
export const picksOf = (random: Random, most: number) =>
  Array.from({ length: random.whole(1, most) }, () => random.next());
/** Ana asks for the deletion of a clone of its own. */
export function deletion(random: Random): Step {
  const record = `gone-${random.whole(0, 999)}`;
  return { who: 'Ana', act: { at: 0, id: '', act: 'delete', who: 'Ana', record, twice: false } };
}
