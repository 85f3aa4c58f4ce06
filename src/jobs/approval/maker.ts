import { leaseId, leases } from '../../features/leases/lease.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import type { Parts } from '../parts.ts';

/** Whether a person made a record through Dolly, or holds its lease. */
export async function isMaker(
  { jobs, things }: Parts<'jobs' | 'things'>,
  { team, person }: Owner,
  record: string,
): Promise<boolean> {
  const job = (await jobs.makersOf(team, [record])).get(record);
  if (job?.person === person) return true;
  const lease = await things.find(leases, leaseId(team, record));
  return lease !== undefined && lease.state !== 'ended' && lease.person === person;
}

/** An operation as it is guarded for a person: what one made or keeps, one may do this to without a second person. */
export async function guardedFor(
  parts: Parts<'jobs' | 'things'>,
  owner: Owner,
  operation: JobOperation,
  record: string,
): Promise<JobOperation> {
  if (operation.type !== 'plan' || !operation.freeForMaker || !(await isMaker(parts, owner, record))) return operation;
  const { guarded: _, ...free } = operation;
  return free;
}
