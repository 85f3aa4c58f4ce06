import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema, Store } from '../../database.ts';
import { isNoneOf } from '../../lists.ts';
import { foundBy } from '../../lock.ts';
import { room } from './busy.ts';

/** Time for which a first message waits behind ends, in milliseconds; then it goes before them. */
const longestForEnds = 2_000;

/**
 * The order of messages, the lowest number first. 0: jobs that wait for a decision, since people wait for their cards.
 * 2: ends. 3: first messages, and jobs that are not running yet. 8: news of running jobs. By 4 more: those of them that
 * Slack did not take, in the same order, so that they hold back nothing that was not tried. An index has it as it stands
 * here (migrations.ts), and is used only then.
 */
export const rankSql = `(case when state = 'awaiting' then 0 when ended_at is not null then 2
  when message_ts is null or state <> 'running' then 3 else 8 end + case when tell_tries > 0 then 4 else 0 end)`;
const rank = sql<number>`${sql.raw(rankSql)}`;

/**
 * The time since which a job waits. For a first message that is its making: news must not send it back in the queue, but a
 * try does.
 */
export const sinceSql = '(case when message_ts is null and tell_tries = 0 then created_at else tell_at end)';
export const since = sql<number | null>`${sql.raw(sinceSql)}`;

/** The two ranks of first messages. */
const ranksOfFirst = [3, 7] as const;

/** Whether a first message has waited, so that a channel with more ends than it takes does not hold it back for long. */
function hasWaited(now: number) {
  return sql<boolean>`(message_ts is null and created_at <= ${now - longestForEnds})`;
}

/** The order of messages at a time: first messages that have waited go before ends. */
export function importance(now: number) {
  return sql<number>`case when ${rank} in (${sql.raw(ranksOfFirst.join(', '))}) and ${hasWaited(now)}
    then ${rank} - 2 else ${rank} end`;
}

type OpenJobs = SelectQueryBuilder<Schema, 'jobs', { id: string }>;

/** Selects the first ones of jobs that may be told, in their order. Each part reads the few rows that it gives, and no backlog. */
export function firstOf(store: Store, open: OpenJobs, now: number) {
  const ordered = store.selectFrom(open.orderBy(rank).orderBy(since).as('first')).select('id');
  const waiting = ranksOfFirst.map(one => open.where(rank, '=', sql.lit(one)).where(hasWaited(now)).orderBy(since));
  const all = waiting.reduce((ids, one) => ids.unionAll(store.selectFrom(one.as('waiting')).select('id')), ordered);
  return sql<string>`${all}`;
}

/**
 * Selects the first ones of each room but the `shut` ones. It looks up one room after the other, and so passes over all that
 * waits in a room, however much that is.
 */
export function firstOfRooms(store: Store, open: OpenJobs, now: number, shut: readonly string[]) {
  const present = sql.ref<string>('rooms.room');
  const untold = store.selectFrom('jobs').where('tellAt', 'is not', null);
  const first = untold.select(room.as('room')).orderBy(room).limit(1);
  const rooms = sql`with recursive rooms (room) AS (
    select (${first}) union all select (${first.where(room, '>', present)}) from rooms where room is not null)`;
  const found = foundBy(store, firstOf(store, open.where(room, '=', present), now));
  return sql<string>`(${rooms} select found.value from rooms cross join ${found} where ${isNoneOf(present, shut)})`;
}
