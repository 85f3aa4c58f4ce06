import { isApprover, surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { Lease } from '../../store/tables/leases.ts';
import type { Owner } from '../../store/vault.ts';

/**
 * Who lets the policy's rule act on a clone that no job of Dolly's made, by setting its end: whoever approves. `null` where
 * that is nobody, or nobody has to.
 */
export async function whoAllows(
  judge: Judge,
  { job }: Pick<Lease, 'job'>,
  { team, person }: Owner,
): Promise<string | null> {
  return job === null && (await surelyApproves(judge, { team, person })) ? person : null;
}

/**
 * Who lets the rule act once somebody has changed a lease: they themselves where they approve, else whoever did before, as long
 * as they still approve. What an approver allowed is theirs to take back.
 * @throws {Failure} `busy` where Slack does not tell who approves
 */
export async function allowedAfter(
  judge: Judge,
  { job, allowedBy }: Pick<Lease, 'job' | 'allowedBy'>,
  { team, person }: Owner,
): Promise<string | null> {
  const own = await whoAllows(judge, { job }, { team, person });
  if (own !== null || job !== null || !allowedBy || allowedBy === person) return own;
  return (await isApprover(judge, { team, person: allowedBy })) ? allowedBy : null;
}
