import { type Identifier, identifiersAmong } from '../api/identifiers.ts';
import { Failure, failureBut } from '../ground/failure.ts';
import { mapInSlices } from '../ground/slices.ts';
import type { RecordReader } from './recordReader.ts';
import { readWhole } from './shown.ts';
import { isHolder, snapshotsOf } from './snapshots.ts';

/** The maximum number of records that are read one by one to find the holder of a snapshot. */
const maxRead = 100;

/**
 * The database that holds a snapshot: the one among `values` if the snapshot is its own, else the one that shows it as
 * its own, else one that mentions it, such as its clone, else the one among `values`.
 * @throws {Failure} where a record was not read that may be it
 */
export async function holderOf(
  records: RecordReader,
  snapshot: Identifier,
  values: Readonly<Record<string, unknown>>,
): Promise<Identifier | undefined> {
  const chosen = identifiersAmong(Object.values(values)).find(({ noun }) => noun === 'live' || noun === 'clone');
  const own = chosen && (await readWhole(records, chosen));
  if (chosen && own && isHolder(own, snapshot)) return chosen;
  const { records: listed } = await records.list('live');
  const all = listed.filter(record => record.id.noun === 'live' || record.id.noun === 'clone');
  const shown = await mapInSlices(all, record => ({ record, snapshots: snapshotsOf(record) }));
  const mentioning = shown.flatMap(({ record, snapshots }) => (snapshots.includes(snapshot.text) ? [record] : []));
  // A list without snapshots proves nothing about them: the records alone may show them.
  const showsNone = shown.every(({ record, snapshots }) => record.id.noun !== 'live' || snapshots.length === 0);
  if (mentioning.length === 0 && showsNone) {
    let unread: Failure | undefined;
    for (const { id } of all
      .filter(({ id, vendor }) => id.noun === 'live' && vendor === snapshot.vendor)
      .slice(0, maxRead)) {
      const record = await readWhole(records, id).catch(failureBut('signed-out', 'busy'));
      if (record instanceof Failure) unread = record;
      else if (record && isHolder(record, snapshot)) return id;
    }
    // The holder may be the one that was not read.
    if (unread) throw unread;
  }
  const holder = mentioning.find(record => isHolder(record, snapshot)) ?? mentioning[0];
  return holder?.id ?? chosen;
}
