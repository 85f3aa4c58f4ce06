import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { ends } from '../jobs/job.ts';

/** The runs of a channel within a time, by how they went; `left` are those that were left out. */
export type RunCounts = Readonly<{ well: number; failed: number; open: number; left: number }>;

/** A time from `since` up to, and without, `until`, in milliseconds since the epoch. */
type Span = Readonly<{ since: number; until: number }>;

/** The ends of runs that nobody counts as failures. */
const well: readonly string[] = ['succeeded', 'finished'];
const neither: readonly string[] = ['withdrawn'];

/** Counts the runs within a time of those schedules of a channel of which only failures are told. */
export async function countRunsIn(store: Store, team: string, channel: string, span: Span): Promise<RunCounts> {
  const ofChannel = store
    .selectFrom('schedules')
    .select('id')
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('tells', '=', 'failures');
  const [states, left] = await Promise.all([
    store
      .selectFrom('jobs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('schedule', 'is not', null)
      .where('schedule', 'in', ofChannel)
      .where('createdAt', '>=', span.since)
      .where('createdAt', '<', span.until)
      .groupBy('state')
      .execute(),
    store
      .selectFrom('audit')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      // Written out as in the index (migrations.ts), which a database uses only then.
      .where(sql<boolean>`event in ('run missed', 'run skipped', 'run waits')`)
      .where('team', '=', team)
      .where('at', '>=', span.since)
      .where('at', '<', span.until)
      .where('channel', '=', channel)
      .executeTakeFirst(),
  ]);
  const many = (is: (state: string) => boolean) =>
    states.reduce((sum, { state, count }) => sum + (is(state) ? Number(count) : 0), 0);
  const hasEnded = (state: string) => ends.some(end => end === state);
  return {
    well: many(state => well.includes(state)),
    failed: many(state => hasEnded(state) && !well.includes(state) && !neither.includes(state)),
    open: many(state => !hasEnded(state)),
    left: Number(left?.count ?? 0),
  };
}
