import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { minute } from '../ground/durations.ts';
import type { Schema, Store } from './database.ts';

/** A lock is a row taken by one process for a while: such a column holds the time at which it ends. */
export type LockColumn = 'lockedUntil' | 'tellLockedUntil';

/**
 * A statement may come so long after the look at the clock that it carries, in milliseconds: the store stood, or the
 * process did. PostgreSQL gives a statement up after half of this time.
 */
const latestStatement = minute;

/**
 * Whether nobody holds a row. Its lock is over; or it ends later than a lock of this length (milliseconds) can, since
 * it was set before a clock was set back. Processes whose clocks differ by less than a lock's length respect each
 * other, and a statement that comes late respects what another process took meanwhile.
 */
export function isFree(column: LockColumn, now: number, length: number): RawBuilder<SqlBool> {
  const until = sql.ref(column);
  return sql<SqlBool>`(${until} <= ${now} or ${until} > ${now + latestStatement + 2 * length})`;
}

/** Whether other processes may change the store at the same time: only then rows are locked within a transaction. */
export function isShared(store: Pick<Store, 'getExecutor'>): boolean {
  return store.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Whether a row is among those that `chosen` selects for this process to lock. In PostgreSQL the rows that another
 * process is about to lock are passed over: two processes that choose at the same moment get different rows, and
 * neither waits for the other. Locks are renewed in the same way: whoever changes a row decides on its lock, too, and a
 * renewal that waited for one row would let everybody else wait for all that it has locked by then.
 */
export function isAmong<Table extends keyof Schema>(
  store: Store,
  chosen: SelectQueryBuilder<Schema, Table, object>,
  column: 'id' | 'job' = 'id',
): RawBuilder<SqlBool> {
  return isChosen(store, sql`${isShared(store) ? chosen.forUpdate().skipLocked() : chosen}`, column);
}

/** Whether a row is among those that `chosen` selects. The array makes PostgreSQL choose once, rather than once a row. */
export function isChosen(store: Store, chosen: RawBuilder<unknown>, column: 'id' | 'job' = 'id'): RawBuilder<SqlBool> {
  const key = sql.ref(column);
  return isShared(store) ? sql`${key} = any(array${chosen})` : sql`${key} in ${chosen}`;
}

/** The ids that a query gives for each row before it in a join: `found.value`. */
export function foundBy(store: Pick<Store, 'getExecutor'>, ids: RawBuilder<unknown>): RawBuilder<object> {
  return isShared(store)
    ? sql`unnest(array${ids}) as found (value)`
    : sql`json_each((select json_group_array(id) from ${ids})) as found`;
}

/** The order of rows that one transaction locks, so that no two processes wait for each other. */
export function lockOrder(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
