import type { DataTableBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { charactersOf } from '../../../src/sandbox/playground/characters.ts';
import { asText, defineAction } from '../../../src/slack/blocks/action.ts';
import { actionsRow, type Content, context, message, section } from '../../../src/slack/blocks/blocks.ts';
import { type MessageBlock, pieChart, seriesChart } from '../../../src/slack/blocks/chart.ts';
import { type Cell, dataTable } from '../../../src/slack/blocks/dataTable.ts';

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
const pie = fc.record({
  title: words,
  segments: fc.array(fc.record({ label: words, value: fc.double() }), { maxLength: 12 }),
});

describe('newer blocks', () => {
  test('of whatever data are taken by Slack in both forms of their message', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(table.map(dataTable), plotted.map(seriesChart), pie.map(pieChart)), { maxLength: 4 }),
        parts => {
          const { blocks, plain, text } = message([section('Status'), ...parts.flat(), context('Looked just now')]);
          const isNewer = blocks.some(({ type }) => type.startsWith('data_'));
          expect(messageFaults(blocks)).toEqual([]);
          expect(messageFaults(plain ?? [])).toEqual([]);
          expect(JSON.stringify(plain ?? [])).not.toContain('"data_');
          expect(plain !== undefined).toBe(isNewer);
          expect(charactersOf(blocks)).toBeLessThanOrEqual(11_000);
          expect(charactersOf(plain)).toBeLessThanOrEqual(11_000);
          expect(text.length).toBeLessThanOrEqual(4_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('have an older form that says the same, and its text is what a lock screen shows', () => {
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
      ...pieChart({ title: 'Clones', segments: [{ label: 'Ana', value: 3 }] }),
      ...actionsRow([defineAction('look', asText).button('Look again', 'x')]),
    ]);
    expect(content.blocks.map(({ type }) => type)).toEqual([
      ...['section', 'data_table', 'data_visualization', 'data_visualization', 'actions'],
    ]);
    expect(linesOf(content)).toEqual([
      '*2 databases are late.*',
      ...['*Backups*', '•  *shop*  ·  Age: 26 h  ·  Wanted: <https://example.slack.com/p1|a day>'],
      '•  *logistics*  ·  Age: never  ·  Wanted: –',
      ...['*Ages* (hours)', '•  shop: age 26, wanted 24', '•  hr: age 2.12, wanted 24'],
      ...['*Clones*', '•  Ana: 3', 'actions'],
    ]);
    expect(content.text).toContain('•  hr: age 2.12, wanted 24');
    expect(content.text).toContain('[Look again]');
  });

  test('that are too many for one message leave its buttons, and say what is left out', () => {
    const rows = Array.from({ length: 230 }, (_, at) => [`database ${at}`, 'x'.repeat(140), 'a day']);
    const go = actionsRow([defineAction('look', asText).button('Look again', 'x')]);
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

  test('come to no more than two charts a message: a third one is told in lines', () => {
    const charts = ['One', 'Two', 'Three'].flatMap(title => pieChart({ title, segments: [{ label: 'a', value: 1 }] }));
    const { blocks } = message(charts);
    expect(blocks.map(({ type }) => type)).toEqual(['data_visualization', 'data_visualization', 'section']);
    expect(JSON.stringify(blocks.at(-1))).toContain('*Three*');
  });
});

describe('a data table', () => {
  test('without rows is no block, since Slack takes none', () => {
    expect(dataTable({ ...ages, rows: [] })).toEqual([]);
  });

  test('fills a row that is too short, and cuts one that is too long', () => {
    expect(textsIn(tableIn(dataTable({ ...ages, rows: [['shop'], ['hr', '1', '2', '3']] })))).toEqual([
      ['Database', 'Age', 'Wanted'],
      ['shop', '–', '–'],
      ['hr', '1', '2'],
    ]);
  });

  test('shows text of others letter for letter, without a password', () => {
    const hostile = '<!channel> *bold* :tada: a\u202eb password=hunter2hunter2';
    const [, [first = ''] = []] = textsIn(tableIn(dataTable({ ...ages, rows: [[hostile]] })));
    expect(first).toContain('<!channel> *bold*');
    expect(first).not.toContain(':tada:');
    expect(first).not.toContain('hunter2');
    expect(first).not.toContain('\u202e');
    const { text } = message(dataTable({ ...ages, rows: [[hostile]] }));
    expect(text).toContain('&lt;!channel&gt;');
  });
});

describe('a chart', () => {
  test('keeps labels apart that are cut to the same, and leaves out what has no number', () => {
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

  test('of nothing is no block', () => {
    expect(seriesChart({ type: 'bar', title: 'Ages', categories: [], series: [{ name: 'a', values: [] }] })).toEqual(
      [],
    );
    expect(pieChart({ title: 'Clones', segments: [{ label: 'Ana', value: 0 }] })).toEqual([]);
  });

  test('of many segments adds the small rest up', () => {
    const segments = Array.from({ length: 9 }, (_, at) => ({ label: `person ${at}`, value: 10 - at }));
    const [block] = pieChart({ title: 'Clones', segments });
    const shown = block?.chart.type === 'pie' ? block.chart.segments : [];
    expect(shown.map(({ label, value }) => `${label} ${value}`)).toEqual([
      ...['person 0 10', 'person 1 9', 'person 2 8', 'person 3 7', 'person 4 6', 'Others 14'],
    ]);
  });
});
