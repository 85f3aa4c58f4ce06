import { type RawBuilder, sql } from 'kysely';
import { minute } from '../../../ground/durations.ts';
import { listenToQueue, noteDue } from '../../agenda.ts';
import { compiledOnce } from '../../compiled.ts';
import type { Store } from '../../database.ts';
import { light } from '../../light.ts';
import { heldBy, isAnyOf, isHeld, isNoneOf, isTheirs } from '../../lists.ts';
import { isAmong, isChosen, isFree } from '../../lock.ts';
import { type Quarantine, takeAll } from '../../quarantine.ts';
import type { Knows } from '../rows/decode.ts';
import type { Job, RunningJob, Unreadable } from '../rows/job.ts';
import type { LookRow, TakenLook } from '../rows/jobRow.ts';
import { type Busy, mayBeSent, shutRooms } from './busy.ts';
import { followedIn } from './followed.ts';
import { firstOf, firstOfRooms, importance, since } from './importance.ts';
import { freeLooks, isRunningBy, type Looked, looksIn } from './looks.ts';
import { type Free, type QueueName, queueColumns, takerIn } from './takeDueJobs.ts';
import { ofWholePeople } from './wholePeople.ts';

/**
 * The due jobs that may be taken: none of the people `without`. With those of other people come their running jobs that
 * are due within `soon` milliseconds, since one read of the records serves all of them.
 */
type Among = Readonly<{
  soon?: number;
  without?: readonly string[];
  /** Whether somebody takes a look on by what they remember of its job, whose row is not read then. */
  remembers?: (look: TakenLook) => boolean;
}>;

/** Max jobs beside those that are taken which others may be changing at the moment. */
const maxChanging = 50;
/** Max jobs that are read one after the other while some wait for room; then the others are looked up room by room. */
const maxPassed = 200;

/**
 * The jobs that are due for a step or a message. One process takes a job, and has it until its lock ends. A job that this
 * release cannot read is let go at once with its time unchanged, so that a replica of the other release can take it. This
 * process then leaves it alone for a while.
 */
export type JobQueues = Readonly<{
  /** Calls `hear` with the time from which on a job is due by what was just written. */
  listen(queue: QueueName, hear: (at: number) => void): void;
  /**
   * The time of the first job that is due `after` a time, or of the first of all; `undefined` where there is none. Those
   * that wait for room or for who has them are passed over: they may be the whole backlog.
   */
  nextTime(queue: QueueName, after?: number): Promise<number | undefined>;
  /**
   * Takes due jobs and locks them for `lockTime` milliseconds: up to `wanted` of those that were looked at in vain,
   * and up to `wanted` others, with what comes along. They come in the order of their time.
   */
  takeDue(now: number, lockTime: number, wanted: number, among?: Among): Promise<readonly Job[]>;
  /** Reads the jobs of looks that were taken and remembered. */
  lookedAt(taken: readonly LookRow[], now: number): Promise<readonly RunningJob[]>;
  /** Notes of running jobs that a look showed nothing new of them, and when each is due again, unless others have them. */
  noChange(looked: readonly Looked[]): Promise<void>;
  /**
   * Extends the locks of jobs that were taken for a step and not put off since, unless another process has them by now. Of
   * several, it passes over those that somebody is changing at the moment. Gives those with a lock of their own that it still
   * has.
   */
  renewDue(jobs: readonly Pick<Job, 'id' | 'taken'>[], until: number): Promise<readonly Pick<Job, 'id'>[]>;
  /**
   * Takes up to `wanted` jobs whose message is behind and may be sent now, and locks them for `lockTime` milliseconds.
   * They come in the order of their {@link importance}, then of their time.
   */
  takeUntold(now: number, lockTime: number, wanted: number, busy?: Busy): Promise<readonly Job[]>;
  /**
   * Extends the locks of jobs that were taken for their message and not let go since. Of several, it passes over those
   * that somebody is changing at the moment. Gives the ids of those that it still has.
   */
  renewUntold(ids: readonly string[], until: number): Promise<readonly string[]>;
  /** Frees jobs that were taken for their message but must wait; `tellAt`, if given, is the time of the next attempt. */
  letGo(ids: readonly string[], tellAt?: number): Promise<void>;
  /**
   * Makes jobs due at once that are put off for longer than any pause lasts, since then the time of day was set; with
   * `all`, every job that is put off. A job that waits for a person, to decide or to sign in, may wait for long: its
   * next step stays put off.
   */
  recall(now: number, all?: 'all'): Promise<void>;
}>;

/** Makes the queues of the jobs' rows, for the process that `holder` stands for. */
export function queueIn(store: Store, knows: Knows, quarantine: Quarantine<Unreadable>, holder: string): JobQueues {
  const take = takerIn(store, knows, quarantine, holder);
  const looks = looksIn(store);
  const followed = followedIn(store, knows, quarantine, looks);
  return {
    listen: (queue, hear) => listenToQueue(store, queueColumns[queue].heard, ({ at }) => hear(at)),
    takeDue(now, lockTime, wanted, { soon = 0, without = [], remembers = () => false } = {}) {
      const until = now + soon;
      return takeAll(wanted, async max => {
        const mayBeTaken = sql<boolean>`${isFree('lockedUntil', now, lockTime)}
          and ${isNoneOf('id', quarantine.ids(now))} and ${isNoneOf('person', without)}`;
        const mayComeAlong = sql<boolean>`state = 'running'`;
        const rows = { table: 'jobs', key: 'id', time: 'dueAt', mayBeTaken, mayComeAlong } as const;
        // What comes along may be as many again.
        const [of, most] = [{ now, until, max }, soon > 0 ? 2 * max : max];
        const whole = isChosen(store, ofWholePeople(store, rows, of));
        const due = await take('due', now, lockTime, all => all.where(whole).orderBy('dueAt').limit(most), until);
        const running = due.given.filter(job => job.state === 'running');
        const left = { people: without, jobs: quarantine.ids(now) };
        const taken = await looks.take({ ...left, ...of, most, lockedUntil: now + lockTime, along: running });
        const owners = [...running, ...taken];
        const isAlong = soon > 0 && owners.length > 0 && (await isRunningBy(store, until));
        const theirs = (all: Free) => all.where(mayComeAlong).where(isTheirs(owners)).orderBy('dueAt').limit(max);
        const along = isAlong ? (await take('due', now, lockTime, theirs, until)).given : [];
        const unknown = taken.filter(look => !remembers(look));
        const looked = await followed(unknown, now);
        const given = [...due.given, ...along, ...looked].toSorted(byTime);
        return { given, lost: due.lost + unknown.length - looked.length };
      });
    },
    lookedAt: followed,
    noChange: looked => looks.note(looked),
    takeUntold(now, lockTime, wanted, busy = {}) {
      const shut = shutRooms(busy);
      const isOpen = shut.length === 0 && !busy.calmTeams?.length;
      return takeAll(wanted, async max => {
        const open = store
          .selectFrom('jobs')
          .select('id')
          // Not its time alone, by which a database would find the whole backlog, and sort it.
          .where(sql<boolean>`tell_at is not null and tell_at + 0 <= ${now}`)
          .where(isFree('tellLockedUntil', now, lockTime))
          .where(isNoneOf('id', [...(busy.jobs ?? []), ...quarantine.ids(now)]));
        const takeOf = (ids: RawBuilder<string>, most: number) =>
          take('tell', now, lockTime, all => {
            const allowed = isOpen ? all : all.where(mayBeSent(busy));
            return allowed.where(isChosen(store, ids)).orderBy(importance(now)).orderBy(since).limit(most);
          });
        const first = await takeOf(firstOf(store, open.limit(isOpen ? max + maxChanging : maxPassed), now), max);
        const left = max - first.given.length - first.lost;
        if (isOpen || left === 0) return first;
        // Those before it all wait for room.
        const inRooms = open.where(mayBeSent(busy)).limit(max + maxChanging);
        const next = await takeOf(firstOfRooms(store, inRooms, now, shut), left);
        return { given: [...first.given, ...next.given], lost: first.lost + next.lost };
      });
    },
    async letGo(ids, tellAt) {
      if (ids.length === 0) return;
      const change = { tellLockedUntil: 0, ...(tellAt === undefined ? {} : { tellAt }) };
      await store
        .updateTable('jobs')
        .set(change)
        .where(isAnyOf('id', ids))
        .where('tellHolder', '=', holder)
        .modifyEnd(light)
        .execute();
      noteDue(store, queueColumns.tell.heard, tellAt);
    },
    async renewDue(jobs, until) {
      await looks.renew(heldBy('look', jobs), until);
      const held = heldBy('job', jobs);
      if (held.length === 0) return [];
      const own = store.selectFrom('jobs').select('id').where(isHeld('id', held)).where('lockedUntil', '>', 0);
      return store
        .updateTable('jobs')
        .set({ lockedUntil: until })
        .where(held.length > 1 ? isAmong(store, own) : isHeld('id', held))
        .where('lockedUntil', '>', 0)
        .returning('id')
        .modifyEnd(light)
        .execute();
    },
    async renewUntold(ids, until) {
      if (ids.length === 0) return [];
      const own = store.selectFrom('jobs').select('id').where(isAnyOf('id', ids));
      const kept = await store
        .updateTable('jobs')
        .set({ tellLockedUntil: until })
        .where(isAnyOf('id', ids))
        .$if(ids.length > 1, query => query.where(isAmong(store, own)))
        .where('tellLockedUntil', '>', 0)
        .where('tellHolder', '=', holder)
        .returning('id')
        .modifyEnd(light)
        .execute();
      return kept.map(({ id }) => id);
    },
    async nextTime(queue, after) {
      const { rows } = await selectNext[queue](store, after ?? -1);
      const look = queue === 'due' ? await looks.nextTime(after) : undefined;
      const times = [...rows.map(({ time }) => Number(time)), ...(look === undefined ? [] : [look])];
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    async recall(now, all) {
      const far = all ? now : now + maxDelay;
      await store
        .updateTable('jobs')
        .set({ dueAt: now })
        .where('dueAt', '>', far)
        .where('state', 'in', ['new', 'approved', 'sending', 'running'])
        .where(({ or, eb }) => or([eb('hold', 'is', null), eb('hold', '!=', 'sign-in')]))
        .modifyEnd(light)
        .execute();
      await store.updateTable('jobs').set({ tellAt: now }).where('tellAt', '>', far).modifyEnd(light).execute();
      await looks.recall(now, far);
    },
  };
}

const selectNext = { due: firstAfter('dueAt'), tell: firstAfter('tellAt') } as const satisfies Record<
  QueueName,
  unknown
>;

function firstAfter(column: (typeof queueColumns)[QueueName]['time']) {
  return compiledOnce(
    (store, after: number) =>
      store.selectFrom('jobs').select(`${column} as time`).where(column, '>', after).orderBy(column).limit(1),
    after => [after, 1],
  );
}

/**
 * Frees every lock in both queues. It must run only while no other process can hold one. A queue has only the few jobs
 * with a time, which an index finds: the jobs that have ended may be a million.
 */
export async function freeJobLocks(store: Store): Promise<void> {
  for (const { time, lock } of Object.values(queueColumns))
    await store
      .updateTable('jobs')
      .set({ [lock]: 0 })
      .where(time, '>=', 0)
      .where(lock, '>', 0)
      .execute();
  await freeLooks(store);
}

/** Max pause of anything that is put off, in milliseconds: the service and Slack ask for a few minutes. */
const maxDelay = 15 * minute;

function byTime({ dueAt: one }: Job, { dueAt: other }: Job): number {
  return (one ?? 0) - (other ?? 0);
}
