import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { isHolder } from '../../records/snapshots.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { makingOf } from './madeBefore.ts';

/** Describes a snapshot as the record of its database shows it; with its identifier alone if that shows no more. */
export async function describeSnapshot(
  records: RecordReader,
  holder: Identifier,
  snapshot: Identifier,
): Promise<NonNullable<Evidence['snapshot']>> {
  const part = await records.part(holder, snapshot).catch(() => undefined);
  const taken = part && makingOf(part);
  return {
    id: snapshot.text,
    ...(part?.name === undefined ? {} : { name: part.name }),
    ...(taken?.isZoned ? { takenAt: taken.at } : {}),
  };
}

/** The snapshot from which a new record was made, as that record shows it. */
export function originOf(record: RecordView): Identifier | undefined {
  const shown = record.mentions.filter(({ id }) => id.noun === 'snapshot' && !isHolder(record, id));
  return shown.length === 1 ? shown[0]?.id : undefined;
}
