import { parseJson } from '../../ground/json.ts';
import type { Store } from '../database.ts';
import { equals } from '../statementParts.ts';
import { Baseline } from './rows/data.ts';
import { decode, type Knows } from './rows/decode.ts';
import type { Job } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/** A job for a record, or that made it, with what it was shown of that record: name and creation time, as far as it was. */
export type JobOnRecord = Readonly<{ job: Job; made: boolean; shown: Readonly<{ name?: string; madeAt?: number }> }>;

/** The jobs by the records that they are about. */
export type JobsOnRecords = Readonly<{
  /** The latest jobs of a team for a record, and those that made it, in no particular order. What cannot be read is left out. */
  onRecord(team: string, record: string, max: number): Promise<readonly JobOnRecord[]>;
  /** The records that confirmed jobs of a team made under a name, the latest first. */
  madeUnder(team: string, name: string, max: number): Promise<readonly string[]>;
}>;

export function jobsOnRecordsIn(store: Store, knows: Knows): JobsOnRecords {
  const latest = async (team: string, column: 'target' | 'claimed', record: string, max: number) => {
    const all = store.selectFrom('jobs').selectAll().where('team', '=', team).where(column, '=', record);
    return all.orderBy('createdAt', 'desc').limit(max).execute();
  };
  return {
    async onRecord(team, record, max) {
      const [about, making] = await Promise.all([
        latest(team, 'target', record, max),
        latest(team, 'claimed', record, max),
      ]);
      const read = (row: JobRow, made: boolean): JobOnRecord[] => {
        const job = decode(row, knows);
        if (job.state === 'unreadable') return [];
        return [{ job, made, shown: made ? shownOfMade(job, record) : shownOfTarget(row, job, record) }];
      };
      return [...about.flatMap(row => read(row, false)), ...making.flatMap(row => read(row, true))];
    },
    async madeUnder(team, name, max) {
      const rows = await store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .select('claims.record')
        .where(equals({ 'claims.name': name, 'claims.sign': '' }))
        .whereRef('jobs.claimed', '=', 'claims.record')
        .where('jobs.team', '=', team)
        .orderBy('jobs.createdAt', 'desc')
        .limit(max)
        .execute();
      return rows.map(({ record }) => record);
    },
  };
}

function shownOfMade({ evidence }: Job, record: string): JobOnRecord['shown'] {
  if (evidence?.id !== record) return {};
  const { name, madeAt } = evidence;
  return { ...(name === undefined ? {} : { name }), ...(madeAt === undefined ? {} : { madeAt }) };
}

/** What the target showed when the job was sent, else to whoever asked, else the name under which it was asked for. */
function shownOfTarget({ baseline }: JobRow, { targetName }: Job, record: string): JobOnRecord['shown'] {
  const before = baseline === null ? undefined : Baseline.safeParse(parseJson(baseline)).data;
  const seen = (before?.holder === record ? before.target : undefined) ?? before?.asShown?.[record];
  const name = seen?.name ?? (targetName === null || targetName === record ? undefined : targetName);
  return { ...(name === undefined ? {} : { name }), ...(seen?.madeAt === undefined ? {} : { madeAt: seen.madeAt }) };
}
