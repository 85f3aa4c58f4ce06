import { isPlan, type Plan, runnerOf } from '../../store/jobs/job.ts';
import { advance } from '../advance.ts';
import { otherLogin } from '../approval/stillApproved.ts';
import type { JobEvent } from '../machine/transitions.ts';
import type { Parts } from '../parts.ts';
import { eventOfUnsent, expiryOf, tooLate } from '../send.ts';
import { eventBeforePlan } from './checkPlan.ts';
import { turnPlan } from './turn.ts';

/** Begins a plan that is new or approved: asks the policy about all of it, and takes its first turn. */
export async function beginPlan(parts: Parts, plan: Plan<'new' | 'approved'>): Promise<void> {
  const begun = await advance(parts, plan, await eventAtBegin(parts, plan));
  if (begun?.state === 'running' && isPlan(begun)) await turnPlan(parts, begun);
}

async function eventAtBegin(parts: Parts, plan: Plan<'new' | 'approved'>): Promise<JobEvent> {
  const until = expiryOf(plan);
  if (parts.clock.now() >= until) return { type: 'expired', reason: tooLate[plan.state] };
  const session = await parts.records.session(runnerOf(plan));
  if (!session) return { type: 'signedOut', until };
  const login = session.credential.username;
  if (plan.state === 'approved') {
    return login === plan.login ? { type: 'begun', login } : { type: 'changedSince', reason: otherLogin(plan, login) };
  }
  try {
    const event = plan.state === 'new' ? await eventBeforePlan(parts, plan, session) : undefined;
    return event ?? { type: 'begun', login };
  } catch (error) {
    return eventOfUnsent(parts, plan, error);
  }
}
