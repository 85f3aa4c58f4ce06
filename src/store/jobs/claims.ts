import type { Store } from '../database.ts';
import { decode, type Knows } from './decode.ts';
import { ends, type Job, type JobIn, type Unreadable, unsent } from './job.ts';

/** Another job on the same record, as far as it matters for a proof: nothing of it has to be read. */
export type Overlap = Readonly<{ operation: string; sentAt: number; endedAt: number | null }>;

/** A job that claims something. */
type Claimant = Pick<JobIn<'running'>, 'id' | 'sentAt'>;

/**
 * What tells the jobs apart that are under way at one time. A job of another release counts as somebody's, too: a record
 * must never prove two jobs.
 */
export type JobClaims = {
  /** Gives a new record to this job as its proof; `false` where another job that ran meanwhile has it. */
  claim(job: Claimant, record: string): Promise<boolean>;
  /** Gives another sign to this job, such as a time that moved; `false` where another job that ran meanwhile has it. */
  claimSign(job: Claimant, sign: string): Promise<boolean>;
  /** The other jobs on the same record that were under way at any time since this one was sent. */
  overlapping(job: Claimant & Pick<Job, 'target'>): Promise<readonly Overlap[]>;
  /**
   * The other jobs that are under way and have no new record of their own yet. None of the operations `makingNothing` is
   * among them: an operation of another release may make a record.
   */
  unclaimed(
    job: Claimant,
    makingNothing: readonly string[],
  ): Promise<readonly (JobIn<'sending' | 'running'> | Unreadable)[]>;
  /** Which of these records other jobs have as their own that were under way since this one was sent. */
  taken(job: Claimant, records: readonly string[]): Promise<ReadonlySet<string>>;
  /** The records that jobs are under way on, and those that they make. */
  inHand(): Promise<ReadonlySet<string>>;
};

/** The most other jobs that are compared with one. */
const maxOthers = 200;

/** The jobs that are sent and have not ended, in whatever words another release says so. */
const notUnderWay = [...unsent, ...ends];

/** The claims of the store's jobs. */
export function claimsIn(store: Store, knows: Knows): JobClaims {
  return {
    claim: (job, record) => claimIn(store, job, record, true),
    claimSign: (job, sign) => claimIn(store, job, sign, false),
    async overlapping({ id, target, sentAt }) {
      const rows = await store
        .selectFrom('jobs')
        .select(['operation', 'sentAt', 'endedAt'])
        .where('target', '=', target)
        .where('id', '!=', id)
        .where(({ or, eb }) => or([eb('state', 'not in', notUnderWay), eb('endedAt', '>=', sentAt)]))
        .where('sentAt', 'is not', null)
        .limit(maxOthers)
        .execute();
      return rows.flatMap(({ sentAt, ...other }) => (sentAt === null ? [] : [{ ...other, sentAt }]));
    },
    async unclaimed({ id }, makingNothing) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('state', 'not in', notUnderWay)
        .where('operation', 'not in', makingNothing)
        .where('claimed', 'is', null)
        .where('id', '!=', id)
        .limit(maxOthers)
        .execute();
      return rows
        .map(row => decode(row, knows))
        .filter(job => job.state === 'sending' || job.state === 'running' || job.state === 'unreadable');
    },
    async taken({ id, sentAt }, records) {
      const rows = await store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .select('claims.record')
        .where('claims.record', 'in', records)
        .where('claims.job', '!=', id)
        .where(({ or, eb }) => or([eb('jobs.endedAt', 'is', null), eb('jobs.endedAt', '>=', sentAt)]))
        .execute();
      return new Set(rows.map(({ record }) => record));
    },
    async inHand() {
      const rows = await store
        .selectFrom('jobs')
        .select(['target', 'claimed'])
        .where('state', 'not in', notUnderWay)
        .execute();
      return new Set(rows.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
    },
  };
}

/** What shows the end of one job is no sign of another; a record is kept as the job's own beside that. */
async function claimIn(store: Store, { id, sentAt }: Claimant, sign: string, isRecord: boolean): Promise<boolean> {
  return store.transaction().execute(async changes => {
    const mine = changes.selectFrom('jobs').select('id').where('id', '=', id).where('state', '=', 'running');
    if (!(await mine.executeTakeFirst())) return false;
    const row = { record: sign, job: id };
    const claimed = await changes
      .insertInto('claims')
      .values(row)
      .onConflict(conflict =>
        conflict
          .column('record')
          .doUpdateSet(row)
          // A record that an earlier job claimed before this one was sent was in this one's baseline, if it still was there.
          .where(({ or, eb, exists, selectFrom }) =>
            or([
              eb('claims.job', '=', id),
              exists(
                selectFrom('jobs as other')
                  .select('other.id')
                  .whereRef('other.id', '=', 'claims.job')
                  .where('other.endedAt', '<', sentAt),
              ),
            ]),
          ),
      )
      .returning('record')
      .executeTakeFirst();
    if (!claimed) return false;
    if (isRecord) await changes.updateTable('jobs').set({ claimed: sign }).where('id', '=', id).execute();
    return true;
  });
}
