import type { KnownBlock } from '@slack/types';
import { typedIdentifier, vendorNames } from '../../api/identifiers.ts';
import { mask } from '../../api/secrets/passwords.ts';
import { asClause } from '../../ground/wording.ts';
import { doubtsAbout } from '../../operations/doubts.ts';
import type { JobOperation, Role } from '../../operations/operation.ts';
import type { Evidence, Objection } from '../../store/jobs/rows/data.ts';
import type { Job, JobIn } from '../../store/jobs/rows/job.ts';
import { actionsRow, context, section } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import { preformatted } from '../blocks/richText.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { doubtLine, lossAfterBackup, lossSentence, meetingLines } from '../records/targetWords.ts';
import { alarm, callToApprovers, requestCard } from './approval/approvalCard.ts';
import { commandLine, requestLine } from './approval/requestLine.ts';
import { type ButtonView, type CardPart, jobButtons } from './jobButtons.ts';
import { describeJob, type JobWords } from './jobWords.ts';

/** What a card says beside the job. */
export type CardView = ButtonView &
  Readonly<{
    /** The requester in mrkdwn, without a mention: the card must not notify the person who asked for it. */
    asker?: string;
    /** The slash commands, for the command that asks for the same; without them, the job's inputs stand in its place. */
    names?: CommandNames;
  }>;
/** The same with all that a message says. */
export type MessageView = CardView & Readonly<{ asker: string; names: CommandNames }>;

/** The messages of a job for its person alone: each is told once. */
export const aloneParts = ['alone:slow', 'alone:busy', 'alone:sign-in', 'alone:end'] as const;
export type AlonePart = (typeof aloneParts)[number];

/**
 * The messages of a job: its own card, the card in the channel for approvals, a call to the approvers at first and for
 * each reminder, the alarm that it runs without approval, the reply at its end, and what its person alone is told. A call
 * or an alarm goes to one person alone if the approvers do not see the card. The outlook tells whoever asked that nobody can
 * decide now. An objection calls the approvers once more; whoever holds what is deleted hears of that before and after.
 */
export type MessagePart = CardPart | 'alarm' | 'call' | ApartPart | 'reply' | AlonePart;
/** Of these, the messages that are no message of the job alone: they rest on people, and on who holds what. */
type ApartPart = 'outlook' | 'objection' | 'holder' | 'holder:end';

/** A message of a job; of a plan, the card and the reply are those of `planMessage`. */
export function jobMessage(job: Job, part: Exclude<MessagePart, ApartPart>, view: MessageView): Content {
  switch (part) {
    case 'card':
    case 'approval':
      return jobCard(job, part, view);
    case 'reply':
      return jobReply(job);
    case 'alarm':
      return alarm(job);
    case 'call':
      return callToApprovers(job, view.asker);
    default:
      return aloneMessage(job, view);
  }
}

/**
 * The job's message: a pure function of the job, the same for all readers. What happened comes first, then what one
 * wants next; the rest is folded at the end, with the word for the state, and is a small line in the older form. The part
 * `approval` is the one in the channel for approvals.
 */
export function jobCard(job: Job, part: CardPart = 'card', view: CardView = {}): Content {
  const words = describeJob(job, view.asker);
  const { asked } = words;
  const isAwaiting = job.state === 'awaiting';
  // The first line says neither the word for the state nor, as long as all goes well, the sentence.
  const hasHead = isAwaiting || job.state === 'succeeded' || job.state === 'running' || words.lacking !== undefined;
  const title = `${words.kind} of ${cut(words.name, 80)}${vendorIn(job)} · ${words.word}`;
  const rest = restOf(job, words, { names: view.names, hasHead });
  return requestCard(job, words, part, {
    head: isLog(job) ? logBlocks(job, words) : [section(headOf(job, words))],
    brought: [...objectionBlock(job), ...doubtBlock(job, words), ...impactBlock(job), ...connectBlock(job)],
    buttons: jobButtons(job, part, view, words),
    // Of a request that waits, the first line says who asked.
    line: isAwaiting ? undefined : asked,
    fold: { title: hasHead ? title : 'Details', lines: isAwaiting ? [...rest, asked] : rest },
    small: [[...(hasHead ? [plain(title, 300)] : []), ...rest, asked].join('  ·  ')],
  });
}

/** What somebody says of an end, beside what Dolly told. */
function objectionBlock({ evidence, endedAt }: Job): KnownBlock[] {
  const objection = endedAt === null ? undefined : evidence?.objection;
  if (!objection) return [];
  return [section(`:speech_balloon: ${mentionOf(objection.by)} disagrees: ${saidInstead[objection.says]}.`)];
}

/** What people say of a job in place of its end, in a clause. */
export const saidInstead: Readonly<Record<Objection['says'], string>> = {
  done: 'it was done',
  failed: 'it failed',
  runs: 'it still runs',
};

/** The reply in the thread when a job ends. It mentions the person, since edits notify nobody, unless that is no news. */
export function jobReply(job: Job): Content {
  const words = describeJob(job);
  const { sign, lacking } = words;
  const head = job.state === 'succeeded' ? doneOf(words) : `*${words.title}*`;
  const what = lacking === undefined ? head : `*${words.phrase('undone')}*: ${asClause(lacking)}`;
  const result = `${what} · ${words.word.toLowerCase()}${words.took}.`;
  const found = connectionIn(job);
  const loss = job.state === 'succeeded' && job.impact ? lossSentence(job.impact, 'done') : undefined;
  const told = [result, loss, toldOf(job, words, 1000)].filter(Boolean).join(' ');
  const text = `${sign} ${words.mention}${told}${['', ...words.decisions].join('\n')}`;
  return message([section(found === undefined ? text : `${text}\n${code(found)}${hintAt(found)}`)]);
}

/**
 * The message of a job for its person alone: why nothing was done, or why nothing was sent yet, the button that goes on
 * from there, and the request in a small line.
 */
function aloneMessage(job: Job, view: MessageView): Content {
  const words = describeJob(job);
  return message([
    section(headOf(job, words)),
    ...actionsRow(jobButtons(job, 'card', view, words), 'job'),
    context([words.title, commandLine(job, words.operation, view.names)].filter(Boolean).join('  ·  ')),
  ]);
}

/** Says in a line or two what happened to a job that waits for nobody; `told` is its last sentence. */
function headOf(job: Job, words: JobWords, told = toldOf(job, words)): string {
  const { sign, lacking } = words;
  if (job.state === 'succeeded') return `${sign} ${doneOf(words)}`;
  if (job.state === 'running') {
    const head = `${sign} *${words.phrase('running')}* · started ${moment(job.sentAt, '{time}')}.`;
    return words.isQuiet ? `${head}${words.promise}` : `${head}\n${told}`;
  }
  if (lacking !== undefined) return `${sign} *${words.phrase('undone')}*: ${lacking}`;
  return `${sign} *${words.title}*${vendorIn(job)} · ${words.word}\n${told}`.trim();
}

/** Whether a job failed with a log of the service's own, which reads badly in a sentence. */
function isLog(job: Job): job is JobIn<'failed'> {
  if (job.state !== 'failed' || job.evidence?.error !== job.reason) return false;
  return job.reason.length > longestQuote;
}

/** Max characters of the service's words in a sentence of Dolly's. */
const longestQuote = 120;

function logBlocks(job: JobIn<'failed'>, words: JobWords): KnownBlock[] {
  const told = `The service reports for ${plain(job.evidence?.name ?? words.name, 100)}:`;
  return [section(headOf(job, words, told)), preformatted(job.reason, limits.sectionText)];
}

/** What is doubtful of what was asked for, until it is confirmed; a request that waits says it in its first lines. */
function doubtBlock({ state, values }: Job, { operation }: JobWords): KnownBlock[] {
  const doubts = state === 'succeeded' || state === 'awaiting' ? [] : doubtsAbout(operation, values);
  return doubts.length > 0 ? [section(doubts.map(doubtLine).join('\n'))] : [];
}

/** What a restore loses and meets, until its end; once it is confirmed, the loss alone. A backup may be its way back. */
export function impactBlock(job: Job, hasWayBack = false): KnownBlock[] {
  const { impact, state } = job;
  const isOpen = state === 'approved' || state === 'sending' || state === 'running';
  if (!impact || !(isOpen || state === 'succeeded')) return [];
  const stage = state === 'succeeded' ? 'done' : state === 'approved' ? 'asked' : 'sent';
  const loss = hasWayBack ? lossAfterBackup : lossSentence(impact, stage);
  const lines = [loss, ...(isOpen ? meetingLines(impact) : [])];
  const said = lines.flatMap(line => line ?? []);
  return said.length > 0 ? [section(said.join('\n'))] : [];
}

/** The result of a confirmed job: "*shop-3310 is ready* on dev, from the snapshot of today 2:00 (4 hours old)". */
function doneOf({ phrase }: JobWords): string {
  return `*${phrase('done')}*${phrase('detail')}`;
}

function vendorIn(job: Job): string {
  const vendor = typedIdentifier(job.target)?.vendor;
  return vendor ? ` (${vendorNames[vendor]})` : '';
}

/** What there is to say about a job; a denial is told by the decision itself. */
function toldOf(job: Job, { told }: JobWords, max = 1500): string {
  return job.state === 'denied' && job.approval ? '' : told(max);
}

const connecting = /connect|jdbc|dsn/i;

/** The command or address to connect to a new record, if it shows any. Nobody connects to what failed. */
export function connectionIn({ evidence, target, state }: Job): string | undefined {
  return evidence?.id === target || state === 'failed'
    ? undefined
    : evidence?.extras.find(({ path }) => connecting.test(path))?.value;
}

function hintAt(connection: string): string {
  return connection.includes(mask)
    ? ' People who may read the record can see its password with `show`; only they see that answer.'
    : '';
}

/** The connection in a block of its own, from which it can be copied whole. */
export function connectBlock(job: Job): KnownBlock[] {
  const found = connectionIn(job);
  return found === undefined ? [] : [preformatted(found, 500)];
}

/** The inputs that the first line of a confirmed job says. */
const saidInHead: readonly Role[] = ['environment'];

type Frame = Readonly<{ names: CommandNames | undefined; hasHead: boolean }>;

/** Everything else about a job: what is to be said of it, what the records showed, its inputs, and its times. */
function restOf(job: Job, words: JobWords, { names, hasHead }: Frame): readonly string[] {
  const { evidence, state } = job;
  const { operation } = words;
  const tells = hasHead && (state !== 'running' || words.isQuiet);
  const before = [tells ? toldOf(job, words, 500) : '', ...(evidence ? seenIn(job, evidence, words) : [])];
  const after = [...timesOf(job, operation), hintAt(connectionIn(job) ?? '').trim()];
  // The inputs take the room that is left: a time that is cut in the middle cannot be read.
  const room = Math.min(limits.sectionText - [...before, ...after].join('  ·  ').length - 600, 1200);
  // Those who decide read the inputs above, in full; afterwards they stand in the command, ready to copy.
  const line = () =>
    names === undefined
      ? cut(requestLine(job, operation, state === 'succeeded' ? saidInHead : []), room)
      : commandLine(job, operation, names, room);
  return [...before, state === 'awaiting' ? '' : line(), ...after].filter(Boolean);
}

/**
 * When the result of a job was there: the time since when its record shows it, where a state is the result of a confirmed
 * job; else its end.
 */
export function resultAt(job: Job, operation: JobOperation, endedAt: number): number {
  // A plan and a request for approval send nothing themselves, and no record shows their result.
  const sign = operation.type === 'write' ? operation.proof.type : undefined;
  const isByState = job.state === 'succeeded' && (sign === 'appears' || sign === 'reaches');
  return isByState && job.evidence ? Math.min(job.evidence.since, endedAt) : endedAt;
}

/** When a job was sent, and when it ended. */
function timesOf(job: Job, operation: JobOperation): readonly string[] {
  const { state, sentAt, endedAt, noAnswer } = job;
  const at = (time: number) => moment(time, '{time_secs}');
  return [
    ...(sentAt === null || noAnswer !== null ? [] : [`Sent ${at(sentAt)}`]),
    ...(endedAt === null
      ? []
      : [`${state === 'succeeded' ? 'Done' : 'Ended'} ${at(resultAt(job, operation, endedAt))}`]),
  ];
}

/** The facts that the records showed, without those that the request or the result says. */
function seenIn(job: Job, seen: Evidence, { operation, name }: JobWords): string[] {
  // A known record shows only facts that the job is about.
  const isNew = seen.id !== job.target;
  // A record may show only the identifier of a thing that was chosen by name.
  const labels: Readonly<Record<string, string>> = { ...job.labels, [job.target]: name };
  const named = (text: string) => plain(labels[text] ?? text, 80);
  const state = seen.gone ? 'gone' : seen.state === undefined ? 'not shown' : plain(seen.state, 60);
  const asksForPlace = operation.fields.some(({ role }) => role === 'environment');
  const isSource = seen.source === undefined || named(seen.source) === named(job.target);
  return [
    code(seen.id),
    // The sentence of a proof says the state, and the end is when it was seen.
    ...(job.state === 'succeeded' ? [] : [`State: ${state}, seen ${moment(seen.seenAt, '{time_secs}')}`]),
    ...(seen.environment === undefined || asksForPlace ? [] : [`Environment: ${named(seen.environment)}`]),
    ...(isSource || seen.source === undefined ? [] : [`Source: ${named(seen.source)}`]),
    ...(isNew && seen.port !== undefined && seen.port !== job.values.port ? [`Port: ${seen.port}`] : []),
    ...seen.extras
      .filter(({ path }) => (isNew ? !connecting.test(path) : /simulated/i.test(path)))
      .map(({ path, value }) => `${plain(path, 40)}: ${plain(value, 100)}`),
  ];
}
