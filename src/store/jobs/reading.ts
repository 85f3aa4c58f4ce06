import { sql } from 'kysely';
import { z } from 'zod';
import { countOpen } from '../census.ts';
import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { countRows, equals } from '../statementParts.ts';
import type { Owner } from '../vault.ts';
import { isOfTeam } from './requests.ts';
import { decode, type Knows } from './rows/decode.ts';
import { ends, type Job, open, type RunningJob, type Unreadable } from './rows/job.ts';

/** A page of something longer: its rows, how many there are in all, and the number of the page, from 0. */
export type Page<T> = Readonly<{ rows: readonly T[]; all: number; page: number; size: number }>;

/** A row of a list of jobs, which may include jobs of another release. */
export type Listed = Job | Unreadable;

/** To whom jobs are told: to one person, who also sees those of a channel that they read in, or to all. */
export type ToldTo = 'all' | Readonly<{ person: string; place?: string | undefined }>;

/** The operations that read jobs. In lists, a plan stands for its steps. */
export type JobReading = Readonly<{
  /** A job, of whatever team; `undefined` where there is none, or not any more. */
  find(id: string): Promise<Listed | undefined>;
  /** The jobs of a team about this target that have not ended. */
  openOn(team: string, target: string): Promise<readonly Listed[]>;
  /** The latest confirmed job of a team about this target that is one of these operations; `undefined` where there is none. */
  lastDone(team: string, target: string, operations: readonly string[]): Promise<Job | undefined>;
  /** The jobs of a plan's steps, in the order in which they were begun. */
  stepsOf(plan: string): Promise<readonly Listed[]>;
  /** The job that a request key made; `undefined` where it made none. */
  findByRequest(requestKey: string): Promise<Listed | undefined>;
  /** A job that was sent, as it was while it ran, however it has ended since; `undefined` where it was not sent. */
  asRunning(id: string): Promise<RunningJob | undefined>;
  /** A page of the person's jobs that have not ended, the newest first. */
  underWay(owner: Owner, page: number, size: number): Promise<Page<Listed>>;
  /** A page of the person's jobs that have ended, the latest first. */
  ended(owner: Owner, page: number, size: number): Promise<Page<Listed>>;
  /** The time when the person's latest job ended; 0 where none has. */
  lastEnd(owner: Owner): Promise<number>;
  /** The jobs of one person, the newest first. */
  ofPerson(owner: Owner, max: number): Promise<readonly Listed[]>;
  /** The operations of the person's latest jobs that they asked for themselves, the latest first: `max` jobs are looked at. */
  lastAsked(owner: Owner, max: number): Promise<readonly string[]>;
  /** The identifiers of the records that this person's jobs made. */
  made(owner: Owner): Promise<ReadonlySet<string>>;
  /** The jobs of a team that wait for approval, the oldest first. */
  awaiting(team: string, max: number): Promise<readonly Listed[]>;
  /** The jobs of a team that failed since a time, or whose end could not be confirmed since: the latest first. */
  failedSince(team: string, since: number, max: number, to: ToldTo): Promise<readonly Job[]>;
  /** All jobs that have not ended, of all teams. */
  open(): Promise<readonly Listed[]>;
  /** Up to `most` jobs that were sent since a time and have not ended, each with the environment that its record showed. */
  atService(since: number, most: number): Promise<readonly (readonly [id: string, environment: string | undefined])[]>;
  /** The teams with jobs that wait for the service account's sign-in. */
  teamsAwaitingAccount(): Promise<readonly string[]>;
  /** The number of jobs in each state that is no end, and under `untold` the number of jobs to be told. */
  standing(): Promise<Readonly<Record<string, number>>>;
}>;

export function jobReadingIn(store: Store, knows: Knows): JobReading {
  const all = () => store.selectFrom('jobs').selectAll();
  const of = ({ team, person }: Owner) => store.selectFrom('jobs').where(equals({ team, person }));
  const rowsOf = async (query: ReturnType<typeof all>) => (await query.execute()).map(row => decode(row, knows));
  const one = async (query: ReturnType<typeof all>) => (await rowsOf(query))[0];
  const pageOf = async (owner: Owner, isEnded: boolean, page: number, size: number): Promise<Page<Listed>> => {
    // A state that only another release knows counts as no end.
    const fitting = of(owner)
      .where('plan', 'is', null)
      .where('state', isEnded ? 'in' : 'not in', ends)
      // The history of a person may be long.
      .where('endedAt', isEnded ? 'is not' : 'is', null);
    const count = await countRows(fitting);
    const at = lastPageOr(page, count, size);
    const newest = fitting
      .selectAll()
      // Not the time of the making alone, which leads through the history.
      .orderBy(isEnded ? 'endedAt' : sql`created_at + 0`, 'desc')
      .orderBy('id');
    return { rows: await rowsOf(newest.limit(size).offset(at * size)), all: count, page: at, size };
  };
  return {
    find: id => one(all().where('id', '=', id)),
    async asRunning(id) {
      const row = await all().where('id', '=', id).executeTakeFirst();
      const job = row && decode({ ...row, state: 'running', endedAt: null }, knows);
      return job?.state === 'running' ? job : undefined;
    },
    open: () => rowsOf(all().where('endedAt', 'is', null)),
    findByRequest: requestKey => one(all().where('requestKey', '=', requestKey)),
    ofPerson: (owner, max) =>
      rowsOf(of(owner).where('plan', 'is', null).selectAll().orderBy('createdAt', 'desc').limit(max)),
    async lastAsked(owner, max) {
      const latest = of(owner).select(['operation', 'plan', 'schedule']).orderBy('createdAt', 'desc').limit(max);
      const rows = await latest.execute();
      return rows.flatMap(({ operation, plan, schedule }) => (plan === null && schedule === null ? [operation] : []));
    },
    awaiting: (team, max) =>
      rowsOf(
        all()
          .where(equals({ team, state: 'awaiting' }))
          .orderBy('createdAt')
          .limit(max),
      ),
    async openOn(team, target) {
      const onTarget = all().where(isOfTeam(team)).where('target', '=', target).where('endedAt', 'is', null);
      const rows = await onTarget.where('state', 'not in', ends).orderBy('createdAt').execute();
      const plans = rows.flatMap(({ plan }) => plan ?? []).filter(plan => rows.every(({ id }) => id !== plan));
      const others = plans.length > 0 ? await rowsOf(all().where(isAnyOf('id', plans))) : [];
      return [...others, ...rows.filter(({ plan }) => plan === null).map(row => decode(row, knows))];
    },
    async failedSince(team, since, max, to) {
      const ended = all()
        .where('endedAt', '>=', since)
        .where(({ and, or }) => {
          if (to === 'all') return isOfTeam(team);
          const { person, place } = to;
          // An index leads to what one person asked for.
          if (place === undefined) return and({ team, person });
          return and([isOfTeam(team), or({ person, place })]);
        });
      const failed = ended.where('state', 'in', ['failed', 'unconfirmed']).where('plan', 'is', null);
      const jobs = await rowsOf(failed.orderBy('endedAt', 'desc').limit(max));
      return jobs.filter(job => job.state !== 'unreadable');
    },
    async stepsOf(plan) {
      const jobs = await rowsOf(all().where('plan', '=', plan));
      return jobs.toSorted((one, other) => inBeginning.compare(one.id, other.id));
    },
    async lastDone(team, target, operations) {
      const query = all().where(equals({ team, target, state: 'succeeded' }));
      const found = await one(query.where(isAnyOf('operation', operations)).orderBy('endedAt', 'desc').limit(1));
      return found?.state === 'unreadable' ? undefined : found;
    },
    underWay: (owner, page, size) => pageOf(owner, false, page, size),
    ended: (owner, page, size) => pageOf(owner, true, page, size),
    async lastEnd(owner) {
      const row = await of(owner)
        .select(eb => eb.fn.max('endedAt').as('at'))
        .where('endedAt', 'is not', null)
        .executeTakeFirst();
      return row?.at ?? 0;
    },
    async made(owner) {
      const rows = await of(owner).select('claimed').where('claimed', 'is not', null).execute();
      return new Set(rows.flatMap(({ claimed }) => claimed ?? []));
    },
    async teamsAwaitingAccount() {
      const due = store.selectFrom('jobs').select('team').distinct().where('dueAt', 'is not', null);
      // Written out as in the index (migrations.ts), which a database uses only then.
      const rows = await due.where(sql<boolean>`hold = 'sign-in' and runs_as = 'service'`).execute();
      return rows.map(({ team }) => team);
    },
    async atService(since, most) {
      const rows = await store
        .selectFrom('jobs')
        .select(['id', 'evidence'])
        // Written out as in the index.
        .where(sql<boolean>`state in ('sending', 'running')`)
        .where('endedAt', 'is', null)
        .where('steps', 'is', null)
        .where('sentAt', '>=', since)
        .limit(most)
        .execute();
      return rows.map(({ id, evidence }) => [id, placeIn(evidence)] as const);
    },
    standing: () => standingIn(store),
  };
}

const Placed = z.object({ environment: z.string().optional() });

function placeIn(evidence: string | null): string | undefined {
  return evidence === null ? undefined : Placed.safeParse(JSON.parse(evidence)).data?.environment;
}

/** The ids of a plan's steps end with the numbers of the step and of the try. */
const inBeginning = new Intl.Collator('en', { numeric: true });

async function standingIn(store: Store): Promise<Readonly<Record<string, number>>> {
  const messages = store.selectFrom('jobs').where('tellAt', '>=', 0);
  const [counted, untold] = await Promise.all([countOpen(store), countRows(messages)]);
  const many = (state: string) => counted.reduce((sum, one) => sum + (one.state === state ? one.count : 0), 0);
  return { ...Object.fromEntries(open.map(state => [state, many(state)])), untold };
}

/** The number of the page, or of the last page where there are fewer. Pages count from 0. */
function lastPageOr(page: number, all: number, size: number): number {
  return Math.max(0, Math.min(page, Math.ceil(all / size) - 1));
}

/** That page of some rows, or the last one where there are fewer. */
export function pageIn<Row>(rows: readonly Row[], page: number, size: number): Page<Row> {
  const at = lastPageOr(page, rows.length, size);
  return { rows: rows.slice(at * size, (at + 1) * size), all: rows.length, page: at, size };
}
