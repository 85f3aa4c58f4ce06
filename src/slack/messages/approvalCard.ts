import type { ActionsBlock, Button, KnownBlock, SectionBlock } from '@slack/types';
import { type Decision, decisionsIn, type Terms, termsIn } from '../../jobs/approval/decisions.ts';
import { factsIn } from '../../jobs/approval/fact.ts';
import { asked } from '../../jobs/parts.ts';
import { hasEnded, type Job } from '../../store/tables/job.ts';
import { button, type Content, context, message, mrkdwn, said, section } from '../blocks/blocks.ts';
import { bold, code, cut, legible, limits, moment, plain } from '../blocks/limits.ts';
import { requestLine } from './requestLine.ts';

/** The message that has the buttons: the job's own, or another one in the channel for approvals. */
export type Part = 'card' | 'approval';

/** What a job's message says of its approval: why, of what exactly, by whom, until when, and what was decided. */
export function approvalBlocks(job: Job, part: Part, asker: string): KnownBlock[] {
  const terms = termsIn(job);
  if (!terms) return [];
  const decided = decisionsIn(job).map(decisionLine);
  const emergency = job.emergency === null ? [] : [emergencyLine(job, asker)];
  const why = section(`*Why*\n${quoted(job.purpose ?? '')}`);
  const lines = [...emergency, ...decided];
  const decisions = lines.length > 0 ? [section(cut(lines.join('\n'), limits.sectionText))] : [];
  if (!isDecidedHere(job, part)) {
    const where = job.state === 'awaiting' ? [context(`Approval is asked for in <#${job.cardPlace}>.`)] : [];
    return [why, ...decisions, ...where];
  }
  // Once it is decided, what was seen then is a record of the decision, and must not be taken for what is there now.
  const seen = job.state === 'awaiting' ? factSections(job) : [context(cut(asDecided(job), limits.sectionText))];
  return [why, ...seen, ...decisions, context(cut(termsLine(job, terms), limits.sectionText))];
}

/** The buttons of a job that waits for approval. */
export function approvalButtons(job: Job, part: Part, hasGlass: boolean): Button[] {
  const value = clickValue(job);
  const withdraw = button('approval.withdraw', 'Withdraw', value);
  if (!isDecidedHere(job, part)) return [withdraw];
  const { operation, values } = asked(job);
  const what = `${operation.title(values)} of ${cut(job.targetName ?? job.target, 100)}`;
  const where = factsIn(job).find(({ label }) => label === 'Environment')?.value;
  const approve: Button = {
    ...button('approval.approve', 'Approve', value, 'primary'),
    confirm: {
      title: { type: 'plain_text', text: 'Approve?' },
      text: {
        type: 'plain_text',
        text: cut(
          legible(`${what} (${job.target}${where ? `, on ${cut(where, 80)}` : ''}). It runs at once, as ${job.login}.`),
          300,
        ),
      },
      confirm: { type: 'plain_text', text: 'Approve' },
      deny: { type: 'plain_text', text: 'Not yet' },
    },
  };
  const glass = hasGlass ? [button('approval.glass', 'Run without approval', value)] : [];
  return [approve, button('approval.deny', 'Deny', value, 'danger'), withdraw, ...glass];
}

/** What a click on one of these buttons brings back: the job, and what of it the person saw. */
export function clickValue(job: Job): string {
  return JSON.stringify({ j: job.id, d: job.digest });
}

/** The approvals that wait for somebody, with the buttons to decide. */
export function approvalList(jobs: readonly Job[], all: number): Content {
  if (jobs.length === 0) return said('Nothing waits for your approval.');
  const text =
    all > jobs.length ? `${all} wait for approval; the oldest ${jobs.length}:` : 'What waits for your approval';
  return message([section(`*${text}*`), ...jobs.flatMap(approvalRow)]);
}

/** A job that waits for somebody in a list: what it is, all that the card shows of it, and the buttons to decide. */
export function approvalRow(job: Job): KnownBlock[] {
  const until = job.expiresAt === null ? '' : `, until ${moment(job.expiresAt)}`;
  const request = requestLine(job);
  return [
    section(
      `:lock: *${titleOf(job)}* (${code(job.target)}), asked by <@${job.person}>${until}\n${quoted(job.purpose ?? '', 300)}`,
    ),
    ...factSections(job, mostFacts.list),
    context(cut(`${request ? `${request}  ·  ` : ''}Runs as ${code(job.login ?? '', 60)}`, 400)),
    { ...actions(approvalButtons(job, 'approval', false).slice(0, 2)), block_id: `${job.id}:decide` },
  ];
}

/** Calls the approvers to a card that waits; a message of its own, since edits notify nobody. */
export function callToApprovers(job: Job, asker = code(job.person)): Content {
  const until = job.expiresAt === null ? '' : `, until ${moment(job.expiresAt)}`;
  const waits = job.reminders > 0 ? 'still waits for approval' : 'waits for approval';
  const text = `:bell: ${calling(job)}*${titleOf(job)}* ${waits}${until}. ${asker} asked for it.`;
  return said(text, [button('command.run', 'What waits for me', 'approvals')]);
}

/** Says loudly that something runs without approval. */
export function alarm(job: Job): Content {
  const text = `:rotating_light: <!here> ${calling(job)}*${titleOf(job)}* runs without approval. ${emergencyLine(job, `<@${job.person}>`)}`;
  return message([section(text)]);
}

/** Who decided, as the reply at the end of a job says it. */
export function decidedBy(job: Job): string {
  const lines = decisionsIn(job).map(decisionLine);
  return lines.length > 0 ? `\n${lines.join('\n')}` : '';
}

/** Who may decide, as people and groups that Slack shows by name. */
export function mentions(ids: readonly string[]): string {
  const shown = ids.slice(0, 20).map(id => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`));
  return shown.length === 0 ? 'anybody else who is signed in to the service' : shown.join(', ');
}

/** A text in which groups stand by their ids, with those among `ids` by name, as Slack shows them. */
export function withMentions(text: string, ids: readonly string[]): string {
  return text.replace(/\bS[A-Z0-9]{2,30}\b/g, id => (ids.includes(id) ? mentions([id]) : id));
}

function isDecidedHere(job: Job, part: Part): boolean {
  return part === 'approval' || job.cardPlace === null;
}

function titleOf(job: Job): string {
  const { operation, values } = asked(job);
  return `${operation.title(values)} of ${plain(job.targetName ?? job.target, 100)}`;
}

function calling(job: Job): string {
  const others = decidersOf(job);
  return others.length > 0 ? `${mentions(others)}: ` : '';
}

/** Those who are listed to decide, without the person who asked: that one never counts, and is not called. */
function decidersOf(job: Job): readonly string[] {
  return (termsIn(job)?.approvers ?? []).filter(id => id !== job.person);
}

function termsLine(job: Job, { rule, approvals, approvers }: Terms): string {
  return [
    `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed: ${plain(rule, 200)}`,
    `May decide: ${approvers.length > 0 && decidersOf(job).length === 0 ? 'nobody else' : mentions(decidersOf(job))}`,
    `Runs as ${code(job.login ?? '')}`,
    job.expiresAt === null || hasEnded(job) ? undefined : `Ends ${moment(job.expiresAt)}`,
    `Digest ${code(job.digest ?? '')}`,
  ]
    .filter(Boolean)
    .join('  ·  ');
}

function decisionLine({ type, person, login, at, reason }: Decision): string {
  const word = { approved: 'Approved', denied: 'Denied', dropped: 'No longer counts: the approval' }[type];
  const why = reason === undefined ? '' : `\n${quoted(reason)}`;
  return `${word} by <@${person}> as ${code(login)}, ${moment(at, '{time_secs}')}${why}`;
}

function emergencyLine(job: Job, asker: string): string {
  return `${asker} broke the glass, as ${bold(job.login ?? '')}:\n${quoted(job.emergency ?? '')}`;
}

/** What people wrote, line by line, as a quotation. */
function quoted(text: string, most = 500): string {
  return plainLines(text, most)
    .map(line => `> ${line}`)
    .join('\n');
}

function plainLines(text: string, most: number): string[] {
  return text
    .slice(0, most)
    .split('\n')
    .slice(0, 8)
    .map(line => plain(line, most));
}

/** How many characters of facts there is room for: on a card, and for each job of a list. */
const mostFacts = { card: 4_500, list: 1_200 } as const;

/** What the approver has to see of the target, all of it: where there is much, values are cut. Slack shows ten fields a section. */
function factSections(job: Job, room: number = mostFacts.card): SectionBlock[] {
  const facts = factsIn(job).slice(0, 2 * limits.fields);
  const shown = (most: number) => facts.map(({ label, value }) => `*${plain(label, 40)}*\n${plain(value, most)}`);
  const texts = [400, 200, 100, 60, 40].map(shown).find(some => some.join('').length <= room) ?? shown(20);
  const fields = texts.map(mrkdwn);
  return [fields.slice(0, limits.fields), fields.slice(limits.fields)]
    .filter(some => some.length > 0)
    .map(some => ({ type: 'section', fields: some }));
}

function asDecided(job: Job): string {
  const facts = factsIn(job).map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return `As it was when it was asked: ${facts.join('  ·  ')}`;
}

function actions(elements: Button[]): ActionsBlock {
  return { type: 'actions', elements };
}
