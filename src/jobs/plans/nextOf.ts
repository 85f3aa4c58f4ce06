import { capital } from '../../ground/wording.ts';
import type { FieldValue } from '../../operations/operation.ts';
import { type Brought, isBrought, type PlanStep } from '../../operations/plans/plan.ts';
import type { Job, JobIn, Plan, RunningJob } from '../../store/jobs/rows/job.ts';
import { allStepsAre, numberedStep } from './stepWords.ts';

/** What a plan does next. */
export type NextOfPlan =
  /** A step is under way. Without `until`, its end makes the plan due. */
  | Readonly<{ type: 'wait'; until?: number }>
  /** The step is begun with these values; `tries` counts the jobs that it had before. */
  | Readonly<{ type: 'begin'; step: number; tries: number; request: StepRequest }>
  | Readonly<{
      type: 'end';
      step: number;
      state: 'succeeded' | 'finished' | 'failed' | 'unconfirmed';
      reason: string;
    }>;

/** The request of a step, with the values that earlier steps brought. */
type StepRequest = Readonly<{ values: Readonly<Record<string, FieldValue>>; target: string }>;

/** A plan that runs. Its `looks` count the jobs of its step whose ends the person has seen to. */
type RunningPlan = Pick<Plan, 'steps' | 'step'> & Pick<RunningJob, 'looks'>;

/**
 * Says what a plan does next. `jobs` are those of its steps, in the order in which they were begun. A step that was
 * confirmed leads to the next one. Any other end, and a step that lacks what an earlier one should have brought, ends
 * the plan, unless the person has seen to it and lets the plan go on: then a step that was finished or is unconfirmed
 * counts as done, and any other is tried again. The plan ends as confirmed where none of its steps counted so.
 */
export function nextOf(plan: RunningPlan, jobs: readonly Job[]): NextOfPlan {
  if (plan.steps.length > 0 && plan.step >= plan.steps.length)
    return endOfAll(plan, jobs, 'Every step is confirmed, or what it should delete was already gone.');
  if (plan.steps.length === 0) return { type: 'end', step: 0, state: 'succeeded', reason: 'It is done.' };
  const own = jobs.filter(({ step }) => step === plan.step);
  const last = own.at(-1);
  // The end of an earlier step may have been taken back while a later one is under way.
  if (jobs.some(({ endedAt }) => endedAt === null)) return { type: 'wait' };
  const broken = jobs.find(job => isBroken(job, jobs));
  if (broken?.step != null) return { type: 'end', step: broken.step, state: 'failed', reason: reasonOf(plan, broken) };
  const isSeenTo = plan.looks > own.length;
  if (!last) return begin(plan, plan.step, { jobs, tries: 0, isSeenTo });
  if (last.state !== 'succeeded') {
    if (!isSeenTo) return { type: 'end', step: plan.step, state: endOf(last), reason: reasonOf(plan, last) };
    if (!isUnsure(last)) return begin(plan, plan.step, { jobs, tries: own.length, isSeenTo });
  }
  const next = plan.step + 1;
  if (next >= plan.steps.length) return endOfAll(plan, jobs, `${capital(allStepsAre(plan.steps))} confirmed.`);
  return begin(plan, next, { jobs, tries: 0, isSeenTo: false });
}

/** The end of a plan that has nothing left to begin. `reason` is the one where nothing is unsure. */
function endOfAll(plan: RunningPlan, jobs: readonly Job[], reason: string): NextOfPlan {
  const [unsure] = unsureIn(jobs);
  const step = plan.steps.length - 1;
  return unsure
    ? { type: 'end', step, state: 'finished', reason: reasonOf(plan, unsure) }
    : { type: 'end', step, state: 'succeeded', reason };
}

/** Whether a job ended so that it may have done its work, and no record shows it. */
export function isUnsure(job: Job): job is JobIn<'finished' | 'unconfirmed'> {
  return job.state === 'finished' || job.state === 'unconfirmed';
}

/** The jobs of steps that are unsure to this day, in their order. */
export function unsureIn(jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(job => isUnsure(job) && isLatest(job, jobs));
}

/** Whether a job is the last try of its step. */
function isLatest(job: Job, jobs: readonly Job[]): boolean {
  return !jobs.slice(jobs.indexOf(job) + 1).some(({ step }) => step === job.step);
}

/** Whether a step failed in the end that was confirmed when a later one was begun. */
function isBroken(job: Job, jobs: readonly Job[]): boolean {
  const { state, step, endedAt } = job;
  if (state !== 'failed' || step === null || !isLatest(job, jobs)) return false;
  return jobs.some(other => other.step !== null && other.step > step && other.createdAt < endedAt);
}

type Beginning = Readonly<{ jobs: readonly Job[]; tries: number; isSeenTo: boolean }>;

function begin(plan: RunningPlan, at: number, { jobs, tries, isSeenTo }: Beginning): NextOfPlan {
  const step = plan.steps[at];
  if (!step) throw new Error(`a plan of ${plan.steps.length} steps has no step ${at}`);
  const { request, lacking } = requestOfStep(step, jobs);
  if (request && (lacking.length === 0 || isSeenTo)) return { type: 'begin', step: at, tries, request };
  const missing = lacking.map(({ step, brings }) => `which ${brings} step ${step + 1} made`);
  const why = `The records do not show ${missing.join(', or ')}.`;
  const how = request ? ` Without it, ${usual(lacking)}.` : '';
  return {
    type: 'end',
    step: at,
    state: request ? 'finished' : 'failed',
    reason: `${numberedStep(plan.steps, at)}: ${why}${how}`,
  };
}

function usual(lacking: readonly Brought[]): string {
  return lacking.every(({ brings }) => brings === 'snapshot')
    ? 'the service uses the latest one'
    : 'the service chooses';
}

/**
 * The request of a step. A value that an earlier step should have brought, and that no record shows, is lacking: it is
 * left out. Without its target, there is no request.
 */
function requestOfStep(step: PlanStep, jobs: readonly Job[]) {
  const found = Object.entries(step.values).map(([name, value]) => {
    const given = isBrought(value) ? broughtBy(jobs, value) : value;
    return { name, given, lacks: given === undefined && isBrought(value) ? [value] : [] };
  });
  const target = typeof step.target === 'string' ? step.target : broughtBy(jobs, step.target);
  const values = Object.fromEntries(found.flatMap(({ name, given }) => (given === undefined ? [] : [[name, given]])));
  return {
    request: target === undefined ? undefined : { values, target },
    lacking: found.flatMap(({ lacks }) => lacks),
  };
}

/** The identifier that a step brought, as far as the records show it. */
export function broughtBy(jobs: readonly Job[], { step }: Brought): string | undefined {
  return jobs.findLast(job => job.step === step && job.claimed !== null)?.claimed ?? undefined;
}

function endOf(job: Job): 'finished' | 'failed' | 'unconfirmed' {
  return isUnsure(job) ? job.state : 'failed';
}

const ended = {
  succeeded: 'is confirmed',
  finished: 'was finished, but its result is not shown',
  unconfirmed: 'is unconfirmed',
  failed: 'failed',
  void: 'was not sent',
  denied: 'was not sent',
  withdrawn: 'was withdrawn',
  expired: 'was not sent',
} as const satisfies Partial<Record<Job['state'], string>>;

/** Says how a step of a plan ended, and why. */
export function reasonOf(plan: Pick<Plan, 'steps' | 'step'>, job: Job): string {
  const how = Object.entries(ended).find(([state]) => state === job.state)?.[1] ?? 'ended';
  return `${numberedStep(plan.steps, job.step ?? plan.step)} ${how}: ${(job.reason ?? '').trim() || 'no record says why.'}`;
}
