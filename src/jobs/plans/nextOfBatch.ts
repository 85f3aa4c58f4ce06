import { minute } from '../../ground/durations.ts';
import { isPlan, type Job, type JobState, type Plan } from '../../store/jobs/rows/job.ts';
import { stepRhythm } from '../machine/effects.ts';
import type { NextOfPlan } from './nextOf.ts';
import { knownValues } from './stepWords.ts';

/** Max jobs of a batch that are under way at a time. */
export const batchAtOnce = 4;
/** The time after which a job that is still under way holds up no other one, in milliseconds: it may hang for hours. */
export const longestHold = 15 * minute;

/** A target of a batch: its step with the latest job of it, or the batch with which others are asked to approve it. */
export type BatchTarget = Readonly<{
  step: Plan['steps'][number];
  at: number;
  job: Job | undefined;
  asks?: Plan | undefined;
}>;

/**
 * The targets of a batch, in their order. `jobs` are those of its steps, and the batches of those that wait for approval
 * with their own jobs.
 */
export function targetsOf({ id, steps }: Pick<Plan, 'id' | 'steps'>, jobs: readonly Job[]): readonly BatchTarget[] {
  const allAsks = jobs.filter((job): job is Plan => job.plan === id && isPlan(job));
  return steps.map((step, at) => {
    const isAbout = ({ target }: BatchTarget['step']) => target === step.target;
    const asks = allAsks.find(one => one.steps.some(isAbout));
    const asked = asks?.steps.findIndex(isAbout) ?? -1;
    const isIts = (job: Job) =>
      asked < 0 ? job.plan === id && job.step === at : job.plan === asks?.id && job.step === asked;
    return { step, at, job: jobs.findLast(job => !isPlan(job) && isIts(job)), ...(asks ? { asks } : {}) };
  });
}

/** The ends after which the service has nothing of a request any more: it did not take it, or says that it failed. */
const isOver: readonly JobState[] = ['failed', 'void', 'expired', 'withdrawn'];

/**
 * The targets of a batch that has ended which can be asked for again without doing anything twice: none that the service may
 * have accepted and whose end nobody knows, and none that people denied.
 */
export function toRetry(batch: Plan, jobs: readonly Job[]): readonly BatchTarget[] {
  if (batch.endedAt === null || batch.plan !== null) return [];
  return targetsOf(batch, jobs).filter(({ job, asks }) => isOver.includes((job ?? asks ?? batch).state));
}

/**
 * Says what a batch does next: it begins a job for each step, a few at a time, and ends when all have ended. `jobs` are
 * those that it began, in their order.
 */
export function nextOfBatch(batch: Plan<'running'>, jobs: readonly Job[], now: number): NextOfPlan {
  const targets = targetsOf(batch, jobs);
  const open = jobs.filter(({ endedAt }) => endedAt === null);
  const holders = open.filter(job => !isPlan(job) && holdsPlace(job, now));
  const next = targets.find(({ job, asks }) => !job && !asks);
  if (next && holders.length < batchAtOnce) {
    const request = { values: knownValues(next.step), target: String(next.step.target) };
    return { type: 'begin', step: next.at, tries: 0, request };
  }
  if (next || open.length > 0)
    return { type: 'wait', until: Math.min(now + stepRhythm, ...frees(next ? holders : [])) };
  return { type: 'end', step: batch.steps.length - 1, ...endOf(jobs.filter(({ plan }) => plan === batch.id)) };
}

/** Whether a job keeps others of its batch waiting. All of them need the same sign-in. */
function holdsPlace({ hold, createdAt }: Job, now: number): boolean {
  return hold === 'sign-in' || now < createdAt + longestHold;
}

function frees(holders: readonly Job[]): readonly number[] {
  return holders.flatMap(({ hold, createdAt }) => (hold === 'sign-in' ? [] : [createdAt + longestHold]));
}

/** How a batch ends whose jobs have ended so: well only where all are confirmed. */
function endOf(jobs: readonly Job[]) {
  const left = jobs.filter(({ state }) => state !== 'succeeded');
  const state = left.every(job => job.state === 'finished')
    ? 'finished'
    : left.every(job => job.state === 'finished' || job.state === 'unconfirmed')
      ? 'unconfirmed'
      : 'failed';
  return left.length === 0
    ? ({ state: 'succeeded', reason: 'All are confirmed.' } as const)
    : ({ state, reason: 'Not all are confirmed.' } as const);
}
