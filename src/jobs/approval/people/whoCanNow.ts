import { day } from '../../../ground/durations.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import type { Judge, Parts } from '../../parts.ts';
import { isSurelySame } from './identity.ts';
import { approvalsIn, approversOf } from './mayDecide.ts';

/*
 * Who can decide on a request at the moment: this decides whom to call, and what is said at once. What cannot be read counts
 * as can here. Whether somebody may decide is asked where they do (mayDecide.ts), and there it counts as a no.
 */

/** Why somebody who is listed cannot decide now: they asked for it, maybe by another account; Slack, or a sign-in that is missing. */
export type Hindrance = 'asked' | 'guest' | 'outsider' | 'signed out';

/** How a request stands with those who may decide on it. */
export type Deciders = Readonly<{
  /** The approvals that it still needs. */
  needed: number;
  /** The people who can decide now; `isPart` where there may be others, in groups of which Slack does not tell. */
  can: readonly string[];
  isPart: boolean;
  cannot: ReadonlyMap<string, Hindrance>;
  /** Those who can, and seem to be away, with their own words for it in Slack, if there are any. */
  away: ReadonlyMap<string, string | undefined>;
  /** Whom to call: groups as they are where each member but the requester can, else people. Where nobody can, those whom a sign-in helps. */
  calls: readonly string[];
}>;

/** What tells who can decide. */
type DecidersReader = Judge & Parts<'credentials' | 'audit' | 'clock'>;

/** Max people of whom it is asked whether they can: of more, each costs a call of Slack, and somebody can. */
const mostAsked = 30;
/** Max people who can decide of whom it is asked whether they are away. */
const mostAway = 3;
/** The time without any act after which somebody seems to be away, in milliseconds. */
export const silence = 2 * day;

export async function whoCanNow(parts: DecidersReader, job: JobIn<'awaiting'>): Promise<Deciders> {
  const given = approvalsIn(job.approval).map(({ person }) => person);
  const groups = await listedOn(parts, job);
  const listed = [...new Set(groups.flatMap(({ people }) => people))].filter(person => !given.includes(person));
  const asked = listed
    .slice(0, mostAsked)
    .map(async person => [person, await hindranceOf(parts, job, person)] as const);
  const cannot = new Map((await Promise.all(asked)).flatMap(([person, why]) => (why ? [[person, why] as const] : [])));
  const can = listed.filter(person => !cannot.has(person));
  const isPart = groups.some(({ id, people }) => id !== undefined && people.length === 0);
  const isCalled = (person: string) => !cannot.has(person) || person === job.person;
  const called = groups.flatMap(({ id, people }) =>
    id !== undefined && id !== job.person && people.every(isCalled) ? [id] : people.filter(one => can.includes(one)),
  );
  const calls =
    can.length > 0 || isPart ? called : [...cannot].flatMap(([person, why]) => (why === 'signed out' ? person : []));
  const needed = job.approval.terms.approvals - given.length;
  return { needed, can, isPart, cannot, away: await awayAmong(parts, job.team, can), calls: [...new Set(calls)] };
}

/** Whether a request may wait in vain: too few can decide on it now, or all who can seem to be away. */
export function mayWaitInVain({ needed, can, isPart, away }: Deciders): boolean {
  return !isPart && (can.length < needed || can.every(person => away.has(person)));
}

/** The users and groups that may decide, with the people behind each; without any, all who are signed in. */
async function listedOn({ people, policy, credentials }: DecidersReader, job: JobIn<'awaiting'>) {
  const { team } = job;
  const ids = approversOf(policy, job);
  if (ids.length === 0) return [{ id: undefined, people: await credentials.people(team, mostAsked + 1) }];
  return Promise.all(ids.map(async id => ({ id, people: await people.membersOf(team, [id]) })));
}

async function hindranceOf(
  parts: DecidersReader,
  { team, person: asker, approval }: JobIn<'awaiting'>,
  person: string,
): Promise<Hindrance | undefined> {
  if (person === asker) return 'asked';
  const owner = { team, person };
  const standing = await parts.people.standingOf(owner);
  if (standing === 'guest' || standing === 'outsider') return standing;
  const credential = await parts.credentials.find(owner);
  if (!credential) return 'signed out';
  const identity = credential.identity ?? { users: [], names: [credential.username] };
  return (await isSurelySame(parts, team, [identity, approval.terms.asker])) ? 'asked' : undefined;
}

/** Those of a few people who say in Slack that they are away, or who have done nothing here for a while. */
async function awayAmong({ people, audit, clock }: DecidersReader, team: string, can: readonly string[]) {
  if (can.length > mostAway) return new Map<string, string | undefined>();
  const acted = await audit.actorsSince(team, can, clock.now() - silence);
  const told = can.map(async person => [person, await people.absenceOf({ team, person })] as const);
  return new Map((await Promise.all(told)).filter(([person, why]) => why !== undefined || !acted.has(person)));
}
