import type { Identifier } from '../api/identifiers.ts';
import { bestOf, isOwnSnapshot, type Mention } from '../api/reading/mentions.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Condition } from '../api/reading/snapshotCondition.ts';
import { farthestZone } from '../api/reading/times.ts';
import { hour } from '../ground/durations.ts';

export function snapshotsOf(record: RecordView): string[] {
  return record.mentions.filter(({ id }) => id.noun === 'snapshot').map(({ id }) => id.text);
}

/**
 * The snapshots of a record that were not there before, those with the lowest numbers first. Of two jobs, the earlier one
 * then takes the earlier snapshot: the other one was there before the later job, which could not take it.
 */
export function snapshotsSince(before: Readonly<{ snapshots: readonly string[] }>, { mentions }: RecordView) {
  const known = new Set(before.snapshots);
  return mentions
    .flatMap(({ id }) => (id.noun === 'snapshot' && !known.has(id.text) ? [id] : []))
    .toSorted((one, other) => (BigInt(one.number) < BigInt(other.number) ? -1 : 1))
    .map(({ text }) => text);
}

/**
 * Whether a snapshot is a record's own: it stands in a list of the record, or is a live database's latest. The snapshot
 * from which a clone was made, or to which a database was restored, is another record's.
 */
export function isHolder(record: RecordView, snapshot: Identifier): boolean {
  return record.mentions.some(mention => mention.id.text === snapshot.text && isOwnSnapshot(record.id, mention));
}

/** Why a snapshot is of no use, as far as its record shows: the mark beside it, and what a sentence says of it. */
export const unfitWords = {
  failed: { mark: 'failed', says: 'failed' },
  partial: { mark: 'made in part', says: 'was made in part' },
  making: { mark: 'being made', says: 'is being made' },
  deleting: { mark: 'being deleted', says: 'is being deleted' },
  deleted: { mark: 'deleted', says: 'is deleted' },
  expired: { mark: 'expired', says: 'has expired' },
  ahead: { mark: 'its time is in the future', says: 'has a time in the future' },
} as const satisfies Record<NonNullable<Condition['unfit']> | 'ahead', Readonly<{ mark: string; says: string }>>;
type Unfit = keyof typeof unfitWords;

/** A record's own snapshots, each once, the newest first; those whose time it does not show stand last. */
export function ownSnapshots(record: RecordView): readonly Mention[] {
  // The mentions are read at each use.
  const { mentions } = record;
  const own = new Set(mentions.filter(mention => isOwnSnapshot(record.id, mention)).map(({ id }) => id.text));
  return newestFirst(bestOf(mentions.filter(({ id }) => id.noun === 'snapshot' && own.has(id.text))));
}

export function newestFirst<T extends Pick<Mention, 'time'>>(all: readonly T[]): readonly T[] {
  return all.toSorted((one, other) => (other.time ?? 0) - (one.time ?? 0));
}

/** By how much the clock of a service may be ahead of the one that times are compared with, in milliseconds. */
const ahead = hour;

/** Whether a time is still to come at `at`, in every zone that it may be in: nothing was done then. */
export function isStillToCome(time: Readonly<{ at: number; doubt?: number | undefined }>, at: number): boolean {
  return time.at - (time.doubt ?? 0) > at + ahead;
}

/** Says why a snapshot is of no use at the time `at`; `undefined` where its record shows nothing against it. */
export function unfitAt(
  { time, local, condition = {} }: Pick<Mention, 'time' | 'local' | 'condition'>,
  at: number,
): Unfit | undefined {
  const { unfit, expires } = condition;
  if (unfit) return unfit;
  if (time !== undefined && isStillToCome({ at: time, doubt: local === undefined ? 0 : farthestZone }, at))
    return 'ahead';
  // An expiry that is older than the snapshot is no expiry.
  const isOver = expires && at >= expires.at + expires.doubt && (time === undefined || expires.at > time);
  return isOver ? 'expired' : undefined;
}

/** Snapshots at a time, the newest first: those that can be used, and those that cannot, with the reason. */
type SortedSnapshots = Readonly<{ usable: readonly Mention[]; unfit: readonly UnfitSnapshot[] }>;
/** `isNewest` where it seems to be newer than all that can be used: the service may take it for the latest. */
export type UnfitSnapshot = Mention & Readonly<{ why: Unfit; isNewest: boolean }>;

/** Sorts snapshots by whether they can be used at the time `at`: nobody chooses the others without a person's word. */
export function sortOut(all: readonly Mention[], at: number): SortedSnapshots {
  const judged = newestFirst(all).map(one => ({ one, why: unfitAt(one, at) }));
  const usable = judged.flatMap(({ one, why }) => (why === undefined ? one : []));
  const latest = usable[0]?.time ?? 0;
  const isNewest = ({ time }: Mention, why: Unfit) =>
    why !== 'deleted' && (time === undefined ? why === 'making' || usable.length === 0 : time > latest);
  return {
    usable,
    unfit: judged.flatMap(({ one, why }) => (why ? { ...one, why, isNewest: isNewest(one, why) } : [])),
  };
}

/** What to beware of where a snapshot is `chosen`, or where the service chooses: the name of one of no use, and why it is. */
export function cautionAgainst(unfit: readonly UnfitSnapshot[], chosen: string | undefined) {
  const isChosen = Boolean(chosen);
  const bad = unfit.find(({ id, isNewest }) => (isChosen ? id.text === chosen : isNewest));
  return bad && { name: bad.label ?? bad.id.text, why: unfitWords[bad.why].says, isChosen };
}

/**
 * The snapshot that counts as the latest one of those that can be used (spec §3, rule 4); `undefined` where the record
 * does not show when each of them was taken.
 */
export function latestOf({ usable }: SortedSnapshots): Mention | undefined {
  return usable.every(({ time }) => time !== undefined) ? usable[0] : undefined;
}

/** The same, of a record at the time `at`. */
export function latestSnapshot(record: RecordView, at: number): Mention | undefined {
  return latestOf(sortOut(ownSnapshots(record), at));
}
