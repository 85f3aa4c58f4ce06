import { Failure } from '../../../ground/failure.ts';
import { accountOwner } from '../../../store/serviceOwner.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Judge, Parts } from '../../parts.ts';
import { approvesNow } from '../people/hasSay.ts';

/**
 * Whether a person may have reports and alerts read with the service account: a member whom APPROVERS or the policy
 * names as an approver. Where nobody is named, nobody may. `undefined` where Slack does not tell.
 */
export async function mayUseAccount(parts: Judge & Parts<'account'>, owner: Owner): Promise<boolean | undefined> {
  return parts.account ? approvesNow(parts, owner) : false;
}

/**
 * The owner of the sign-in with which something may be read by the calendar at this moment.
 * @throws {Failure} `busy` where Slack does not tell
 */
export async function readerOf(
  parts: Judge & Parts<'account'>,
  { team, person, runsAs }: Owner & Readonly<{ runsAs: 'owner' | 'service' }>,
): Promise<Owner> {
  const owner = { team, person };
  if (runsAs === 'owner') return owner;
  const may = await mayUseAccount(parts, owner);
  if (may === undefined) throw new Failure('busy', 'Slack cannot tell me at the moment who the approvers are.');
  return may ? accountOwner(team) : owner;
}
