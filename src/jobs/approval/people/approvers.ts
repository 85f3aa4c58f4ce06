import { type Identifier, parseIdentifier } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import type { Session } from '../../../records/records.ts';
import type { Decision } from '../../../store/jobs/rows/data.ts';
import type { Job, JobIn } from '../../../store/jobs/rows/job.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Judge, Parts } from '../../parts.ts';
import { targetOf } from '../../request.ts';
import { idIn } from '../facts/fact.ts';
import { inspect } from '../facts/inspection.ts';
import { allApprovers, type Policy } from '../policy/rules.ts';
import { untold } from '../policy/verdict.ts';
import { identityOf } from './identity.ts';
import { type Decider, isOfAnother, mustBeAnother } from './twoPeople.ts';

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
  if (who.person === job.person)
    throw new Failure(
      'forbidden',
      type === 'approved'
        ? 'You asked for this yourself: another person has to approve it.'
        : 'You asked for this yourself: withdraw it instead.',
    );
  await mustBeListed(parts, job, who);
  const session = await parts.records.session(who);
  if (!session) throw new Failure('signed-out', 'You are not signed in to the service. Sign in first, then decide.');
  const identity = await mustBeAnother(parts, job, session);
  if (type === 'approved') await mustKnowAsker(parts, job);
  await mustSeeTargets(job, session, type);
  return { ...session, identity };
}

/**
 * The sign-in of the person who asked tells that it is not the approver's own. A job of the service account may run
 * without it, but not be approved.
 * @throws {Failure} `forbidden` where it is missing
 */
async function mustKnowAsker({ credentials }: Parts<'credentials'>, { team, person, runsAs }: Job): Promise<void> {
  if (runsAs === null || (await credentials.has({ team, person }))) return;
  const why =
    'The person whose schedule it is must be signed in to the service: else nothing tells me that you are another user.';
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
async function isMember({ people }: Parts<'people'>, who: Owner): Promise<boolean> {
  const standing = await people.standingOf(who, 'now');
  if (standing === 'unknown')
    throw new Failure('busy', 'Slack does not tell at the moment who is a member of this workspace.');
  return standing === 'member';
}

/** @throws {Failure} `busy` where Slack does not tell: a missing answer counts as a no */
async function isAmongApprovers({ people }: Parts<'people'>, approvers: readonly string[], who: Owner) {
  const listed = approvers.length === 0 || (await people.isAmong(who, approvers, 'now'));
  if (listed === undefined) throw new Failure('busy', untold(approvers));
  return listed;
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
  const ofSteps = (job.steps ?? []).flatMap(({ target }) =>
    typeof target === 'string' ? (parseIdentifier(target) ?? []) : [],
  );
  const targets = new Map([targetOf(job), ...ofSteps].map(target => [target.text, target]));
  for (const target of targets.values()) {
    const seen = await readTarget(job, target, session);
    // A denial needs no target: it may be gone meanwhile.
    if (seen !== 'shown' && !(seen === 'missing' && type === 'denied'))
      throw new Failure('forbidden', `The service does not show you ${target.text}, so you cannot decide on it.`);
  }
}

/**
 * Reads a target with the sign-in of a person who wants to decide on it.
 * @throws {Failure} where it cannot be read at the moment: `signed-out`, else `forbidden` with a sentence
 */
async function readTarget(job: Job, target: Identifier, { records }: Session): Promise<'shown' | 'hidden' | 'missing'> {
  try {
    // The list shows most targets of a plan with one request.
    const { noun } = target;
    const isListed = noun === 'live' || noun === 'clone' || noun === 'environment';
    const listed = job.steps && isListed ? (await records.list(noun)).records : undefined;
    if (listed?.some(({ id }) => id.text === target.text)) return 'shown';
    const { record } = await inspect(records, target, job.values);
    const wasSeen = target.noun !== 'snapshot' || idIn(job, 'of') !== undefined;
    return record || !wasSeen ? 'shown' : 'missing';
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind === 'missing') return 'missing';
    if (error.kind === 'forbidden') return 'hidden';
    throw new Failure('forbidden', `I could not check that you can read ${target.text}: ${error.message}`, {
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
      const counts = (await isMember(parts, who)) && (await isAmongApprovers(parts, approvers, who));
      return counts ? one : { ...one, type: 'dropped' as const };
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
  const counted = approvalsIn(job).map(async one => {
    if (!(await isOfAnother(parts, job.team, one, runsAs))) return [];
    const who = { team: job.team, person: one.person };
    return (await isMember(parts, who)) && (await isAmongApprovers(parts, approvers, who)) ? [one] : [];
  });
  return (await Promise.all(counted)).flat();
}

/** The approvals of a job that count. */
export function approvalsIn({ approval }: Pick<Job, 'approval'>): readonly Decision[] {
  return approval?.decisions.filter(({ type }) => type === 'approved') ?? [];
}
