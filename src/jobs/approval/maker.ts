import type { JobOperation } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import type { Parts } from '../parts.ts';

/** Whether a person made a record through Dolly, or holds its lease. */
export async function isMaker(
  { jobs, leases }: Pick<Parts, 'jobs' | 'leases'>,
  { team, person }: Owner,
  record: string,
): Promise<boolean> {
  const job = (await jobs.makersOf(team, [record])).get(record);
  return job?.person === person || (await leases.holderOf(team, record)) === person;
}

/** An operation as it is guarded for a person: what one made or keeps, one may do this to without a second person. */
export async function guardedFor(
  parts: Pick<Parts, 'jobs' | 'leases'>,
  owner: Owner,
  operation: JobOperation,
  record: string,
): Promise<JobOperation> {
  if (operation.type !== 'plan' || !operation.freeForMaker || !(await isMaker(parts, owner, record))) return operation;
  const { guarded: _, ...free } = operation;
  return free;
}
