import { sql } from 'kysely';
import { lockTime } from '../../../ground/loop.ts';
import { inTransaction } from '../../agenda.ts';
import { compiledOnce } from '../../compiled.ts';
import type { Store } from '../../database.ts';
import { light, lightTaking } from '../../light.ts';
import { asAdded, type Held, heldBy, isAnyOf, isHeld, isNoneOf, listed } from '../../lists.ts';
import { isAmong, isChosen } from '../../lock.ts';
import { asItIs, insertOrSet, oneMore } from '../../statementParts.ts';
import type { Owner } from '../../vault.ts';
import type { RunningJob } from '../rows/job.ts';
import type { LookRow, TakenLook } from '../rows/jobRow.ts';
import { ofWholePeople } from './wholePeople.ts';

/**
 * The looks that are due at running jobs that were looked at in vain. They have a narrow table of their own, since most
 * of the store's writes are about them: the rows of jobs are wide.
 *
 * Such a job has no due time in its own row. Everything that changes the job sets that time, and takes the job out of
 * this queue: its row here is stale then, and goes when it is taken.
 */
export type Looks = Readonly<{
  /**
   * Takes looks of whole people, up to `most`: those that are due, and those at other jobs of the same people, and of the
   * people `along`, that are due by `until`. They are locked until `lockedUntil`.
   */
  take(taking: LookTaking): Promise<readonly TakenLook[]>;
  /** Notes of each job that the look showed nothing new, and when the next one is due. */
  note(looked: readonly Looked[]): Promise<void>;
  /** Extends the locks of looks that were taken and not noted since, unless another process has them by now. */
  renew(held: readonly Held[], until: number): Promise<void>;
  /** The time of the next look `after` a time that nobody has taken, or of the first of all; `undefined` where there is none. */
  nextTime(after: number | undefined): Promise<number | undefined>;
  /** Puts looks that were taken at once back with their time unchanged. */
  putBack(looks: readonly LookRow[]): Promise<void>;
  /** Deletes looks that were taken and are stale. */
  leave(looks: readonly LookRow[]): Promise<void>;
  /** Makes looks due at once whose time comes after `far`, or whose lock is longer than any since a clock was set. */
  recall(now: number, far: number): Promise<void>;
}>;

/** A look in vain at a running job that was taken, and the time of the next one. */
export type Looked = Readonly<{ job: Pick<RunningJob, 'id' | 'looks' | 'taken'>; dueAt: number }>;
/** The `people` and the `jobs` are left alone. */
type LookTaking = Readonly<Record<'people' | 'jobs', readonly string[]>> &
  Readonly<{ now: number; until: number; lockedUntil: number; max: number; most: number; along: readonly Owner[] }>;

export function looksIn(store: Store): Looks {
  return {
    async take({ lockedUntil, people, jobs, most, ...wanted }) {
      const mayBeTaken = sql<boolean>`${isNoneOf('person', people)} and ${isNoneOf('job', jobs)}`;
      const of = { table: 'looks', key: 'job', time: 'freeAt', mayBeTaken, mayComeAlong: sql<boolean>`true` } as const;
      const free = store
        .selectFrom('looks')
        .select('job')
        .where('freeAt', '<=', wanted.until)
        .where(isChosen(store, ofWholePeople(store, of, wanted), 'job'))
        .orderBy('freeAt')
        .limit(most);
      return (
        store
          .updateTable('looks')
          .set({ freeAt: lockedUntil, fence: oneMore('fence') })
          .where(isAmong(store, free, 'job'))
          // Checked again on the row itself: another process may have taken it between the choice and the change.
          .where('freeAt', '<=', wanted.until)
          .returningAll()
          .returning(sql<number>`case when exists ${isHere(store)} then 1 else 0 end`.as('isHere'))
          .modifyEnd(lightTaking)
          .execute()
      );
    },
    async putBack(looks) {
      const [first] = looks;
      if (!first) return;
      await store
        .updateTable('looks')
        .set({ freeAt: asItIs('dueAt') })
        .where(isAnyOf('job', jobsOf(looks)))
        .where('freeAt', '=', first.freeAt)
        .modifyEnd(light)
        .execute();
    },
    async leave(looks) {
      const [first] = looks;
      if (!first) return;
      await store
        .deleteFrom('looks')
        .where(isAnyOf('job', jobsOf(looks)))
        // A job that came back meanwhile has another time, or is in this queue again.
        .where('freeAt', '=', first.freeAt)
        .where(({ not, exists }) => not(exists(isHere(store))))
        .modifyEnd(light)
        .execute();
    },
    async note(looked) {
      const ofJobs = looked.filter(({ job }) => job.taken?.by === 'job');
      await noteInJobs(
        store,
        ofJobs.filter(({ job }) => job.looks < few),
      );
      await bringIn(
        store,
        ofJobs.filter(({ job }) => job.looks >= few),
      );
      await noteInLooks(
        store,
        looked.filter(({ job }) => job.taken?.by === 'look'),
      );
    },
    async renew(held, until) {
      if (held.length === 0) return;
      const own = store.selectFrom('looks').select('job').where(isHeld('job', held)).whereRef('freeAt', '!=', 'dueAt');
      await store
        .updateTable('looks')
        .set({ freeAt: until })
        .where(isAmong(store, own, 'job'))
        .modifyEnd(light)
        .execute();
    },
    async nextTime(after) {
      const { rows } = await (after === undefined ? selectFirst(store, undefined) : selectAfter(store, after));
      return rows[0] && Number(rows[0].freeAt);
    },
    async recall(now, far) {
      await store
        .updateTable('looks')
        .set({ dueAt: now, freeAt: now })
        .where(({ or, and, eb, ref }) =>
          or([
            and([eb('freeAt', '>', far), eb('freeAt', '=', ref('dueAt'))]),
            and([eb('freeAt', '>', now + 2 * lockTime), eb('freeAt', '!=', ref('dueAt'))]),
          ]),
        )
        .modifyEnd(light)
        .execute();
    },
  };
}

const selectFirst = compiledOnce(
  (store, _: undefined) => store.selectFrom('looks').select('freeAt').orderBy('freeAt').limit(1),
  () => [1],
);
const selectAfter = compiledOnce(
  (store, after: number) =>
    store
      .selectFrom('looks')
      .select('freeAt')
      .where('freeAt', '>', after)
      .whereRef('freeAt', '=', 'dueAt')
      .orderBy('freeAt')
      .limit(1),
  after => [after, 1],
);

/** Selects the job of a look, if it is in this queue. */
function isHere(store: Store) {
  return store
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.id', '=', sql<string>`${sql.ref('looks.job')}`)
    .where('jobs.state', '=', 'running')
    .where('jobs.dueAt', 'is', null);
}

/** Whether a running job's own row says that it is due by `until`. */
export async function isRunningBy(store: Store, until: number): Promise<boolean> {
  const row = await store
    .selectFrom('jobs')
    .select('id')
    .where('dueAt', '<=', until)
    .where('state', '=', 'running')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Frees every look that is taken. It must run only while no other process can have taken one. */
export async function freeLooks(store: Store): Promise<void> {
  await store
    .updateTable('looks')
    .set({ freeAt: asItIs('dueAt') })
    .whereRef('freeAt', '!=', 'dueAt')
    .execute();
}

/**
 * The number of looks after which a job comes into this queue. Many jobs end before that, and bringing one in waits for
 * the disk.
 */
const few = 5;

/** The looks as a table of one statement. */
function tableOf(looked: readonly Looked[]) {
  const rows = looked.map(({ job, dueAt }) => [job.id, dueAt, job.taken?.fence ?? -1]);
  return sql`noted (job, due_at, fence) AS (${listed(rows, 3)})`;
}
const noted = sql`cast(noted.due_at as bigint)`;
const fence = sql`cast(noted.fence as integer)`;

async function noteInLooks(store: Store, looked: readonly Looked[]): Promise<void> {
  if (looked.length === 0) return;
  await sql`with ${tableOf(looked)}
    update looks set due_at = ${noted}, free_at = ${noted}, looks = looks.looks + 1
    from noted where looks.job = noted.job and looks.fence = ${fence} ${light}`.execute(store);
}

async function noteInJobs(store: Store, looked: readonly Looked[]): Promise<void> {
  if (looked.length === 0) return;
  await sql`with ${tableOf(looked)}
    update jobs set due_at = ${noted}, locked_until = 0, hold = null, looks = jobs.looks + 1
    from noted where jobs.id = noted.job and jobs.fence = ${fence} and jobs.state = 'running' ${light}`.execute(store);
}

/** Brings jobs into this queue that were taken by their own rows. */
async function bringIn(store: Store, looked: readonly Looked[]): Promise<void> {
  if (looked.length === 0) return;
  const held = heldBy(
    'job',
    looked.map(({ job }) => job),
  );
  const times = new Map(looked.map(({ job, dueAt }) => [job.id, dueAt]));
  await inTransaction(store, async changes => {
    const moved = await changes
      .updateTable('jobs')
      .set({ dueAt: null, hold: null, lockedUntil: 0 })
      .where(isHeld('id', held))
      .where('dueAt', 'is not', null)
      .where('state', '=', 'running')
      .returning(['id', 'team', 'person', 'looks', 'fence'])
      .execute();
    const rows = moved.map(({ id, looks, ...row }) => {
      const dueAt = times.get(id) ?? 0;
      return { job: id, ...row, looks: looks + 1, dueAt, freeAt: dueAt };
    });
    if (rows.length === 0) return;
    const set = { ...asAdded('looks', 'dueAt', 'freeAt'), fence: oneMore('looks.fence') };
    await insertOrSet(changes, 'looks', ['job'], rows, set).execute();
  });
}

function jobsOf(looks: readonly LookRow[]): readonly string[] {
  return looks.map(({ job }) => job);
}
