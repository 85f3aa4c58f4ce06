import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether nobody holds a row: its lease is over, or further ahead than any lease of this length (milliseconds) may be, so
 * that it was given before a clock was set back. Processes whose clocks differ by less than a lease respect each other.
 */
export function isFree(column: 'leaseUntil' | 'tellLeaseUntil', now: number, length: number): RawBuilder<SqlBool> {
  const until = sql.ref(column);
  return sql<SqlBool>`(${until} <= ${now} or ${until} > ${now + 2 * length})`;
}
