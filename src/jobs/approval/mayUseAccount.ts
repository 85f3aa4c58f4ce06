import { Failure } from '../../ground/failure.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
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

/**
 * The owner of the sign-in with which something may be read by the calendar at this moment.
 * @throws {Failure} `busy` where Slack does not tell
 */
export async function eyesOf(
  parts: Judge & Parts<'account'>,
  { team, person, runsAs }: Owner & Readonly<{ runsAs: 'owner' | 'service' }>,
): Promise<Owner> {
  const owner = { team, person };
  if (runsAs === 'owner') return owner;
  const may = await mayUseAccount(parts, owner);
  if (may === undefined) throw new Failure('busy', 'Slack does not tell at the moment who is among the approvers.');
  return may ? accountOwner(team) : owner;
}
