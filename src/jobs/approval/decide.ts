import { Failure } from '../../ground/failure.ts';
import type { Decision } from '../../store/jobs/data.ts';
import type { Job } from '../../store/jobs/job.ts';
import type { Parts } from '../parts.ts';
import { dropUnlisted, mayDecide } from './approvers.ts';
import { attemptDecision, type Click, type ClickOutcome, clickerOf } from './click.ts';
import { type Decider, findEarlierApproval } from './twoPeople.ts';

/**
 * Counts one person's approval. The last one that is needed lets the job go on; before the job is sent, the target is
 * compared once more with what was approved (stillApproved.ts).
 * @throws {Failure} `signed-out` where a sign-in is missing
 */
export function approve(parts: Parts, job: Job, click: Click): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'approved' }, async (current, now) => {
    const decider = await mayDecide(parts, current, click, 'approved');
    const before = await dropUnlisted(parts, current);
    const earlier = await findEarlierApproval(parts, before, click, decider);
    if (earlier) {
      const who = earlier.person === click.person ? 'You have' : `Somebody signed in as ${earlier.login} has`;
      throw new Failure('forbidden', `${who} approved this already.`);
    }
    const decisions = [...before, decisionOf('approved', click, decider, now)];
    const given = decisions.filter(({ type }) => type === 'approved').length;
    const needed = current.approval.terms.approvals;
    const by = { ...clickerOf(click, decider.credential.username), detail: `${given} of ${needed} approvals` };
    const { revision } = current;
    return parts.jobs.apply(
      current,
      given >= needed
        ? {
            state: 'approved',
            changes: { decisions, dueAt: now },
            trail: { ...by, event: 'approved' },
            news: true,
            revision,
          }
        : {
            state: 'awaiting',
            changes: { decisions },
            trail: { ...by, event: 'approved in part' },
            news: true,
            revision,
          },
      now,
    );
  });
}

/** Counts one person's denial, which ends the job. @throws {Failure} `signed-out` where a sign-in is missing */
export function deny(parts: Parts, job: Job, click: Click, reason: string): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'denied' }, async (current, now) => {
    const decider = await mayDecide(parts, current, click, 'denied');
    const decisions = [...current.approval.decisions, { ...decisionOf('denied', click, decider, now), reason }];
    const changes = { decisions, endedAt: now, dueAt: null, reason: `It was denied: ${reason}` };
    const trail = { ...clickerOf(click, decider.credential.username), event: 'denied', detail: reason };
    const { revision } = current;
    return parts.jobs.apply(current, { state: 'denied', changes, trail, news: true, revision }, now);
  });
}

function decisionOf(type: Decision['type'], { person }: Click, decider: Decider, at: number): Decision {
  return { type, person, login: decider.credential.username, identity: decider.identity, at };
}
