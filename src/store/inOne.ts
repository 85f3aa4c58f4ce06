import type { CompiledQuery } from 'kysely';

/** Stands between two statements that run as one. */
const andThen = ' /* and then */ ';

/**
 * Makes one statement of two, for SQLite: the second one runs if the first one changes a row, in the same transaction.
 * For a transaction of Kysely's, each of its four steps costs about as much as a statement.
 */
export function inOne(first: CompiledQuery, second: CompiledQuery): CompiledQuery {
  const parameters = [...first.parameters, ...second.parameters];
  return { ...second, sql: `${first.sql}${andThen}${second.sql}`, parameters };
}

/** The two statements in a text that {@link inOne} made; a text alone where it is one statement. */
export function halvesOf(text: string): readonly [string, string?] {
  const [first = '', second] = text.split(andThen);
  return second === undefined ? [first] : [first, second];
}
