import { expressionBuilder } from 'kysely';
import { minute } from '../../ground/durations.ts';
import type { Schema, Store } from '../database.ts';
import { light } from '../light.ts';
import { decode, type Knows } from './rows/decode.ts';
import { ends, type Job, type JobIn, type Unreadable, unsent } from './rows/job.ts';

/**
 * Another job on the same record, as far as it matters for a proof: a job of another release is one, too. `inDoubt`
 * tells that nobody knows whether the service got it.
 */
export type Overlap = Readonly<{
  operation: string;
  sentAt: number;
  endedAt: number | null;
  inDoubt: boolean;
  /** Whether the records showed that it was done. */
  isProved: boolean;
  /** Whether it was over when the job was sent, unconfirmed, and may still show what it did. */
  isLate: boolean;
}>;

/** A job that claims something. */
type Claimant = Pick<JobIn<'running'>, 'id' | 'sentAt'>;

/**
 * The claims of jobs on records and other signs, which tell jobs apart that are under way at the same time. Jobs of
 * another release count, too: a record must never prove two jobs.
 */
export type JobClaims = {
  /**
   * Gives a new record to this job as its proof; `false` where a job that ran meanwhile has it, or this job is over.
   */
  claim(job: Claimant, record: string): Promise<boolean>;
  /** Gives this job another sign, such as a time that moved; `false` likewise. */
  claimSign(job: Claimant, sign: string): Promise<boolean>;
  /**
   * The other jobs on the same record that were under way at any time since this one was sent. One that ended
   * unconfirmed before, without a record of its own, is among them for as long again as it ran: it may take effect late.
   */
  overlapping(job: Claimant & Pick<Job, 'target'>): Promise<readonly Overlap[]>;
  /**
   * The other jobs that have no new record of their own yet and are under way, or may take effect late, except those of
   * the operations `makingNothing`. All other operations are included, since one of another release may make a record.
   */
  unclaimed(
    job: Claimant,
    makingNothing: readonly string[],
  ): Promise<readonly (JobIn<'sending' | 'running' | 'unconfirmed'> | Unreadable)[]>;
  /**
   * Those of the given records that belong to other jobs which were under way at any time since the look before this one
   * was sent.
   */
  taken(job: Claimant, records: readonly string[]): Promise<ReadonlySet<string>>;
  /** The targets of all jobs that are under way, and the records that these jobs made. */
  inHand(): Promise<ReadonlySet<string>>;
  /** The confirmed jobs of a team that made these records, by record. */
  makersOf(team: string, records: readonly string[]): Promise<ReadonlyMap<string, JobIn<'succeeded'>>>;
};

/**
 * The longest time between the look before a call and the note that it is sent, in milliseconds. What a job made that
 * ended in this time may be missing in the baseline of the next one.
 */
const baselineAge = minute;
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
    eb('claimed', 'is', null),
    eb('endedAt', '<', time),
    eb(eb('endedAt', '+', eb('endedAt', '-', eb.ref('sentAt'))), '>', time),
  ]);
}

export function claimsIn(store: Store, knows: Knows): JobClaims {
  return {
    claim: (job, record) => claimIn(store, job, record, true),
    claimSign: (job, sign) => claimIn(store, job, sign, false),
    async overlapping(job) {
      const { id, target, sentAt } = job;
      const rows = await store
        .selectFrom('jobs')
        .select(['operation', 'sentAt', 'endedAt', 'inDoubt', 'state'])
        .where('target', '=', target)
        .where('id', '!=', id)
        .where(({ or, eb }) =>
          or([eb('state', 'not in', notUnderWay), eb('endedAt', '>=', sentAt), mayTakeEffect(sentAt)]),
        )
        .where('sentAt', 'is not', null)
        .where('steps', 'is', null)
        .limit(maxOthers)
        .execute();
      return rows.flatMap(({ sentAt, endedAt, operation, inDoubt, state }) =>
        sentAt === null
          ? []
          : [
              {
                ...{ operation, sentAt, endedAt, inDoubt: inDoubt === 1, isProved: state === 'succeeded' },
                isLate: endedAt !== null && endedAt < job.sentAt,
              },
            ],
      );
    },
    async unclaimed({ id, sentAt }, makingNothing) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where(({ or, and, eb }) =>
          or([and([eb('endedAt', 'is', null), eb('state', 'not in', notUnderWay)]), mayTakeEffect(sentAt)]),
        )
        .where('operation', 'not in', makingNothing)
        // A plan sends nothing itself.
        .where('steps', 'is', null)
        .where('claimed', 'is', null)
        .where('id', '!=', id)
        .limit(maxOthers)
        .execute();
      return rows
        .map(row => decode(row, knows))
        .filter(
          job =>
            job.state === 'sending' ||
            job.state === 'running' ||
            job.state === 'unconfirmed' ||
            job.state === 'unreadable',
        );
    },
    async taken({ id, sentAt }, records) {
      const rows = await store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .select('claims.record')
        .where('claims.record', 'in', records)
        .where('claims.job', '!=', id)
        .where(({ or, eb }) => or([eb('jobs.endedAt', 'is', null), eb('jobs.endedAt', '>=', sentAt - baselineAge)]))
        .execute();
      return new Set(rows.map(({ record }) => record));
    },
    async inHand() {
      const rows = await store
        .selectFrom('jobs')
        .select(['target', 'claimed'])
        .where('endedAt', 'is', null)
        .where('state', 'not in', notUnderWay)
        .execute();
      return new Set(rows.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
    },
    async makersOf(team, records) {
      const jobs: Job[] = [];
      for (let at = 0; at < records.length; at += maxAsked) {
        const rows = await store
          .selectFrom('claims')
          .innerJoin('jobs', 'jobs.id', 'claims.job')
          .selectAll('jobs')
          .where('claims.record', 'in', records.slice(at, at + maxAsked))
          .whereRef('jobs.claimed', '=', 'claims.record')
          .where('jobs.team', '=', team)
          .where('jobs.state', '=', 'succeeded')
          .execute();
        jobs.push(...rows.map(row => decode(row, knows)).filter(job => job.state !== 'unreadable'));
      }
      return new Map(
        jobs.flatMap(job => (job.state === 'succeeded' && job.claimed !== null ? [[job.claimed, job] as const] : [])),
      );
    },
  };
}

/**
 * Claims a sign, since a sign of one job's end is no sign of another's. A record is also kept as the job's own; where
 * that is lost, the job claims the record again.
 */
async function claimIn(store: Store, { id, sentAt }: Claimant, sign: string, isRecord: boolean): Promise<boolean> {
  const claimed = await store
    .insertInto('claims')
    .columns(['record', 'job'])
    .expression(({ selectFrom, val }) =>
      selectFrom('jobs')
        .select([val(sign).as('record'), 'id'])
        .where('id', '=', id)
        .where('state', '=', 'running'),
    )
    .onConflict(conflict =>
      conflict
        .column('record')
        .doUpdateSet({ job: id })
        // A job that ended before this one was sent gives up its claim: its record, if still there, is in this one's
        // baseline, unless that was read before the end.
        .where(({ or, eb, exists, selectFrom }) =>
          or([
            eb('claims.job', '=', id),
            exists(
              selectFrom('jobs as other')
                .select('other.id')
                .whereRef('other.id', '=', 'claims.job')
                .where('other.endedAt', '<', isRecord ? sentAt - baselineAge : sentAt),
            ),
          ]),
        ),
    )
    .returning('record')
    .modifyEnd(light)
    .executeTakeFirst();
  if (claimed && isRecord)
    await store.updateTable('jobs').set({ claimed: sign }).where('id', '=', id).modifyEnd(light).execute();
  return claimed !== undefined;
}
