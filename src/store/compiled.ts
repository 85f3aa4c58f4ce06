import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Schema } from './database.ts';

/**
 * Makes a function that inserts a row and compiles the statement only for the first row of each store. All rows have
 * the same columns.
 */
export function insertCompiled<Row extends Readonly<Record<string, unknown>>>(
  compile: (store: Kysely<Schema>, row: Row) => CompiledQuery,
): (store: Kysely<Schema>, row: Row) => Promise<QueryResult<unknown>> {
  const known = new WeakMap<object, { compiled: CompiledQuery; columns: readonly (keyof Row)[] }>();
  return (store, row) => {
    // A transaction has the adapter of its store.
    const { adapter } = store.getExecutor();
    const statement = known.get(adapter) ?? { compiled: compile(store, row), columns: Object.keys(row) };
    known.set(adapter, statement);
    const parameters = statement.columns.map(column => row[column]);
    return store.executeQuery({ ...statement.compiled, parameters });
  };
}
