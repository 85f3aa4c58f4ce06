import {
  expressionBuilder,
  type FilterObject,
  type InsertObject,
  type Kysely,
  type OnConflictBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Schema } from './database.ts';

/** Whether a row has each of these values in the columns of these names. */
export function equals(values: FilterObject<Schema, keyof Schema>) {
  return expressionBuilder<Schema, keyof Schema>().and(values);
}

/** The value of a column as it is, such as one that only locks its row by being written. */
export function asItIs<Value extends string | number>(column: string): RawBuilder<Value> {
  return sql<Value>`${sql.ref(column)}`;
}

/** One more than a column has. */
export function oneMore(column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} + 1`;
}

/** Lets an insertion do nothing where such a row is there already. */
export function unlessThere<DB, Table extends keyof DB>(conflict: OnConflictBuilder<DB, Table>) {
  return conflict.doNothing();
}

/** The number of rows that a query finds. */
export async function countRows<Table extends keyof Schema>(rows: SelectQueryBuilder<Schema, Table, object>) {
  const { many } = await rows.select(sql<number>`count(*)`.as('many')).executeTakeFirstOrThrow();
  return many;
}

type Count = 'numUpdatedRows' | 'numDeletedRows' | 'numInsertedOrUpdatedRows';
type Done = Readonly<Partial<Record<Count, bigint | undefined>>>;

/** Executes a statement, and tells whether it changed, added or removed a row. */
export async function wrote(statement: Readonly<{ executeTakeFirst(): Promise<Done> }>): Promise<boolean> {
  const { numUpdatedRows, numDeletedRows, numInsertedOrUpdatedRows } = await statement.executeTakeFirst();
  return (numUpdatedRows ?? numDeletedRows ?? numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Conflict<Table extends keyof Schema> = OnConflictBuilder<Schema, Table>;

/** Inserts rows; where one is there already that has its key, sets columns of that. */
export function insertOrSet<Table extends keyof Schema>(
  store: Kysely<Schema>,
  table: Table,
  key: Parameters<Conflict<Table>['columns']>[0],
  rows: InsertObject<Schema, Table> | readonly InsertObject<Schema, Table>[],
  set: Parameters<Conflict<Table>['doUpdateSet']>[0],
) {
  return store
    .insertInto(table)
    .values(rows)
    .onConflict(conflict => conflict.columns(key).doUpdateSet(set));
}
