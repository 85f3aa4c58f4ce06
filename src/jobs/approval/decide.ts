import { Failure } from '../../ground/failure.ts';
import type { Decision } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { advance } from '../advance.ts';
import type { Judge, Mover, Parts } from '../parts.ts';
import { attemptDecision, type Click, type ClickOutcome, clickerOf } from './click.ts';
import { type Decider, dropUnlisted, findEarlierApproval, mayDecide } from './people/mayDecide.ts';

/** Takes people’s decisions. */
export type DecisionTaker = Judge & Mover & Parts<'audit' | 'records'>;

/**
 * Counts one person's approval. The last one that is needed lets the job go on; before the job is sent, the target is
 * compared once more with what was approved (changedSinceApproval.ts).
 * @throws {Failure} `signed-out` where a sign-in is missing
 */
export function approve(parts: DecisionTaker, job: Job, click: Click): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'approved' }, async (current, now) => {
    const decider = await mayDecide(parts, current, click, 'approved');
    const before = await dropUnlisted(parts, current);
    const earlier = await findEarlierApproval(parts, before, click, decider);
    if (earlier) {
      const who = earlier.person === click.person ? 'You have' : `Somebody signed in as ${earlier.login} has`;
      throw new Failure('forbidden', `${who} already approved this.`);
    }
    const decisions = [...before, decisionOf('approved', click, decider, now)];
    const by = clickerOf(click, decider.credential.username);
    return advance(parts, current, { type: 'approved', decisions, by });
  });
}

/** Counts one person's denial, which ends the job. @throws {Failure} `signed-out` where a sign-in is missing */
export function deny(parts: DecisionTaker, job: Job, click: Click, reason: string): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'denied' }, async (current, now) => {
    const decider = await mayDecide(parts, current, click, 'denied');
    const decisions = [...current.approval.decisions, { ...decisionOf('denied', click, decider, now), reason }];
    const by = clickerOf(click, decider.credential.username);
    return advance(parts, current, { type: 'denied', decisions, reason, by });
  });
}

function decisionOf(type: Decision['type'], { person }: Click, decider: Decider, at: number): Decision {
  return { type, person, login: decider.credential.username, identity: decider.identity, at };
}
