import { sql } from 'kysely';
import { parseJson } from '../../ground/json.ts';
import type { Store } from '../database.ts';
import { Evidence, JobValues, Labels } from './rows/data.ts';
import type { JobRow } from './rows/jobRow.ts';

/** A confirmed job with all that its time depends on, and who may know of it. Times are milliseconds since the epoch. */
export type Timing = Readonly<
  Pick<JobRow, 'id' | 'operation' | 'person' | 'place' | 'target'> & {
    values: JobValues;
    labels: Labels;
    /** The record that proves it, and its environment as it was shown: by name or by identifier. */
    record: string | undefined;
    environment: string | undefined;
    endedAt: number;
    /** The time from the request to its confirmation, in milliseconds. */
    took: number;
  }
>;

/** A place in the order in which timings are read: before a time, and among those of that time before an id. */
export type TimingPlace = Readonly<{ at: number; id: string }>;

/** The operations that read how long jobs took. */
export type JobTimings = Readonly<{
  /**
   * The latest confirmed jobs of a team that ended since `from` and before a place, at most `max`, the latest first. Rows that
   * cannot be read are left out.
   */
  timings(team: string, span: Readonly<{ from: number; before: TimingPlace }>, max: number): Promise<TimingsFound>;
}>;

/** The timings that were found, and the place before which the next ones are read; `undefined` where there are none. */
type TimingsFound = Readonly<{ timings: readonly Timing[]; next: TimingPlace | undefined }>;

const columns = ['id', 'operation', 'person', 'place', 'target', 'inputs', 'labels', 'evidence'] as const;
const Shown = Evidence.pick({ id: true, environment: true });

export function jobTimingsIn(store: Store): JobTimings {
  return {
    async timings(team, { from, before }, max) {
      const rows = await store
        .selectFrom('jobs')
        .select([...columns, 'sentAt', 'endedAt'])
        .where('team', '=', team)
        // Written out as in the index (migrations.ts), which a database uses only then.
        .where(sql<boolean>`state = 'succeeded'`)
        .where('endedAt', '>=', from)
        .where(sql<boolean>`(ended_at, id) < (${before.at}, ${before.id})`)
        .orderBy('endedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(max)
        .execute();
      const last = rows.length < max ? undefined : rows.at(-1);
      return {
        timings: rows.flatMap(timingIn),
        next: last && last.endedAt !== null ? { at: last.endedAt, id: last.id } : undefined,
      };
    },
  };
}

type TimingRow = Pick<JobRow, (typeof columns)[number] | 'sentAt' | 'endedAt'>;

/** Reads a row; none where it cannot be read, or where the clock was set back while the job ran. */
function timingIn({ id, operation, person, place, target, sentAt, endedAt, ...row }: TimingRow): Timing[] {
  const values = JobValues.safeParse(parseJson(row.inputs)).data;
  const labels = Labels.safeParse(parseJson(row.labels)).data;
  if (!values || !labels || sentAt === null || endedAt === null || endedAt < sentAt) return [];
  const shown = row.evidence === null ? undefined : Shown.safeParse(parseJson(row.evidence)).data;
  const told = { record: shown?.id, environment: shown?.environment, endedAt, took: endedAt - sentAt };
  return [{ id, operation, person, place, target, values, labels, ...told }];
}
