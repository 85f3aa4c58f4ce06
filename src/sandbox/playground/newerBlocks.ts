import { charactersOf } from './characters.ts';
import type { Fault } from './fault.ts';
import { type Json, listOf, recordOf, recordsOf, stringOf } from './json.ts';
import { limits } from './limits.ts';

/** The kinds of blocks that come to workspaces by and by. */
const newer: readonly unknown[] = [
  ...['data_table', 'data_visualization', 'container', 'plan', 'task_card', 'alert', 'card'],
];

/** What a workspace takes of the newer blocks: all, none, or all but some kinds. */
export type TakenBlocks = boolean | Readonly<{ without: readonly string[] }>;

/** Finds the rules of the newer blocks that a message's blocks break, and that no shape says. */
export function newerFaults(list: Json[], root: string): Fault[] {
  const faults = list.flatMap((block, index) => {
    const here = `${root}/${index}`;
    if (block.type === 'data_table') return tableFaults(block, here);
    if (block.type === 'container') return containerFaults(block, here);
    if (block.type === 'plan') return planFaults(block, here);
    return block.type === 'data_visualization' ? chartFaults(recordOf(block.chart), `${here}/chart`) : [];
  });
  const charts = list.filter(block => block.type === 'data_visualization');
  if (charts.length > limits.charts)
    faults.push({ says: `no more than ${limits.charts} data_visualization blocks allowed`, pointer: root });
  const cells = list.filter(block => block.type === 'data_table').map(block => block.rows);
  if (charactersOf(cells) > limits.tableCharacters)
    faults.push({ says: `tables must have less than ${limits.tableCharacters + 1} characters`, pointer: root });
  return faults;
}

/** Finds the blocks that a workspace does not know. */
export function unknownBlocks(list: Json[], taken: TakenBlocks, root = '/blocks'): Fault[] {
  if (taken === true) return [];
  const refused = taken === false ? newer : taken.without;
  return list.flatMap((block, index) =>
    refused.includes(block.type)
      ? [{ says: `unsupported type: ${stringOf(block.type)}`, pointer: `${root}/${index}/type` }]
      : [],
  );
}

/** Finds the rules of cards that no shape says. */
export function cardFaults({ hero_image, title, actions, body }: Json, here: string): Fault[] {
  const isEmpty = [hero_image, title, actions, body].every(part => part === undefined);
  return isEmpty ? [{ says: 'must provide hero_image, title, actions or body', pointer: here }] : [];
}

function containerFaults({ is_collapsible, default_collapsed, has_header_divider }: Json, here: string): Fault[] {
  const faults: Fault[] = [];
  if (default_collapsed === true && is_collapsible !== true)
    faults.push({ says: 'default_collapsed requires is_collapsible', pointer: here });
  if (has_header_divider === true && is_collapsible === true)
    faults.push({ says: 'has_header_divider excludes is_collapsible', pointer: here });
  return faults;
}

function planFaults({ tasks }: Json, here: string): Fault[] {
  const ids = recordsOf(tasks).map(({ task_id }) => stringOf(task_id));
  return new Set(ids).size < ids.length ? [{ says: 'task_id must be unique', pointer: `${here}/tasks` }] : [];
}

function tableFaults(table: Json, here: string): Fault[] {
  const faults: Fault[] = [];
  const rows = listOf(table.rows).map(row => recordsOf(row));
  const [header = []] = rows;
  if (header.some(cell => cell.type === 'rich_text'))
    faults.push({ says: 'header cells must not be rich_text', pointer: `${here}/rows/0` });
  const uneven = rows.findIndex(row => row.length !== header.length);
  if (uneven >= 0)
    faults.push({ says: 'all rows must have the same number of cells', pointer: `${here}/rows/${uneven}` });
  if (Number(table.row_header_column_index ?? 0) >= header.length && header.length > 0)
    faults.push({ says: 'must be a column of the table', pointer: `${here}/row_header_column_index` });
  return faults;
}

function chartFaults(chart: Json, here: string): Fault[] {
  if (chart.type === 'pie') return [];
  const series = recordsOf(chart.series);
  const categories = listOf(recordOf(chart.axis_config).categories).map(stringOf);
  const faults: Fault[] = [];
  const names = series.map(({ name }) => stringOf(name));
  if (new Set(names).size < names.length)
    faults.push({ says: 'series names must be unique', pointer: `${here}/series` });
  if (new Set(categories).size < categories.length)
    faults.push({ says: 'categories must be unique', pointer: `${here}/axis_config/categories` });
  for (const [at, { data }] of series.entries()) {
    const labels = recordsOf(data).map(({ label }) => stringOf(label));
    if (JSON.stringify(labels.toSorted()) !== JSON.stringify(categories.toSorted()))
      faults.push({ says: 'must have one data point for each category', pointer: `${here}/series/${at}/data` });
  }
  return faults;
}
