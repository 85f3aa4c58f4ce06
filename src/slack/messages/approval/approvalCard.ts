import type { Button, KnownBlock } from '@slack/types';
import { keyOf } from '../../../jobs/approval/facts/fact.ts';
import { noDependents } from '../../../jobs/approval/facts/facts.ts';
import { nameOfStep } from '../../../jobs/plans/stepWords.ts';
import { targetOf } from '../../../jobs/request.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import { legible } from '../../../records/legible.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import { type Approval, hasEnded, isPlan, type Job, type Plan } from '../../../store/jobs/rows/job.ts';
import { mrkdwn, section } from '../../blocks/blocks.ts';
import { code, cut, limits, localTimes, moment, momentAfter, plain } from '../../blocks/limits.ts';
import { mentionDeciders } from '../../blocks/mentionPeople.ts';
import { lossAsked, meetingLines } from '../../records/impactWords.ts';
import { describeTarget, factIn } from '../../records/targetWords.ts';
import { approvalActions, type SeenRequest } from '../jobActions.ts';
import { nameOf, phraseOf } from '../jobWords.ts';
import { decidersOf, decisionLines, emergencyLine, quoteOf } from './decisionLines.ts';
import { isDecidedOnPages } from './shownInFull.ts';

/** A message with the decision buttons: the job's own (`card`), or another one in the channel for approvals. */
export type CardPart = 'card' | 'approval';

/**
 * What an approver must know first, as mrkdwn: who asks for what and why, the harm, what depends on it, and until when
 * to decide.
 */
export function requestHead(job: Job, operation: JobOperation, asker: string): string {
  const facts = job.approval?.facts ?? [];
  const isKnown = facts.some(({ label }) => label !== 'Identifier');
  const ofTarget = isKnown ? ` (${describeTarget(facts, targetOf(job))})` : '';
  const what = job.steps && job.steps.length > 0 ? ` (${job.steps.length} steps)` : ofTarget;
  const beware = factIn(facts, 'beware');
  const harm = operation.warning?.(cut(nameOf(job), 100), job.values);
  const loss = lossAsked(operation, job.impact, operation.type === 'plan' && operation.of !== undefined);
  const met = job.impact ? meetingLines(job.impact) : [];
  const depends = job.impact?.clones ? '' : dependentsSentence(factIn(facts, 'dependents'));
  const until = job.approval ? `Decide ${momentAfter('by', job.approval.expiresAt)}.` : '';
  return [
    `:lock: ${asker} asks to *${phraseOf(job, 'asks')}*${what}`,
    quoteOf(job.purpose ?? '', 500),
    ...(beware === undefined ? [] : [`:warning: *Beware*: ${plain(beware, 500)}`]),
    [harm === undefined ? '' : plain(harm, 600), loss, depends, until].filter(Boolean).join(' '),
    ...met.map(line => `•  ${line}`),
  ].join('\n');
}

function dependentsSentence(dependents: string | undefined): string {
  if (dependents === undefined) return '';
  if (dependents === noDependents.none) return 'Nothing that the records show depends on it.';
  if (dependents === noDependents.hidden) return 'Whether anything depends on it is not visible in the records.';
  return `:warning: *Depends on it*: ${plain(dependents, 2_000)}.`;
}

/** The approval part of a job's message above its buttons: the reason, once it is decided, and the decisions. */
export function approvalBlocks(job: Job, part: CardPart, asker: string): KnownBlock[] {
  const { approval } = job;
  if (!approval) return [];
  const emergency = approval.emergency === null ? [] : [emergencyLine(job, asker)];
  const lines = [...emergency, ...decisionLines(job)];
  const where =
    job.state === 'awaiting' && !isDecidedHere(job, part) ? [`Approval is asked for in <#${approval.cardPlace}>.`] : [];
  const all = [...lines, ...where];
  return [
    ...(job.state === 'awaiting' ? [] : [section(`*Why*\n${quoteOf(job.purpose ?? '')}`)]),
    ...(all.length > 0 ? [section(all.join('\n'))] : []),
  ];
}

/** The small print of an approval, as lines of mrkdwn. */
type SmallPrint = Readonly<{
  /** The facts of the target that the card does not show in columns. */
  facts: readonly string[];
  /** The terms with the digest: a line each, or all in one. */
  terms: readonly string[];
}>;

/** The small print below the buttons; nothing where the request is decided on elsewhere. */
export function smallPrint(job: Job, part: CardPart): SmallPrint {
  const { approval } = job;
  if (!approval || !isDecidedHere(job, part)) return { facts: [], terms: [] };
  // After the decision, the facts are a record of the past: nobody may take them for the present ones.
  const facts = job.state === 'awaiting' ? factLines(factsOf(job, 'others'), room.card) : [factsAsAsked(job)];
  return { facts, terms: termsOf(job, approval) };
}

/** The first facts of the target of a request that waits, in two columns; the others are in the small print. */
export function factColumns(job: Job, part: CardPart): KnownBlock[] {
  const shown = job.state === 'awaiting' && isDecidedHere(job, part) ? factsOf(job, 'columns') : [];
  if (shown.length === 0) return [];
  const fields = shown.map(({ label, value }) =>
    mrkdwn(`*${plain(label, 40)}*\n${localTimes(plain(value, longestInColumn))}`),
  );
  return [{ type: 'section', fields }];
}

/** The parts of a small line, in one. */
export function inOneLine(parts: readonly string[]): string {
  return cut(parts.join('  ·  '), limits.sectionText);
}

/** The buttons of a job that waits for approval. */
export function approvalButtons(job: Job, operation: JobOperation, part: CardPart, hasGlass: boolean): Button[] {
  const seen = seenRequest(job);
  const withdraw = approvalActions.withdraw.button('Withdraw', seen);
  if (!isDecidedHere(job, part)) return [withdraw];
  const what = `${operation.title(job.values)} of ${cut(nameOf(job), 100)}`;
  const where = job.approval?.facts.find(({ label }) => label === 'Environment')?.value;
  const read = approvalActions.read.button('Read all and decide…', { ...seen, p: 0 }, { style: 'primary' });
  const approve: Button = {
    ...approvalActions.approve.button('Approve…', seen, { style: 'primary' }),
    confirm: {
      title: { type: 'plain_text', text: 'Approve?' },
      text: {
        type: 'plain_text',
        text: cut(legible(`${what} (${job.target}${where ? `, on ${cut(where, 80)}` : ''}). ${runsHow(job)}`), 300),
      },
      confirm: { type: 'plain_text', text: 'Approve' },
      deny: { type: 'plain_text', text: 'Not yet' },
    },
  };
  const glass = hasGlass && job.runsAs === null ? [approvalActions.glass.button('Run without approval…', seen)] : [];
  const first = isDecidedOnPages(job) ? read : approve;
  return [first, approvalActions.deny.button('Deny…', seen, { style: 'danger' }), withdraw, ...glass];
}

/** Says when and with whose sign-in a request runs once it is approved. */
function runsHow({ operation, login }: Job): string {
  return asksForAccount(operation)
    ? 'From then on it runs by itself, with the service account.'
    : `It runs at once, as ${login}.`;
}

/** The value of the decision buttons: the job, and the digest of the request as the person saw it. */
export function seenRequest(job: Job): SeenRequest {
  return { j: job.id, d: job.approval?.digest ?? null };
}

function isDecidedHere(job: Job, part: CardPart): boolean {
  return part === 'approval' || !job.approval?.cardPlace;
}

function termsOf(job: Job, { terms, expiresAt, digest }: Approval): string[] {
  const { rule, approvals, approvers } = terms;
  return [
    `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed: ${plain(rule, 200)}`,
    `May decide: ${approvers.length > 0 && decidersOf(job).length === 0 ? 'nobody else' : mentionDeciders(decidersOf(job))}`,
    asksForAccount(job.operation) ? '' : `Runs as ${code(job.login ?? '')}`,
    hasEnded(job) || job.state === 'awaiting' ? '' : `Ends ${moment(expiresAt)}`,
    `Digest ${code(digest)}`,
  ].filter(Boolean);
}

/** Max characters for facts: on a card, and for each job of a list. */
const room = { card: 2_800, list: 1_200 } as const;

/** The facts that stand in sentences of their own. */
const told: readonly string[] = ['dependents', 'beware'];

/** The number of facts that a card shows in columns, max characters of each, and those that come first there. */
const inColumns = 5;
const longestInColumn = 200;
const first: readonly string[] = ['identifier', 'environment', 'state', 'created', 'snapshots', 'project'];

/**
 * Every other fact of the target that an approver has to see, the most telling ones first: all, those that the columns of
 * a card show, or the others. The message of a plan shows its steps with their targets in place of facts.
 */
function factsOf(job: Job, which: 'all' | 'columns' | 'others' = 'all'): readonly Fact[] {
  if (isPlan(job) && job.steps.length > 0) return [];
  const facts = (job.approval?.facts ?? []).filter(fact => !told.includes(keyOf(fact)));
  const rank = (fact: Fact) => (first.includes(keyOf(fact)) ? first.indexOf(keyOf(fact)) : first.length);
  const sorted = facts.toSorted((one, other) => rank(one) - rank(other));
  const columns = sorted.filter(({ value }) => value.length <= longestInColumn).slice(0, inColumns);
  return which === 'all' ? sorted : which === 'columns' ? columns : sorted.filter(fact => !columns.includes(fact));
}

/** Facts as lines of mrkdwn, which have so many characters in all. Many facts have short values. */
function factLines(facts: readonly Fact[], most: number): readonly string[] {
  const shown = (max: number) => facts.map(({ label, value }) => `${plain(label, 40)}: ${plain(value, max)}`);
  const texts = [2_500, 400, 200, 100, 60, 40].map(shown).find(some => some.join('  ·  ').length <= most) ?? shown(20);
  return texts.map(localTimes);
}

/** All facts in one small line of a list; the steps of a plan. */
export function factNotes(job: Job): string[] {
  if (isPlan(job) && job.steps.length > 0) return [stepsOf(job, room.list)];
  const lines = factLines(factsOf(job), room.list);
  return lines.length === 0 ? [] : [cut(lines.join('  ·  '), limits.sectionText - 500)];
}

/** Lists the facts of a job in one line, as they were at the time of the request. */
export function factsAsAsked(job: Job): string {
  if (isPlan(job) && job.steps.length > 0) return stepsOf(job, room.card);
  const facts = (job.approval?.facts ?? []).map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return localTimes(cut(`As it was when it was asked: ${facts.join('  ·  ')}`, limits.sectionText - 500));
}

/** The steps of a plan in one line, as many as there is room for. */
function stepsOf({ steps }: Plan, most: number): string {
  const names = steps.map((step, at) => `${at + 1}. ${plain(nameOfStep(step), 80)}`);
  return cut(`${names.length === 1 ? '1 step' : `${names.length} steps`}: ${names.join('  ·  ')}`, most);
}
