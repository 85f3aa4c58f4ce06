import type { SelectQueryBuilder } from 'kysely';
import type { HintQueue } from '../../agenda.ts';
import type { Schema, Store } from '../../database.ts';
import { light, lightTaking } from '../../light.ts';
import { isAnyOf, isNoneOf } from '../../lists.ts';
import { isAmong, isFree, type LockColumn } from '../../lock.ts';
import type { Quarantine, TakenRows } from '../../quarantine.ts';
import { oneMore } from '../../statementParts.ts';
import { decode, type Knows } from '../rows/decode.ts';
import type { Job, Unreadable } from '../rows/job.ts';
import type { JobRow } from '../rows/jobRow.ts';
import { importance, since } from './importance.ts';

/** The two queues that a job's row is in: for its next step, and for its message. Each has a time and a lock. */
export const queueColumns = {
  due: { time: 'dueAt', lock: 'lockedUntil', heard: 'jobs' },
  tell: { time: 'tellAt', lock: 'tellLockedUntil', heard: 'jobs to tell' },
} as const satisfies Record<string, { time: keyof JobRow; lock: LockColumn; heard: HintQueue }>;
export type QueueName = keyof typeof queueColumns;

/** Selects the jobs that nobody has taken and whose time comes by `until`. */
function freeIn(store: Store, { time, lock }: (typeof queueColumns)[QueueName], { now, lockTime, until }: Taking) {
  return store
    .selectFrom('jobs')
    .select('id')
    .where(time, '<=', until)
    .where(isFree(lock, now, lockTime));
}
/** Selects some of the jobs that may be taken. */
export type Free = SelectQueryBuilder<Schema, 'jobs', Pick<JobRow, 'id'>>;
type Taking = Readonly<{ now: number; lockTime: number; until: number }>;

/** Makes what takes those jobs of a queue that `choose` chooses, and locks them, for the process that `holder` stands for. */
export function takerIn(store: Store, knows: Knows, quarantine: Quarantine<Unreadable>, holder: string) {
  return async (
    name: QueueName,
    now: number,
    lockTime: number,
    choose: (all: Free) => Free,
    until = now,
  ): Promise<TakenRows<Job>> => {
    const queue = queueColumns[name];
    const free = freeIn(store, queue, { now, lockTime, until }).where(isNoneOf('id', quarantine.ids(now)));
    const rows = await store
      .updateTable('jobs')
      .set({
        [queue.lock]: now + lockTime,
        ...(name === 'tell' ? { tellHolder: holder } : { fence: oneMore('fence') }),
      })
      .where(isAmong(store, choose(free)))
      // Checked again on the row itself: another process may have taken it between the choice and the change.
      .where(queue.time, '<=', until)
      .where(isFree(queue.lock, now, lockTime))
      .returningAll()
      .returning([importance(now).as('importance'), since.as('since')])
      .modifyEnd(lightTaking)
      .execute();
    // An UPDATE gives rows in any order. That of the steps follows from their times.
    const sorted = name === 'tell' ? rows.toSorted(byImportance) : rows;
    const read = sorted.map(row => decode(row, knows, name === 'due' ? { by: 'job', fence: row.fence } : undefined));
    const others = read.filter(job => job.state === 'unreadable');
    if (others.length > 0) {
      const ids = others.map(({ id }) => id);
      await store
        .updateTable('jobs')
        .set({ [queue.lock]: 0 })
        .where(isAnyOf('id', ids))
        .where(queue.lock, '=', now + lockTime)
        .modifyEnd(light)
        .execute();
      for (const job of others) quarantine.put(job, now);
    }
    return { given: read.filter(job => job.state !== 'unreadable'), lost: others.length };
  };
}

type Ranked = Readonly<{ importance: number; since: number | null }>;

function byImportance(one: Ranked, other: Ranked): number {
  return one.importance - other.importance || (one.since ?? 0) - (other.since ?? 0);
}
