import type { SectionBlock } from '@slack/types';
import { counted } from '../../ground/wording.ts';
import { isUnsure, unsureIn } from '../../jobs/plans/nextOf.ts';
import { factsOfStep } from '../../jobs/plans/planFacts.ts';
import { asNamedNow, nameOfStep } from '../../jobs/plans/stepWords.ts';
import { isPlan, type Job, type Plan } from '../../store/jobs/rows/job.ts';
import { sectionsOf } from '../blocks/blocks.ts';
import type { MessageBlock } from '../blocks/chart.ts';
import { cut } from '../blocks/limits.ts';
import { localTimes, moment } from '../blocks/moments.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { type Piece, piecesOf } from '../blocks/richText.ts';
import { type Task, taskPlan } from '../blocks/taskPlan.ts';
import { stepsInFull } from './approval/shownInFull.ts';
import { isQuiet, type JobWords, sentenceOf, shownOf } from './jobWords.ts';

/** A plan with the jobs of its steps, in the order in which they were begun. */
export type PlanWithJobs = Readonly<{ plan: Plan; jobs: readonly Job[] }>;

/** The steps around the current one that are shown by name; the others are counted. */
const namedBefore = 4;
const namedAfter = 6;
/** Max characters of what there is to say about a step. */
const longestNote = 300;
/** Max characters of the lines of one step. */
const longestStep = 900;

/** A step as it is shown, or several of them that are counted. */
type ShownStep = Readonly<{
  called: string;
  /** What follows its name, such as how it ended. */
  word?: string;
  sign: string;
  status: Task['status'];
  /** When it was sent; until then, the word for its state. */
  since?: number | string;
  /** What there is to say about it. */
  told?: string;
}>;

/** Whether a plan was begun: one that was withdrawn in its middle is told by its steps alone. */
export function isBegun({ plan, jobs }: PlanWithJobs): boolean {
  return plan.sentAt !== null || jobs.length > 0;
}

/** What was under way when a plan was withdrawn, once all of it has ended since; nothing before that. */
export function endedAfterwards({ plan: { state, endedAt }, jobs }: PlanWithJobs): readonly Job[] {
  if (state !== 'withdrawn' || endedAt === null) return [];
  const goneOn = jobs.filter(job => !isPlan(job) && job.state !== 'withdrawn' && (job.endedAt ?? endedAt) >= endedAt);
  return goneOn.every(job => job.endedAt !== null) ? goneOn : [];
}

/** The mention of a plan's person at its end: of one that was withdrawn, once what was under way has ended, too. */
export function mentionAtEnd({ person, schedule }: Plan, since: readonly Job[], { mention }: JobWords): string {
  const isNews = schedule === null ? since.length > 0 : since.some(({ state }) => state !== 'succeeded');
  return isNews ? `<@${person}> ` : mention;
}

/** The indexes of the steps that are confirmed. */
export function doneIn(jobs: readonly Job[]): ReadonlySet<number> {
  return new Set(jobs.flatMap(({ state, step }) => (state === 'succeeded' && step !== null ? [step] : [])));
}

/**
 * The steps of a plan, and their form for workspaces without the newer blocks: all of them for those who approve, and later
 * those around the current one as they stand now, with how many there are before and after them.
 */
export function stepsShown(
  shown: PlanWithJobs,
): Readonly<{ steps: readonly MessageBlock[]; olderSteps: SectionBlock[] }> {
  const { plan, jobs } = shown;
  if (plan.state === 'awaiting') {
    // Those who approve read each step with its target, which a client may fold in a plan.
    const steps = sectionsOf(stepsInFull(plan));
    return { steps, olderSteps: steps };
  }
  const rows = stepsNow(shown);
  const title = `Steps: ${doneIn(jobs).size} of ${plan.steps.length} done`;
  return { steps: taskPlan(title, rows.map(taskOf)), olderSteps: sectionsOf(rows.map(lineOf), longestStep) };
}

function stepsNow({ plan, jobs }: PlanWithJobs): readonly ShownStep[] {
  const { steps, step: current, state } = plan;
  if (!isBegun({ plan, jobs }) && state !== 'new' && state !== 'approved') return [];
  const isLong = steps.length > namedBefore + namedAfter;
  const from = isLong ? Math.max(0, current - namedBefore) : 0;
  const to = isLong ? Math.min(steps.length, current + namedAfter) : steps.length;
  const named = steps.slice(from, to).map((asked, index) => {
    const at = from + index;
    const step = asNamedNow(asked, factsOfStep(plan.approval?.facts ?? [], at));
    const tries = jobs.filter(job => job.step === at);
    const again = tries.length > 1 ? ` (try ${tries.length})` : '';
    return rowOf(`${at + 1}. ${cut(nameOfStep(step), 120)}${again}`, at, tries.at(-1), plan);
  });
  const after = steps.length - to;
  return [
    ...(from === 0 ? [] : [rowBefore(from, jobs)]),
    ...named,
    ...(after === 0 ? [] : [{ called: `${counted(after, 'step')} after these`, ...open }]),
  ];
}

const open = { sign: ':white_circle:', status: 'pending' } as const;
const done = { sign: ':white_check_mark:', status: 'complete' } as const;

/** The steps before those that are named: done where each is confirmed, or its target was gone. */
function rowBefore(from: number, jobs: readonly Job[]): ShownStep {
  const called = `${counted(from, 'step')} before these`;
  const unsure = unsureIn(jobs).filter(({ step }) => step !== null && step < from);
  const [first] = unsure;
  if (!first) return { called, ...done };
  return { called, word: `${unsure.length} not confirmed`, sign: shownOf(first)[0], status: 'pending' };
}

function rowOf(called: string, at: number, job: Job | undefined, plan: Plan): ShownStep {
  if (!job) return { called, ...open };
  if (job.state === 'succeeded') return { called, ...done };
  const [sign, word] = shownOf(job);
  const told = sentenceOf(job);
  if (job.endedAt === null) {
    const isAsHoped = job.state === 'running' && isQuiet(job);
    return { called, sign, status: 'in_progress', since: job.sentAt ?? word, ...(isAsHoped ? {} : { told }) };
  }
  // The plan went past a failure only where nothing was left to delete.
  if (at < plan.step && !isUnsure(job)) return { called, word: 'gone already', ...done };
  const isToldAbove = plan.endedAt !== null && at === plan.step;
  // Only what the service or the records call failed is shown as an error: the rest is not known.
  const status = job.state === 'failed' ? 'error' : 'pending';
  return { called, word, sign, status, ...(isToldAbove ? {} : { told }) };
}

function lineOf({ called, word, sign, since, told }: ShownStep): string {
  const says = told === undefined ? '' : localTimes(plain(told, longestNote));
  if (since === undefined)
    return `${sign} ${plain(called)}${word === undefined ? '' : ` · ${word}`}${says === '' ? '' : `: ${says}`}`;
  const began = typeof since === 'number' ? `started ${moment(since, '{time}')}` : since;
  return `${sign} *${plain(called)}* · ${began}.${says === '' ? '' : ` ${says}`}`;
}

function taskOf({ called, word, status, since, told }: ShownStep): Task {
  const says = told === undefined ? [] : piecesOf(cut(told, longestNote));
  const began: readonly Piece[] =
    since === undefined
      ? []
      : typeof since === 'number'
        ? ['Started ', { at: since, format: '{time}' }, '. ']
        : [`${since}. `];
  return { title: word === undefined ? called : `${called} · ${word}`, status, details: [...began, ...says] };
}
