import { child, list, number, string } from './blocks.ts';

/** A chart as the page reads it: one or more named rows of numbers over the same labels. A pie has one row. */
export type Chart = {
  type: 'bar' | 'line' | 'area' | 'pie';
  title: string;
  labels: string[];
  series: { name: string; values: number[] }[];
  x: string;
  y: string;
};

/** Reads a data_visualization block; `undefined` if it is none. */
export function readChart(block: unknown): Chart | undefined {
  const chart = child(block, 'chart');
  const title = string(block, 'title');
  const type = (['bar', 'line', 'area', 'pie'] as const).find(known => known === string(chart, 'type'));
  if (type === undefined) return undefined;
  if (type === 'pie') {
    const segments = list(chart, 'segments');
    const values = segments.map(segment => number(segment, 'value') ?? 0);
    const labels = segments.map(segment => string(segment, 'label'));
    return { type, title, labels, series: [{ name: title, values }], x: '', y: '' };
  }
  const axes = child(chart, 'axis_config');
  const labels = list(axes, 'categories').filter(label => typeof label === 'string');
  const series = list(chart, 'series').map(one => {
    const points = new Map(list(one, 'data').map(point => [string(point, 'label'), number(point, 'value') ?? 0]));
    return { name: string(one, 'name'), values: labels.map(label => points.get(label) ?? 0) };
  });
  return { type, title, labels, series, x: string(axes, 'x_label'), y: string(axes, 'y_label') };
}

/** A number for people: at most two places, with separators. */
export function shownNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** The share of each value in their sum, in whole per cent. */
export function shares(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map(value => (sum > 0 ? Math.round((100 * value) / sum) : 0));
}

/** The whole chart in words, for people who do not see it. */
export function chartInWords({ type, title, labels, series, y }: Chart): string {
  const [first] = series;
  const percent = shares(first?.values ?? []);
  const said = labels.map((label, at) => {
    if (type === 'pie') return `${label}: ${shownNumber(first?.values[at] ?? 0)} (${percent[at]} %)`;
    const values = series.map(({ name, values }) => {
      const value = shownNumber(values[at] ?? 0);
      return series.length === 1 ? value : `${name} ${value}`;
    });
    return `${label}: ${values.join(', ')}`;
  });
  return `${type} chart: ${title}${y ? ` (${y})` : ''}. ${said.join('; ')}.`;
}

/** Marks of an axis, from the lowest to the highest: round numbers that hold all values, and zero; whole ones for counts. */
export function ticks(values: readonly number[], wanted = 4): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const areWhole = values.every(value => Number.isInteger(value));
  const rough = Math.max((high - low || 1) / wanted, areWhole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = areWhole && power === 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = (round.find(factor => factor * power >= rough) ?? 10) * power;
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: Math.max(1, to - from) + 1 }, (_, at) => Number(((from + at) * step).toPrecision(12)));
}

/** The outlines of a pie's slices, clockwise from the top, in a circle of this radius around the origin. */
export function slices(values: readonly number[], radius: number): string[] {
  const sum = values.reduce((total, value) => total + value, 0);
  const point = (part: number) => {
    const angle = 2 * Math.PI * part - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  let before = 0;
  return values.map(value => {
    const [start, share] = [before, value / sum];
    before += share;
    // A whole circle has no corner to begin at.
    if (share > 0.9999)
      return `M ${point(0)} A ${radius} ${radius} 0 1 1 ${point(0.5)} A ${radius} ${radius} 0 1 1 ${point(0)} Z`;
    return `M 0 0 L ${point(start)} A ${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${point(before)} Z`;
  });
}
