import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { nothingBut } from '../../../ground/failure.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { isDeleted } from '../../../records/recordReader.ts';
import { compareRecords, marksOf } from '../../../records/sameRecord.ts';
import { unlessHidden } from '../../../records/shown.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Parts } from '../../parts.ts';

/** Whether a record is the one that a job made: its identifier alone may be that of another one by now. */
export function isMadeBy({ claimed, evidence }: JobIn<'succeeded'>, record: RecordView): boolean {
  if (claimed !== record.id.text || evidence?.id !== claimed) return false;
  return compareRecords(evidence, marksOf(record)).is === 'same';
}

/**
 * Whether a record is a person's own, as it shows now: they made it through Dolly and nobody else holds its lease, or they
 * hold the lease of what was made so. Not where it is not shown, or where nothing but its identifier tells that it is the
 * same one. `reader` is the owner of the sign-in that reads it.
 * @throws {Failure} where it was not read
 */
export async function isMaker(
  { jobs, keepersOf, records }: Parts<'jobs' | 'keepersOf' | 'records'>,
  { team, person }: Owner,
  target: string,
  reader: Owner = { team, person },
): Promise<boolean> {
  const job = await jobs.makerOf(team, target);
  const keeper = (await keepersOf(team, [target])).get(target);
  const id = parseIdentifier(target);
  if (!id || (job?.person !== person && keeper?.person !== person)) return false;
  const record = await records.of(reader).alone(id).catch(unlessHidden);
  if (!record || isDeleted(record)) return false;
  const kept = keeper && compareRecords(keeper, marksOf(record)).is;
  if (keeper && keeper.person !== person && kept !== 'another') return false;
  if (job?.person === person && isMadeBy(job, record)) return true;
  return keeper?.person === person && keeper.job !== null && kept === 'same';
}

/**
 * An operation as a page shows that it is guarded for a person: what one made or keeps, one may do this to without a second
 * person. Where that was not read, it is guarded.
 */
export async function guardedFor(
  parts: Parts<'jobs' | 'keepersOf' | 'records'>,
  owner: Owner,
  operation: JobOperation,
  record: string,
): Promise<JobOperation> {
  if (operation.type !== 'plan' || !operation.freeForMaker) return operation;
  if (!(await isMaker(parts, owner, record).catch(nothingBut()))) return operation;
  const { guarded: _, ...free } = operation;
  return free;
}
