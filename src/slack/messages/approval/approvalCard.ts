import type { Button, ContextBlock, KnownBlock } from '@slack/types';
import { counted } from '../../../ground/wording.ts';
import { nameOfStep } from '../../../jobs/plans/stepWords.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Steps } from '../../../store/jobs/rows/data.ts';
import type { Approval, Job } from '../../../store/jobs/rows/job.ts';
import { rowWithin } from '../../blocks/action.ts';
import { actionsRow, context, foldBlock, mrkdwn, section, sectionsOf } from '../../blocks/blocks.ts';
import type { MessageBlock } from '../../blocks/chart.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { mentionDeciders, mentionOf } from '../../blocks/mentionPeople.ts';
import { type Content, message, said } from '../../blocks/message.ts';
import { localTimes, moment, momentAfter } from '../../blocks/moments.ts';
import { bold, code, plain } from '../../blocks/mrkdwn.ts';
import { runCommand } from '../../words/commandActions.ts';
import { type CardPart, isDecidedHere } from '../jobButtons.ts';
import { describeJob, type JobWords, quoteOf } from '../jobWords.ts';
import { timesToType } from '../scheduleTimes.ts';
import { requestHead } from './requestHead.ts';
import { factsInFull, isDecidedOnPages, packed, requestInFull, restOfSteps } from './shownInFull.ts';

/** A fact that the approval binds, and its lines. */
type ShownFact = ReturnType<typeof factsInFull>[number];

/** What a card shows of its job. The first line of a request that waits, and its small print, are the same for all. */
type Drawn = Readonly<{
  /** What happened, once the request waits for nobody. */
  head: readonly KnownBlock[];
  /** The steps of a plan, and their form for workspaces without the newer blocks. */
  steps?: readonly MessageBlock[];
  olderSteps?: readonly KnownBlock[];
  /** What it brought, and what it lost. */
  brought: readonly KnownBlock[];
  buttons: readonly Button[];
  /** The small line below the buttons. */
  line: string | undefined;
  /** What is folded at the end, and the small lines in its place. */
  fold: Readonly<{ title: string; lines: readonly string[] }>;
  small: readonly string[];
}>;

/**
 * The card of a job: what happened or is asked for, what one wants next, and the rest folded. Whoever decides on it reads
 * all of it there, but for what stands on pages of its own.
 */
export function requestCard(job: Job, words: JobWords, part: CardPart, shown: Drawn): Content {
  const { head, steps = [], olderSteps = [], fold } = shown;
  const isAwaiting = job.state === 'awaiting';
  const first = isAwaiting ? sectionsOf(requestHead(job, words)) : head;
  const { columns, facts, terms } = smallPrint(job, part);
  const decisions = [...approvalBlocks(job, words, part), ...columns];
  const above = [...byCalendar(job, words), ...first, ...requestInFull(job)];
  const below = [...shown.brought, ...decisions, ...actionsRow(rowWithin(shown.buttons), 'job')];
  const lines = isAwaiting ? [...facts, ...fold.lines] : [...fold.lines, ...facts];
  const inOne = [facts, terms].flatMap(packed);
  return message(
    [
      ...[...above, ...steps, ...below],
      ...(shown.line === undefined ? [] : [context(shown.line)]),
      ...foldBlock(fold.title, [...lines, ...terms]),
    ],
    'all',
    [...above, ...olderSteps, ...below, ...[...inOne, ...shown.small].map(context)],
  );
}

/** The first line of a message about a run of a schedule, which names it; none for other jobs. */
export function byCalendar({ schedule, rhythm, zone }: Job, { title }: JobWords): ContextBlock[] {
  if (schedule === null) return [];
  const times = rhythm === null || zone === null ? '' : `, ${timesToType({ rhythm, zone })}`;
  return [context(`:calendar: By schedule: *${title}*${times}`)];
}

/** The approval part of a job's message above its buttons: the reason, once it is decided, and the decisions. */
export function approvalBlocks(job: Job, { asker, decisions }: JobWords, part: CardPart): KnownBlock[] {
  const { approval } = job;
  if (!approval) return [];
  const emergency = approval.emergency === null ? [] : [emergencyLine(job, asker)];
  const lines = [...emergency, ...objectionLines(job), ...decisions];
  const where =
    job.state === 'awaiting' && !isDecidedHere(job, part) ? [`I asked for approval in <#${approval.cardPlace}>.`] : [];
  const all = [...lines, ...where];
  return [
    ...(job.state === 'awaiting' ? [] : [section(`*Why*\n${quoteOf(job.purpose ?? '')}`)]),
    ...(all.length > 0 ? [section(all.join('\n'))] : []),
  ];
}

/**
 * The facts that the approval of a request binds, the first ones in two columns while it waits, and below the buttons the
 * small print as lines of mrkdwn: the others, and the terms with the digest. Nothing where it is decided on elsewhere.
 */
function smallPrint(job: Job, part: CardPart) {
  const { approval } = job;
  if (!approval || !isDecidedHere(job, part)) return { columns: [], facts: [], terms: [] };
  const terms = termsOf(job, approval);
  // After the decision, the facts are a record of the past: nobody may take them for the present ones.
  if (job.state !== 'awaiting') return { columns: [], facts: [factsAsAsked(approval, job.steps)], terms };
  const rank = ({ item: { key } }: ShownFact) => (first.includes(key) ? first.indexOf(key) : first.length);
  const facts = factsInFull(job).toSorted((one, other) => rank(one) - rank(other));
  const inFront = facts.filter(
    ({ lines: [line = '', ...more] }) => more.length === 0 && line.length <= longestInColumn,
  );
  const columns = inFront.slice(0, inColumns);
  const rest = isDecidedOnPages(job) ? [] : facts.filter(fact => !columns.includes(fact)).flatMap(({ lines }) => lines);
  return { columns: factColumns(columns), facts: [...rest, ...restOfSteps(job)], terms };
}

function factColumns(facts: readonly ShownFact[]): KnownBlock[] {
  if (facts.length === 0) return [];
  const fields = facts.flatMap(({ item: { key, shown } }) =>
    shown.map(([label, value]) => {
      const text = plain(value, 5 * longestInColumn);
      return mrkdwn(`*${plain(label, 5 * label.length)}*\n${key === 'created' ? localTimes(text) : text}`);
    }),
  );
  return [{ type: 'section', fields }];
}

function termsOf(job: Job, { terms, expiresAt, digest }: Approval): string[] {
  const { rule, approvals, approvers } = terms;
  return [
    `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed: ${plain(rule, 200)}`,
    `May decide: ${approvers.length > 0 && decidersOf(job).length === 0 ? 'nobody else' : mentionDeciders(decidersOf(job))}`,
    asksForAccount(job.operation) ? '' : `Runs as ${code(job.login ?? '')}`,
    job.endedAt !== null || job.state === 'awaiting' ? '' : `Ends ${moment(expiresAt)}`,
    `Digest ${code(digest)}`,
  ].filter(Boolean);
}

/** Names the person who lets a job run without approval, and the reason. */
function emergencyLine(job: Job, asker: string): string {
  return `${asker} broke the glass, as ${bold(job.login ?? '')}:\n${quoteOf(job.approval?.emergency ?? '')}`;
}

/** Users and groups who may decide on a job, without the requester: that person never counts, and is not called. */
export function decidersOf(job: Job): readonly string[] {
  return job.approval?.terms.approvers.filter(id => id !== job.person) ?? [];
}

/** Who holds what a request deletes, and is against that. */
function objectionLines({ approval, steps }: Job): string[] {
  const what = steps ? 'some of it' : 'it';
  return (approval?.terms.objections ?? []).map(
    ({ person, at }) => `:raised_hand: ${mentionOf(person)}, who holds ${what}, objected at ${moment(at, '{time}')}.`,
  );
}

/** Calls the approvers to a card that waits. It is a separate message, since edits notify nobody. */
export function callToApprovers(job: Job, by?: string): Content {
  const { title, asker } = describeJob(job, by);
  const waits = job.approval && job.approval.reminders > 0 ? 'still waits for approval' : 'waits for approval';
  const until = job.approval ? `, ${momentAfter('until', job.approval.expiresAt)}` : '';
  const text = `:bell: ${calling(job)}*${title}* ${waits}${until}. ${asker} asked for it.`;
  return said(text, [runCommand.button('What waits for me', 'approvals')]);
}

/** Calls the approvers to a card of which somebody holds what it deletes, and is against that: `by`, without a mention. */
export function callOfHolder(job: Job, by: string): Content {
  const { title } = describeJob(job);
  const text = `:raised_hand: ${calling(job)}${by} holds what *${title}* deletes, and objects. It still waits for your decision.`;
  return said(text, [runCommand.button('What waits for me', 'approvals')]);
}

/** Tells the approvers, and everybody active in the channel, that something runs without approval. */
export function alarm(job: Job): Content {
  const { title, asker } = describeJob(job, `<@${job.person}>`);
  const text = `:rotating_light: <!here> ${calling(job)}*${title}* runs without approval. ${emergencyLine(job, asker)}`;
  return message([section(text)]);
}

function calling(job: Job): string {
  const others = decidersOf(job);
  return others.length > 0 ? `${mentionDeciders(others)}: ` : '';
}

/** The number of facts that a card shows in columns, max characters of each, and those that come first there. */
const inColumns = 5;
const longestInColumn = 200;
const first: readonly string[] = ['identifier', 'holder', 'environment', 'state', 'created', 'snapshots', 'project'];

/** Lists the facts of a request in one line, as they were at its time; the steps of a plan. */
function factsAsAsked({ facts: asked }: Approval, steps: Steps = []): string {
  const names = steps.map((step, at) => `${at + 1}. ${plain(nameOfStep(step), 80)}`);
  if (steps.length > 0) return cut(`${counted(names.length, 'step')}: ${names.join('  ·  ')}`, roomForSteps);
  const facts = asked.map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return localTimes(cut(`When it was requested: ${facts.join('  ·  ')}`, limits.sectionText - 500));
}

/** Max characters for the steps of a plan in one line. */
const roomForSteps = 2_800;
