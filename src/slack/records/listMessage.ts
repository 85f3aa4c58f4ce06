import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { z } from 'zod';
import { type Noun, nounNames, vendorNames } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { creationOf } from '../../api/reading/times.ts';
import { listIsCut, noneAmong } from '../../records/find.ts';
import { type Page, pageIn } from '../../store/jobs/reading.ts';
import { asJson, choiceMenu, defineAction } from '../blocks/action.ts';
import { actionsRow, context, section } from '../blocks/blocks.ts';
import { type Cell, dataTable, lengthCell, withoutNumber } from '../blocks/dataTable.ts';
import { cut } from '../blocks/limits.ts';
import { type Content, message } from '../blocks/message.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { operationMenu, runCommand } from '../words/commandActions.ts';
import { recordChoices } from './chooser.ts';
import { recordRow, showOf } from './recordBlocks.ts';
import { turnButtons } from './turnButtons.ts';

/**
 * A button that turns to a page of a list: the operation `o`, its words `q`, the page `p`, from 0, and the number `s` of
 * records on a page.
 */
export const listPage = defineAction(
  'list.page',
  asJson(z.object({ o: z.string(), q: z.string(), p: z.number().int(), s: z.number().int().positive() })),
);

/** A list that a person asked for. `page` counts from 0; `query` is the text of `words`, which the buttons carry. */
type AskedList = Readonly<{
  words: readonly string[];
  page: number;
  /** The number of records on the pages by which `page` counts. */
  size?: number | undefined;
  query: string;
  /** Whether the service has more records than it answered. */
  cut: boolean;
  operation: string;
  nouns: readonly Noun[];
  now: number;
  /** Whether several of them can be ticked, to do one thing to all. */
  hasSeveral?: boolean;
}>;

/** Records on a page: rows with their menus, or a table, which its reader sorts and pages. */
const pageSizes = { rows: 10, table: 50 } as const;
/** Max characters of the cells of a table. With them, all rows of a page fit into one message. */
const widths = { name: 36, state: 16, place: 24, id: 32 } as const;
const none = '–';

/**
 * A page of records, for the one person who asked: a few as rows with their menus, more as a table, with a menu to choose
 * one from. Where Slack takes no tables, more are pages of rows, too.
 */
export function recordList(found: readonly RecordView[], asked: AskedList): Content {
  const rows = pageOf(found, asked, pageSizes.rows);
  const where = rows.all > rows.size ? ` · page ${rows.page + 1} of ${Math.ceil(rows.all / rows.size)}` : '';
  const older = listBlocks(asked, rows, { where, shown: rows.rows.map(record => recordRow(record)) });
  if (found.length <= pageSizes.rows) return message(older);
  const page = pageOf(found, asked, pageSizes.table);
  const table = dataTable({ caption: captionOf(page), ...columnsOf(page.rows, asked.now), pageSize: pageSizes.rows });
  const [one] = page.rows;
  const show = one && showOf(one);
  const choices = show ? recordChoices(page.rows, record => ({ name: show.name, record })) : [];
  const menu = choiceMenu(operationMenu, 'Show one…', choices);
  return message(listBlocks(asked, page, { where: '', shown: table, menu }), 'equal', older);
}

const tooManyWords =
  ':warning: Your words are too long for the buttons that turn pages. Use fewer words to see the other pages.';

function pageOf(found: readonly RecordView[], asked: AskedList, size: number): Page<RecordView> {
  return pageIn(found, Math.floor((asked.page * (asked.size ?? pageSizes.rows)) / size), size);
}

type ListFrame = Readonly<{ where: string; shown: readonly KnownBlock[]; menu?: readonly StaticSelect[] }>;

/** The blocks of a page around what shows its records. `where` names the page, where the blocks do not. */
function listBlocks(asked: AskedList, page: Page<RecordView>, { where, shown, menu = [] }: ListFrame) {
  const pageValue = (p: number) => ({ o: asked.operation, q: asked.query, p, s: page.size });
  const isTurnable = listPage.fits(pageValue(Math.ceil(page.all / page.size)));
  const buttonTo = (to: number, label: string) =>
    listPage.button(label, pageValue(to), { suffix: label.toLowerCase() });
  return [
    section(`${headingOf(page.all, asked)}${where}`),
    ...(asked.cut ? [context(listIsCut)] : []),
    ...(page.all > page.size && !isTurnable ? [context(tooManyWords)] : []),
    ...shown,
    ...actionsRow([...menu, ...(isTurnable ? turnButtons(page, buttonTo) : []), ...severalButton(page.all, asked)]),
  ];
}

/** The button to the page on which several of a list of databases are ticked. */
function severalButton(many: number, { hasSeveral, nouns, query }: AskedList): Button[] {
  const words = `several ${query}`.trim();
  const isFit = hasSeveral && many > 1 && nouns.includes('live') && runCommand.fits(words);
  return isFit ? [runCommand.button('Tick several…', words, { suffix: 'several' })] : [];
}

/** Records of these nouns in a word: “databases”. */
export function manyOf(nouns: readonly Noun[]): string {
  const [noun = 'live'] = nouns;
  return nouns.length > 1 ? 'databases' : nounNames[noun].many;
}

function headingOf(many: number, { words, nouns, cut }: AskedList): string {
  const plural = manyOf(nouns);
  const wanted = plain(words.join(' '), 100);
  if (many === 0) return noneAmong(`There are no ${plural}`, { records: [], cut });
  const matching = words.length > 0 ? ` that ${many === 1 ? 'matches' : 'match'} ${wanted}` : '';
  const count = `*${many} ${many === 1 ? plural.replace(/s$/, '') : plural}*`;
  return `${count}${matching}`;
}

function captionOf({ rows, all, page, size }: Page<unknown>): string {
  const from = page * size;
  return all > size ? `${from + 1} to ${from + rows.length} of ${all}, by name` : `All ${all}, by name`;
}

type ListColumn = Readonly<{
  title: string;
  /** The cell of a record; `undefined` where it shows no such thing. */
  cellOf(record: RecordView, now: number): Cell | undefined;
  /** The cell of a record that shows none, where the column is sorted by number. */
  empty?: Cell;
}>;

const listColumns: readonly ListColumn[] = [
  { title: 'State', cellOf: ({ state }) => state && cut(state.word, widths.state) },
  { title: 'Environment', cellOf: ({ environment }) => environment && placeIn(environment) },
  { title: 'Vendor', cellOf: ({ vendor }) => vendor && vendorNames[vendor] },
  { title: 'Source', cellOf: ({ source }) => source && placeIn(source) },
  { title: 'Age', cellOf: ageCell, empty: withoutNumber() },
  { title: 'Identifier', cellOf: ({ id, name }) => (name === undefined ? undefined : cut(id.text, widths.id)) },
];

/** The header and the rows of a table with those columns for which one of the records shows something. */
function columnsOf(records: readonly RecordView[], now: number) {
  const columns = listColumns.filter(({ cellOf }) => records.some(record => cellOf(record, now) !== undefined));
  return {
    header: ['Name', ...columns.map(({ title }) => title)],
    rows: records.map(record => [
      cut(record.name ?? record.id.text, widths.name),
      ...columns.map(({ cellOf, empty = none }) => cellOf(record, now) ?? empty),
    ]),
  };
}

function placeIn({ id, label }: NonNullable<RecordView['environment']>): string {
  return cut(label ?? id.text, widths.place);
}

/** The age of a clone; of other records, the time of their creation says little. */
function ageCell(record: RecordView, now: number): Cell | undefined {
  const made = record.id.noun === 'clone' ? creationOf(record) : undefined;
  return made === undefined ? undefined : lengthCell(Math.max(0, now - made));
}
