import type { Identifier } from '../api/identifiers.ts';
import type { Mention } from '../api/reading/mentions.ts';
import type { RecordView } from '../api/reading/recordView.ts';

/** The snapshots that stand in a record. */
export function snapshotsOf(record: RecordView): string[] {
  return record.mentions.filter(({ id }) => id.noun === 'snapshot').map(({ id }) => id.text);
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
