import type { JobOperation } from '../../../operations/operation.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Parts } from '../../parts.ts';

/** Whether a person made a record through Dolly, or holds its lease. */
export async function isMaker(
  { jobs, keeperOf }: Parts<'jobs' | 'keeperOf'>,
  { team, person }: Owner,
  record: string,
): Promise<boolean> {
  const job = (await jobs.makersOf(team, [record])).get(record);
  if (job?.person === person) return true;
  return (await keeperOf(team, record)) === person;
}

/** An operation as it is guarded for a person: what one made or keeps, one may do this to without a second person. */
export async function guardedFor(
  parts: Parts<'jobs' | 'keeperOf'>,
  owner: Owner,
  operation: JobOperation,
  record: string,
): Promise<JobOperation> {
  if (operation.type !== 'plan' || !operation.freeForMaker || !(await isMaker(parts, owner, record))) return operation;
  const { guarded: _, ...free } = operation;
  return free;
}
