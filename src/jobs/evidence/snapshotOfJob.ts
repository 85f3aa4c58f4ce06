import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isCreation, isZoned } from '../../api/reading/times.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { isHolder } from '../../records/snapshots.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';

/** Describes a snapshot as the record of its database shows it; with its identifier alone if that shows no more. */
export async function describeSnapshot(
  records: RecordReader,
  holder: Identifier,
  snapshot: Identifier,
): Promise<NonNullable<Evidence['snapshot']>> {
  const part = await records.part(holder, snapshot).catch(() => undefined);
  const takenAt = part && takenAtOf(part);
  return {
    id: snapshot.text,
    ...(part?.name === undefined ? {} : { name: part.name }),
    ...(takenAt === undefined ? {} : { takenAt }),
  };
}

/** The time at which a snapshot was taken, in milliseconds since the epoch, where its record says that in a zone. */
export function takenAtOf({ createdAt, readFrom, values }: RecordView): number | undefined {
  const key = readFrom.createdAt;
  const isKnown = key === undefined || (isCreation(key) && values.some(one => one.path === key && isZoned(one.value)));
  return isKnown ? createdAt : undefined;
}

/** The snapshot from which a new record was made, as that record shows it. */
export function originOf(record: RecordView): Identifier | undefined {
  const shown = record.mentions.filter(({ id }) => id.noun === 'snapshot' && !isHolder(record, id));
  return shown.length === 1 ? shown[0]?.id : undefined;
}
