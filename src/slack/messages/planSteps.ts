import type { PlanBlock } from '@slack/types';
import { nameOfStep } from '../../jobs/plans/stepWords.ts';
import type { Job, Plan } from '../../store/jobs/rows/job.ts';
import { cut, localTimes, moment, plain } from '../blocks/limits.ts';
import { type Piece, piecesOf } from '../blocks/richText.ts';
import { type Task, taskPlan } from '../blocks/taskPlan.ts';
import { isQuiet } from './jobMessage.ts';
import { sentenceOf } from './jobSentence.ts';
import { shownOf } from './jobWords.ts';

/** A plan with the jobs of its steps, in the order in which they were begun. */
export type PlanWithJobs = Readonly<{ plan: Plan; jobs: readonly Job[] }>;

/** The steps around the current one that are shown by name; the others are counted. */
const namedBefore = 4;
const namedAfter = 6;
/** Max characters of what there is to say about a step. */
const longestNote = 300;

/** How a step stands. */
type Standing =
  | Readonly<{ type: 'open' }>
  | Readonly<{ type: 'done' }>
  | Readonly<{ type: 'gone already' }>
  | Readonly<{ type: 'under way'; job: Job }>
  /** An end that the plan did not go past; `isToldAbove` where the message's first line says why. */
  | Readonly<{ type: 'ended'; job: Job; isToldAbove: boolean }>;

/** Whether a plan was begun: one that was withdrawn in its middle is told by its steps alone. */
export function isBegun({ plan, jobs }: PlanWithJobs): boolean {
  return plan.sentAt !== null || jobs.length > 0;
}

/** A number of steps in words. */
export function countOf(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}

/** The indexes of the steps that are confirmed. */
export function doneIn(jobs: readonly Job[]): ReadonlySet<number> {
  return new Set(jobs.flatMap(({ state, step }) => (state === 'succeeded' && step !== null ? [step] : [])));
}

/** The steps around the current one as they stand now, and how many there are before and after them; a line of mrkdwn each. */
export function stepLines(shown: PlanWithJobs): readonly string[] {
  const { named, before, after } = stepsNow(shown);
  return [
    ...(before === 0 ? [] : [`:white_check_mark: ${countOf(before)} before these`]),
    ...named.map(({ called, standing }) => lineOf(plain(called), standing)),
    ...(after === 0 ? [] : [`:white_circle: ${countOf(after)} after these`]),
  ];
}

/** The same steps as a plan of tasks; no block before the plan begins. */
export function stepTasks(shown: PlanWithJobs): PlanBlock[] {
  const { named, before, after } = stepsNow(shown);
  const { length } = shown.plan.steps;
  const tasks: Task[] = [
    ...(before === 0 ? [] : [{ title: `${countOf(before)} before these`, status: 'complete' as const }]),
    ...named.map(({ called, standing }) => taskOf(called, standing)),
    ...(after === 0 ? [] : [{ title: `${countOf(after)} after these`, status: 'pending' as const }]),
  ];
  return taskPlan(`Steps: ${doneIn(shown.jobs).size} of ${length} done`, tasks);
}

function stepsNow({ plan, jobs }: PlanWithJobs) {
  const { steps, step: current, state } = plan;
  if (!isBegun({ plan, jobs }) && state !== 'new' && state !== 'approved') return { named: [], before: 0, after: 0 };
  const isLong = steps.length > namedBefore + namedAfter;
  const from = isLong ? Math.max(0, current - namedBefore) : 0;
  const to = isLong ? Math.min(steps.length, current + namedAfter) : steps.length;
  const named = steps.slice(from, to).map((step, index) => {
    const at = from + index;
    const tries = jobs.filter(job => job.step === at);
    const again = tries.length > 1 ? ` (try ${tries.length})` : '';
    return { called: `${at + 1}. ${cut(nameOfStep(step), 120)}${again}`, standing: standingOf(at, tries.at(-1), plan) };
  });
  return { named, before: from, after: steps.length - to };
}

function standingOf(at: number, job: Job | undefined, plan: Plan): Standing {
  if (!job) return { type: 'open' };
  if (job.state === 'succeeded') return { type: 'done' };
  if (job.endedAt === null) return { type: 'under way', job };
  // The plan went past a failure only where nothing was left to delete.
  if (at < plan.step && job.state !== 'finished' && job.state !== 'unconfirmed') return { type: 'gone already' };
  return { type: 'ended', job, isToldAbove: plan.endedAt !== null && at === plan.step };
}

function lineOf(called: string, standing: Standing): string {
  if (standing.type === 'open') return `:white_circle: ${called}`;
  if (standing.type === 'done') return `:white_check_mark: ${called}`;
  if (standing.type === 'gone already') return `:white_check_mark: ${called} · gone already`;
  const { job } = standing;
  const [sign, word] = shownOf(job);
  const told = localTimes(plain(sentenceOf(job), longestNote));
  if (standing.type === 'ended') return `${sign} ${called} · ${word}${standing.isToldAbove ? '' : `: ${told}`}`;
  const since = job.sentAt === null ? word : `started ${moment(job.sentAt, '{time}')}`;
  return `${sign} *${called}* · ${since}.${isAsHoped(job) ? '' : ` ${told}`}`;
}

function taskOf(called: string, standing: Standing): Task {
  if (standing.type === 'open') return { title: called, status: 'pending' };
  if (standing.type === 'done') return { title: called, status: 'complete' };
  if (standing.type === 'gone already') return { title: `${called} · gone already`, status: 'complete' };
  const { job } = standing;
  const [, word] = shownOf(job);
  const told = piecesOf(cut(sentenceOf(job), longestNote));
  if (standing.type === 'ended')
    // Only what the service or the records call failed is shown as an error: the rest is not known.
    return {
      title: `${called} · ${word}`,
      status: job.state === 'failed' ? 'error' : 'pending',
      ...(standing.isToldAbove ? {} : { details: told }),
    };
  const since: readonly Piece[] =
    job.sentAt === null ? [`${word}. `] : ['Started ', { at: job.sentAt, format: '{time}' }, '. '];
  return { title: called, status: 'in_progress', details: isAsHoped(job) ? since : [...since, ...told] };
}

function isAsHoped(job: Job): boolean {
  return job.state === 'running' && isQuiet(job);
}
