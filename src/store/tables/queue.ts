import type { ExpressionBuilder } from 'kysely';
import type { JobRow, Schema, Store } from '../database.ts';
import { isFree } from '../lock.ts';
import type { Owner } from '../vault.ts';

/**
 * Where nothing may be posted at the moment; of these, where the replies to jobs that ended before a time wait all the same
 * (in the others, they are told elsewhere by now); the teams in which no message may be changed; and whose jobs are left
 * alone.
 */
export type Busy = Readonly<{
  places?: readonly string[];
  resting?: readonly string[];
  endedBefore?: number;
  teams?: readonly string[];
  people?: readonly string[];
}>;

type Column = 'dueAt' | 'tellAt';
type Lease = 'leaseUntil' | 'tellLeaseUntil';

/** Which jobs want something done, and who does it: each is taken by one process, for as long as its lease. */
export type Queue<Job> = {
  /** Takes up to `most` jobs whose time has come, for `lease` milliseconds; none of the people `without`. */
  takeDue(now: number, lease: number, most: number, without?: readonly string[]): Promise<Job[]>;
  /** Takes a person's running jobs that are due by `until`, too: one read of the records serves all of them. */
  takeAlong(owner: Owner, now: number, until: number, lease: number, most: number): Promise<Job[]>;
  /** Notes that a look brought nothing new of these jobs, in one statement; they are due again at `dueAt`. */
  lookedInVain(ids: readonly string[], dueAt: number): Promise<void>;
  /**
   * Takes up to `most` jobs whose message lags behind and may be told now, for `lease` milliseconds, in the order of
   * their {@link importance}, then of their time.
   */
  takeUntold(now: number, lease: number, most: number, busy?: Busy): Promise<Job[]>;
  /** Lets jobs go that were taken to be told and cannot be yet, or not before `tellAt`. */
  letGo(ids: readonly string[], tellAt?: number): Promise<void>;
  /** Keeps jobs for longer that were taken and not let go since: whoever works on them is alive. */
  renew(lease: Lease, ids: readonly string[], until: number): Promise<void>;
  /** When the next job that nobody has taken is due or may be told; `undefined` where none is. */
  nextTime(column: Column, now: number, busy?: Busy): Promise<number | undefined>;
};

/** The queues that the columns of the jobs' rows are. */
export function queueIn<Job>(store: Store, asJob: (row: JobRow) => Job): Queue<Job> {
  /** The jobs that nobody has taken, and whose time comes by then. */
  const free = (column: Column, lease: Lease, now: number, length: number, by: number) =>
    store
      .selectFrom('jobs')
      .select('id')
      .where(column, '<=', by)
      .where(isFree(lease, now, length));
  const take = async (
    column: Column,
    lease: Lease,
    now: number,
    until: number,
    choose: (all: ReturnType<typeof free>) => ReturnType<typeof free>,
    by = now,
  ) => {
    return (
      store
        .updateTable('jobs')
        .set({ [lease]: until })
        .where('id', 'in', choose(free(column, lease, now, until - now, by)))
        // Said again of the row itself: another process may have taken it between the choice and the change.
        .where(column, '<=', by)
        .where(isFree(lease, now, until - now))
        .returningAll()
        .execute()
    );
  };
  return {
    async takeDue(now, lease, most, people = []) {
      const due = await take('dueAt', 'leaseUntil', now, now + lease, all =>
        all.where(mayBeTaken({ people })).orderBy('dueAt').limit(most),
      );
      return due.map(asJob);
    },
    async takeAlong({ team, person }, now, until, lease, most) {
      const ofPerson = (all: ReturnType<typeof free>) =>
        all.where('team', '=', team).where('person', '=', person).where('state', '=', 'running');
      const first = (all: ReturnType<typeof free>) => ofPerson(all).orderBy('dueAt').limit(most);
      return (await take('dueAt', 'leaseUntil', now, now + lease, first, until)).map(asJob);
    },
    async lookedInVain(ids, dueAt) {
      if (ids.length === 0) return;
      await store
        .updateTable('jobs')
        .set(eb => ({ looks: eb('looks', '+', 1), dueAt, hold: null, leaseUntil: 0 }))
        .where('id', 'in', padded(ids))
        .where('state', '=', 'running')
        .execute();
    },
    async takeUntold(now, lease, most, busy = {}) {
      const untold = await take('tellAt', 'tellLeaseUntil', now, now + lease, all =>
        all.where(mayBeTaken(busy)).orderBy(importance(now)).orderBy(waitsSince).limit(most),
      );
      // An UPDATE gives rows in any order.
      return untold.toSorted((a, b) => rank(a, now) - rank(b, now) || since(a) - since(b)).map(asJob);
    },
    async letGo(ids, tellAt) {
      if (ids.length === 0) return;
      const change = { tellLeaseUntil: 0, ...(tellAt === undefined ? {} : { tellAt }) };
      await store.updateTable('jobs').set(change).where('id', 'in', padded(ids)).execute();
    },
    async renew(lease, ids, until) {
      if (ids.length === 0) return;
      await store
        .updateTable('jobs')
        .set({ [lease]: until })
        .where('id', 'in', padded(ids))
        .where(lease, '>', 0)
        .execute();
    },
    async nextTime(column, now, busy = {}) {
      const row = await store
        .selectFrom('jobs')
        .select(column)
        .where(column, 'is not', null)
        .where(column === 'dueAt' ? 'leaseUntil' : 'tellLeaseUntil', '<=', now)
        .where(mayBeTaken(busy))
        .orderBy(column)
        .limit(1)
        .executeTakeFirst();
      return row && Number(row[column]);
    },
  };
}

type Where = ExpressionBuilder<Schema, 'jobs'>;

/** A first message, the card for those who decide, and the reply at the end are posted; all else changes a message that stands. */
function mayBeTaken({ places = [], resting = [], endedBefore = 0, teams = [], people = [] }: Busy) {
  return (eb: Where) => {
    const isUnreplied = eb.and([eb('endedAt', 'is not', null), eb('replyTs', 'is', null)]);
    const isPost = eb.or([eb('messageTs', 'is', null), isUnreplied]);
    const lacksCard = eb.and([
      eb('state', '=', 'awaiting'),
      eb('cardPlace', 'is not', null),
      eb('posts', 'not like', '%"approval":%'),
    ]);
    const place = eb.fn.coalesce('place', 'channel');
    const isOverdue = eb.and([
      isUnreplied,
      eb('messageTs', 'is not', null),
      eb('endedAt', '<=', endedBefore),
      ...(resting.length > 0 ? [eb(place, 'not in', padded(resting))] : []),
    ]);
    return eb.and([
      ...(places.length > 0 ? [eb.or([eb.not(isPost), eb(place, 'not in', padded(places)), isOverdue])] : []),
      ...(people.length > 0 ? [eb('person', 'not in', padded(people))] : []),
      ...(teams.length > 0 ? [eb.or([isPost, lacksCard, eb('team', 'not in', padded(teams))])] : []),
    ]);
  };
}

/** A first message waits so long behind ends; then it goes before them. Milliseconds. */
const longestForEnds = 2_000;

/**
 * What waits for a decision comes first, since others wait in front of it; then ends, and what was just asked for; then how
 * it goes on. Where a channel gets more ends than it takes, what was asked for does not wait for all of them.
 */
function importance(now: number) {
  return (eb: Where) => {
    const isNew = eb('messageTs', 'is', null);
    const isAwaited = eb.or([isNew, eb('state', '!=', 'running')]);
    return eb
      .case()
      .when('state', '=', 'awaiting')
      .then(0)
      .when(eb.and([isNew, eb('createdAt', '<=', now - longestForEnds)]))
      .then(1)
      .when('endedAt', 'is not', null)
      .then(2)
      .when(isAwaited)
      .then(3)
      .else(4)
      .end();
  };
}

/** The same of a row that was read. */
function rank({ endedAt, messageTs, state, createdAt }: JobRow, now: number): number {
  if (state === 'awaiting') return 0;
  if (messageTs === null && Number(createdAt) <= now - longestForEnds) return 1;
  if (endedAt !== null) return 2;
  return messageTs === null || state !== 'running' ? 3 : 4;
}

/** News of a job that has no message yet do not send it back to the end of the queue. */
function waitsSince(eb: Where) {
  return eb.case().when('messageTs', 'is', null).then(eb.ref('createdAt')).else(eb.ref('tellAt')).end();
}

/** The same of a row that was read. */
function since({ messageTs, createdAt, tellAt }: JobRow): number {
  return Number(messageTs === null ? createdAt : tellAt);
}

/** The values, the last as often as makes their number a power of two: each length is a statement of its own to prepare. */
function padded(values: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] ?? '');
}
