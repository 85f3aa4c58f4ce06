import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import { parseIdentifier } from '../../api/identifiers.ts';
import { counted } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { renewClone } from '../../operations/plans/teardownAndRenew.ts';
import { actionsRow, context, section, sectionsOf } from '../../slack/blocks/blocks.ts';
import { grouped } from '../../slack/blocks/durationWords.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, message } from '../../slack/blocks/message.ts';
import { momentAfter } from '../../slack/blocks/moments.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import { permalink } from '../../slack/connection/permalinks.ts';
import { nowButton, operationLabel, showOf } from '../../slack/records/recordBlocks.ts';
import { operationAction, runCommand } from '../../slack/words/commandActions.ts';
import { type Command, writeCommand } from '../../slack/words/commandText.ts';
import { buttonsFor } from '../../slack/words/meantButtons.ts';
import { maxAlone } from './inventory.ts';
import { cloneFigures, databaseTable } from './statusCharts.ts';
import {
  cloneLine,
  clonesLine,
  databaseLine,
  environmentLine,
  failedLine,
  firstLines,
  jobFailedLine,
} from './statusWords.ts';
import type { CloneRow, DatabaseRow, FailedJob, ProtectionSummary } from './summary.ts';

/** The frame of a report in Slack: with whose sign-in it was read, and for whom. */
type StatusFrame = Readonly<{
  /** The Slack user whose sign-in it was; `service` for the service account, `reader` for the reader’s own. */
  reader: Readonly<{ person: string }> | 'service' | 'reader';
  /** The workspace’s address, for the links to messages. */
  workspace?: string | undefined;
  /** The command, where a reader may subscribe to the report. */
  command?: string;
  /** Whether the clones and the charts are shown, which stand one press away from the status. */
  shows?: 'clones' | undefined;
}>;

/** Max rows of each kind that are shown with what mends them. */
const most = { failed: 2, databases: 3, environments: 1, clones: 1, jobs: 1 } as const;
/** Max rows in the lists below them. */
const listed = { databases: 30, clones: 15 } as const;

/**
 * A protection report as a message of one screen: three lines, what needs somebody, and the table of the databases. The
 * clones and the charts are one press away. Where Slack takes no tables, lists stand in their place.
 */
export function statusMessage(summary: ProtectionSummary, seen: StatusFrame): Content {
  if (summary.meant !== undefined) return nothingFound(summary, summary.meant, seen);
  const end = footer(summary, seen);
  if (seen.shows === 'clones') {
    const top = [section(clonesLine(summary)), ...notes(summary)];
    const oldest = list('Clones', summary.counts.clones, listed.clones, summary.clones.map(cloneLine));
    return message([...top, ...cloneFigures(summary), ...end], 'equal', [...top, ...oldest, ...end]);
  }
  const top = [section(firstLines(summary).join('\n')), ...notes(summary), ...troubles(summary, seen.workspace)];
  return message([...top, ...databaseTable(summary), ...end], 'equal', [...top, ...databaseList(summary), ...end]);
}

const partial = ':warning: The service shows only part of its records. I cannot say anything about the others.';

/** Words that match nothing: a report of nothing would look as if all were well. */
function nothingFound(summary: ProtectionSummary, meant: readonly (readonly string[])[], seen: StatusFrame): Content {
  const { words, isPart } = summary;
  const others = meant.map(other => code(other.join(' '), 80)).join(', ');
  const offer = others === '' ? '' : ` Did you mean ${others}?`;
  const change =
    seen.reader === 'reader'
      ? ''
      : ' `report off` ends this report, and `report daily` with other words starts another one.';
  const buttons = seen.reader === 'reader' ? buttonsFor({ command: ['status'] }, meant) : [];
  return message([
    section(
      `:grey_question: *Nothing matches* ${code(words.join(' '), 80)}, so I cannot say what is protected.${offer}${change}`,
    ),
    ...actionsRow(buttons),
    ...troubles(summary, seen.workspace),
    ...(isPart ? [context(partial)] : []),
    ...footer(summary, seen),
  ]);
}

function notes({ words, isPart, counts: { unread = 0 } }: ProtectionSummary): KnownBlock[] {
  const unasked = `The list shows no backup of ${counted(unread, 'more database')}, whose own records I did not read this time. I read ${maxAlone} at a time, different ones each time.`;
  const said = [
    ...(words.length > 0 ? [`Only what matches ${code(words.join(' '), 80)}.`] : []),
    ...(isPart ? [partial] : []),
    ...(unread > 0 ? [unasked] : []),
  ];
  return said.length > 0 ? [context(said.join(' '))] : [];
}

/** What needs somebody: each with the button that mends it. */
function troubles(summary: ProtectionSummary, workspace: string | undefined): KnownBlock[] {
  const { at, counts, databases, failed, environments, clones, jobs } = summary;
  const bad = databases.filter(({ standing }) => standing === 'never' || standing === 'late');
  const old = clones.filter(({ isOld }) => isOld);
  return [
    ...first(most.failed, counts.failed, 'failed', failed, row => withButton(failedLine(row), look(row.id))),
    ...first(most.databases, counts.never + counts.late, 'not protected', bad, row =>
      withButton(databaseLine(row, at), mending(row)),
    ),
    ...backUpAll(counts.backups ?? 0),
    ...first(most.environments, counts.environments ?? 0, 'disabled', environments, row =>
      withButton(environmentLine(row), look(row.id)),
    ),
    ...first(most.clones, counts.old, 'older than wanted', old, row => withButton(cloneLine(row), renewing(row))),
    ...first(most.jobs, counts.jobs, 'failed or unconfirmed', jobs, row =>
      withButton(jobFailedLine(row), opening(row, workspace)),
    ),
  ];
}

/** The first `max` rows of a kind, and the number of the others: there are `count` in all. */
function first<Row>(max: number, count: number, what: string, rows: readonly Row[], draw: (row: Row) => SectionBlock) {
  const shown = rows.slice(0, max).map(draw);
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [context(`and ${grouped(more)} more ${what}`)] : [])];
}

/** The button that opens the page of all that a backup mends, for whoever presses it. */
function backUpAll(many: number): KnownBlock[] {
  return many < 2
    ? []
    : actionsRow([runCommand.button(`Back up all ${grouped(many)}…`, 'backup late', { suffix: 'late' })]);
}

function withButton(line: string, button: Button | undefined): SectionBlock {
  return { ...section(line), ...(button ? { accessory: button } : {}) };
}

/** The button that shows a record to whoever presses it. */
function look(text: string): Button {
  const id = parseIdentifier(text);
  const show = id && showOf({ id });
  return runCommand.button('Details', writeCommand({ words: [...(show?.words ?? ['show']), text], inputs: {} }));
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

/** The databases that stand worst, without those that stand above. */
function databaseList({ at, counts, databases }: ProtectionSummary): KnownBlock[] {
  const all = counts.never + counts.late + counts.unseen + counts.excused + counts.protected;
  const above = Math.min(counts.never + counts.late, most.databases);
  const lines = databases.slice(above).map(row => databaseLine(row, at));
  return list(above > 0 ? 'Other databases' : 'Databases', all - above, listed.databases, lines);
}

function list(title: string, count: number, max: number, all: readonly string[]): KnownBlock[] {
  const lines = all.slice(0, max);
  const number = count > lines.length ? ` · ${lines.length} of ${grouped(count)}` : '';
  return lines.length === 0 ? [] : sectionsOf([`*${title}*${number}`, ...lines], 400);
}

function footer({ at, words, counts }: ProtectionSummary, { reader, command, shows }: StatusFrame): KnownBlock[] {
  const { whose, jobs } = readerWords(reader);
  const status = (label: string, inputs: Command['inputs'], suffix: string) => {
    const again = writeCommand({ words: ['status', ...words], inputs });
    return runCommand.fits(again) ? [runCommand.button(label, again, { suffix })] : [];
  };
  const hasMore = counts.clones + counts.late + counts.protected > 0;
  const every = command === undefined ? '' : ` ${code(`${command} report daily at=08:30`)} shows it here each day.`;
  return [
    ...actionsRow([
      ...(shows === undefined && hasMore ? status('Clones and charts', { show: 'clones' }, 'clones') : []),
      ...(shows === undefined && reader === 'reader' ? [] : status(shows ? 'Databases' : 'What you see', {}, 'again')),
    ]),
    context(`${momentAfter('Read', at)} with ${whose}. The jobs are ${jobs}.${every}`),
  ];
}

function readerWords(reader: StatusFrame['reader']): Readonly<{ whose: string; jobs: string }> {
  if (reader === 'reader') return { whose: 'your own sign-in', jobs: 'yours, and those of this channel' };
  if (reader === 'service')
    return { whose: 'the service account, which may see more than you do', jobs: 'those of everybody' };
  const whose = `the sign-in of ${mentionOf(reader.person)}, who may see more than you do`;
  return { whose, jobs: 'theirs, and those of this channel' };
}
