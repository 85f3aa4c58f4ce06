import type { Owner } from '../../store/vault.ts';
import type { Judge, Parts } from '../parts.ts';
import { allApprovers } from './rules.ts';

/**
 * Whether a person may have reports and alerts read with the service account: a member whom APPROVERS or the policy
 * names as an approver. Where nobody is named, nobody may. `undefined` where Slack does not tell.
 */
export async function mayUseAccount(
  { account, policy, people }: Judge & Parts<'account'>,
  owner: Owner,
): Promise<boolean | undefined> {
  const named = allApprovers(policy);
  if (!account || named.length === 0) return false;
  const [listed, standing] = await Promise.all([people.isAmong(owner, named, 'now'), people.standingOf(owner, 'now')]);
  if (listed === false || standing === 'guest' || standing === 'outsider') return false;
  return listed === undefined || standing === 'unknown' ? undefined : true;
}
