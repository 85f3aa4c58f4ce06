import { type ExpressionBuilder, expressionBuilder, type Kysely, sql } from 'kysely';
import { memoByNumber } from '../../ground/remembered.ts';
import { compiledOnce } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { isAnyOf, isNoneOf } from '../lists.ts';
import { decode, type Knows } from './rows/decode.ts';
import { ends, type Job, type JobIn, unsent } from './rows/job.ts';
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

type Claimant = Pick<JobIn<'running'>, 'id' | 'sentAt'>;

/** A job that is looked at, and its record. */
export type Targeted = Claimant & Pick<Job, 'target'>;

/** A claim that a step makes. `over` is the job whose claim it takes, since that one stands against it no more. */
export type Claim = Readonly<Omit<ClaimRow, 'job'> & { over: string | null }>;
/** A claim that was made; `endedAt` is the end of its job, and null while that is under way. */
export type HeldClaim = Readonly<ClaimRow & { endedAt: number | null }>;

/**
 * The claims of jobs on records and other signs, which tell jobs apart that are under way at the same time. Jobs of
 * another release count, too: a record must never prove two jobs. Claims are made by the steps that rest on them.
 */
export type JobClaims = ReturnType<typeof claimsIn>;

/** Max records that one statement asks for. */
const maxAsked = 500;
/** Max other jobs that are compared with one. */
const maxOthers = 200;

/**
 * The states in which a job is not under way. A job in any other state is, also in one that only another release knows.
 */
const notUnderWay = [...unsent, ...ends];

/** Whether a job that ended unconfirmed may have taken effect after this time: for as long again as it ran. */
function mayTakeEffect(time: number) {
  const { eb, and } = expressionBuilder<Schema, 'jobs'>();
  return and([
    eb('state', '=', 'unconfirmed'),
    // The index of those few is named by its very condition: a history may have a million others.
    sql<boolean>`state in ('finished', 'unconfirmed')`,
    eb('claimed', 'is', null),
    // Not the time of the end: it leads to all that have ended.
    eb(sql<number>`ended_at + 0`, '<', time),
    eb(lateUntil(eb), '>', time),
  ]);
}

/** The time until which a job that has ended may take effect. */
function lateUntil(eb: ExpressionBuilder<Schema, 'jobs'>) {
  return eb('endedAt', '+', eb('endedAt', '-', eb.ref('sentAt')));
}

export function claimsIn(store: Store, knows: Knows) {
  /** The confirmed jobs of a team that made these records. */
  const making = (team: string, records: readonly string[]) =>
    store
      .selectFrom('claims')
      .innerJoin('jobs', 'jobs.id', 'claims.job')
      .where(isAnyOf('claims.record', records))
      .where('claims.sign', '=', '')
      .whereRef('jobs.claimed', '=', 'claims.record')
      .where('jobs.team', '=', team)
      .where('jobs.state', '=', 'succeeded');
  return {
    /** All claims on these records and on their signs. */
    async claimsOn(records: readonly string[]): Promise<readonly HeldClaim[]> {
      if (records.length === 0) return [];
      return store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .selectAll('claims')
        .select('jobs.endedAt')
        .where(isAnyOf('claims.record', records))
        .execute();
    },
    /**
     * The other jobs on the same record that were under way at any time since this one was sent. One that ended
     * unconfirmed before, without a record of its own, is among them for as long again as it ran: it may take effect late.
     */
    overlapping: async (job: Targeted) => (await overlapsIn(store, [job])).get(job.id) ?? [],
    /** The same for several jobs, by their ids, in one statement. */
    overlappingAll: (jobs: readonly Targeted[]) => overlapsIn(store, jobs),
    /**
     * The other jobs that have no new record of their own yet and are under way, or may take effect late, except those of
     * the operations `makingNothing`. All other operations are included, since one of another release may make a record.
     * With `places`, those that make theirs on another environment are left out.
     */
    async unclaimed({ id, sentAt }: Claimant, makingNothing: readonly string[], places?: readonly string[]) {
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
    /** The targets of all jobs that are under way, and the records that these jobs made. */
    async inHand() {
      const rows = await store
        .selectFrom('jobs')
        .select(['target', 'claimed'])
        .where('endedAt', 'is', null)
        .where('state', 'not in', notUnderWay)
        .execute();
      return new Set(rows.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
    },
    /** The people whose confirmed jobs made these records, with what told each record from others, by record. */
    async claimantsOf(team: string, records: readonly string[]) {
      const found = [];
      for (let at = 0; at < records.length; at += maxAsked)
        found.push(
          ...(await making(team, records.slice(at, at + maxAsked))
            .select(['claims.record', 'claims.name', 'claims.madeAt', 'jobs.person'])
            .execute()),
        );
      return new Map(found.map(({ record, ...claimant }) => [record, claimant] as const));
    },
    /** The confirmed jobs of a team that made these records, by record. */
    async makersOf(team: string, records: readonly string[]) {
      const jobs: Job[] = [];
      for (let at = 0; at < records.length; at += maxAsked) {
        const rows = await making(team, records.slice(at, at + maxAsked))
          .selectAll('jobs')
          .execute();
        jobs.push(...rows.map(row => decode(row, knows)).filter(job => job.state !== 'unreadable'));
      }
      return new Map(
        jobs.flatMap(job => (job.state === 'succeeded' && job.claimed !== null ? [[job.claimed, job] as const] : [])),
      );
    },
  };
}

/** Max records of which one statement reads the other jobs. */
const maxTargets = 64;

/** Reads the other jobs on the records of these. */
async function overlapsIn(store: Store, jobs: readonly Targeted[]): Promise<ReadonlyMap<string, readonly Overlap[]>> {
  const since = Math.min(...jobs.map(({ sentAt }) => sentAt));
  const targets = [...new Set(jobs.map(({ target }) => target))];
  const rows = new Map<string, OverlapRow>();
  for (let at = 0; at < targets.length; at += maxTargets) {
    const some = padded(targets.slice(at, at + maxTargets));
    for (const row of (await selectOthers(some.length)(store, { targets: some, since })).rows) rows.set(row.id, row);
  }
  const byTarget = Map.groupBy(rows.values(), ({ target }) => target);
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

/** Selects the jobs on some records that were under way since a time, or may take effect after it: so many of each. */
const selectOthers = memoByNumber((size: number) =>
  compiledOnce(
    (store, { targets, since }: Readonly<{ targets: readonly string[]; since: number }>) => {
      const [first, ...others] = targets.map(target => othersOn(store, target, since));
      if (!first) throw new Error(`no statement selects the jobs of ${size} records`);
      return others.reduce((all, one) => all.unionAll(one), first).compile();
    },
    ({ targets, since }) =>
      targets.flatMap(target => [target, ...notUnderWay, since, 'unconfirmed', since, maxOthers + 1]),
  ),
);

/** Repeats the last value until their number is a power of two: each number is a statement of its own to prepare. */
function padded(values: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: length - values.length }, () => values.slice(-1)).flat()];
}

function othersOn(store: Kysely<Schema>, target: string, since: number) {
  const others = store
    .selectFrom('jobs')
    .select(['id', 'target', 'operation', 'sentAt', 'endedAt', 'inDoubt', 'state', 'claimed'])
    .where('target', '=', target)
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'not in', notUnderWay),
        eb('endedAt', '>=', since),
        and([eb('state', '=', 'unconfirmed'), eb('claimed', 'is', null), eb(lateUntil(eb), '>', since)]),
      ]),
    )
    .where('sentAt', 'is not', null)
    .where('steps', 'is', null)
    .limit(maxOthers + 1);
  return store.selectFrom(others.as('others')).selectAll();
}

type OverlapRow = Readonly<
  Pick<JobRow, 'id' | 'target' | 'operation' | 'sentAt' | 'endedAt' | 'inDoubt' | 'state' | 'claimed'>
>;

/** Another job as it matters for this one; nothing where it was over in time. */
function overlapOf(job: Claimant, row: OverlapRow): Overlap[] {
  const { id, operation, sentAt, endedAt, state, claimed } = row;
  if (id === job.id || sentAt === null) return [];
  const isLate = endedAt !== null && endedAt < job.sentAt;
  const mayBeLate = isLate && state === 'unconfirmed' && claimed === null && 2 * endedAt - sentAt > job.sentAt;
  const isUnderWay = !notUnderWay.some(one => one === state) || (endedAt !== null && !isLate);
  if (!isUnderWay && !mayBeLate) return [];
  return [
    { id, operation, sentAt, endedAt, inDoubt: row.inDoubt === 1, claimed, isProved: state === 'succeeded', isLate },
  ];
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
  for (const { over, ...row } of claims.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
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
  }
}
