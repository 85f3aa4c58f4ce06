import { hour, second } from '../../src/ground/durations.ts';
import { dba, other } from './cast.ts';
import type { Act, ActOf, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/* What scenes are made of. */

/** Acts, and the faults that meet them. */
export type Scene = Readonly<{ acts: readonly Act[]; faults: readonly Fault[] }>;

/** Where scenes are drawn: `from` is the time of the last act before them. */
export type World = Readonly<{ from: number; bots: number; isWeek: boolean }>;
/** Where one scene is drawn. Its acts have identifiers that begin with `id`. */
export type Stage = World & Readonly<{ at: number; id: string; number: number }>;

/** Requests that were not sent expire after a day. */
export const overADay = 25 * hour;

export function clone(random: Random, { at, id, number }: Stage, word: string): ActOf<'clone'> {
  const who = random.one(['Ana', 'Ana', 'Ben', 'Chi', 'Dev'] as const);
  return { at, id, act: 'clone', who, port: 5_000 + number, word, twice: random.chance(0.3) };
}

export function backUp(random: Random, { at, id }: Stage): ActOf<'back up'> {
  return { at, id, act: 'back up', who: dba(random), record: `live-${id}` };
}

/** A deletion that the other DBA approves. */
export function approvedDeletion(random: Random, { at, id }: Stage): readonly [ActOf<'delete'>, ActOf<'decide'>] {
  const who = dba(random);
  const decidedAt = at + random.whole(8 * second, 20 * second);
  return [
    { at, id, act: 'delete', who, record: `gone-${id}`, twice: false },
    { at: decidedAt, id: `${id}.0`, act: 'decide', who: other(who), of: id, how: 'approve', twice: false },
  ];
}

export function press(
  { id }: Stage,
  label: string,
  at: number,
  who: PersonName,
  button: ActOf<'press'>['button'],
): ActOf<'press'> {
  return { at, id: `${id}.${label}`, act: 'press', who, of: id, button };
}

/** Somebody does something a day later: what waited for long has expired by then. */
export function laterOn({ at, id }: Stage, who: PersonName): Act {
  return { at: at + overADay, id: `${id}.l`, act: 'list', who };
}
