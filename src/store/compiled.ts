import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Schema } from './database.ts';

/** Runs a statement on a store, or in a transaction of it. */
type Statement<Given, Row> = (store: Kysely<Schema>, given: Given) => Promise<QueryResult<Row>>;

/**
 * Makes a statement that is compiled only once for each store: to compile takes longer than to run it. `parametersOf`
 * gives its parameters in their order; `first` is the value that it was compiled for.
 */
export function compiledOnce<Given, Row>(
  write: (store: Kysely<Schema>, given: Given) => CompiledQuery<Row> | Compilable<Row>,
  parametersOf: (given: Given, first: Given) => readonly unknown[],
): Statement<Given, Row> {
  const known = new WeakMap<object, { compiled: CompiledQuery<Row>; first: Given }>();
  return (store, given) => {
    // A transaction has the adapter of its store.
    const { adapter } = store.getExecutor();
    const statement = known.get(adapter) ?? { compiled: compiled(write(store, given)), first: given };
    known.set(adapter, statement);
    return store.executeQuery({ ...statement.compiled, parameters: parametersOf(given, statement.first) });
  };
}

function compiled<Row>(written: CompiledQuery<Row> | Compilable<Row>): CompiledQuery<Row> {
  return 'sql' in written ? written : written.compile();
}

/** The same for the insert of a row. All rows have the same columns. */
export function insertCompiled<Row extends Readonly<Record<string, unknown>>>(
  write: (store: Kysely<Schema>, row: Row) => Compilable,
): Statement<Row, unknown> {
  return compiledOnce(write, valuesOf);
}

/** The values of a row in the order of the first row's columns. */
export function valuesOf<Row extends Readonly<Record<string, unknown>>>(row: Row, first: Row): readonly unknown[] {
  return Object.keys(first).map(column => row[column]);
}
