import type { Button } from '@slack/types';
import { counted } from '../../ground/wording.ts';
import { isUnsure, reasonOf } from '../../jobs/plans/nextOf.ts';
import { canGoOn, remedyOf, snapshotBefore, takeBackOf } from '../../jobs/plans/remedy.ts';
import { allStepsAre } from '../../jobs/plans/stepWords.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { section } from '../blocks/blocks.ts';
import { type Content, message } from '../blocks/message.ts';
import { localTimes, moment } from '../blocks/moments.ts';
import { bold, code, plain, recordNamed } from '../blocks/mrkdwn.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { requestCard } from './approval/approvalCard.ts';
import { commandLine } from './approval/requestLine.ts';
import { batchMessage } from './batchMessage.ts';
import { jobActions } from './jobActions.ts';
import { type ButtonView, type CardPart, canBeAskedAgain, jobButtons, signInButtons } from './jobButtons.ts';
import { connectBlock, impactBlock, type MessageView } from './jobMessage.ts';
import { describeJob, type JobWords } from './jobWords.ts';
import { doneIn, endedAfterwards, isBegun, mentionAtEnd, type PlanWithJobs, stepsShown } from './planSteps.ts';

type PlanView = MessageView & Readonly<{ part: CardPart }>;

/** A message of a plan: a card, or the reply when it ends or stops. A batch that was begun has messages of its own. */
export function planMessage(shown: PlanWithJobs, part: CardPart | 'reply', view: MessageView): Content {
  const words = describeJob(shown.plan, view.asker);
  const isBatch = words.operation.type === 'plan' && words.operation.isBatch;
  if (isBatch && isBegun(shown)) return batchMessage(shown, words, part);
  return part === 'reply' ? planReply(shown, view.names, words) : planCard(shown, { ...view, part }, words);
}

/**
 * The message of a plan: a pure function of it and its steps. Every step is named while the plan waits for approval, and
 * later those around the current one; the others are counted, since a plan may have more than a message has room for.
 */
export function planCard(shown: PlanWithJobs, view: PlanView, words = describeJob(shown.plan, view.asker)): Content {
  const { part } = view;
  const { plan, jobs } = shown;
  const seen = seenOf(shown, words);
  const line = timesOf(seen);
  return requestCard(plan, words, part, {
    ...{ ...stepsShown(shown), line, buttons: planButtons(seen, part, view) },
    head: [section(headOf(seen))],
    brought: [
      ...(seen.made ? connectBlock(seen.made) : []),
      ...jobs.flatMap(job => impactBlock(job, snapshotBefore(jobs, job) !== undefined)),
      ...lossOf(seen, view.names).map(section),
    ],
    fold: { title: 'Details', lines: [] },
    small: [line],
  });
}

/** The reply in the thread: what stands, and what does not. It mentions the person, unless that is no news. */
export function planReply(shown: PlanWithJobs, names: CommandNames, words = describeJob(shown.plan)): Content {
  const { plan } = shown;
  const seen = seenOf(shown, words);
  const isDone = plan.state === 'succeeded';
  const head = isDone ? seen.result.phrase('done') : words.title;
  const mention = mentionAtEnd(plan, seen.since, words);
  const sentences = [
    `${words.sign} ${mention}*${head}*${madeAnew(seen)} · ${words.word.toLowerCase()}${words.took}.`,
    sinceThen(seen) || words.told(1000),
    seen.hasBegun && !isDone ? standingOf(seen) : '',
    ...lossOf(seen, names),
    seen.canGoOn ? 'Once you have dealt with it, choose *Go on from here*.' : '',
  ];
  return message([section([sentences.filter(Boolean).join(' '), ...words.decisions].join('\n'))]);
}

/** What the message of a plan rests on in several places. */
type SeenPlan = ReturnType<typeof seenOf>;

function seenOf({ plan, jobs }: PlanWithJobs, words: JobWords) {
  const of = words.operation.type === 'plan' ? words.operation.of : undefined;
  const asked = jobs.findLast(job => job.operation === of);
  const last = jobs.findLast(({ step }) => step === plan.steps.length - 1);
  const makes = last && writeOperation(last.operation)?.proof.type === 'appears';
  return {
    /** What has gone on to its end since the plan was withdrawn. */
    since: endedAfterwards({ plan, jobs }),
    ...{ plan, jobs, words, hasBegun: isBegun({ plan, jobs }), canGoOn: canGoOn(plan, jobs) },
    /** The words about what a confirmed plan has done: of a request after a backup, those of the request itself. */
    result: asked ? describeJob(asked) : words,
    /** The job that made the new record of a confirmed plan, as its last step. */
    made: plan.state === 'succeeded' && last?.state === 'succeeded' && makes ? last : undefined,
    /** The request that is left of a plan which ended in its middle. */
    left: plan.endedAt === null || plan.state === 'succeeded' ? undefined : remedyOf(plan, jobs),
  };
}

/** What happened to a plan, in a line or two. */
function headOf(seen: SeenPlan): string {
  const { plan, jobs, words, result, hasBegun } = seen;
  const { sign } = words;
  const count = hasBegun ? ` · ${doneIn(jobs).size} of ${counted(plan.steps.length, 'step')} done` : '';
  if (plan.state === 'succeeded') {
    const all = plan.steps.length === 0 ? '' : ` · ${allStepsAre(plan.steps)} confirmed`;
    return `${sign} *${result.phrase('done')}*${madeAnew(seen)}${result.phrase('detail')}${all}`;
  }
  if (plan.state === 'running') return `${sign} *${words.phrase('running')}*${count}.${words.promise}`;
  const stands = hasBegun ? ` ${[sinceThen(seen), standingOf(seen)].filter(Boolean).join(' ')}` : '';
  return `${sign} *${words.title}* · ${words.word}${count}\n${words.told(1500)}${stands}`;
}

/** What a renewed record is now: another identifier, and where a record is called by its port, perhaps another name. */
function madeAnew({ plan, words, result, made }: SeenPlan): string {
  const seen = result === words ? made?.evidence : undefined;
  if (!seen) return '';
  return seen.name === undefined || seen.name === plan.targetName
    ? ` (${code(seen.id)})`
    : ` as ${recordNamed(seen.id, seen.name, bold)}`;
}

/** Says how the steps ended that were under way when a plan was withdrawn; nothing where none was, or is. */
function sinceThen({ plan, since }: SeenPlan): string {
  return since.map(job => localTimes(plain(reasonOf(plan, job), 600))).join(' ');
}

/** Says which steps stand, and which were not begun. */
function standingOf({ plan, jobs }: SeenPlan): string {
  const begun = new Set(jobs.map(({ step }) => step));
  const done = doneIn(jobs).size;
  const open = plan.steps.length - begun.size;
  const stands = done === 0 ? 'No step is done.' : `${counted(done, 'step')} ${done === 1 ? 'is' : 'are'} done.`;
  return open === 0 ? stands : `${stands} ${counted(open, 'step')} ${open === 1 ? 'was' : 'were'} not begun.`;
}

/** Says what a plan deleted and did not make again, with the command that makes it; nothing where it lost nothing. */
function lossOf({ left }: SeenPlan, names: CommandNames): readonly string[] {
  if (!left?.lost) return [];
  const { operation, values, step, isInDoubt } = left;
  const { labels, targetName } = step;
  const target = String(values[operation.target] ?? '');
  const command = commandLine({ values, labels, target, targetName }, operation, names);
  const since = isInDoubt ? 'no record shows that it was made again' : 'was not made again';
  return [`:warning: *${plain(left.lost, 80)} is deleted, and ${since}.* To make it again: ${command}`];
}

function timesOf({ plan, words }: SeenPlan): string {
  return [
    words.asked,
    plan.sentAt === null ? undefined : `begun ${moment(plan.sentAt, '{time_secs}')}`,
    plan.endedAt === null ? undefined : `ended ${moment(plan.endedAt, '{time_secs}')}`,
  ]
    .filter(Boolean)
    .join('  ·  ');
}

/** The buttons of a plan: those of the step that is under way, and those of the plan itself. */
function planButtons(seen: SeenPlan, part: CardPart, view: ButtonView): readonly Button[] {
  const { plan, jobs, words, left, made } = seen;
  const look = jobActions.look.button('Check now', plan.id);
  const label = left ? 'Change what is left…' : 'Change and ask again';
  const again = canBeAskedAgain(plan, words.operation) ? [jobActions.again.button(label, plan.id)] : [];
  const stop = { j: plan.id, n: jobs.length };
  const onward = seen.canGoOn ? [jobActions.goOn.button('Go on from here', stop, { style: 'primary' })] : [];
  switch (plan.state) {
    case 'running': {
      const current = jobs.at(-1);
      const isHeld = current?.endedAt === null && current.hold === 'sign-in';
      const signIn = isHeld ? signInButtons(current.hold, plan) : [];
      const steer =
        current?.state === 'running' && !isHeld ? [look, jobActions.stop.button('Stop checking', plan.id)] : [];
      return [...signIn, ...steer, jobActions.withdraw.button('Stop after this step', plan.id)];
    }
    case 'finished':
    case 'unconfirmed':
      return [...onward, ...(jobs.some(job => job.step === plan.step && isUnsure(job)) ? [look] : []), ...again];
    case 'failed':
      return [...onward, ...again];
    case 'succeeded':
      // What people want of the record that it made, or to take back what it restored.
      if (made) return jobButtons(made, part, view);
      return takeBackOf(jobs) ? [jobActions.takeBack.button('Take it back…', plan.id)] : [];
    case 'withdrawn':
      return again;
    default:
      return jobButtons(plan, part, view, words);
  }
}
