import { sql } from 'kysely';
import { second } from '../../ground/durations.ts';
import { compiledOnce } from '../compiled.ts';
import type { Store } from '../database.ts';
import { noteRows } from '../history/recentRows.ts';
import { isAnyOf, isNoneOf, listed } from '../lists.ts';
import { foundBy, isChosen } from '../lock.ts';
import { equals } from '../statementParts.ts';
import { decode, type Knows } from './rows/decode.ts';
import { ends, type Job, type JobIn, type RunningJob, type Unreadable, unsent } from './rows/job.ts';
import type { ClaimRow, JobRow } from './rows/jobRow.ts';

/**
 * Another job on the same record, as far as it matters for a proof: a job of another release is one, too. `inDoubt`
 * tells that nobody knows whether the service got it.
 */
export type Overlap = Readonly<{
  id: string;
  operation: string;
  sentAt: number;
  endedAt: number | null;
  inDoubt: boolean;
  /** The record that it made. */
  claimed: string | null;
  /** Whether the records showed that it was done. */
  isProved: boolean;
  /** Whether it was over when the job was sent, unconfirmed, and may still show what it did. */
  isLate: boolean;
}>;

type Claimant = Pick<RunningJob, 'id' | 'sentAt'>;

/** A job that is looked at, and its record. */
export type Targeted = Claimant & Pick<Job, 'target'>;

/**
 * A claim that a step makes. `over` is the job whose claim it takes, since that one stands against it no more; `leaves` is
 * the record that this job had before, which is free for others now.
 */
export type Claim = Readonly<Omit<ClaimRow, 'job'> & { over: string | null; leaves?: string }>;
/** A claim that was made; `endedAt` is the end of its job, and null while that is under way. */
export type HeldClaim = Readonly<ClaimRow & { endedAt: number | null }>;

/**
 * The claims of jobs on records and other signs, which tell jobs apart that are under way at the same time. Jobs of
 * another release count, too: a record must never prove two jobs. Claims are made by the steps that rest on them.
 */
export type JobClaims = Readonly<{
  /** The confirmed job of a team that made this record; `undefined` where none did, or only another release can read it. */
  makerOf(team: string, record: string): Promise<JobIn<'succeeded'> | undefined>;
  /** The people whose confirmed jobs made these records, with what told each record from others, by record. */
  claimantsOf(team: string, records: readonly string[]): Promise<ReadonlyMap<string, RecordClaimant>>;
  /** All claims on these records and on their signs. */
  claimsOn(records: readonly string[]): Promise<readonly HeldClaim[]>;
  /**
   * The other jobs on the same record that were under way at any time since this one was sent. One that ended
   * unconfirmed before, without a record of its own, is among them for as long again as it ran: it may take effect late.
   */
  overlapping(job: Targeted): Promise<readonly Overlap[]>;
  /** The same for several jobs, by their ids, in one statement. */
  overlappingAll(jobs: readonly Targeted[]): Promise<ReadonlyMap<string, readonly Overlap[]>>;
  /**
   * The other jobs that have no new record of their own yet and are under way, or may take effect late, except those of
   * the operations `makingNothing`. All other operations are included, since one of another release may make a record.
   * With `places`, those that make theirs on another environment are left out.
   */
  unclaimed(job: Claimant, makingNothing: readonly string[], places?: readonly string[]): Promise<readonly Unclaimed[]>;
  /** Those of these records that are the target of a job under way, or were made by one. */
  inHand(records: readonly string[]): Promise<ReadonlySet<string>>;
}>;

/** A job that may still make a record. */
type Unclaimed = JobIn<'sending' | 'running' | 'unconfirmed'> | Unreadable;
/** Whoever made a record, and its name and time by the claim. */
type RecordClaimant = Readonly<Pick<ClaimRow, 'name' | 'madeAt'> & { person: string }>;

/**
 * Tolerance in milliseconds: services that write times in whole seconds may put a beginning before the sending. A job that
 * ended so shortly before another one was sent may explain what is seen then.
 */
export const rounding = 2 * second;

/** Max records that one statement asks for. */
const maxAsked = 500;
/** Max other jobs that are compared with one. */
const maxOthers = 200;

/**
 * The states in which a job is not under way. A job in any other state is, also in one that only another release knows.
 */
const notUnderWay = [...unsent, ...ends];

/** The time until which a job that ended unconfirmed may take effect: for as long again as it ran. An index has it so. */
export const lateSql = '(ended_at + (ended_at - sent_at))';

/** Whether a job that was over by then may have taken effect after this time. */
function mayTakeEffect(time: number) {
  return sql<boolean>`state = 'unconfirmed' and claimed is null and ${sql.raw(lateSql)} > ${time} and ended_at + 0 < ${time}`;
}

export function claimsIn(store: Store, knows: Knows): JobClaims {
  /** The confirmed jobs of a team that made these records. */
  const making = (team: string, records: readonly string[]) =>
    store
      .selectFrom('claims')
      .innerJoin('jobs', 'jobs.id', 'claims.job')
      .where(isAnyOf('claims.record', records))
      .where('claims.sign', '=', '')
      .whereRef('jobs.claimed', '=', 'claims.record')
      .where(equals({ 'jobs.team': team, 'jobs.state': 'succeeded' }));
  return {
    async claimsOn(records) {
      if (records.length === 0) return [];
      return store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .selectAll('claims')
        .select('jobs.endedAt')
        .where(isAnyOf('claims.record', records))
        .execute();
    },
    overlapping: async job => (await overlapsIn(store, [job])).get(job.id) ?? [],
    overlappingAll: jobs => overlapsIn(store, jobs),
    async unclaimed({ id, sentAt }, makingNothing, places) {
      const makers = store
        .selectFrom('jobs')
        .selectAll()
        .where(isNoneOf('operation', makingNothing))
        // A plan sends nothing itself.
        .where('steps', 'is', null)
        .where('claimed', 'is', null)
        .where('sentAt', 'is not', null)
        .where('id', '!=', id)
        .$if(places !== undefined, query =>
          query.where(({ or, eb }) => or([eb('takesOn', 'is', null), isAnyOf('takesOn', places ?? [])])),
        )
        .limit(maxOthers);
      const [open, late] = await Promise.all([
        makers.where('endedAt', 'is', null).where('state', 'not in', notUnderWay).execute(),
        makers.where(mayTakeEffect(sentAt)).execute(),
      ]);
      return [...open, ...late]
        .map(row => decode(row, knows))
        .filter(
          job =>
            job.state === 'sending' ||
            job.state === 'running' ||
            job.state === 'unconfirmed' ||
            job.state === 'unreadable',
        );
    },
    async inHand(records) {
      const by = (column: 'target' | 'claimed') =>
        store
          .selectFrom('jobs')
          .select(`${column} as record`)
          .where(isAnyOf(column, records))
          .where('endedAt', 'is', null)
          .where('state', 'not in', notUnderWay);
      const rows = await by('target').unionAll(by('claimed')).execute();
      return new Set(rows.flatMap(({ record }) => record ?? []));
    },
    async claimantsOf(team, records) {
      const found = [];
      for (let at = 0; at < records.length; at += maxAsked)
        found.push(
          ...(await making(team, records.slice(at, at + maxAsked))
            .select(['claims.record', 'claims.name', 'claims.madeAt', 'jobs.person'])
            .execute()),
        );
      return new Map(found.map(({ record, ...claimant }) => [record, claimant] as const));
    },
    async makerOf(team, record) {
      const row = await making(team, [record]).selectAll('jobs').executeTakeFirst();
      const job = row && decode(row, knows);
      return job?.state === 'succeeded' ? job : undefined;
    },
  };
}

/** Reads the other jobs on the records of these. */
async function overlapsIn(store: Store, jobs: readonly Targeted[]): Promise<ReadonlyMap<string, readonly Overlap[]>> {
  // PostgreSQL knows no endless number, which is the least time of none.
  if (jobs.length === 0) return new Map();
  const since = Math.min(...jobs.map(({ sentAt }) => sentAt));
  const targets = [...new Set(jobs.map(({ target }) => target))];
  const { rows } = await selectOthers(store, { targets, since });
  const byTarget = Map.groupBy(rows, ({ target }) => target);
  const found = new Map<string, readonly Overlap[]>();
  for (const job of jobs) {
    const others = byTarget.get(job.target) ?? [];
    const overlaps = others.flatMap(row => overlapOf(job, row)).slice(0, maxOthers);
    // Of so many that some were left out, those may be this job's.
    const isCut = jobs.length > 1 && others.length > maxOthers && overlaps.length < maxOthers;
    found.set(job.id, isCut ? ((await overlapsIn(store, [job])).get(job.id) ?? []) : overlaps);
  }
  return found;
}

/**
 * Selects the jobs on some records that were under way since a time, or may take effect after it: so many of each. An index
 * finds those that are open, that ended since, and that are late, however many others have ended on the same record.
 */
const selectOthers = compiledOnce(
  (store, { targets, since }: Readonly<{ targets: readonly string[]; since: number }>) => {
    const record = sql.ref<string>('asked.record');
    const all = store
      .selectFrom('jobs')
      .select('id')
      .where('sentAt', 'is not', null)
      .where('steps', 'is', null)
      .limit(sql.lit(maxOthers + 1));
    const onIt = all.where('target', '=', record);
    const open = onIt.where('endedAt', 'is', null).where('state', 'not in', notUnderWay);
    const ended = onIt.where('endedAt', '>=', since);
    // Not the target alone, which leads to all that have ended.
    const late = all.where(mayTakeEffect(since)).where(sql<boolean>`target || '' = ${record}`);
    const idsOf = (some: typeof all) => store.selectFrom(some.as('some')).select('id');
    const found = foundBy(store, sql`${idsOf(open).unionAll(idsOf(ended)).unionAll(idsOf(late))}`);
    return sql<OverlapRow>`with asked (record) AS (${listed(
      targets.map(one => [one]),
      1,
    )})
      select id, target, operation, sent_at, ended_at, no_answer, state, claimed from jobs
      where ${isChosen(store, sql`(select found.value from asked cross join ${found})`)}`.compile(store);
  },
  ({ targets, since }) => [JSON.stringify(targets.map(one => [one])), ...notUnderWay, since - rounding, since, since],
);

type OverlapRow = Readonly<
  Pick<JobRow, 'id' | 'target' | 'operation' | 'sentAt' | 'endedAt' | 'noAnswer' | 'state' | 'claimed'>
>;

/** Another job as it matters for this one; nothing where it was over in time. */
function overlapOf(job: Claimant, row: OverlapRow): Overlap[] {
  const { id, operation, sentAt, endedAt, state, claimed } = row;
  if (id === job.id || sentAt === null) return [];
  const isOver = endedAt !== null && endedAt < job.sentAt;
  const isLate = isOver && state === 'unconfirmed' && claimed === null && 2 * endedAt - sentAt > job.sentAt;
  const isUnderWay = !notUnderWay.some(one => one === state) || (endedAt !== null && endedAt >= job.sentAt - rounding);
  if (!isUnderWay && !isLate) return [];
  const inDoubt = row.noAnswer !== null;
  return [{ id, operation, sentAt, endedAt, inDoubt, claimed, isProved: state === 'succeeded', isLate }];
}

/** Another job has claimed something since a step was decided that rests on it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
  readonly job: string;

  constructor(job: string) {
    super(`another job has what ${job} is to be proved by`);
    this.job = job;
  }
}

/**
 * Writes the claims of steps in the transaction of these steps, in one order, so that no two processes wait for each other.
 * @throws {ClaimLost} where another job has one of them: then nothing of that transaction may be written
 */
export async function writeClaims(changes: Store, claims: readonly Readonly<Claim & { job: string }>[]): Promise<void> {
  const keyOf = ({ record, sign }: Claim) => `${record} ${sign}`;
  for (const { over, leaves, ...row } of claims.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { job, name, madeAt } = row;
    const written = await changes
      .insertInto('claims')
      .values(row)
      .onConflict(conflict =>
        conflict
          .columns(['record', 'sign'])
          .doUpdateSet({ job, name, madeAt })
          .where('claims.job', 'in', over === null ? [job] : [job, over]),
      )
      .returning('job')
      .executeTakeFirst();
    if (!written) throw new ClaimLost(job);
    noteRows(changes, { table: 'claims', row });
    if (leaves !== undefined)
      await changes
        .deleteFrom('claims')
        .where(equals({ record: leaves, job }))
        .execute();
  }
}
