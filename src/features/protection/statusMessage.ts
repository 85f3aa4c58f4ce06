import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import { parseIdentifier } from '../../api/identifiers.ts';
import { catalogue, jobOperation } from '../../operations/catalogue.ts';
import { renewClone } from '../../operations/plans/teardownAndRenew.ts';
import { isOneOf } from '../../records/find.ts';
import { actionsRow, type Content, context, message, section, sectionsOf } from '../../slack/blocks/blocks.ts';
import { grouped } from '../../slack/blocks/lengths.ts';
import { code, momentAfter } from '../../slack/blocks/limits.ts';
import { permalink } from '../../slack/connection/permalinks.ts';
import { nowButton, operationLabel } from '../../slack/records/recordBlocks.ts';
import { operationAction, runCommand } from '../../slack/words/commandActions.ts';
import { writeCommand } from '../../slack/words/commandWords.ts';
import { buttonsFor } from '../../slack/words/meantButtons.ts';
import { statusFigures } from './statusCharts.ts';
import { cloneLine, databaseLine, environmentLine, failedLine, firstLines, jobFailedLine } from './statusWords.ts';
import type { CloneRow, DatabaseRow, FailedJob, ProtectionSummary } from './summary.ts';

/** The frame of a report in Slack: with whose sign-in it was read, and for whom. */
export type StatusFrame = Readonly<{
  /** The Slack user whose sign-in it was; `service` for the service account, `reader` for the reader’s own. */
  reader: Readonly<{ person: string }> | 'service' | 'reader';
  /** The workspace’s address, for the links to messages. */
  workspace?: string | undefined;
  /** The command, where a reader may subscribe to the report. */
  command?: string;
}>;

/** Max rows of each kind that are shown with what mends them. */
const most = { failed: 3, databases: 6, environments: 2, clones: 3, jobs: 3 } as const;
/** Max rows in the lists below them. */
const listed = { databases: 30, clones: 15 } as const;

/**
 * A protection report as a message: three lines for a phone, the tables, the charts, and what needs somebody. Where
 * Slack takes no tables, what needs somebody comes first, and then lists.
 */
export function statusMessage(summary: ProtectionSummary, seen: StatusFrame): Content {
  if (summary.meant !== undefined) return nothingFound(summary, summary.meant, seen);
  const [top, rows, end] = [heading(summary), troubles(summary, seen.workspace), footer(summary, seen)];
  return message([...top, ...statusFigures(summary), ...rows, ...end], 'equal', [
    ...top,
    ...rows,
    ...lists(summary),
    ...end,
  ]);
}

const partial = ':warning: The service shows only a part of its records. Nothing is said of the others.';

/** Words that match nothing: a report of nothing would look as if all were well. */
function nothingFound(summary: ProtectionSummary, meant: readonly (readonly string[])[], seen: StatusFrame): Content {
  const { words, isPart } = summary;
  const others = meant.map(other => code(other.join(' '), 80)).join(', ');
  const offer = others === '' ? '' : ` Did you mean ${others}?`;
  const change =
    seen.reader === 'reader'
      ? ''
      : ' `report off` ends this report, and `report daily` with other words begins another one.';
  const buttons = seen.reader === 'reader' ? buttonsFor({ command: ['status'] }, meant) : [];
  return message([
    section(
      `:grey_question: *Nothing matches* ${code(words.join(' '), 80)}, so I can say nothing of what is protected.${offer}${change}`,
    ),
    ...actionsRow(buttons),
    ...troubles(summary, seen.workspace),
    ...(isPart ? [context(partial)] : []),
    ...footer(summary, seen),
  ]);
}

function heading(summary: ProtectionSummary): KnownBlock[] {
  const { words, isPart } = summary;
  const notes = [
    ...(words.length > 0 ? [`Only what matches ${code(words.join(' '), 80)}.`] : []),
    ...(isPart ? [partial] : []),
  ];
  return [section(firstLines(summary).join('\n')), ...(notes.length > 0 ? [context(notes.join(' '))] : [])];
}

/** What needs somebody: each with the button that mends it. */
function troubles(summary: ProtectionSummary, workspace: string | undefined): KnownBlock[] {
  const { at, counts, databases, failed, environments, clones, jobs } = summary;
  const bad = databases.filter(({ standing }) => standing === 'never' || standing === 'late');
  const old = clones.filter(({ isOld }) => isOld);
  return [
    ...first(
      most.failed,
      counts.failed,
      'failed',
      failed.map(row => withButton(failedLine(row), look(row.id))),
    ),
    ...first(
      most.databases,
      counts.never + counts.late,
      'not protected',
      bad.map(row => withButton(databaseLine(row, at), mending(row))),
    ),
    ...first(
      most.environments,
      counts.environments ?? 0,
      'disabled',
      environments.map(row => withButton(environmentLine(row), look(row.id))),
    ),
    ...first(
      most.clones,
      counts.old,
      'older than wanted',
      old.map(row => withButton(cloneLine(row), renewing(row))),
    ),
    ...first(
      most.jobs,
      counts.jobs,
      'failed',
      jobs.map(row => withButton(jobFailedLine(row), opening(row, workspace))),
    ),
  ];
}

/** The first `max` rows of a kind, and the number of the others: there are `count` in all. */
function first(max: number, count: number, what: string, rows: readonly SectionBlock[]): KnownBlock[] {
  const shown = rows.slice(0, max);
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [context(`and ${grouped(more)} more ${what}`)] : [])];
}

function withButton(line: string, button: Button | undefined): SectionBlock {
  return { ...section(line), ...(button ? { accessory: button } : {}) };
}

/** The button that shows a record to whoever presses it. */
function look(text: string): Button {
  const id = parseIdentifier(text);
  const show = catalogue.find(entry => entry.type === 'read' && entry.shows === 'one' && isOneOf(id, entry.nouns));
  return runCommand.button('Look', writeCommand({ words: [...(show?.words ?? ['show']), text], inputs: {} }));
}

/** The ordinary operation that mends a database; else a look at it. */
function mending({ id, mend }: DatabaseRow): Button {
  const operation = mend === null ? undefined : jobOperation(mend);
  return operation ? nowButton(operation, { id }) : look(id);
}

function renewing({ id }: CloneRow): Button {
  return operationAction(renewClone).button(operationLabel(renewClone), id);
}

/** The button that leads to a job’s message; else a look at its target. */
function opening({ target, place, ts }: FailedJob, workspace: string | undefined): Button {
  const url = place === null || ts === null ? undefined : permalink(workspace, place, ts);
  return url === undefined ? look(target) : { ...look(target), url };
}

/** The lists below: the databases that stand worst, and the oldest clones, without those that stand above. */
function lists({ at, counts, databases, clones }: ProtectionSummary): KnownBlock[] {
  const all = counts.never + counts.late + counts.unseen + counts.protected;
  const [bad, old] = [Math.min(counts.never + counts.late, most.databases), Math.min(counts.old, most.clones)];
  return [
    ...list(
      bad > 0 ? 'Other databases' : 'Databases',
      all - bad,
      listed.databases,
      databases.slice(bad).map(row => databaseLine(row, at)),
    ),
    ...list(old > 0 ? 'Other clones' : 'Clones', counts.clones - old, listed.clones, clones.slice(old).map(cloneLine)),
  ];
}

function list(title: string, count: number, max: number, all: readonly string[]): KnownBlock[] {
  const lines = all.slice(0, max);
  const number = count > lines.length ? ` · ${lines.length} of ${grouped(count)}` : '';
  return lines.length === 0 ? [] : sectionsOf([`*${title}*${number}`, ...lines], 400);
}

function footer({ at, words }: ProtectionSummary, { reader, command }: StatusFrame): KnownBlock[] {
  const { whose, jobs } = readerWords(reader);
  const again = writeCommand({ words: ['status', ...words], inputs: {} });
  const isOwn = reader === 'reader';
  const every = command === undefined ? '' : ` ${code(`${command} report daily at=08:30`)} shows it here each day.`;
  return [
    ...actionsRow(isOwn || !runCommand.fits(again) ? [] : [runCommand.button('What you see', again)]),
    context(`${momentAfter('Read', at)} with ${whose}. The jobs are ${jobs}.${every}`),
  ];
}

function readerWords(reader: StatusFrame['reader']): Readonly<{ whose: string; jobs: string }> {
  if (reader === 'reader') return { whose: 'your own sign-in', jobs: 'yours, and those of this channel' };
  if (reader === 'service')
    return { whose: 'the service account, which may see more than you do', jobs: 'those of everybody' };
  const whose = `the sign-in of <@${reader.person}>, who may see more than you do`;
  return { whose, jobs: 'theirs, and those of this channel' };
}
