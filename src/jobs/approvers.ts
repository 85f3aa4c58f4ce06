import { Failure, isSignedOut } from '../failure.ts';
import type { Credential } from '../store/credentials.ts';
import type { Job } from '../store/job.ts';
import type { Owner } from '../store/vault.ts';
import { approvalsIn, type Decision, decisionsIn, termsIn } from './decisions.ts';
import { factsIn, inspect } from './facts.ts';
import { asked, type Parts, targetOf } from './parts.ts';
import { allApprovers, comparable } from './policy.ts';
import { reader } from './records.ts';

/* Who may decide on a job, and whose decisions count: one rule for a click, and for what is sent after it. */

/** The sign-in with which somebody may decide on a job. @throws {Failure} that says why not */
export async function mayDecide(parts: Parts, job: Job, who: Owner, type: 'approved' | 'denied'): Promise<Credential> {
  const no = (why: string) => new Failure('forbidden', why);
  if (who.person === job.person)
    throw no(
      type === 'approved'
        ? 'You asked for this yourself: another person has to approve it.'
        : 'You asked for this yourself: withdraw it instead.',
    );
  await mustBeListed(parts, job, who);
  const credential = await parts.credentials.find(who);
  if (!credential)
    throw new Failure('signed-out', 'You are not signed in to the service, which those who decide must be.');
  const requester = await parts.credentials.find({ team: job.team, person: job.person });
  if (isSame(credential.username, job.login ?? '') || isSameSignIn(credential, requester))
    throw no(
      `You are signed in to the service as ${credential.username}, as the person who asked: another user has to decide.`,
    );
  await mustRead(parts, job, who, credential, type);
  return credential;
}

/** @throws {Failure} `forbidden` where somebody may not decide, `busy` where Slack does not tell */
async function mustBeListed({ people, policy }: Parts, job: Job, who: Owner): Promise<void> {
  const standing = await people.standingOf(who);
  if (standing === 'unknown')
    throw new Failure('busy', 'Slack does not tell me at the moment who decides on this. Please try again.');
  if (standing !== 'member') throw new Failure('forbidden', 'Only members of this workspace may decide on this.');
  const approvers = approversOf(policy, job);
  if (approvers.length === 0) return;
  const listed = await people.isAmong(who, approvers, 'now');
  if (listed === undefined)
    throw new Failure(
      'busy',
      'Slack does not tell me at the moment who is in the group of approvers. Please try again.',
    );
  if (!listed) throw new Failure('forbidden', 'You are not among those who may decide on this.');
}

/** Who may decide on a job: as it was asked, as long as the policy has not been changed to name others. */
export function approversOf(policy: Parts['policy'], job: Job): readonly string[] {
  const asked = termsIn(job)?.approvers ?? [];
  const known = new Set(allApprovers(policy));
  // Whom the policy names no longer may no longer decide; if it names none of them, it is as if it were asked today.
  const still = asked.filter(id => known.has(id));
  return asked.length > 0 && still.length > 0 ? still : policy.approvers;
}

async function mustRead(
  parts: Parts,
  job: Job,
  who: Owner,
  credential: Credential,
  type: 'approved' | 'denied',
): Promise<void> {
  const target = targetOf(job);
  const records = reader(call => parts.service.fetch(credential.token, call), parts.mapping);
  try {
    const { record } = await inspect(records, target, asked(job).values);
    const wasSeen = target.noun !== 'snapshot' || factsIn(job).some(({ label }) => label === 'Of');
    if (!record && wasSeen) throw new Failure('missing', `No record shows ${target.text}.`);
  } catch (error) {
    if (isSignedOut(error)) await parts.credentials.drop(who, credential.token, parts.clock.now());
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind === 'missing' && type === 'denied') return;
    const hidden = error.kind === 'missing' || error.kind === 'forbidden';
    throw new Failure(
      'forbidden',
      hidden
        ? `The service does not show you ${target.text}, so you cannot decide on it.`
        : `I could not check that you can read ${target.text}: ${error.message}`,
      { cause: error },
    );
  }
}

/**
 * The decisions with every approval dropped whose giver is no approver any more. @throws {Failure} `busy` where Slack does
 * not tell: what is only not known is not taken back for good
 */
export async function stillListed(parts: Parts, job: Job): Promise<readonly Decision[]> {
  return Promise.all(
    decisionsIn(job).map(async one => {
      if (one.type !== 'approved') return one;
      const listed = await mustBeListed(parts, job, { team: job.team, person: one.person }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.kind === 'forbidden') return false;
          throw error;
        },
      );
      return listed ? one : { ...one, type: 'dropped' as const };
    }),
  );
}

/** The approval, among these, of the same person or the same user of the service. */
export async function approvalOf(
  { credentials }: Parts,
  decisions: readonly Decision[],
  { team, person }: Owner,
  credential: Credential,
): Promise<Decision | undefined> {
  for (const one of decisions) {
    if (one.type !== 'approved') continue;
    if (one.person === person || isSame(one.login, credential.username)) return one;
    if (isSameSignIn(credential, await credentials.find({ team, person: one.person }))) return one;
  }
  return undefined;
}

/**
 * The approvals of a job that hold for what is sent now: those of `approvers`, whom the policy names today, none of whom
 * is signed in as the one whose sign-in it runs with. @throws {Failure} `busy` where Slack does not tell
 */
export async function approvalsThatHold(
  { people, credentials }: Parts,
  job: Job,
  approvers: readonly string[],
  runsAs: Credential,
): Promise<readonly Decision[]> {
  const held = approvalsIn(job).map(async one => {
    const who = { team: job.team, person: one.person };
    if (isSame(one.login, runsAs.username) || isSameSignIn(runsAs, await credentials.find(who))) return [];
    const listed = approvers.length === 0 || (await people.isAmong(who, approvers));
    if (listed === undefined) throw new Failure('busy', 'Slack does not tell me at the moment who may approve this.');
    return listed ? [one] : [];
  });
  return (await Promise.all(held)).flat();
}

/** Whether two names are of one user of the service, as far as names tell. */
function isSame(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function isSameSignIn(one: Credential, other: Credential | undefined): boolean {
  return other !== undefined && (isSame(one.username, other.username) || one.token === other.token);
}
