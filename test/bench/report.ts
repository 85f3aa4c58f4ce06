import type { Machine } from './machine.ts';
import type { Aim, Figure, Part } from './part.ts';
import { median, type Pair, ratios } from './statistics.ts';

/** A figure in the end: medians over the rounds. `ratio` is Dolly's to the bare app's. */
export type Result = Readonly<{
  name: string;
  unit: Figure['unit'];
  dolly: number;
  bare?: number;
  ratio?: Readonly<{ median: number; lowest: number; highest: number }>;
  aim?: Aim;
  met?: boolean;
  rounds: Figure['rounds'];
  p95?: Figure['p95'];
  cost?: string;
}>;

/** The results of a part, none where it failed, and the percentage of a core that other programs used meanwhile. */
export type Measured = Readonly<{ part: string; group: Part['group']; results: readonly Result[]; foreign: number }>;

/** Draws a figure together. The ratio is the median of the rounds' ratios, not the ratio of the medians. */
export function resultOf({ name, unit, rounds, aim, p95, cost }: Figure): Result {
  const dolly = median(rounds.map(round => round.dolly));
  const pairs = rounds.flatMap(round => ('bare' in round ? [round] : []));
  const compared = pairs.length > 0 ? comparison(pairs) : undefined;
  const value = aim?.of === 'ratio' ? compared?.ratio.median : dolly;
  return {
    name,
    unit,
    dolly,
    ...compared,
    ...(aim && value !== undefined
      ? { aim, met: aim.bound === 'at most' ? value <= aim.value : value >= aim.value }
      : {}),
    rounds,
    ...(p95 ? { p95 } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** The results as a table that is plain to read in a terminal and is one in Markdown, too. */
export function table(results: readonly Result[]): string {
  const rows = [['', 'floor', 'p95', 'Dolly', 'p95', 'ratio (lowest–highest)', 'aim', ''], ...results.map(cellsOf)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill = ' ') =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(row => line(row));
  return [head, line([], '-'), ...body].join('\n');
}

function cellsOf({ name, unit, bare, dolly, ratio, aim, met, p95 }: Result): string[] {
  const value = (amount: number | undefined) => (amount === undefined ? '' : `${number(amount)} ${unit}`.trimEnd());
  return [
    name,
    value(bare),
    value(p95 && 'bare' in p95 ? p95.bare : undefined),
    value(dolly),
    value(p95?.dolly),
    ratio ? `${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)}–${ratio.highest.toFixed(2)})` : '',
    aim ? `${aim.bound === 'at most' ? '≤' : '≥'} ${aim.value}${aim.of === 'ratio' ? ' ×' : ` ${unit}`}`.trimEnd() : '',
    met === undefined ? '' : met ? 'met' : 'missed',
  ];
}

/** The results as the documentation shows them: the table without its padding, and the reason of each miss. */
export function section(results: readonly Result[]): string {
  const lines = table(results).replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
  const misses = results.flatMap(({ name, met, cost }) =>
    met === false && cost ? [`- Missed: ${name}. ${cost}`] : [],
  );
  return misses.length > 0 ? `${lines}\n\n${misses.join('\n')}` : lines;
}

/** The machine in one line. */
export function machineLine(machine: Machine, date: Date): string {
  const { cpu, cores, memory, system, node, load } = machine;
  return `${cpu}, ${cores} cores, ${memory} GB, ${system}, Node ${node}, load ${load}, ${date.toISOString().slice(0, 10)}`;
}

function comparison(pairs: readonly Pair[]) {
  const all = ratios(pairs);
  return {
    bare: median(pairs.map(({ bare }) => bare)),
    ratio: { median: median(all), lowest: Math.min(...all), highest: Math.max(...all) },
  };
}

/** Three digits, as much as such figures are worth. */
function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
