import { allApprovers } from '../../jobs/approval/rules.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import type { Lease } from './lease.ts';
import type { Addressees } from './leaseSteps.ts';

/** Max approvers who are told by direct message. */
const maxTold = 10;

/**
 * The places for the messages of a lease. The owner has the thread of the job and their direct messages. Those who
 * approve have their channel, else a direct message each; where nobody is named, the channel of the request. They get
 * what was for an owner who has left.
 */
export async function addresseesOf(
  { policy, people, approvalChannel }: Judge & Parts<'approvalChannel'>,
  { team, job, person, channel }: Lease,
  hasLeft: boolean,
): Promise<Addressees> {
  const ids = allApprovers(policy);
  const own = approvalChannel(team);
  const others = own !== undefined || ids.length === 0 ? [] : await people.membersOf(team, ids);
  const each = others.filter(id => id !== person || hasLeft).slice(0, maxTold);
  const place = own ?? (each.length === 0 ? channel : undefined);
  const approvers = place === undefined ? each.map(id => ({ person: id })) : [{ channel: place }];
  const owner = [{ person }, ...(job === null ? [] : [{ job }])];
  return { owner: hasLeft ? approvers : owner, approvers };
}
