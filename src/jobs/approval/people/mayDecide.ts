import { type Identifier, identifiersAmong } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import type { Session } from '../../../records/records.ts';
import { asUnread, listIfShown } from '../../../records/shown.ts';
import type { Decision } from '../../../store/jobs/rows/data.ts';
import type { Job, JobIn } from '../../../store/jobs/rows/job.ts';
import type { Identity } from '../../../store/tables/credentials.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Judge, Parts } from '../../parts.ts';
import { targetOf } from '../../request.ts';
import { idIn } from '../facts/fact.ts';
import { readTarget } from '../facts/inspection.ts';
import { allApprovers, type Policy } from '../policy/rules.ts';
import { isListed, isMember } from './hasSay.ts';
import { identityOf, identityOfName, relationOf } from './identity.ts';

/* The people who may decide on a job, and the decisions that count. One rule serves a click and the later sending. */

/**
 * Gives the sign-in with which a person decides on a job.
 * @throws {Failure} that says why this person may not decide
 */
export async function mayDecide(
  parts: Judge & Parts<'credentials' | 'records'>,
  job: JobIn<'awaiting'>,
  who: Owner,
  type: 'approved' | 'denied',
): Promise<Decider> {
  const own = faultOfOwn(job, who, type);
  if (own !== undefined) throw new Failure('forbidden', own);
  await mustBeListed(parts, job, who);
  const session = await parts.records.session(who);
  if (!session) throw new Failure('signed-out', 'You are not signed in to the service. Sign in first, then decide.');
  const identity = await mustBeAnother(parts, job, session);
  if (type === 'approved') await mustKnowAsker(parts, job);
  await mustSeeTargets(job, session, type);
  return { ...session, identity };
}

/** Says why somebody may not decide on what they asked for themselves; `undefined` for another's request. */
export function faultOfOwn(job: Pick<Job, 'person'>, { person }: Owner, type: Decision['type']): string | undefined {
  if (person !== job.person) return undefined;
  const instead = type === 'approved' ? 'another person has to approve it' : 'withdraw it instead';
  return `You asked for this yourself: ${instead}.`;
}

/**
 * The sign-in of the person who asked tells that it is not the approver's own. A job of the service account may run
 * without it, but not be approved.
 * @throws {Failure} `forbidden` where it is missing
 */
async function mustKnowAsker({ credentials }: Parts<'credentials'>, { team, person, runsAs }: Job): Promise<void> {
  if (runsAs === null || (await credentials.has({ team, person }))) return;
  const why =
    'The owner of this schedule must be signed in to the service. Until then I cannot tell that you are a different user.';
  throw new Failure('forbidden', why);
}

/** @throws {Failure} `forbidden` where somebody may not decide, `busy` where Slack does not tell */
async function mustBeListed(parts: Judge, job: Job, who: Owner): Promise<void> {
  const approvers = approversOf(parts.policy, job);
  if (!(await isMember(parts, who)))
    throw new Failure('forbidden', 'Only members of this workspace may decide on this.');
  if (!(await isAmongApprovers(parts, approvers, who)))
    throw new Failure('forbidden', 'You are not among those who may decide on this.');
}

/** @throws {Failure} `busy` where Slack does not tell: a missing answer counts as a no */
async function isAmongApprovers(parts: Parts<'people'>, approvers: readonly string[], who: Owner) {
  return approvers.length === 0 || isListed(parts, approvers, who);
}

/** Whether somebody may approve at this moment. @throws {Failure} `busy` where Slack does not tell */
export async function mayApprove(parts: Parts<'people'>, approvers: readonly string[], who: Owner): Promise<boolean> {
  return (await isMember(parts, who)) && (await isAmongApprovers(parts, approvers, who));
}

/**
 * The users and groups that may decide on a job; an empty list means everybody else who is signed in. They are the
 * approvers in the job's terms, without those whom the policy has dropped since. If none of these is left, the
 * approvers that the policy names now may decide.
 */
export function approversOf(policy: Policy, job: Job): readonly string[] {
  const named = job.approval?.terms.approvers ?? [];
  const current = new Set(allApprovers(policy));
  const remaining = named.filter(id => current.has(id));
  return remaining.length > 0 ? remaining : policy.approvers;
}

/**
 * Reads what a person wants to decide on with that person's sign-in: the target, and those of the steps of a plan.
 * @throws {Failure} `forbidden` where the service does not show it
 */
async function mustSeeTargets(job: Job, session: Session, type: 'approved' | 'denied'): Promise<void> {
  const ofSteps = identifiersAmong((job.steps ?? []).map(({ target }) => target));
  const targets = new Map([targetOf(job), ...ofSteps].map(target => [target.text, target]));
  for (const target of targets.values()) {
    const seen = await lookAt(job, target, session);
    // A denial needs no target: it may be gone meanwhile.
    if (seen !== 'shown' && !(seen === 'missing' && type === 'denied'))
      throw new Failure('forbidden', `The service does not show you ${target.text}, so you cannot decide on it.`);
  }
}

/**
 * Reads a target with the sign-in of a person who wants to decide on it.
 * @throws {Failure} where it was not read
 */
async function lookAt(job: Job, target: Identifier, { records }: Session): Promise<'shown' | 'hidden' | 'missing'> {
  try {
    // The list shows most targets of a plan with one request.
    const { noun } = target;
    const isListed = noun === 'live' || noun === 'clone' || noun === 'environment';
    const listed = job.steps && isListed ? (await listIfShown(records, noun))?.records : undefined;
    if (listed?.some(({ id }) => id.text === target.text)) return 'shown';
    const record = await readTarget(records, target, job.values);
    const wasSeen = target.noun !== 'snapshot' || idIn(job, 'of') !== undefined;
    return record || !wasSeen ? 'shown' : 'missing';
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind === 'missing') return 'missing';
    if (error.kind === 'forbidden') return 'hidden';
    throw new Failure(asUnread(error).kind, `I could not check that you can read ${target.text}: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Gives the decisions on a job. An approval whose giver is no approver any more is marked as dropped.
 * @throws {Failure} `busy` where Slack does not tell: an approval is not taken back for a missing answer
 */
export async function dropUnlisted(parts: Judge, job: JobIn<'awaiting'>): Promise<readonly Decision[]> {
  const approvers = approversOf(parts.policy, job);
  return Promise.all(
    job.approval.decisions.map(async one => {
      if (one.type !== 'approved') return one;
      const who = { team: job.team, person: one.person };
      return (await mayApprove(parts, approvers, who)) ? one : { ...one, type: 'dropped' as const };
    }),
  );
}

/**
 * Gives the approvals of a job that count when it is sent. Their givers are members, are among `approvers`, whom the
 * policy names today, and are other users of the service than the one that the job runs as.
 * @throws {Failure} `busy` where Slack does not tell
 */
export async function approvalsThatCount(
  parts: Judge & Parts<'credentials'>,
  job: Job,
  approvers: readonly string[],
  session: Pick<Session, 'credential' | 'records'>,
): Promise<readonly Decision[]> {
  const runsAs = { ...session, identity: await identityOf(session) };
  const counted = approvalsIn(job.approval).map(async one => {
    if (!(await isOfAnother(parts, job.team, one, runsAs))) return [];
    const who = { team: job.team, person: one.person };
    return (await mayApprove(parts, approvers, who)) ? [one] : [];
  });
  return (await Promise.all(counted)).flat();
}

/** The approvals of a job that count. */
export function approvalsIn(approval: Job['approval']): readonly Decision[] {
  return approval?.decisions.filter(({ type }) => type === 'approved') ?? [];
}

/*
 * The rule of two people: a decision is made by another user of the service than the one who asked. An approval is also
 * made by another user than each approval before it.
 */

/** A person who decides: their sign-in, and their identity at the service. */
export type Decider = Pick<Session, 'credential' | 'records'> & Readonly<{ identity: Identity }>;

/**
 * Gives the identity at the service of a person who decides on a job.
 * @throws {Failure} `forbidden` where that is, or may be, the same user as the person who asked; another kind where the
 *   service does not tell at the moment
 */
async function mustBeAnother(
  parts: Parts<'credentials' | 'policy'>,
  job: JobIn<'awaiting'>,
  session: Session,
): Promise<Identity> {
  const { credential, records } = session;
  const requester = await parts.credentials.find({ team: job.team, person: job.person });
  try {
    const mine = await identityOf(session);
    const differ = async (other: Identity) =>
      mustDiffer(await relationOf(parts, { team: job.team, records }, [mine, other]), mine, other);
    if (requester?.token === credential.token) throw failureOfSameUser(mine, mine);
    await differ(job.approval.terms.asker);
    // Where the service could not tell at the sign-in, the list of users tells more about the name.
    if (requester) await differ(requester.identity ?? (await identityOfName(records, requester.username)));
    return mine;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out' || error.kind === 'forbidden') throw error;
    const why = `The service cannot tell me at the moment which user you are: ${error.message} Nothing was decided.`;
    throw new Failure(error.kind, why, { cause: error });
  }
}

/** Finds an earlier approval by the same person, or by somebody who may be the same user of the service. */
export async function findEarlierApproval(
  parts: Parts<'credentials' | 'policy'>,
  decisions: readonly Decision[],
  { team, person }: Owner,
  decider: Decider,
): Promise<Decision | undefined> {
  for (const one of decisions)
    if (one.type === 'approved' && (one.person === person || !(await isOfAnother(parts, team, one, decider))))
      return one;
  return undefined;
}

/** Whether an approval was given by another user of the service than the one whose sign-in this is. */
export async function isOfAnother(
  parts: Parts<'credentials' | 'policy'>,
  team: string,
  one: Decision,
  { credential, identity, records }: Decider,
): Promise<boolean> {
  const isOther = async (other: Identity) =>
    (await relationOf(parts, { team, records }, [identity, other])) === 'other';
  if (!(await isOther(one.identity))) return false;
  const now = await parts.credentials.find({ team, person: one.person });
  return !now || (now.token !== credential.token && isOther(now.identity ?? { users: [], names: [now.username] }));
}

/** @throws {Failure} `forbidden` where two may be one user of the service */
function mustDiffer(relation: 'same' | 'other' | 'untold', mine: Identity, asker: Identity): void {
  if (relation === 'same') throw failureOfSameUser(mine, asker);
  if (relation === 'other') return;
  const why = `I cannot tell that ${mine.names[0]} and ${asker.names[0]} are two users of the service, so they count as one. Sign in with a name of the same kind (both with the user name, or both with the e-mail address), or let somebody else decide.`;
  throw new Failure('forbidden', why);
}

function failureOfSameUser(mine: Identity, asker: Identity): Failure {
  const [me, other] = [mine.names[0], asker.names[0]];
  const called = me === other ? me : `${me}, which is the same user as ${other}`;
  const why = `You are signed in to the service as ${called}, and so is the person who asked: another user has to decide.`;
  return new Failure('forbidden', why);
}
