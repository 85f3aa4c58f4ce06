import { list, number, string } from './blocks.ts';

/** The column by which a data table is sorted, and which way. */
export type Order = { column: number; isDown: boolean };

/** What a reader sees in a cell. */
export function cellText(cell: unknown): string {
  if (string(cell, 'type') !== 'rich_text') return string(cell, 'text');
  const pieces = list(cell, 'elements').flatMap(part => list(part, 'elements'));
  return pieces.map(piece => string(piece, 'text') || string(piece, 'url')).join('');
}

/**
 * The rows of a data table in an order, as Slack sorts them: by letters, or by number where each cell of the column is a
 * raw_number. Equal rows stay as they were.
 */
export function sortedRows(rows: unknown[][], order: Order | undefined): unknown[][] {
  if (!order) return rows;
  const { column, isDown } = order;
  const areNumbers = rows.every(row => string(row[column], 'type') === 'raw_number');
  const compare = (a: unknown, b: unknown) =>
    areNumbers
      ? (number(a, 'value') ?? 0) - (number(b, 'value') ?? 0)
      : cellText(a).localeCompare(cellText(b), 'en', { sensitivity: 'base' });
  return rows.toSorted((a, b) => (isDown ? -1 : 1) * compare(a[column], b[column]));
}

/** The order after a click on a column's title: up, down, and as it came. */
export function orderAfter(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, isDown: false };
  return order.isDown ? undefined : { column, isDown: true };
}
