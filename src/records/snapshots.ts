import type { Identifier } from '../api/identifiers.ts';
import type { Mention } from '../api/reading/mentions.ts';
import type { RecordView } from '../api/reading/recordView.ts';

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

/** Whether a mention in the record `holder` shows that a snapshot is its own. */
export function isOwnSnapshot(holder: Identifier, { key, inList }: Mention): boolean {
  return inList || (holder.noun === 'live' && !/restor|source|parent|orig|from/.test(key));
}

/** A snapshot as the record of its database shows it. */
export type KnownSnapshot = Readonly<{
  id: string;
  name: string | undefined;
  /** A time by which the snapshots of one record can be put into order: all of them may lack their zone. */
  time: number | undefined;
  /** When it was taken, in milliseconds since the epoch, if the record says so beyond doubt. */
  takenAt: number | undefined;
  /** The only time that it shows, by whatever key. */
  shown: Mention['shown'];
  /** Whether its own state says that it failed, or that it is not there yet. */
  isUnfinished: boolean;
}>;

/** A record's own snapshots, each once, the newest first; those whose time it does not show stand last. */
export function ownSnapshots(record: RecordView): readonly KnownSnapshot[] {
  const found = new Map<string, KnownSnapshot>();
  // The mentions are read at each use.
  const { mentions } = record;
  const own = new Set(mentions.filter(mention => isOwnSnapshot(record.id, mention)).map(({ id }) => id.text));
  for (const mention of mentions) {
    const { id, label, createdAt } = mention;
    if (id.noun !== 'snapshot' || !own.has(id.text)) continue;
    const known = found.get(id.text);
    const { name = label, time = mention.time, takenAt = createdAt, shown = mention.shown, isUnfinished } = known ?? {};
    const isBad = isUnfinished === true || mention.state === 'failed' || mention.state === 'busy';
    found.set(id.text, { id: id.text, name, time, takenAt, shown, isUnfinished: isBad });
  }
  return [...found.values()].sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
}

/**
 * The snapshot that counts as the latest one of a record (spec §3, rule 4); `undefined` where the record does not show
 * when each was taken.
 */
export function latestSnapshot(record: RecordView): KnownSnapshot | undefined {
  const all = ownSnapshots(record);
  return all.every(({ time }) => time !== undefined) ? all[0] : undefined;
}
