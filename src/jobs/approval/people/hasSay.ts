import { Failure } from '../../../ground/failure.ts';
import type { NewNotice } from '../../../store/tables/outboxRows.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Judge, Parts } from '../../parts.ts';
import { allApprovers, type Policy } from '../policy/rules.ts';
import { untold } from '../policy/verdict.ts';
import { isNoMember, type StandingOfPerson } from './people.ts';

/* Who has a say in what others have made. Every door asks here: buttons, commands, leases, schedules, alerts, presets. */

/** Whether nobody is named as an approver: then everybody else who is signed in may decide, and nobody has a say by that. */
export function namesNobody(policy: Policy): boolean {
  return allApprovers(policy).length === 0;
}

/**
 * Whether somebody approves at this moment: a member whom APPROVERS or the policy names. `undefined` where Slack does not
 * tell. Where nobody is named, nobody approves. Whoever was not among them in Slack's last answer is refused without
 * asking Slack anew: strangers could otherwise use up Slack's rate limit for everybody.
 */
export async function approvesNow({ people, policy }: Judge, { team, person }: Owner): Promise<boolean | undefined> {
  const owner = { team, person };
  const named = allApprovers(policy);
  if (namesNobody(policy) || (await people.isAmong(owner, named)) === false) return false;
  const [listed, standing] = await Promise.all([people.isAmong(owner, named, 'now'), people.standingOf(owner, 'now')]);
  if (listed === false || isNoMember(standing)) return false;
  return listed === undefined || standing === 'unknown' ? undefined : true;
}

/**
 * Whether somebody may change what holds for the whole workspace: whoever approves; where nobody is named, everybody who is
 * signed in. `undefined` where Slack does not tell.
 */
export async function servesWorkspace(judge: Judge & Parts<'credentials'>, { team, person }: Owner) {
  return namesNobody(judge.policy) ? judge.credentials.has({ team, person }) : approvesNow(judge, { team, person });
}

/** Whether somebody surely approves at this moment: a missing answer is a no. */
export async function surelyApproves(judge: Judge, who: Owner): Promise<boolean> {
  return (await approvesNow(judge, who)) === true;
}

/**
 * Whether Slack says that somebody is a member of the workspace: at this moment, or by what it said within the last minutes.
 * @throws {Failure} `busy` where it does not tell
 */
export async function isMember({ people }: Parts<'people'>, { team, person }: Owner, when: When = 'now') {
  const standing = await people.standingOf({ team, person }, ...(when === 'now' ? [when] : []));
  if (standing === 'unknown')
    throw new Failure('busy', 'Slack cannot tell me at the moment who is a member of this workspace.');
  return standing === 'member';
}

/** Whether a standing is read anew, or is what Slack said within the last minutes. */
type When = 'now' | 'lately';

/** Whether somebody is one of some users and groups at this moment. @throws {Failure} `busy` where Slack does not tell */
export async function isListed({ people }: Parts<'people'>, ids: readonly string[], who: Owner): Promise<boolean> {
  const listed = await people.isAmong(who, ids, 'now');
  if (listed === undefined) throw new Failure('busy', untold(ids));
  return listed;
}

/** Whether somebody approves at this moment. @throws {Failure} `busy` where Slack does not tell */
export async function isApprover(judge: Judge, who: Owner): Promise<boolean> {
  const approves = await approvesNow(judge, who);
  if (approves === undefined) throw new Failure('busy', untold(allApprovers(judge.policy)));
  return approves;
}

/**
 * Whether a person has a say in what `maker` has made: it is their own, or they approve. Where nobody is named as an
 * approver, others have a say once its maker has left.
 * @throws {Failure} `busy` where Slack does not tell
 */
export async function hasSayIn(judge: Judge, { team, person }: Owner, maker: string): Promise<boolean> {
  if (person === maker || (await isApprover(judge, { team, person }))) return true;
  return namesNobody(judge.policy) && hasLeft(judge, { team, person: maker });
}

/** Whether Slack says that somebody is no member any more. */
export async function hasLeft({ people }: Parts<'people'>, owner: Owner, when: When = 'now'): Promise<boolean> {
  return isNoMember(await people.standingOf(owner, ...(when === 'now' ? [when] : [])));
}

const noColleague: Readonly<Record<StandingOfPerson, string | undefined>> = {
  member: undefined,
  guest: 'This person is a guest here, and guests cannot use me.',
  outsider: 'This person is not, or is no longer, a member of this workspace.',
  unknown: 'Slack cannot tell me at the moment who this is.',
};

/** Says why nothing can be left to somebody to do; `undefined` for a member. A missing answer is a no. */
export async function whyNoColleague({ people }: Pick<Judge, 'people'>, owner: Owner): Promise<string | undefined> {
  return noColleague[await people.standingOf(owner, 'now')];
}

/** Those who approve, without guests and people who are no members any more, of whom some are told by direct message. */
async function whoCanBeTold({ people, policy }: Judge, team: string, except: string | undefined) {
  const members = (await people.membersOf(team, allApprovers(policy))).filter(id => id !== except).slice(0, maxAsked);
  const standings = await Promise.all(members.map(person => people.standingOf({ team, person })));
  return members.filter((_, at) => !isNoMember(standings[at] ?? 'unknown')).slice(0, maxTold);
}

/** Max approvers of whom it is asked whether they are members. */
const maxAsked = 30;
/** Max approvers who are told by direct message. */
const maxTold = 10;

/**
 * Where those who approve are told of something, with an id for each place: their channel, else a direct message each,
 * but for `except`. Where nobody is left, it is the channel `otherwise`, if there is one.
 */
export async function approverPlaces(
  { policy, people, approvalChannel }: Judge & Parts<'approvalChannel'>,
  team: string,
  { except, otherwise }: Readonly<{ except?: string | undefined; otherwise?: string }> = {},
): Promise<readonly Readonly<{ id: string; to: NewNotice['to'] }>[]> {
  const own = approvalChannel(team);
  const told = own === undefined ? await whoCanBeTold({ people, policy }, team, except) : [];
  const channel = own ?? (told.length === 0 ? otherwise : undefined);
  return channel === undefined
    ? told.map(person => ({ id: person, to: { person } }))
    : [{ id: channel, to: { channel } }];
}
