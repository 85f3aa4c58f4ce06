import { describe, expect, test } from 'vitest';
import { chartInWords, readChart, shares, slices, ticks } from '../../../src/sandbox/playground/page/charts.ts';
import { cellText, orderAfter, sortedRows } from '../../../src/sandbox/playground/page/sorted-rows.ts';
import { seriesChart } from '../../../src/slack/blocks/chart.ts';
import { dataTable } from '../../../src/slack/blocks/dataTable.ts';

describe('a chart', () => {
  test('a chart in the playground says in words all that it shows', () => {
    const [bars] = seriesChart({
      ...{ type: 'bar', title: 'Ages', categories: ['shop', 'hr'], y: 'hours' },
      series: [
        { name: 'age', values: [1_026.5, 2] },
        { name: 'wanted', values: [24, 24] },
      ],
    });
    const segments = [
      { label: 'Ana', value: 3 },
      { label: 'Ben', value: 1 },
    ];
    const pie = { type: 'data_visualization', title: 'Clones', chart: { type: 'pie', segments } };
    const said = [bars, pie].map(block => readChart(block)).map(chart => chart && chartInWords(chart));
    expect(said).toEqual([
      'bar chart: Ages (hours). shop: age 1,026.5, wanted 24; hr: age 2, wanted 24.',
      'pie chart: Clones. Ana: 3 (75 %); Ben: 1 (25 %).',
    ]);
    expect(readChart({ type: 'data_visualization', title: 'x', chart: { type: 'radar' } })).toBeUndefined();
  });

  test('the axis of a chart in the playground has round marks that span every value and zero', () => {
    expect(ticks([26, 3])).toEqual([0, 10, 20, 30]);
    expect(ticks([0])).toEqual([0, 1]);
    expect(ticks([2, 1])).toEqual([0, 1, 2]);
    expect(ticks([9, 10])).toEqual([0, 5, 10]);
    expect(ticks([0.5])).toEqual([0, 0.2, 0.4, 0.6]);
    expect(ticks([-5, 7])).toEqual([-5, 0, 5, 10]);
    for (const values of [[1e-9], [1e12, -3], [99.99], [0.3, 0.1]]) {
      const marks = ticks(values);
      expect(marks.at(0)).toBeLessThanOrEqual(Math.min(0, ...values));
      expect(marks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values));
      expect(marks.length).toBeLessThan(8);
    }
  });

  test('a pie chart of one slice is a whole circle', () => {
    expect(slices([5], 80)[0]).toMatch(/^M 0.00 -80.00 A 80 80 0 1 1 0.00 80.00 A/);
    expect(slices([1, 1], 80)).toHaveLength(2);
    expect(shares([1, 2])).toEqual([33, 67]);
  });
});

describe('a data table', () => {
  const [, ...rows] =
    dataTable({
      ...{ caption: 'Backups', header: ['Database', 'Age'] },
      rows: [
        ['shop', { text: '26 h', value: 26 }],
        ['Logistics', { text: '3 days', value: 72 }],
        [
          { text: 'hr', url: 'https://example.slack.com/p1' },
          { text: 'never', value: 1e9 },
        ],
        ['archive', { text: '9 min', value: 0.15 }],
      ],
    })[0]?.rows ?? [];
  const names = (column: number, isDown = false) =>
    sortedRows(rows, { column, isDown }).map(([first]) => cellText(first));

  test('a data table in the playground sorts words by letters and ages by time', () => {
    expect(names(0)).toEqual(['archive', 'hr', 'Logistics', 'shop']);
    expect(names(1)).toEqual(['archive', 'shop', 'Logistics', 'hr']);
    expect(names(1, true)).toEqual(['hr', 'Logistics', 'shop', 'archive']);
    expect(sortedRows(rows, undefined)).toBe(rows);
  });

  test('each click on a column of a data table in the playground sorts it up, then down, then as it came', () => {
    const up = orderAfter(undefined, 1);
    const down = orderAfter(up, 1);
    expect([up, down, orderAfter(down, 1), orderAfter(down, 0)]).toEqual([
      { column: 1, isDown: false },
      { column: 1, isDown: true },
      undefined,
      { column: 0, isDown: false },
    ]);
  });
});
