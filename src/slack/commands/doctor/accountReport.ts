import { parseJson } from '../../../ground/json.ts';
import { aboutAccount } from '../../../jobs/account/accountNews.ts';
import { AccountNotice } from '../../../jobs/account/accountNotice.ts';
import { allApprovers } from '../../../jobs/approval/policy/rules.ts';
import { accountOwner } from '../../../store/serviceOwner.ts';
import { mentionDeciders } from '../../blocks/mentionPeople.ts';
import { moment } from '../../blocks/moments.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { amiss, type Check, fine } from './policyReport.ts';

/** Knows of the service account. */
export type AccountWatcher = Desk<'credentials' | 'account' | 'house' | 'outbox' | 'policy'>;

/** Reports the service account: whether there is one, whether its sign-in works, and what may run with it. */
export async function accountChecks(desk: AccountWatcher, team: string): Promise<readonly Check[]> {
  const { account } = desk;
  if (!account)
    return [
      fine(
        'Service account: none. A schedule, a report or an alert uses the sign-in of whoever asked for it, and waits while that sign-in is missing.',
      ),
    ];
  return [await signInCheck(desk, team), fine(await useOf(desk, team))];
}

async function signInCheck({ account, credentials, outbox }: AccountWatcher, team: string): Promise<Check> {
  const owner = accountOwner(team);
  const who = `Service account: ${code(account?.username ?? '', 80)}`;
  const found = await credentials.find(owner);
  if (found) return fine(`${who} is signed in${moment(found.since, ' since {date_short_pretty} {time}')}.`);
  const last = await outbox.lastOf(aboutAccount(owner));
  const why = last?.outcome === null ? AccountNotice.safeParse(parseJson(last.data)).data?.why : undefined;
  const said = why === undefined ? '' : ` ${plain(why, 300)}`;
  return amiss(`${who} cannot sign in at the moment.${said} Work that runs with it waits; I’ll try again by myself.`);
}

/** Says what runs with the account, and who lets it. */
async function useOf({ house, policy }: AccountWatcher, team: string): Promise<string> {
  const uses = await house.usesOfAccount(team);
  const named = allApprovers(policy);
  const readers =
    named.length === 0
      ? 'Reports and alerts never use it, because nobody is listed as an approver'
      : `Reports and alerts use it where ${mentionDeciders(named)} subscribed them`;
  return `Work that runs with it: ${uses.join(', ')}. Somebody other than the owner approved each. ${readers}. Clicks and commands never run with it.`;
}
