import { Failure } from '../../../ground/failure.ts';
import { canBeRead } from '../../../ground/lookalikes.ts';
import { notSignedIn } from '../../../records/records.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import type { Owner } from '../../../store/vault.ts';
import { advance } from '../../advance.ts';
import type { Clerk, Judge, Mover } from '../../parts.ts';
import { attemptDecision, type Click, type ClickOutcome, clickerOf } from '../click.ts';
import { isListed, isMember } from './hasSay.ts';

/**
 * Lets a job run without approval in an emergency, if the policy allows that to the person who asked for the job.
 * Everybody concerned is told.
 * @throws {Failure} `signed-out` where a sign-in is missing
 */
export function breakGlass(
  parts: Judge & Mover & Clerk,
  job: Job,
  click: Click,
  reason: string,
): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'break glass' }, async current => {
    const fault = faultOfGlass(current, click);
    if (fault !== undefined) throw new Failure('forbidden', fault);
    await mustBeEmergencyPerson(parts, click);
    if (!canBeRead(reason)) throw new Failure('forbidden', 'Say why, in readable words: I tell everybody concerned.');
    const credential = await parts.credentials.find(click);
    if (!credential) throw notSignedIn();
    return advance(parts, current, { type: 'glassBroken', reason, by: clickerOf(click, credential.username) });
  });
}

/** Says why a request is none that somebody could run without approval, whatever the policy says. */
export function faultOfGlass({ person, runsAs }: Pick<Job, 'person' | 'runsAs'>, who: Owner): string | undefined {
  if (person !== who.person) return 'Only the person who asked for it can run it without approval.';
  if (runsAs !== null) return 'It runs with the service account, which does only what others approved.';
  return undefined;
}

/** @throws {Failure} `forbidden` where the policy names somebody else, `busy` where Slack does not tell */
async function mustBeEmergencyPerson(judge: Judge, click: Click): Promise<void> {
  if (!(await isListed(judge, judge.policy.emergency, click)) || !(await isMember(judge, click)))
    throw new Failure('forbidden', 'The policy does not let you run anything without approval.');
}
