import type { DataTableBlock, RichTextBlock, RichTextElement } from '@slack/types';
import { legible, withoutMarkup } from '../../records/legible.ts';
import { tookWords } from './durationWords.ts';
import { cut, limits } from './limits.ts';
import { mentionOf } from './mentionPeople.ts';
import { momentIn } from './moments.ts';
import { bold, plain } from './mrkdwn.ts';

/**
 * A cell: text; a number by which its column is sorted, with its text; text that leads to an address; or a Slack user,
 * whose name Slack shows, with Dolly's own words before it. Slack sorts a column by number only if all its cells have
 * one, so “never” needs one, too.
 */
export type Cell =
  | string
  | Readonly<{ text: string; value: number }>
  | Readonly<{ text: string; url: string }>
  | Readonly<{ user: string; before?: string }>;

/** A table with a header. The first column names what its row is about. */
export type Table = Readonly<{
  caption: string;
  header: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** The number of rows on a page. */
  pageSize?: number;
}>;

/** A cell of a column that is sorted by number, in a row that has none: it stands behind all others. */
export function withoutNumber(text = '–') {
  return { text, value: 1e15 };
}

/** A length of time as a cell; `undefined` where it is not known. */
export function lengthCell(length: number | undefined): Cell {
  return length === undefined ? withoutNumber() : { text: tookWords(length), value: length };
}

/** A moment as a cell: written in a time zone, which the title of its column names, and sorted by time. */
export function timeCell(zone: string, at: number, to: 'minutes' | 'seconds' = 'minutes'): Cell {
  const seconds = to === 'seconds' ? new Date(at).toISOString().slice('yyyy-mm-ddThh:mm'.length, -'.000Z'.length) : '';
  return { text: `${momentIn(zone, at).slice(0, 'yyyy-mm-dd hh:mm'.length)}${seconds}`, value: at };
}

type SlackCell = DataTableBlock['rows'][number][number];

/** Max characters of a cell. */
const cellText = 150;
/** Rows of a page, where nobody asks for another number. */
const usualPage = 10;

/**
 * A table that its reader sorts and pages. Cells show text of people and of the service letter for letter. Rows past
 * Slack's limit are left out, and the caption says so. No block where there are no rows, since Slack takes no empty table.
 */
export function dataTable({ caption, header, rows, pageSize = usualPage }: Table): DataTableBlock[] {
  if (rows.length === 0) return [];
  const titles = header.slice(0, limits.tableColumns);
  const drawn = rows.slice(0, limits.tableRows).map(row => titles.map((_, column) => cellOf(row[column] ?? '')));
  return [
    {
      type: 'data_table',
      caption: captionOf(cut(withoutMarkup(legible(caption)), limits.headerText), drawn.length, rows.length),
      page_size: Math.min(Math.max(1, pageSize), limits.tablePage),
      rows: [titles.map(title => cellOf(title)), ...drawn],
    },
  ];
}

/** The table with as many of its first rows as `room` characters hold, but one at least; its caption says what is left out. */
export function withRoom(table: DataTableBlock, room: number): DataTableBlock {
  let left = room;
  const end = table.rows.findIndex(row => {
    left -= row.reduce((sum, cell) => sum + shownIn(cell).length, 0);
    return left < 0;
  });
  if (end < 0) return table;
  const rows = table.rows.slice(0, Math.max(2, end));
  const [, many = table.rows.length - 1] = partly.exec(table.caption) ?? [];
  return { ...table, caption: captionOf(table.caption.replace(partly, ''), rows.length - 1, Number(many)), rows };
}

/** The end of the caption of a table that does not show all its rows. */
const partly = / \(the first \d+ of (\d+)\)$/;

function captionOf(caption: string, shownRows: number, many: number): string {
  return shownRows === many ? caption : `${caption} (the first ${shownRows} of ${many})`;
}

/** A table as lines of mrkdwn: its caption, and each row with the titles of its columns. */
export function tableLines({ caption, rows: [header = [], ...rows] }: DataTableBlock): string[] {
  const titles = header.map(shownIn);
  const lines = rows.map(([first, ...cells]) => {
    const name = first ? nameIn(first) : '';
    return [name, ...cells.map((cell, column) => `${plain(titles[column + 1] ?? '')}: ${inMrkdwn(cell)}`)].join(
      '  ·  ',
    );
  });
  return [bold(caption), ...lines.map(line => `•  ${line}`)];
}

function nameIn(cell: SlackCell): string {
  return cell.type === 'rich_text' ? inMrkdwn(cell) : bold(shownIn(cell));
}

function cellOf(cell: Cell): SlackCell {
  if (typeof cell === 'string') return { type: 'raw_text', text: shown(cell) };
  if ('user' in cell) return userCell(cell);
  const text = shown(cell.text);
  if ('url' in cell) return richCell([{ type: 'link', url: cell.url, text }]);
  return Number.isFinite(cell.value) ? { type: 'raw_number', value: cell.value, text } : { type: 'raw_text', text };
}

function userCell({ user, before }: Readonly<{ user: string; before?: string }>): RichTextBlock {
  const lead = before === undefined ? [] : [{ type: 'text', text: `${before} ` } as const];
  return richCell([...lead, { type: 'user', user_id: user }]);
}

function richCell(elements: RichTextElement[]): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Text that shows letter for letter; a sign where it is empty, since Slack takes no empty cell. */
function shown(text: string): string {
  return cut(withoutMarkup(legible(text)), cellText);
}

/** The text of a cell, as a reader sees it; of a user, the mention. */
function shownIn(cell: SlackCell): string {
  if (cell.type !== 'rich_text') return cell.text;
  return elementsIn(cell)
    .map(element => ('text' in element && element.text ? element.text : mentionIn(element)))
    .join('');
}

function inMrkdwn(cell: SlackCell): string {
  if (cell.type !== 'rich_text') return plain(shownIn(cell));
  return elementsIn(cell)
    .map(element => {
      if (element.type === 'link') return `<${element.url}|${plain(element.text ?? element.url).replaceAll('|', '¦')}>`;
      return element.type === 'text' ? element.text : mentionIn(element);
    })
    .join('');
}

function mentionIn(element: RichTextElement): string {
  return element.type === 'user' ? mentionOf(element.user_id) : '';
}

function elementsIn(cell: RichTextBlock): RichTextElement[] {
  return cell.elements.flatMap(part => (part.type === 'rich_text_section' ? part.elements : []));
}
