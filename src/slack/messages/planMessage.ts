import type { Button } from '@slack/types';
import { canGoOn } from '../../jobs/plans/planActions.ts';
import { factsOfStep } from '../../jobs/plans/planFacts.ts';
import { remedyOf, snapshotBefore, takeBackOf } from '../../jobs/plans/remedy.ts';
import { nameOfStep, targetOfStep } from '../../jobs/plans/stepWords.ts';
import { operationOf } from '../../jobs/request.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { Job, Plan } from '../../store/jobs/rows/job.ts';
import { type Content, message, section, sectionsOf } from '../blocks/blocks.ts';
import { code, limits, localTimes, moment, plain } from '../blocks/limits.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { describeTarget, factIn } from '../records/targetWords.ts';
import { decisionLines, requestCard } from './approval/approvalCard.ts';
import { commandLine } from './approval/requestLine.ts';
import { jobActions } from './jobActions.ts';
import { type ButtonView, type CardPart, canBeAskedAgain, jobButtons, signInButtons } from './jobButtons.ts';
import { type CardView, connectBlock, impactBlock } from './jobMessage.ts';
import { askedBy, mentionAtEnd, phraseOf, promiseOf, sentenceOf, shownOf, titleOf, tookOf } from './jobWords.ts';
import { countOf, doneIn, isBegun, type PlanWithJobs, stepsShown } from './planSteps.ts';

/** Max characters of the lines of one step. */
const longestStep = 900;
/** Max characters for the steps of a plan, so that Slack takes the message. */
const room = 10_000;

/** What the card of a plan says beside it. */
type PlanView = CardView & Readonly<{ part: CardPart; asker: string; names: CommandNames }>;

/**
 * The message of a plan: a pure function of it and its steps. Every step is named while the plan waits for approval, and
 * later those around the current one; the others are counted, since a plan may have more than a message has room for.
 */
export function planCard(shown: PlanWithJobs, { part, ...view }: PlanView): Content {
  const { asker, names } = view;
  const { plan, jobs } = shown;
  const seen = seenOf(shown);
  const head = headOf(seen);
  const loss = lossOf(seen, names);
  const buttons = planButtons(seen, part, view);
  const line = timesOf(plan, asker);
  const isAwaiting = plan.state === 'awaiting';
  const targets = isAwaiting && plan.steps.length > 0 ? [identifiersOf(plan)] : [];
  const steps = stepsShown(shown);
  const olderSteps = sectionsOf(isAwaiting ? stepsAsked(plan) : steps.lines, longestStep);
  return requestCard(plan, part, {
    ...{ operation: seen.operation, asker, line, olderSteps, buttons },
    head: [section(head)],
    // Those who approve read each step with its target, which a client may fold in a plan.
    steps: isAwaiting ? olderSteps : steps.tasks,
    told: [
      ...(seen.made ? connectBlock(seen.made) : []),
      ...jobs.flatMap(job => impactBlock(job, snapshotBefore(jobs, job) !== undefined)),
      ...loss.map(section),
    ],
    fold: { title: 'Details', lines: targets },
    small: [...targets, line],
  });
}

/** The reply in the thread when a plan ends or stops: what stands, and what does not. It mentions the person, unless that is no news. */
export function planReply(shown: PlanWithJobs, names: CommandNames): Content {
  const { plan, jobs } = shown;
  const seen = seenOf(shown);
  const [sign, word] = shownOf(plan);
  const isDone = plan.state === 'succeeded';
  const head = isDone ? phraseOf(seen.result, 'done') : titleOf(plan);
  const sentences = [
    `${sign} ${mentionAtEnd(plan)}*${head}*${madeAnew(seen)} · ${word.toLowerCase()}${tookOf(plan)}.`,
    toldOf(plan, 1000),
    seen.hasBegun && !isDone ? standingOf(seen) : '',
    ...lossOf(seen, names),
    canGoOn(plan, jobs) ? 'Once you have seen to it, let it go on from here.' : '',
  ];
  return message([section([sentences.filter(Boolean).join(' '), ...decisionLines(plan)].join('\n'))]);
}

/** What the message of a plan rests on in several places. */
type Seen = ReturnType<typeof seenOf>;

function seenOf({ plan, jobs }: PlanWithJobs) {
  const operation = operationOf(plan);
  const of = operation.type === 'plan' ? operation.of : undefined;
  const last = jobs.findLast(({ step }) => step === plan.steps.length - 1);
  const makes = last && writeOperation(last.operation)?.proof.type === 'appears';
  return {
    ...{ plan, jobs, operation, hasBegun: isBegun({ plan, jobs }) },
    /** The job that tells what a confirmed plan has done: of a request after a backup, that of the request itself. */
    result: jobs.findLast(job => job.operation === of) ?? plan,
    /** The job that made the new record of a confirmed plan, as its last step. */
    made: plan.state === 'succeeded' && last?.state === 'succeeded' && makes ? last : undefined,
    /** The request that is left of a plan which ended in its middle. */
    left: plan.endedAt === null || plan.state === 'succeeded' ? undefined : remedyOf(plan, jobs),
  };
}

/** What happened to a plan, in a line or two. */
function headOf(seen: Seen): string {
  const { plan, jobs, result, hasBegun } = seen;
  const [sign, word] = shownOf(plan);
  const count = hasBegun ? ` · ${doneIn(jobs).size} of ${countOf(plan.steps.length)} done` : '';
  if (plan.state === 'succeeded') {
    const { length } = plan.steps;
    const all =
      length === 0
        ? ''
        : ` · ${length === 1 ? 'its one step is' : length === 2 ? 'both steps are' : `all ${countOf(length)} are`} confirmed`;
    return `${sign} *${phraseOf(result, 'done')}*${madeAnew(seen)}${phraseOf(result, 'detail')}${all}`;
  }
  if (plan.state === 'running')
    return `${sign} *${phraseOf(plan, 'running')}*${count}.${promiseOf(plan, 'at the end')}`;
  return `${sign} *${titleOf(plan)}* · ${word}${count}\n${toldOf(plan)}${hasBegun ? ` ${standingOf(seen)}` : ''}`;
}

/** What a renewed record is now: another identifier, and where a record is called by its port, perhaps another name. */
function madeAnew({ plan, result, made }: Seen): string {
  const seen = result === plan ? made?.evidence : undefined;
  if (!seen) return '';
  return seen.name === undefined || seen.name === plan.targetName
    ? ` (${code(seen.id)})`
    : ` as *${plain(seen.name, 100)}* (${code(seen.id)})`;
}

function toldOf(job: Job, max = 1500): string {
  return localTimes(plain(sentenceOf(job), max));
}

/** Says which steps stand, and which were not begun. */
function standingOf({ plan, jobs }: Seen): string {
  const begun = new Set(jobs.map(({ step }) => step));
  const done = doneIn(jobs).size;
  const open = plan.steps.length - begun.size;
  const stands = done === 0 ? 'No step is done.' : `${countOf(done)} ${done === 1 ? 'is' : 'are'} done.`;
  return open === 0 ? stands : `${stands} ${countOf(open)} ${open === 1 ? 'was' : 'were'} not begun.`;
}

/** Says what a plan deleted and did not make again, with the command that makes it; nothing where it lost nothing. */
function lossOf({ left }: Seen, names: CommandNames): readonly string[] {
  if (!left?.lost) return [];
  const { operation, values, step, isInDoubt } = left;
  const { labels, targetName } = step;
  const target = String(values[operation.target] ?? '');
  const command = commandLine({ values, labels, target, targetName }, operation, names);
  const since = isInDoubt ? 'no record shows that it was made again' : 'not made again';
  return [`:warning: *${plain(left.lost, 80)} is deleted, and ${since}.* It was: ${command}`];
}

/** Every step with what the approvers have to know of its target; of many steps, the names and the warnings alone. */
function stepsAsked(plan: Plan): readonly string[] {
  const linesOf = (max: number, isWhole: boolean) =>
    plan.steps.map((step, at) => {
      const facts = factsOfStep(plan.approval?.facts ?? [], at);
      const beware = factIn(facts, 'beware');
      const notes = beware === undefined ? '' : ` :warning: *Beware*: ${plain(beware, 200)}`;
      return `${at + 1}. ${plain(nameOfStep(step), max)}${isWhole ? aboutTarget(step, facts) : ''}${notes}`;
    });
  const fits = (lines: readonly string[]) => lines.join('\n').length <= room;
  return [linesOf(120, true), linesOf(120, false)].find(fits) ?? linesOf(36, false);
}

/** What the target of a step is, and whose, as far as its facts tell. */
function aboutTarget(step: Plan['steps'][number], facts: readonly Fact[]): string {
  const id = targetOfStep(step);
  if (!id || facts.length === 0) return '';
  const owner = facts.find(({ key }) => /^value .*owner/i.test(key));
  return ` (${describeTarget(facts, id)}${owner ? `, of ${plain(owner.value, 60)}` : ''})`;
}

/** The identifiers of all targets, in a small line. */
function identifiersOf({ steps }: Plan): string {
  const ids = steps.map(({ target }, at) => `${at + 1}: ${typeof target === 'string' ? code(target) : 'new'}`);
  // An identifier that is cut in the middle names another record.
  const shown = ids.filter((_, at) => ids.slice(0, at + 1).join('  ·  ').length < limits.sectionText - 200);
  const more = ids.length > shown.length ? `  ·  and ${ids.length - shown.length} more` : '';
  return `Targets: ${shown.join('  ·  ')}${more}`;
}

function timesOf(plan: Plan, asker: string): string {
  return [
    askedBy(plan, asker),
    plan.sentAt === null ? undefined : `begun ${moment(plan.sentAt, '{time_secs}')}`,
    plan.endedAt === null ? undefined : `ended ${moment(plan.endedAt, '{time_secs}')}`,
  ]
    .filter(Boolean)
    .join('  ·  ');
}

/** The buttons of a plan: those of the step that is under way, and those of the plan itself. */
function planButtons(seen: Seen, part: CardPart, view: ButtonView): readonly Button[] {
  const { plan, jobs, operation, left, made } = seen;
  const look = jobActions.look.button('Check now', plan.id);
  const label = left ? 'Change what is left…' : 'Change and ask again';
  const again = canBeAskedAgain(plan, operation) ? [jobActions.again.button(label, plan.id)] : [];
  const stop = { j: plan.id, n: jobs.length };
  const onward = canGoOn(plan, jobs) ? [jobActions.goOn.button('Go on from here', stop, { style: 'primary' })] : [];
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
      return [...onward, look, ...again];
    case 'failed':
      return [...onward, ...again];
    case 'succeeded':
      // What people want of the record that it made, or to take back what it restored.
      if (made) return jobButtons(made, part, view);
      return takeBackOf(jobs) ? [jobActions.takeBack.button('Take it back…', plan.id)] : [];
    case 'withdrawn':
      return again;
    default:
      return jobButtons(plan, part, view);
  }
}
