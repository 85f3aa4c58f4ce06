import type { KnownBlock } from '@slack/types';
import { memoByObject } from '../../../ground/remembered.ts';
import { counted, inRow } from '../../../ground/wording.ts';
import { type Item, itemsOf, type ShownValue } from '../../../jobs/approval/facts/items.ts';
import { factsOfStep } from '../../../jobs/plans/planFacts.ts';
import { targetOfStep } from '../../../jobs/plans/stepWords.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import { scheduleRequest } from '../../../operations/requests/scheduleRequest.ts';
import { asksForAccount, workflowRequest } from '../../../operations/requests/workflowRequest.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { section, sectionsOf } from '../../blocks/blocks.ts';
import { cutMiddle, limits } from '../../blocks/limits.ts';
import { localTimes } from '../../blocks/moments.ts';
import { bold, code, inFull, plain, recordNamed } from '../../blocks/mrkdwn.ts';
import { isChannel } from '../../desk/placeKinds.ts';
import { describeTarget, factIn } from '../../records/targetWords.ts';
import { describeJob } from '../jobWords.ts';
import { requestHead, toldInHead } from './requestHead.ts';

/*
 * All that the approval of a request binds (jobs/approval/facts/items.ts), drawn whole. Where a message has room for all of
 * it, it is approved there; else behind a button, on pages.
 */

/**
 * Max characters of all that is bound with the first lines, and of the values among it: on a card, whose message has 11,000,
 * and in the row of a list. A card that has no room for all of it shows some steps.
 */
const room = { card: { all: 9_000, values: 4_000 }, row: { all: 2_000, values: 600 }, someSteps: 1_500 } as const;
/** As much of a text as one line takes, to a blank where there is one: escaped, it is five times as long; a section has 3,000. */
const piece = /.{1,500}(?=\s|$)|.{1,500}/gsu;
/** Max characters of the title of a step, and of one on a card that has no room for all. */
const longestTitle = { whole: 400, short: 60 } as const;
const separator = '  ·  ';
/** Max sections of a page. */
const onOnePage = 24;

/** What is bound, as lines of mrkdwn, each of them whole. */
type Whole = Readonly<{
  values: readonly string[];
  /** Each step with its target, and the lines of what else is bound of it. */
  steps: readonly Readonly<{ line: string; short: string; rest: readonly string[] }>[];
  /** The facts of a request without steps that its first lines do not say. */
  facts: readonly Readonly<{ item: Item; lines: readonly string[] }>[];
}>;

/** What the approval of a request binds. A card and its buttons ask more than once. */
const wholeOf = memoByObject((job: Job): Whole => {
  const { approval, steps = [] } = job;
  const facts = approval?.facts ?? [];
  const byStep = Map.groupBy(itemsOf(job, facts, approval?.terms.salt), ({ step }) => step);
  const own = byStep.get(undefined) ?? [];
  const told = steps.length > 0 ? undefined : toldInHead(job);
  return {
    values: own.flatMap(one => (one.kind === 'value' ? linesOf(one) : [])),
    steps: steps.map((step, at) => stepInFull(step, byStep.get(at) ?? [], factsOfStep(facts, at))),
    facts: own.flatMap(item =>
      item.kind === 'fact' && told?.includes(item.key) === false ? [{ item, lines: linesOf(item) }] : [],
    ),
  };
});

/** The lines of an item; a long text goes on in the next line, each line with its number. */
function linesOf({ kind, key, shown }: Pick<Item, 'kind' | 'key' | 'shown'>): readonly string[] {
  return shown.flatMap(([label, text, secret]) => {
    const pieces = text.match(piece) ?? [''];
    return pieces.map((part, at) => {
      const called = pieces.length > 1 ? `${label} (${at + 1} of ${pieces.length})` : label;
      if (kind !== 'fact') return lineInFull([called, part, secret]);
      const value = plain(part, 5 * part.length);
      return `${plain(called, 5 * called.length)}: ${/(^|\d )created$/.test(key) ? localTimes(value) : value}`;
    });
  });
}

/** A value in a line. The note on a password stands beside what was typed, so that nobody can type it. */
export function lineInFull([label, text, secret]: ShownValue): string {
  const note = secret === undefined ? '' : ` _is a secret${secret && `, with the mark ${secret}`}_`;
  return `${plain(label, 80)}: ${inFull(text)}${note}`;
}

function stepInFull(step: PlanStep, items: readonly Item[], facts: readonly Fact[]): Whole['steps'][number] {
  const [
    {
      shown: [[name, target] = ['', ''], ...values],
    } = { shown: [] },
    ...others
  ] = items;
  const called = (longest: number) => plain(cutMiddle(name, longest), 5 * longest);
  const beside = target && `${separator}${code(target)}`;
  const id = targetOfStep(step);
  const holder = factIn(facts, 'holder') ?? facts.find(({ key }) => /^value .*owner/i.test(key))?.value;
  const whose = holder === undefined ? '' : `, of ${plain(holder, 60)}`;
  const about = id && facts.length > 0 ? ` (${describeTarget(facts, id)}${whose})` : '';
  const beware = factIn(facts, 'beware');
  const warning = beware === undefined ? '' : ` :warning: *Beware*: ${plain(beware, 200)}`;
  return {
    line: `${called(longestTitle.whole)}${about}${warning}${beside}`,
    short: `${called(longestTitle.short)}${warning}${target && ` ${code(target)}`}`,
    rest: [...linesOf({ kind: 'value', key: '', shown: values }), ...others.flatMap(linesOf)],
  };
}

/** Whether a place that has so many characters shows all that is bound. */
function fits(job: Job, most: Readonly<{ all: number; values: number }>): boolean {
  const { values } = wholeOf(job);
  const sizeOf = (lines: readonly string[]) => lines.reduce((sum, { length }) => sum + length + separator.length, 0);
  const words = describeJob(job);
  const all = [
    ...requestHead(job, words),
    ...words.decisions,
    ...(job.approval?.terms.approvers ?? []),
    ...allLines(job),
  ];
  return sizeOf(values) <= most.values && sizeOf(all) <= most.all;
}

function allLines(job: Job): readonly string[] {
  const { values, steps, facts } = wholeOf(job);
  const ofSteps = steps.flatMap(({ line, rest }) => packed([line, ...rest]));
  return [...values, ...ofSteps, ...facts.flatMap(({ lines }) => lines)];
}

/** Whether a card has no room for all that the approval of its request binds: it is decided on behind a button. */
export const isDecidedOnPages = memoByObject((job: Job) => !fits(job, room.card));

/** What is to run by itself, and the values that the approval of a request binds, for its card. */
export function requestInFull(job: Job): KnownBlock[] {
  const isAwaiting = job.state === 'awaiting';
  if (!isAwaiting && !asksForAccount(job.operation)) return [];
  const isWhole = !isDecidedOnPages(job);
  const values = isWhole ? wholeOf(job).values : isAwaiting ? [tooMuchIn(job)] : [];
  return [...approvedPermission(job), ...sectionsOf(values)];
}

/** Says what a card has no room for. */
function tooMuchIn(job: Job): string {
  const { values, steps, facts } = wholeOf(job);
  const many = Object.entries({ input: values, step: steps, fact: facts });
  const all = many.flatMap(([what, some]) => (some.length > 0 ? [counted(some.length, what)] : []));
  return `It has ${inRow(all, all.length)}, which do not fit here. Read them all to decide.`;
}

/** The steps of a plan for its card: all of them whole, or as many as there is room for, with shorter names. */
export function stepsInFull(job: Job): readonly string[] {
  const { steps } = wholeOf(job);
  if (!isDecidedOnPages(job)) return steps.map(({ line }) => line);
  const short = steps.map(one => one.short);
  let left: number = room.someSteps;
  const end = short.findIndex(({ length }) => {
    left -= length + 1;
    return left < 0;
  });
  return end < 0 ? short : [...short.slice(0, end), `… and ${counted(short.length - end, 'step')} more`];
}

/** What else the approval of a plan binds of its steps, a line each, for a card that has room for it. */
export function restOfSteps(job: Job): readonly string[] {
  if (isDecidedOnPages(job)) return [];
  return wholeOf(job).steps.flatMap(({ rest }, at) => (rest.length > 0 ? packed([`${at + 1}.`, ...rest]) : []));
}

/** The facts that the approval of a request binds, beside those that its first lines say. */
export function factsInFull(job: Job): Whole['facts'] {
  return wholeOf(job).facts;
}

/** Texts in as few lines as there must be. */
export function packed(texts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + separator.length + text.length <= limits.sectionText)
      lines[lines.length - 1] = `${last}${separator}${text}`;
    else lines.push(text);
  }
  return lines;
}

/** All that the approval of a request binds on pages, what the first lines say of it, too. */
export function pagesInFull(job: Job): readonly (readonly KnownBlock[])[] {
  const sections = [...approvedPermission(job), ...sectionsOf(allLines(job))];
  return Array.from({ length: Math.ceil(sections.length / onOnePage) }, (_, page) =>
    sections.slice(page * onOnePage, (page + 1) * onOnePage),
  );
}

/** All that the approval of a request binds in lines of a list; `undefined` where it has no room in it. */
export function rowInFull(job: Job): readonly string[] | undefined {
  return asksForAccount(job.operation) || !fits(job, room.row) ? undefined : packed(allLines(job));
}

/** How long each standing permission lasts, in words. */
const until: Readonly<Record<string, string>> = {
  [scheduleRequest.name]: 'unattended, until somebody pauses or deletes it',
  [workflowRequest.name]: 'whenever the workflow asks for exactly this, until that person takes it back',
};

/**
 * Exactly what a request for a standing permission asks to approve, that a schedule or a workflow's step runs with the
 * service account, a line each; nothing for other requests. Each change of one of these is asked about anew.
 */
function approvedPermission({ operation, values, target, targetName, channel, person }: Job): KnownBlock[] {
  const lasts = until[operation];
  if (lasts === undefined) return [];
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const whole = (name: string) => plain(text(name), 5 * text(name).length);
  const name = targetName ?? target;
  const isSchedule = operation === scheduleRequest.name;
  const lines = [
    ['Workflow', text('workflow') && bold(text('workflow'), 5 * text('workflow').length)],
    ['Does', whole('work')],
    ['Target', recordNamed(target, name, bold)],
    ['When', text('times') && inFull(text('times'))],
    ['Next runs', text('next') && localTimes(plain(text('next').replaceAll(', ', '  ·  '), 200))],
    ['Messages', isChannel(channel) ? `in <#${channel}>` : `to ${isSchedule ? 'the owner' : 'its person'} alone`],
    [isSchedule ? 'Owner' : 'In the name of', `<@${person}>`],
    ['Runs with', `the service account, ${lasts}`],
  ];
  const given = lines.filter(([, said]) => said !== '');
  return [section(given.map(([label, said]) => `*${label}*: ${said}`).join('\n'))];
}
