import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Owner } from '../vault.ts';

/** Whether a row is of one of these people. */
export function isTheirs(owners: readonly Owner[]): RawBuilder<SqlBool> {
  const pairs = padded(owners).map(({ team, person }) => sql`(${team}, ${person})`);
  return sql<SqlBool>`(team, person) in (values ${sql.join(pairs)})`;
}

/**
 * Repeats the last value until their number is a power of two: each length is a statement of its own to prepare.
 */
export function padded<T>(values: readonly T[]): readonly T[] {
  const last = values.slice(-1);
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: length - values.length }, () => last).flat()];
}
