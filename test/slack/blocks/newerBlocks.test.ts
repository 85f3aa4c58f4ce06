import type { DataTableBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageFaults, viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { charactersOf } from '../../../src/sandbox/playground/characters.ts';
import { asText, defineAction } from '../../../src/slack/blocks/action.ts';
import { actionsRow, context, foldBlock, section } from '../../../src/slack/blocks/blocks.ts';
import { cardBlock } from '../../../src/slack/blocks/cardBlock.ts';
import { type MessageBlock, seriesChart } from '../../../src/slack/blocks/chart.ts';
import { type Cell, dataTable } from '../../../src/slack/blocks/dataTable.ts';
import { type Content, message, olderView } from '../../../src/slack/blocks/message.ts';
import { kindsIn } from '../../../src/slack/blocks/newerBlocks.ts';
import { type Piece, piecesOf, preformatted, richLine } from '../../../src/slack/blocks/richText.ts';
import { taskPlan } from '../../../src/slack/blocks/taskPlan.ts';
import { warningBlock } from '../../../src/slack/blocks/warningBlock.ts';

const ages = { caption: 'Backups', header: ['Database', 'Age', 'Wanted'] };
const tableIn = (blocks: readonly MessageBlock[]) =>
  blocks.find((block): block is DataTableBlock => block.type === 'data_table');
const textsIn = (table: DataTableBlock | undefined) =>
  (table?.rows ?? []).map(row => row.map(cell => (cell.type === 'rich_text' ? 'rich' : cell.text)));
const linesOf = (content: Content) =>
  (content.plain ?? []).flatMap(block =>
    block.type === 'section' ? (block.text?.text ?? '').split('\n') : [block.type],
  );

const words = fc.string({ unit: 'grapheme', maxLength: 60 });
const longer = fc.string({ unit: 'grapheme', maxLength: 400 });
const cell: fc.Arbitrary<Cell> = fc.oneof(
  words,
  fc.record({ text: words, value: fc.double() }),
  fc.record({ text: words, url: fc.constant('https://example.slack.com/archives/C1/p1') }),
);
const table = fc.record({
  caption: words,
  header: fc.array(words, { minLength: 1, maxLength: 24 }),
  rows: fc.array(fc.array(cell, { maxLength: 24 }), { maxLength: 130, size: 'medium' }),
});
const plotted = fc.record({
  type: fc.constantFrom('bar', 'line', 'area'),
  title: words,
  categories: fc.array(words, { maxLength: 30 }),
  series: fc.array(fc.record({ name: words, values: fc.array(fc.double(), { maxLength: 30 }) }), { maxLength: 9 }),
  y: words,
});

const press = defineAction('press', asText);
const buttons = fc
  .integer({ min: 0, max: 5 })
  .map(many => Array.from({ length: many }, (_, at) => press.button(`Button ${at}`, 'x', { suffix: String(at) })));
const status = fc.constantFrom('pending', 'in_progress', 'complete', 'error');
const lines = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), { maxLength: 60 });
const piece: fc.Arbitrary<Piece> = fc.oneof(longer, fc.record({ at: fc.integer({ min: 0, max: 4e12 }) }));
const task = fc.record({ title: longer, status, details: fc.array(piece, { maxLength: 3 }) });
const fold = fc.tuple(longer, lines).map(([title, some]) => foldBlock(title, some));
const planned = fc.tuple(longer, fc.array(task, { maxLength: 70 })).map(([title, tasks]) => taskPlan(title, tasks));
const boxed = fc.record({
  title: longer,
  subtitle: longer,
  body: fc.constantFrom('', 'b'.repeat(200), 'b'.repeat(201)),
  buttons,
});

describe('newer blocks', () => {
  test('newer blocks of random data are within Slack’s limits, in the newer and in the older form of their message', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(...[table.map(dataTable), plotted.map(seriesChart)], ...[fold, planned, boxed.map(cardBlock)]),
          { maxLength: 4 },
        ),
        parts => {
          const { blocks, plain, text } = message([section('Status'), ...parts.flat(), context('Looked just now')]);
          expect(messageFaults(blocks)).toEqual([]);
          expect(messageFaults(plain ?? [])).toEqual([]);
          expect(kindsIn(plain ?? [])).toEqual([]);
          expect(plain !== undefined).toBe(kindsIn(parts.flat()).length > 0);
          expect(charactersOf(blocks)).toBeLessThanOrEqual(11_000);
          expect(charactersOf(plain)).toBeLessThanOrEqual(11_000);
          expect(text.length).toBeLessThanOrEqual(4_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('newer blocks have an older form that says the same, and a text that says it, too', () => {
    const rows = [
      ['shop', { text: '26 h', value: 26 }, { text: 'a day', url: 'https://example.slack.com/p1' }],
      ['logistics', { text: 'never', value: 9e9 }, ''],
    ];
    const content = message([
      section('*2 databases are late.*'),
      ...dataTable({ ...ages, rows }),
      ...seriesChart({
        type: 'bar',
        title: 'Ages',
        categories: ['shop', 'hr'],
        series: [
          { name: 'age', values: [26, 2.123] },
          { name: 'wanted', values: [24, 24] },
        ],
        y: 'hours',
      }),
      ...actionsRow([defineAction('look', asText).button('Check now', 'x')]),
    ]);
    expect(content.blocks.map(({ type }) => type)).toEqual([
      ...['section', 'data_table', 'data_visualization', 'actions'],
    ]);
    expect(linesOf(content)).toEqual([
      '*2 databases are late.*',
      ...['*Backups*', '•  *shop*  ·  Age: 26 h  ·  Wanted: <https://example.slack.com/p1|a day>'],
      '•  *logistics*  ·  Age: never  ·  Wanted: –',
      ...['*Ages* (hours)', '•  shop: age 26, wanted 24', '•  hr: age 2.12, wanted 24'],
      'actions',
    ]);
    expect(content.text).toContain('•  hr: age 2.12, wanted 24');
    expect(content.text).toContain('[Check now]');
  });

  test('a table too long for one message leaves room for its buttons, and says how many rows it shows', () => {
    const rows = Array.from({ length: 230 }, (_, at) => [`database ${at}`, 'x'.repeat(140), 'a day']);
    const go = actionsRow([defineAction('look', asText).button('Check now', 'x')]);
    const content = message([section('y'.repeat(2_900)), ...dataTable({ ...ages, rows }), ...go]);
    const shown = (tableIn(content.blocks)?.rows.length ?? 0) - 1;
    expect(shown).toBeGreaterThan(40);
    expect(tableIn(content.blocks)?.caption).toBe(`Backups (the first ${shown} of 230)`);
    for (const form of [content.blocks, content.plain ?? []]) {
      expect(messageFaults(form)).toEqual([]);
      expect(form.at(-1)).toMatchObject({ type: 'actions' });
      expect(charactersOf(form)).toBeLessThanOrEqual(11_000);
    }
    expect(linesOf(content)).toContainEqual(expect.stringMatching(/^… and \d+ more$/));
  });

  test('a message shows at most two charts, and tells a third one in lines', () => {
    const charts = ['One', 'Two', 'Three'].flatMap(title =>
      seriesChart({ type: 'bar', title, categories: ['a'], series: [{ name: 'b', values: [1] }] }),
    );
    const { blocks } = message(charts);
    expect(blocks.map(({ type }) => type)).toEqual(['data_visualization', 'data_visualization', 'section']);
    expect(JSON.stringify(blocks.at(-1))).toContain('*Three*');
  });
});

describe('a data table', () => {
  test('a data table without rows makes no block, since Slack takes none', () => {
    expect(dataTable({ ...ages, rows: [] })).toEqual([]);
  });

  test('a data table fills a row that is too short, and cuts one that is too long', () => {
    expect(textsIn(tableIn(dataTable({ ...ages, rows: [['shop'], ['hr', '1', '2', '3']] })))).toEqual([
      ['Database', 'Age', 'Wanted'],
      ['shop', '–', '–'],
      ['hr', '1', '2'],
    ]);
  });

  test('a data table shows foreign text letter for letter, but no password, emoji or mention in it', () => {
    const hostile = '‹!channel> *bold* :tada: a\u202eb password=hunter2hunter2';
    const [, [first = ''] = []] = textsIn(tableIn(dataTable({ ...ages, rows: [[hostile]] })));
    expect(first).toContain('‹!channel> *bold*');
    expect(first).not.toContain(':tada:');
    expect(first).not.toContain('hunter2');
    expect(first).not.toContain('\u202e');
    const { text } = message(dataTable({ ...ages, rows: [[hostile]] }));
    expect(text).toContain('‹!channel&gt;');
  });
});

describe('a chart', () => {
  test('a chart keeps labels apart that are cut to the same text, and leaves out what has no number', () => {
    const long = 'a database with a very long name';
    const [block] = seriesChart({
      ...{ type: 'line', title: 'Ages', categories: [`${long} 1`, `${long} 2`, 'hr'] },
      series: [{ name: 'age', values: [1, 2, Number.NaN] }],
    });
    expect(block?.chart).toMatchObject({
      axis_config: { categories: ['a database with a v…', 'a database with a… 2'] },
    });
    expect(messageFaults([block])).toEqual([]);
  });

  test('a chart without data makes no block', () => {
    expect(seriesChart({ type: 'bar', title: 'Ages', categories: [], series: [{ name: 'a', values: [] }] })).toEqual(
      [],
    );
  });
});

const hostile = '<!channel> <@U9> *bold* `code` :tada: a\u202eb\u0007 password=hunter2hunter2';
/** All texts in blocks that Slack shows as they are, and those that it reads as mrkdwn. */
const shownIn = (value: unknown) => JSON.stringify(value);

describe('text of others', () => {
  test.each([
    ['a fold', foldBlock(hostile, ['x'])],
    ['a plan', taskPlan(hostile, [{ title: hostile, status: 'error', details: [hostile] }])],
    ['a card', cardBlock({ title: hostile, subtitle: hostile, buttons: [] })],
    ['a line', [richLine([hostile], 400)]],
    ['a log', [preformatted(hostile, 400)]],
  ])('foreign text in %s mentions nobody, reorders nothing and shows no password', (_, blocks) => {
    expect(messageFaults(blocks)).toEqual([]);
    const { text } = message(blocks);
    expect(shownIn(blocks)).not.toMatch(/\u202e|hunter2hunter2|"mrkdwn","text":"[^"]*<[!@]/);
    expect(text).not.toMatch(/<[!@](?!date)/);
    expect(text).toContain('bold');
  });
});

describe('a log', () => {
  const textIn = (text: string, max = 500, longest = 3) => message([preformatted(text, max, longest)]).text;

  test('a log keeps its lines and their indentation, and says how many are left out', () => {
    expect(textIn('ORA-01017\r\n  at line 6\n\tat line 7\nand\nmore')).toBe(
      'ORA-01017\n  at line 6\n  at line 7\n… and 2 more lines',
    );
  });

  test('a log is cut to its limit, and an empty one shows a dash', () => {
    expect(textIn('x'.repeat(600), 500)).toHaveLength(500);
    expect(textIn(' \n \n')).toBe('–');
  });
});

describe('a warning', () => {
  test.each([
    [200, 'alert'],
    [201, 'section'],
  ])('a warning of %d characters is shown whole, in a block of the type %s', (many, type) => {
    const block = warningBlock('warning', 'x'.repeat(many), 'warning');
    expect(block).toMatchObject({ type, block_id: 'warning' });
    expect(JSON.stringify(block)).toContain('x'.repeat(many));
    const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'Delete?' }, blocks: [block] };
    expect(viewFaults(view, 'modal')).toEqual([]);
    const [older] = olderView(view).blocks;
    expect(older).toMatchObject({
      type: 'section',
      block_id: 'warning',
      text: { text: `:warning: ${'x'.repeat(many)}` },
    });
  });

  test('an alert block in a message counts as a fault, since Slack takes none there', () => {
    expect(messageFaults([warningBlock('error', 'no')])).toHaveLength(1);
  });
});

test('a plan shows at most 50 steps and a fold at most 10 blocks, as many as Slack takes', () => {
  const [plan] = taskPlan(
    'Steps',
    Array.from({ length: 250 }, (_, at) => ({ title: `${at}`, status: 'pending' as const })),
  );
  expect(plan?.tasks).toHaveLength(50);
  expect(taskPlan('Steps', [])).toEqual([]);
  expect(foldBlock('Details', [])).toEqual([]);
  const [fold] = foldBlock(
    'Details',
    Array.from({ length: 40 }, () => 'x'.repeat(2_900)),
  );
  expect(fold?.child_blocks).toHaveLength(10);
  expect(messageFaults([{ ...fold, child_blocks: [preformatted('x', 9)] }])).not.toEqual([]);
});

test('the times in a sentence become moments of the reader’s own', () => {
  const { text } = message([richLine(piecesOf('Ended 2026-11-22 03:00 UTC+01:00, seen.'), 200)]);
  expect(text).toBe('Ended <!date^1795312800^{date_short_pretty} {time}|2026-11-22 02:00:00 UTC>, seen.');
});
