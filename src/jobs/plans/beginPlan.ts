import type { Session } from '../../records/records.ts';
import { asUnread } from '../../records/shown.ts';
import { isPlan, type Plan, runnerOf } from '../../store/jobs/rows/job.ts';
import { advance } from '../advance.ts';
import type { JobEvent } from '../machine/transitions.ts';
import type { FactReader, Inquirer, Mover, Parts } from '../parts.ts';
import { isBatch } from '../request.ts';
import { eventOfUnsent, expiryOf, tooLate } from '../send.ts';
import { changeOfPlan } from './beforeStep.ts';
import { beginBatch, type Split, splitOf } from './beginBatch.ts';
import { eventBeforePlan } from './checkPlan.ts';
import { turnPlan } from './turn.ts';

/** Begins plans. */
type PlanStarter = Mover & FactReader & Parts<'keepersOf' | 'coveredByRule' | 'approvalChannel'>;

/** Begins a plan that is new or approved: reads and judges all of it, and takes its first turn. */
export async function beginPlan(parts: PlanStarter, plan: Plan<'new' | 'approved'>): Promise<void> {
  const event = await eventAtBegin(parts, plan);
  const begun = await (event.type === 'split' ? beginBatch(parts, plan, event) : advance(parts, plan, event));
  if (begun?.state === 'running' && isPlan(begun)) await turnPlan(parts, begun);
}

async function eventAtBegin(parts: PlanStarter, plan: Plan<'new' | 'approved'>): Promise<JobEvent | Split> {
  const until = expiryOf(plan);
  if (parts.clock.now() >= until) return { type: 'expired', reason: tooLate[plan.state] };
  const session = await parts.records.session(runnerOf(plan));
  if (!session) return { type: 'signedOut', until };
  try {
    const event = await eventBeforeBegin(parts, plan, session);
    return event ?? { type: 'begun', login: session.credential.username };
  } catch (error) {
    return eventOfUnsent(parts, plan, asUnread(error));
  }
}

/**
 * Asks the policy about a new plan, and the records whether an approved one still is what was approved. Each target of a
 * batch is asked about for itself, now and when it is sent.
 */
async function eventBeforeBegin(parts: Inquirer, plan: Plan<'new' | 'approved'>, session: Session) {
  if (plan.state === 'new') {
    const split = isBatch(plan) ? await splitOf(parts, plan, session) : undefined;
    const isOneCard = split?.asks.length === 1 && split.asks[0]?.length === plan.steps.length;
    if (isBatch(plan) && !isOneCard) return split;
    return eventBeforePlan(parts, plan, session);
  }
  const reason = isBatch(plan) ? undefined : await changeOfPlan(parts, plan, session);
  return reason === undefined ? undefined : ({ type: 'changedSince', reason } as const);
}
