import { Failure, isSignedOut } from '../../ground/failure.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Job } from '../../store/tables/job.ts';
import type { Owner } from '../../store/vault.ts';
import { asked, type Parts, targetOf } from '../parts.ts';
import { reader } from '../records.ts';
import { approvalsIn, type Decision, decisionsIn, termsIn } from './decisions.ts';
import { idIn } from './factData.ts';
import { inspect } from './facts.ts';
import { identityOf } from './identity.ts';
import { allApprovers } from './policy.ts';
import { type Decider, isOfAnother, mustBeAnother } from './twoPeople.ts';

/* Who may decide on a job, and whose decisions count: one rule for a click, and for what is sent after it. */

/** The sign-in with which somebody may decide on a job. @throws {Failure} that says why not */
export async function mayDecide(parts: Parts, job: Job, who: Owner, type: 'approved' | 'denied'): Promise<Decider> {
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
  const identity = await mustBeAnother(parts, job, who, credential);
  await mustRead(parts, job, who, credential, type);
  return { credential, identity };
}

/** @throws {Failure} `forbidden` where somebody may not decide, `busy` where Slack does not tell */
async function mustBeListed({ people, policy }: Parts, job: Job, who: Owner): Promise<void> {
  const standing = await people.standingOf(who, 'now');
  if (standing === 'unknown')
    throw new Failure('busy', 'Slack does not tell at the moment who is a member of this workspace.');
  if (standing !== 'member') throw new Failure('forbidden', 'Only members of this workspace may decide on this.');
  const approvers = approversOf(policy, job);
  if (approvers.length === 0) return;
  const listed = await people.isAmong(who, approvers, 'now');
  if (listed === undefined) throw new Failure('busy', untold(approvers));
  if (!listed) throw new Failure('forbidden', 'You are not among those who may decide on this.');
}

/** Says that Slack does not tell who is in the groups among these ids, which readers are shown by name. */
export function untold(ids: readonly string[]): string {
  return `Slack does not tell who is in ${ids.filter(id => id.startsWith('S')).join(' or ')} at the moment.`;
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
    const wasSeen = target.noun !== 'snapshot' || idIn(job, 'of') !== undefined;
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

/**
 * The approvals of a job that hold for what is sent now: those of members among `approvers`, whom the policy names today,
 * none of whom is the user of the service whose sign-in it runs with. @throws {Failure} `busy` where Slack does not tell
 */
export async function approvalsThatHold(
  parts: Parts,
  job: Job,
  approvers: readonly string[],
  credential: Credential,
): Promise<readonly Decision[]> {
  const runsAs = { credential, identity: await identityOf(parts, credential) };
  const held = approvalsIn(job).map(async one => {
    if (!(await isOfAnother(parts, job.team, one, runsAs))) return [];
    const who = { team: job.team, person: one.person };
    const standing = await parts.people.standingOf(who, 'now');
    const listed = approvers.length === 0 || (await parts.people.isAmong(who, approvers, 'now'));
    if (listed === undefined) throw new Failure('busy', untold(approvers));
    if (standing === 'unknown')
      throw new Failure('busy', 'Slack does not tell at the moment who is a member of this workspace.');
    return listed && standing === 'member' ? [one] : [];
  });
  return (await Promise.all(held)).flat();
}
