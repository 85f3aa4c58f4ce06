import { day } from '../../ground/durations.ts';
import { takenBy } from '../../operations/prefill/prefill.ts';
import { isPlan, type Job, type Plan } from '../../store/jobs/rows/job.ts';
import { advance, transitionOf } from '../advance.ts';
import { digestOf, itemsOf } from '../approval/facts/items.ts';
import { marksAmong } from '../approval/sameAsShown.ts';
import { stepRhythm } from '../machine/effects.ts';
import type { Mover, Parts } from '../parts.ts';
import { isBatch, operationOf } from '../request.ts';
import { type NextOfPlan, nextOf } from './nextOf.ts';
import { nextOfBatch } from './nextOfBatch.ts';
import { factsOfStep } from './planFacts.ts';
import { asNamedNow } from './stepWords.ts';

type RunningPlan = Plan<'running'>;

/** Time for which a step is kept that could not be sent, in milliseconds: the approval of its plan was used in time. */
const stepKeptFor = day;

/**
 * Takes a turn of a running plan: begins the next step, or as many as a batch has room for, or ends the plan, or leaves it
 * until a step ends. If something changes meanwhile, it looks again.
 */
export async function turnPlan(parts: Mover, plan: RunningPlan): Promise<void> {
  for (let current: RunningPlan | undefined = plan; current; current = await runningPlan(parts, plan.id)) {
    const jobs = await stepJobs(parts, plan.id);
    // A step that only another release can read is under way as far as this one knows.
    const next = jobs ? nextIn(current, jobs, parts.clock.now()) : ({ type: 'wait' } as const);
    const isTaken = (await take(parts, current, next)) !== undefined;
    if (isTaken && !(isBatch(current) && next.type === 'begin')) return;
  }
}

function nextIn(plan: RunningPlan, jobs: readonly Job[], now: number): NextOfPlan {
  return isBatch(plan) ? nextOfBatch(plan, jobs, now) : nextOf(plan, jobs);
}

/** The jobs of a plan's steps; `undefined` where another release wrote one of them. */
export async function stepJobs({ jobs }: Parts<'jobs'>, plan: string): Promise<readonly Job[] | undefined> {
  const found = await jobs.stepsOf(plan);
  const read = found.filter(job => job.state !== 'unreadable');
  return read.length === found.length ? read : undefined;
}

/** The jobs of a plan's steps, with those of the batches that it has asked approval for. */
export async function allJobsOf(parts: Parts<'jobs'>, plan: string): Promise<readonly Job[] | undefined> {
  const jobs = await stepJobs(parts, plan);
  const others = await Promise.all((jobs ?? []).filter(isPlan).map(({ id }) => stepJobs(parts, id)));
  const read = others.filter(some => some !== undefined);
  return jobs && read.length === others.length ? [...jobs, ...read.flat()] : undefined;
}

/** A plan that runs; `undefined` where it goes on no more: a part of a batch neither once that is withdrawn. */
export async function runningPlan({ jobs }: Parts<'jobs'>, id: string): Promise<RunningPlan | undefined> {
  const found = await jobs.find(id);
  // Whoever withdrew the batch may have been killed before its parts were.
  const whole = found?.state === 'running' && found.plan !== null ? await jobs.find(found.plan) : undefined;
  if (whole?.state === 'withdrawn') return undefined;
  return found?.state === 'running' && isPlan(found) ? found : undefined;
}

/** Does what comes next; gives `undefined` where the plan has changed meanwhile. */
function take(parts: Mover, plan: RunningPlan, next: NextOfPlan): Promise<Job | undefined> {
  const now = parts.clock.now();
  switch (next.type) {
    case 'wait':
      return advance(parts, plan, { type: 'stepAwaited', nextAt: next.until ?? now + stepRhythm });
    case 'begin':
      return begin(parts, plan, next, now);
    case 'end':
      return advance(parts, plan, { ...next, type: 'planEnded' });
  }
}

async function begin(
  { jobs }: Parts<'jobs'>,
  plan: RunningPlan,
  next: Extract<NextOfPlan, { type: 'begin' }>,
  now: number,
): Promise<Job | undefined> {
  const transition = transitionOf(plan, { type: 'stepBegun', step: next.step }, now);
  return transition && jobs.beginStep(plan, transition, stepOfPlan(plan, next, now));
}

/** The job of a step. A try of a step has one id, so that it is never made twice. */
function stepOfPlan(plan: RunningPlan, { step, tries, request }: Extract<NextOfPlan, { type: 'begin' }>, now: number) {
  const { team, person, channel, purpose, approval, runsAs } = plan;
  const facts = approval ? factsOfStep(approval.facts, step) : [];
  const asked = plan.steps[step] ?? { operation: '', labels: {}, targetName: null };
  const { operation, labels, targetName } = asNamedNow(asked, facts);
  const salt = approval?.terms.salt;
  const items = itemsOf({ operation, values: request.values, labels }, facts, salt);
  return {
    ...{ id: `${plan.id}-${step}-${tries + 1}`, requestKey: JSON.stringify([plan.id, step, tries + 1]) },
    ...{ team, person, runsAs, channel, purpose, operation, labels, targetName, createdAt: now },
    ...{ values: request.values, target: request.target, plan: plan.id, step },
    asShown: marksAmong(plan.asShown, request.values),
    takes: takenBy(operationOf({ id: plan.id, operation }), request.values),
    login: approval ? plan.login : null,
    approval: approval && {
      ...approval,
      ...{ facts, digest: digestOf({ operation }, items, salt), cardPlace: null, cardTs: null },
      expiresAt: Math.max(approval.expiresAt, now + stepKeptFor),
    },
  };
}
