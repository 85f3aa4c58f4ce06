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
