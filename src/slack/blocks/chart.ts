import type { KnownBlock } from '@slack/types';
import { legible } from '../../records/legible.ts';
import { cut, limits } from './limits.ts';
import { bold, plain } from './mrkdwn.ts';

/** A value of a chart, under a label that the chart has once. */
type Point = Readonly<{ label: string; value: number }>;

/** Slack's block for charts, in messages only; `@slack/types` has no type for it yet. */
type DataVisualizationBlock = Readonly<{
  type: 'data_visualization';
  block_id?: string;
  title: string;
  chart: Readonly<{
    type: 'bar' | 'line' | 'area';
    series: readonly Readonly<{ name: string; data: readonly Point[] }>[];
    axis_config: Readonly<{ categories: readonly string[]; x_label?: string; y_label?: string }>;
  }>;
}>;

/** A block of a message. */
export type MessageBlock = KnownBlock | DataVisualizationBlock;

/** The data of a chart with axes: each series has one value for each category. `y` says what the values are. */
type Plotted = Readonly<{
  type: 'bar' | 'line' | 'area';
  title: string;
  categories: readonly string[];
  series: readonly Readonly<{ name: string; values: readonly number[] }>[];
  x?: string;
  y?: string;
}>;

/**
 * A chart with axes: the first categories and series, as many as Slack takes. A category for which a series has no
 * finite number is left out. No block where nothing is left, since Slack takes no empty chart.
 */
export function seriesChart({ type, title, categories, series, x, y }: Plotted): DataVisualizationBlock[] {
  const some = series.slice(0, limits.chartSeries);
  const columns = categories
    .map((label, at) => ({ label, values: some.map(({ values }) => values[at] ?? Number.NaN) }))
    .filter(({ values }) => values.every(value => Number.isFinite(value)))
    .slice(0, limits.chartCategories);
  if (some.length === 0 || columns.length === 0) return [];
  const labels = distinct(columns.map(({ label }) => label));
  const names = distinct(some.map(({ name }) => name));
  const data = (row: number) =>
    labels.map((label, column) => ({ label, value: columns[column]?.values[row] ?? 0 }) satisfies Point);
  const axes = {
    categories: labels,
    ...(x === undefined ? {} : { x_label: shortened(x, limits.chartAxis) }),
    ...(y === undefined ? {} : { y_label: shortened(y, limits.chartAxis) }),
  };
  const chart = { type, series: names.map((name, row) => ({ name, data: data(row) })), axis_config: axes };
  return [{ type: 'data_visualization', title: shortened(title, limits.chartTitle), chart }];
}

/** A chart as lines of mrkdwn: its title, and each category with its values. */
export function chartLines({ title, chart }: DataVisualizationBlock): string[] {
  const { series, axis_config: axes } = chart;
  const head = axes.y_label === undefined ? bold(title) : `${bold(title)} (${plain(axes.y_label)})`;
  const [only] = series.length === 1 ? series : [];
  const said = (column: number) =>
    series.map(({ name, data }) => `${only ? '' : `${plain(name)} `}${rounded(data[column]?.value ?? 0)}`).join(', ');
  return [head, ...axes.categories.map((label, column) => `•  ${plain(label)}: ${said(column)}`)];
}

/** Labels of people or of the service, short enough for a chart, each another: equal ones get a number. */
function distinct(texts: readonly string[]): string[] {
  const labels: string[] = [];
  for (const text of texts) {
    let label = shortened(text, limits.chartLabel);
    for (let times = 2; labels.includes(label); times++) {
      const suffix = ` ${times}`;
      label = `${shortened(text, limits.chartLabel - suffix.length)}${suffix}`;
    }
    labels.push(label);
  }
  return labels;
}

function shortened(text: string, max: number): string {
  return cut(legible(text), max);
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
