import type { Parts } from '../../jobs/parts.ts';
import { type Lease, leaseId, leases } from '../../store/tables/leases.ts';
import type { NewOf } from '../../store/things/things.ts';

/**
 * Whom the end of a lease is up to, beside those who approve: who allowed that a rule acts on a clone which Dolly did not make,
 * else the person of the lease.
 */
export function deciderOfEnd({ job, person, allowedBy }: Pick<Lease, 'job' | 'person' | 'allowedBy'>): string {
  return job === null ? (allowedBy ?? person) : person;
}

/** Max records whose leases are looked for one by one: for more, all of the team are read. */
const mostAsked = 200;

/** The leases of some records that have not ended. */
export function leasesOf(
  { things }: Parts<'things'>,
  team: string,
  records: readonly string[],
): Promise<readonly Lease[]> {
  const some = records.length > mostAsked ? {} : { ids: records.map(record => leaseId(team, record)) };
  return things.list(leases, { team, ...some });
}

/** A lease that begins. */
export type NewLease = Pick<
  Lease,
  'team' | 'record' | 'name' | 'madeAt' | 'person' | 'job' | 'operation' | 'channel' | 'wish' | 'since' | 'login'
>;

/** Makes a lease that begins. The policy is to be asked about it. */
export function newLease(lease: NewLease): NewOf<typeof leases> {
  return {
    ...lease,
    state: 'new',
    ...{ id: leaseId(lease.team, lease.record), setAt: lease.since, createdAt: lease.since },
    ...{ endsAt: null, warned: null, graceUntil: null, rule: null, reason: null, endJob: null, endedAt: null },
    ...{ plannedAt: lease.since, waitsFor: null },
  };
}

/** The changes of a lease that runs until this end from now on. */
export function keptUntil(endsAt: number | null, now: number) {
  const cleared = { warned: null, graceUntil: null, reason: null, endJob: null, endedAt: null };
  return { state: 'kept', endsAt, setAt: now, ...cleared } as const;
}
