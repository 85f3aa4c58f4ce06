import type { Button, DataTableBlock, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { writeOperation } from '../../operations/catalogue.ts';
import type { AuditFilter, EntriesFound, Entry, From } from '../../store/tables/audit/auditSearch.ts';
import { asJson, defineAction } from '../blocks/action.ts';
import { context, section } from '../blocks/blocks.ts';
import { type Cell, dataTable, timeCell } from '../blocks/dataTable.ts';
import { cut, limits } from '../blocks/limits.ts';
import { isPersonId, mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message, said } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { code, plain } from '../blocks/mrkdwn.ts';

/** Entries on a page. */
export const pageSize = 15;

/** Max characters of all lines on a page: Slack takes about 11,000 in a whole message. */
const maxText = 9_000;

/** The query as it was typed. */
const Query = z.object({ q: z.string() });

/** A button that turns a page of the trail. It carries the entry before or after which the next page begins. */
export const auditTurn = defineAction(
  'audit.page',
  asJson(Query.extend({ before: z.string().optional(), after: z.string().optional() })),
);
/** The buttons that export all entries that match the query. */
export const auditExports = {
  csv: defineAction('audit.export:csv', asJson(Query)),
  jsonl: defineAction('audit.export:jsonl', asJson(Query)),
} as const;

/** A page of the trail, for the one person who asked. */
export function auditPage(
  entries: readonly Entry[],
  shown: Readonly<{
    query: string;
    filter: AuditFilter;
    hasNewer: boolean;
    hasOlder: boolean;
    rest?: EntriesFound['rest'];
    days: number;
    /** Whether the reader sees what they did themselves, and nothing else. */
    isOwn?: boolean;
    /** The reader's time zone. */
    zone: string;
  }>,
): Content {
  const heading = `*The audit trail*${filterSaid(shown.filter)}`;
  const lead = `${heading}: who asked for what, who approved it, and how it ended, newest first. To find a database, a person or a time, type it after the command: ${code('audit shop since=7d')}.`;
  const [newest, oldest] = [entries[0], entries.at(-1)];
  const { rest } = shown;
  if (!rest && (!newest || !oldest)) return said(`${heading}: nothing.`);
  const older = shown.hasOlder && oldest ? oldest.id : rest?.before;
  const turn = (label: string, from: From) =>
    auditTurn.button(label, { q: shown.query, ...from }, { suffix: label.toLowerCase() });
  const actions: Button[] = [
    ...(shown.hasNewer && newest ? [turn('Newer', { after: newest.id })] : []),
    ...(older === undefined ? [] : [turn('Older', { before: older })]),
    auditExports.csv.button('Download CSV', { q: shown.query }),
    auditExports.jsonl.button('Download JSON lines', { q: shown.query }),
  ];
  const top = section(newest ? lead : `${heading}: nothing so far.`);
  const end: KnownBlock[] = [
    ...(shown.isOwn ? [context('No approvers are named here, so you see only what you did yourself.')] : []),
    ...(rest ? [context(`I have looked back to ${moment(rest.at)} so far. *Older* continues from there.`)] : []),
    context(
      `A download contains every matching entry, including those on other pages. Entries are kept for ${shown.days} days.`,
    ),
    { type: 'actions', elements: actions },
  ];
  const lines = linesOf(entries).map(line => section(line));
  return message([top, ...trailTable(entries, shown.zone), ...end], 'equal', [top, ...lines, ...end]);
}

/** The entries as a table, with the columns that one of them fills. */
function trailTable(entries: readonly Entry[], zone: string): DataTableBlock[] {
  const columns = trailColumns.filter(({ cellOf }) => entries.some(entry => cellOf(entry) !== ''));
  return dataTable({
    caption: 'One line for each step of a request',
    header: ['What happened', 'Who', `Time (${zone})`, ...columns.map(({ title }) => title)],
    rows: entries.map(entry => [
      deedCell(entry),
      whoCell(entry),
      timeCell(zone, entry.at, 'seconds'),
      ...columns.map(({ cellOf }) => cellOf(entry) || '–'),
    ]),
    pageSize,
  });
}

type TrailColumn = Readonly<{ title: string; cellOf(entry: Entry): Cell }>;

const trailColumns: readonly TrailColumn[] = [
  { title: 'Detail', cellOf: ({ detail }) => detail ?? '' },
  { title: 'Identifier', cellOf: ({ target }) => cut(target ?? '', 60) },
  { title: 'As', cellOf: ({ login }) => cut(login ?? '', 40) },
];

function whoCell({ actor, person }: Entry): Cell {
  if (actor !== 'dolly') return isPersonId(actor) ? { user: actor } : cut(actor, 40);
  return person !== null && isPersonId(person) ? { user: person, before: 'Dolly for' } : 'Dolly';
}

/** What was asked for, and what became of it: `backup billing: succeeded`. The first column stays in sight. */
function deedCell(entry: Entry): string {
  const about = [operationSaid(entry), cut(entry.targetName ?? entry.target ?? '', 60)].filter(Boolean).join(' ');
  return about === '' ? entry.event : `${about}: ${entry.event}`;
}

function operationSaid({ operation }: Entry): string | undefined {
  return operation === null ? undefined : (writeOperation(operation)?.words.join(' ') ?? operation);
}

/** The lines of a page, none left out: if they are too long together, the text that people wrote is cut shorter. */
function linesOf(entries: readonly Entry[]): readonly string[] {
  const lines = [150, 50, 15].map(max => entries.map(entry => entryLine(entry, max)));
  return lines.find(all => all.join('').length <= maxText) ?? lines.at(-1) ?? [];
}

/** One entry: time, actor, user of the service, event, operation, target and outcome. */
export function entryLine(entry: Entry, max: number): string {
  const { at, actor, person, login, event, target, targetName, detail } = entry;
  const about = actor === 'dolly' && person !== null ? ` for ${whoSaid(person)}` : '';
  const words = operationSaid(entry);
  const name = targetName === null || targetName === target ? '' : `${plain(targetName, Math.min(max, 60))} `;
  const parts = [
    `${moment(at, '{date_short_pretty} {time_secs}')}  ${whoSaid(actor)}${about}${login === null ? '' : ` as ${code(login, 40)}`}`,
    `*${plain(event, 40)}*`,
    words === undefined ? undefined : plain(words, 40),
    target === null ? undefined : `${name}${code(target, 60)}`,
    detail === null ? undefined : plain(detail, max),
  ];
  return cut(parts.filter(part => part !== undefined).join('  ·  '), limits.sectionText);
}

function whoSaid(actor: string): string {
  return actor === 'dolly' ? 'Dolly' : mentionOf(actor);
}

function filterSaid({ words, since, until, by }: AuditFilter): string {
  const parts = [
    words.length > 0
      ? `with ${words
          .slice(0, 8)
          .map(word => code(word, 60))
          .join(' and ')}`
      : undefined,
    by === undefined ? undefined : `by ${/^[UW][A-Z0-9]{5,30}$/.test(by) ? whoSaid(by) : code(by, 60)}`,
    since === undefined ? undefined : `since ${moment(since)}`,
    until === undefined ? undefined : `until ${moment(until)}`,
  ].filter(part => part !== undefined);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
