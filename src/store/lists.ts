import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { JobTaking } from './jobs/rows/job.ts';
import type { Owner } from './vault.ts';

/*
 * Lists in statements, each as one parameter: a statement has one text for lists of any length, so it is compiled and
 * prepared once. They are written for SQLite; `forPostgres` writes them for the other store.
 */

export type Identified = Readonly<{ id: string }>;

export function idsOf(rows: readonly Identified[]): readonly string[] {
  return rows.map(({ id }) => id);
}

/** Whether a column has one of these values. */
export function isAnyOf(column: string, values: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** Whether a column has none of these values. */
export function isNoneOf(column: string | RawBuilder<string>, values: readonly string[]): RawBuilder<SqlBool> {
  // PostgreSQL takes even an empty list for half of all rows.
  if (values.length === 0) return sql<SqlBool>`true`;
  const tested = typeof column === 'string' ? sql.ref(column) : column;
  return sql<SqlBool>`${tested} not in (select value from json_each(${JSON.stringify(values)}))`;
}

/** Selects rows of values. PostgreSQL takes all of them for texts. */
export function listed(rows: readonly (readonly (string | number)[])[], width: number): RawBuilder<object> {
  const columns = Array.from({ length: width }, (_, at) => sql`value ->> ${sql.lit(at)}`);
  return sql`select ${sql.join(columns)} from json_each(${JSON.stringify(rows)})`;
}

/**
 * Writes the lists of a statement for PostgreSQL. Values that a column may have are an array: an index finds each of them.
 * Those that it may not have are none: PostgreSQL would compare each row with all of them, one after the other.
 */
export function forPostgres(text: string): string {
  if (!text.includes('json_each')) return text;
  return text
    .replace(/(not )?in \(select value from json_each\((\$\d+)\)\)/g, (_, not: string | undefined, list: string) => {
      const values = `select json_array_elements_text(${list}::json)`;
      return not === undefined ? `= any(array(${values}))` : `not in (${values})`;
    })
    .replace(/json_each\((\$\d+)\)/g, 'json_array_elements($1::json)');
}

/** The values of these columns in a row that was to be added, for the row that stands in its place. */
export function asAdded<Column extends string>(...columns: readonly Column[]): Record<Column, RawBuilder<never>>;
export function asAdded(...columns: readonly string[]): Readonly<Record<string, RawBuilder<never>>> {
  return Object.fromEntries(columns.map(column => [column, sql.ref<never>(`excluded.${column}`)]));
}

export function isTheirs(owners: readonly Owner[]): RawBuilder<SqlBool> {
  const pairs = owners.map(({ team, person }) => [team, person]);
  return sql<SqlBool>`(team, person) in (${listed(pairs, 2)})`;
}

/** A row that a process took, by its id and the fence of then. */
export type Held = Readonly<{ id: string; fence: number }>;

/** The ones of these jobs that were taken by this kind of row. */
export function heldBy(
  by: JobTaking['by'],
  jobs: readonly Readonly<{ id: string; taken?: JobTaking | undefined }>[],
): Held[] {
  return jobs.flatMap(({ id, taken }) => (taken?.by === by ? [{ id, fence: taken.fence }] : []));
}

/** Whether a row is among those, and nobody has taken it since. */
export function isHeld(key: 'id' | 'job', held: readonly Held[]): RawBuilder<SqlBool> {
  const pairs = held.map(({ id, fence }) => [id, `${fence}`]);
  return sql<SqlBool>`(${sql.ref(key)}, cast(fence as text)) in (${listed(pairs, 2)})`;
}
