import type { Transaction } from 'kysely';
import { lockTime } from '../../ground/loop.ts';
import type { LeaseRow, Schema, Store } from '../database.ts';
import { type ApprovedBefore, addJob } from '../jobs/adding.ts';
import type { NewJob } from '../jobs/job.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';
import { inTrail, type NewEntry, type Told } from './audit.ts';
import { type LeaseState, leaseId, type NewLease, newLeaseRow, openLeaseStates } from './leaseRows.ts';
import { addNotices, closeNotices, type NewNotice } from './notices.ts';

/** The time for which a clone is kept, as its row has it. Times are milliseconds since the epoch. */
export type Lease = Readonly<Omit<LeaseRow, 'state'> & { state: LeaseState }>;

/** A step of a lease. All of it is written in one transaction, or nothing. */
export type LeaseStep = Readonly<{
  changes: Partial<Omit<LeaseRow, 'id' | 'team' | 'record' | 'state' | 'revision' | 'lockedUntil'>> & {
    state?: LeaseState;
  };
  /** The entry in the trail; without an actor, it is the bot’s own. */
  trail?: Pick<NewEntry, 'event'> & Partial<NewEntry>;
  /**
   * How the messages of before ended; they lose their buttons. Questions about the end stay open while the end and the
   * state stay as they are.
   */
  outcome?: string;
  /** The one question that this answers, and how. */
  answered?: Readonly<{ notice: string; outcome: string }>;
  notices?: readonly NewNotice[];
  /** The job that the step makes, which the policy’s word approves. */
  job?: Readonly<{ job: NewJob; approved: ApprovedBefore | undefined }>;
}>;

/** The leases of clones: each is due for its warnings and its end, and one process takes it then. */
export type Leases = {
  /** The lease of a record, also one that has ended; `undefined` where there never was one, or it is of another release. */
  find(team: string, record: string): Promise<Lease | undefined>;
  /** The owner of the lease of a record that has not ended. */
  holderOf(team: string, record: string): Promise<string | undefined>;
  /** The leases of a team that have not ended; those without an end come last. */
  open(team: string): Promise<Lease[]>;
  /** Those of them that belong to these records. */
  among(team: string, records: readonly string[]): Promise<Lease[]>;
  /** Takes up to `max` due leases and locks them for `lockTime` milliseconds. */
  take(now: number, lockTime: number, max: number): Promise<Lease[]>;
  /** Extends the locks of leases that were taken. */
  renew(ids: readonly string[], until: number): Promise<void>;
  /** The time of the next lease that nobody has taken; `undefined` where there is none. */
  nextTime(now: number): Promise<number | undefined>;
  /** Puts off a lease that could not be looked at until `dueAt`. */
  putOff(lease: Lease, dueAt: number): Promise<void>;
  /** Takes a lease one step on; `undefined` where somebody else changed it first. */
  apply(lease: Lease, step: LeaseStep, now: number): Promise<Lease | undefined>;
  /** Begins the lease of a record that has none; `undefined` where it has one meanwhile. */
  begin(lease: NewLease, step: LeaseStep, now: number): Promise<Lease | undefined>;
  /** Deletes some of the leases that ended before `time`, and their messages. Gives their number; 0 where none is left. */
  sweep(time: number): Promise<number>;
};

/** Max leases that one sweep deletes. */
const sweptAtOnce = 200;

/** Keeps leases in the store. `told` is called with their entries in the trail. */
export function leasesIn(store: Store, told?: Told): Leases {
  const find = async (team: string, record: string) => {
    const row = await store.selectFrom('leases').selectAll().where('id', '=', leaseId(team, record)).executeTakeFirst();
    return row && readLease(row)[0];
  };
  return {
    find,
    async holderOf(team, record) {
      const lease = await find(team, record);
      return lease && lease.state !== 'ended' ? lease.person : undefined;
    },
    async open(team) {
      const rows = await store
        .selectFrom('leases')
        .selectAll()
        .where('team', '=', team)
        .where('state', 'in', openLeaseStates)
        .orderBy('endsAt')
        .execute();
      return rows.flatMap(readLease);
    },
    async among(team, records) {
      if (records.length === 0) return [];
      const ids = records.map(record => leaseId(team, record));
      const rows = await store
        .selectFrom('leases')
        .selectAll()
        .where('id', 'in', ids)
        .where('state', 'in', openLeaseStates)
        .execute();
      return rows.flatMap(readLease);
    },
    ...queueOfLeases(store),
    apply: (lease, step, now) =>
      inTrail(store, told, async (changes, note) => {
        const { id, revision } = lease;
        const row = await changes
          .updateTable('leases')
          .set({ ...step.changes, revision: revision + 1, lockedUntil: 0 })
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('state', '=', lease.state)
          .returningAll()
          .executeTakeFirst();
        return row && complete(changes, note, { before: lease, row, step, now });
      }),
    begin: (lease, step, now) =>
      inTrail(store, told, async (changes, note) => {
        const { id: _, ...fresh } = { ...newLeaseRow(lease), ...step.changes };
        const row = await changes
          .insertInto('leases')
          .values({ ...fresh, id: leaseId(lease.team, lease.record) })
          .onConflict(conflict =>
            conflict
              .column('id')
              .doUpdateSet(eb => ({ ...fresh, revision: eb('leases.revision', '+', 1) }))
              .where('leases.state', '=', 'ended'),
          )
          .returningAll()
          .executeTakeFirst();
        return row && complete(changes, note, { row, step, now });
      }),
    async sweep(time) {
      const some = store
        .selectFrom('leases')
        .select('id')
        .where('endedAt', '<', time)
        .where('state', '=', 'ended')
        .orderBy('endedAt')
        .limit(sweptAtOnce);
      return store.transaction().execute(async changes => {
        const swept = await changes
          .deleteFrom('leases')
          .where('id', 'in', some)
          .where('state', '=', 'ended')
          .returning('id')
          .execute();
        const ids = swept.map(({ id }) => id);
        if (ids.length > 0)
          await changes.deleteFrom('notices').where('subject', 'in', ids).where('createdAt', '<', time).execute();
        return ids.length;
      });
    },
  };
}

/** Writes the rest of a step: its messages, its job and its entry in the trail. */
async function complete(
  changes: Transaction<Schema>,
  note: (entry: NewEntry) => Promise<unknown>,
  { before, row, step, now }: Readonly<{ before?: Lease; row: LeaseRow; step: LeaseStep; now: number }>,
): Promise<Lease> {
  const { trail, outcome, answered, notices = [], job } = step;
  const isSameEnd = before?.state === row.state && before.endsAt === row.endsAt;
  if (outcome !== undefined)
    await closeNotices(changes, row.id, { outcome, now, ...(isSameEnd ? { kind: 'lease' } : {}) });
  if (answered) await closeNotices(changes, row.id, { ...answered, now });
  await addNotices(changes, notices);
  if (job) await addJob(changes, note, job.job, job);
  if (trail) await note({ ...aboutLease(row), at: now, ...trail });
  const [lease] = readLease(row);
  if (!lease) throw new Error(`the lease ${row.id} was written in a state that nobody knows`);
  return lease;
}

function queueOfLeases(store: Store): Pick<Leases, 'take' | 'renew' | 'nextTime' | 'putOff'> {
  return {
    async take(now, lockTime, max) {
      const free = store
        .selectFrom('leases')
        .select('id')
        .where('dueAt', '<=', now)
        .where('state', 'in', openLeaseStates)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(max);
      const rows = await store
        .updateTable('leases')
        .set({ lockedUntil: now + lockTime })
        .where(isAmong(store, free))
        // Checked again on the row itself: another process may have taken it between the choice and the change.
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .returningAll()
        .modifyEnd(light)
        .execute();
      return rows.flatMap(readLease);
    },
    async renew(ids, until) {
      if (ids.length === 0) return;
      await store.updateTable('leases').set({ lockedUntil: until }).where('id', 'in', ids).modifyEnd(light).execute();
    },
    async nextTime(now) {
      const row = await store
        .selectFrom('leases')
        .select('dueAt')
        .where('dueAt', 'is not', null)
        .where('state', 'in', openLeaseStates)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst();
      return row && Number(row.dueAt);
    },
    async putOff({ id, revision }, dueAt) {
      await store
        .updateTable('leases')
        .set(eb => ({ dueAt, lockedUntil: 0, tries: eb('tries', '+', 1) }))
        .where('id', '=', id)
        .where('revision', '=', revision)
        .modifyEnd(light)
        .execute();
    },
  };
}

/** Frees the locks in the tables beside the jobs. It must run only while no other process can hold one. */
export async function freeLeaseLocks(store: Store): Promise<void> {
  const queues = ['leases', 'notices', 'schedules', 'eyes', 'executions', 'uses', 'homes'] as const;
  for (const table of [...queues, 'installations'] as const)
    await store.updateTable(table).set({ lockedUntil: 0 }).where('lockedUntil', '>', 0).execute();
}

/** Makes the part of an entry of the trail that is about a lease. */
function aboutLease({ team, person, record, name, channel, job }: LeaseRow) {
  return { actor: 'dolly', team, person, target: record, targetName: name, channel, job };
}

/** Reads a row; empty for one in a state that only another release knows. */
function readLease(row: LeaseRow): Lease[] {
  const state = [...openLeaseStates, 'ended' as const].find(known => known === row.state);
  return state === undefined ? [] : [{ ...row, state }];
}
