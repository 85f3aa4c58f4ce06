import { lockTime } from '../../ground/loop.ts';
import type { Store } from '../database.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';
import type { Owner } from '../vault.ts';
import { inTrail, type Told } from './audit.ts';
import { closeNotices } from './notices.ts';
import { countRunsIn, type RunCounts } from './scheduleCounts.ts';
import {
  completeScheduleStep,
  type NewSchedule,
  openScheduleStates,
  readSchedule,
  type Schedule,
  type ScheduleStep,
  scheduleRow,
  writeScheduleStep,
} from './scheduleRows.ts';

/** Work by the calendar: each schedule is due for its next run, and one process takes it then. */
export type Schedules = {
  /** A schedule, also one that was deleted; `undefined` where there is none, or it is of another release. */
  find(id: string): Promise<Schedule | undefined>;
  /** A team’s schedules that were not deleted: the next to run first, those without a next run last. */
  of(team: string): Promise<Schedule[]>;
  /** Those of one person. */
  ofPerson(owner: Owner): Promise<Schedule[]>;
  /** Those with messages in one channel. */
  ofChannel(team: string, channel: string): Promise<Schedule[]>;
  /** Takes up to `max` due schedules and locks them for `lockTime` milliseconds. */
  take(now: number, lockTime: number, max: number): Promise<Schedule[]>;
  /** Extends the locks of schedules that were taken. */
  renew(ids: readonly string[], until: number): Promise<void>;
  /** The time of the next schedule that nobody has taken; `undefined` where there is none. */
  nextTime(now: number): Promise<number | undefined>;
  /** Puts off a schedule about which nothing is to be done until `dueAt`; `failed` counts a look that failed. */
  putOff(schedule: Schedule, dueAt: number | null, failed: boolean): Promise<void>;
  /** Takes a schedule one step on; `undefined` where somebody else changed it first. */
  apply(schedule: Schedule, step: ScheduleStep, now: number): Promise<Schedule | undefined>;
  /** Adds a schedule; gives the one of that id, and writes nothing, where it was added before. */
  add(schedule: NewSchedule, step: Omit<ScheduleStep, 'changes'>, now: number): Promise<Schedule | undefined>;
  /** Makes the schedules of a person due at once that wait for a sign-in. */
  signedIn(owner: Owner, now: number): Promise<void>;
  /** Makes all schedules due at once that are on: the clock was set, or a process begins. */
  recall(now: number): Promise<void>;
  /** Counts the runs within a time of those schedules of a channel of which only failures are told. */
  countRuns(team: string, channel: string, span: Readonly<{ since: number; until: number }>): Promise<RunCounts>;
  /** Deletes some of the schedules that were deleted before `time`, and their messages. Gives their number. */
  sweep(time: number): Promise<number>;
};

/** Max schedules that one sweep deletes. */
const sweptAtOnce = 200;

/** Keeps schedules in the store. `told` is called with their entries in the trail. */
export function schedulesIn(store: Store, told?: Told): Schedules {
  const all = () => store.selectFrom('schedules').selectAll();
  const open = (team: string) =>
    all().where('team', '=', team).where('state', 'in', openScheduleStates).orderBy('nextAt').orderBy('id');
  const find = async (id: string) => {
    const row = await all().where('id', '=', id).executeTakeFirst();
    return row && readSchedule(row)[0];
  };
  return {
    find,
    of: async team => inOrder((await open(team).execute()).flatMap(readSchedule)),
    ofPerson: async ({ team, person }) =>
      inOrder((await open(team).where('person', '=', person).execute()).flatMap(readSchedule)),
    ofChannel: async (team, channel) =>
      inOrder((await open(team).where('channel', '=', channel).execute()).flatMap(readSchedule)),
    ...queueOfSchedules(store),
    apply: (schedule, step, now) =>
      inTrail(store, told, (changes, note) => writeScheduleStep(changes, note, { schedule, step, now })),
    async add(schedule, step, now) {
      const added = await inTrail(store, told, async (changes, note) => {
        const row = await changes
          .insertInto('schedules')
          .values(scheduleRow(schedule))
          .onConflict(conflict => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row && completeScheduleStep(changes, note, { row, step: { ...step, changes: {} }, now });
      });
      return added ?? find(schedule.id);
    },
    async signedIn({ team, person }, now) {
      await store.transaction().execute(async changes => {
        const waiting = await changes
          .updateTable('schedules')
          .set(eb => ({ reason: null, dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
          .where('team', '=', team)
          .where('person', '=', person)
          .where('state', '=', 'on')
          .where('reason', 'is not', null)
          .returning('id')
          .execute();
        for (const { id } of waiting) await closeNotices(changes, id, { outcome: 'You are signed in again.', now });
      });
    },
    async recall(now) {
      await store
        .updateTable('schedules')
        .set({ dueAt: now })
        .where('dueAt', '>', now)
        .where('state', '=', 'on')
        .execute();
    },
    countRuns: (team, channel, span) => countRunsIn(store, team, channel, span),
    async sweep(time) {
      const some = store
        .selectFrom('schedules')
        .select('id')
        .where('endedAt', '<', time)
        .where('state', '=', 'deleted')
        .limit(sweptAtOnce);
      return store.transaction().execute(async changes => {
        const swept = await changes.deleteFrom('schedules').where('id', 'in', some).returning('id').execute();
        const ids = swept.map(({ id }) => id);
        if (ids.length > 0)
          await changes.deleteFrom('notices').where('subject', 'in', ids).where('createdAt', '<', time).execute();
        return ids.length;
      });
    },
  };
}

/** Puts schedules in the order of their next runs. Databases differ in where they put those without one. */
function inOrder(schedules: readonly Schedule[]): Schedule[] {
  return schedules.toSorted((one, other) => (one.nextAt ?? Infinity) - (other.nextAt ?? Infinity) || 0);
}

function queueOfSchedules(store: Store): Pick<Schedules, 'take' | 'renew' | 'nextTime' | 'putOff'> {
  return {
    async take(now, lockTime, max) {
      const free = store
        .selectFrom('schedules')
        .select('id')
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(max);
      const rows = await store
        .updateTable('schedules')
        .set({ lockedUntil: now + lockTime })
        .where(isAmong(store, free))
        // Checked again on the row itself: another process may have taken it between the choice and the change.
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .returningAll()
        .modifyEnd(light)
        .execute();
      return rows.flatMap(readSchedule);
    },
    async renew(ids, until) {
      if (ids.length === 0) return;
      await store
        .updateTable('schedules')
        .set({ lockedUntil: until })
        .where('id', 'in', ids)
        .modifyEnd(light)
        .execute();
    },
    async nextTime(now) {
      const row = await store
        .selectFrom('schedules')
        .select('dueAt')
        .where('dueAt', 'is not', null)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst();
      return row && Number(row.dueAt);
    },
    async putOff({ id, revision, tries }, dueAt, failed) {
      await store
        .updateTable('schedules')
        .set({ dueAt, lockedUntil: 0, tries: failed ? tries + 1 : 0 })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .modifyEnd(light)
        .execute();
    },
  };
}
