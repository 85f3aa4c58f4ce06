import { hour } from '../../ground/durations.ts';
import { readTime, type Time } from '../../ground/timeText.ts';
import { assumed } from './assumedKeys.ts';
import { type Leaf, leaves, ranked, type Tree } from './jsonTree.ts';
import { isRecord } from './ownIdentifier.ts';
import { isReported } from './reportKeys.ts';

/** The moment of a time in milliseconds since the epoch; `undefined` where the value is none. */
export function timeOf(value: unknown): number | undefined {
  return readTime(value)?.at;
}

/** The times of an object, in milliseconds since the epoch. */
export type OwnTimes = Readonly<{
  /** The best guess at the time of its creation. */
  time: number | undefined;
  /** That time as it came, where it names no zone: it is read as UTC, and may be hours off. */
  local: string | undefined;
  /** The time, if its key says that it is the time of the creation, and its value names its zone. */
  createdAt: number | undefined;
  /** That, or the only time that the object shows: that of a snapshot is when it was taken, by whatever key. */
  shown: Time | undefined;
}>;

export const noTimes: OwnTimes = { time: undefined, local: undefined, createdAt: undefined, shown: undefined };

export function timesIn(tree: Tree): OwnTimes {
  const own = leaves(tree, isRecord);
  const [made] = ranked(own, assumed.time);
  const isMade = made !== undefined && isCreation(made.key);
  const leaf = isMade ? made : loneTime(own);
  const [guess, shown] = [made ?? leaf, readTime(leaf?.value)];
  const time = guess === leaf ? shown : readTime(guess?.value);
  const local = time?.isZoned === false ? String(guess?.value) : undefined;
  return { time: time?.at, local, createdAt: isMade && shown?.isZoned ? shown.at : undefined, shown };
}

/** The only time that may be that of its making, such as `ts` or `consistentAt`, or of several the beginning. */
function loneTime(own: readonly Leaf[]): Leaf | undefined {
  const times = own.filter(
    ({ key, value }) =>
      (assumed.looseTime.test(key) || assumed.time.includes(key)) &&
      !assumed.notMade.test(key) &&
      timeOf(value) !== undefined,
  );
  return times.length === 1 ? times[0] : times.find(({ key }) => assumed.beginning.test(key));
}

/** Whether a time under this key is that of a creation. A time under another key may be one that changes. */
export function isCreation(key: string): boolean {
  return /creat|snap|taken/i.test(key);
}

type Created = Readonly<{ createdAt: number | undefined; createdFrom: Readonly<{ path: string }> | undefined }>;

/** The time at which a record was made, in milliseconds since the epoch; `undefined` where none is shown for sure. */
export function creationOf({ createdAt, createdFrom }: Created): number | undefined {
  return createdFrom && isCreation(createdFrom.path) ? createdAt : undefined;
}

/** Whether a value is a time that names its zone, as one does that counts from 1970. */
export function isZoned(value: unknown): boolean {
  return readTime(value)?.isZoned === true;
}

/** The most by which a time without its zone may be off from UTC, as which it is read, in milliseconds: the farthest zone. */
export const farthestZone = 14 * hour;

/** The most by which the time of a value may be earlier or later than it was read, in milliseconds. */
export function zoneDoubt(value: unknown): number {
  return isZoned(value) ? 0 : farthestZone;
}

/**
 * The times at which something was done to the record, by path, in milliseconds since the epoch. A mere sign of life
 * (`lastLogin`) does not count, and times in a report belong to the report.
 */
export function timesOf(own: readonly Leaf[]): Record<string, number> {
  const times = own.flatMap(leaf => {
    const { key, shown, value } = leaf;
    if (isReported(leaf)) return [];
    const time = assumed.change.test(key) && !assumed.life.test(key) ? timeOf(value) : undefined;
    return time === undefined ? [] : [[shown, time] as const];
  });
  return Object.fromEntries(times);
}

/** Counts of the work done to the record, by path: whole numbers under keys such as `restoreCount` or `resets`. */
export function countersOf(own: readonly Leaf[]): Record<string, number> {
  const counters = own.flatMap(leaf => {
    const { key, shown, value } = leaf;
    const counts = assumed.change.test(key) && assumed.counter.test(key) && !assumed.measure.test(key);
    return counts && Number.isSafeInteger(value) && !isReported(leaf) ? [[shown, Number(value)] as const] : [];
  });
  return Object.fromEntries(counters);
}
