import type { Inspection } from '../../jobs/approval/inspection.ts';
import { subjectOf } from '../../jobs/approval/verdict.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { operationOf } from '../../jobs/request.ts';
import type { JobIn } from '../../store/jobs/job.ts';
import { leaseId, leases } from './lease.ts';
import { leaseTermsOf } from './leaseRules.ts';

/**
 * Says why the word of a lease rule does not approve a job any more: the lease goes on, or the policy says something
 * else now. Gives `undefined` where it still does.
 */
export async function changeOfLease(
  parts: Judge & Parts<'things'>,
  job: JobIn<'approved'>,
  { names, environments, projects }: Partial<Inspection>,
): Promise<string | undefined> {
  const { team, person, target } = job;
  const lease = await parts.things.find(leases, leaseId(team, target));
  if (lease?.endJob !== job.id || (lease.state !== 'stopping' && lease.state !== 'deleting'))
    return 'The lease of the clone goes on, or is another one now.';
  const { isOneOf } = await subjectOf(parts, { team, person }, operationOf(job), 'now');
  const operation = lease.operation === null ? undefined : { name: lease.operation };
  const { end } = leaseTermsOf(parts.policy, { operation, names, environments, projects, isOneOf });
  const isWanted = end === 'delete' || (end === 'stop' && lease.state === 'stopping');
  return isWanted ? undefined : 'The policy does not say any more that this happens at the end of the lease.';
}
