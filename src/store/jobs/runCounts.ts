import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { ends } from './rows/job.ts';

/** The runs of a channel within a time, by how they went; `left` are those that were left out. */
export type RunCounts = Readonly<{ well: number; failed: number; open: number; left: number }>;

/** A time from `since` up to, and without, `until`, in milliseconds since the epoch. */
type Span = Readonly<{ since: number; until: number }>;

/** The ends of runs that nobody counts as failures. */
const well: readonly string[] = ['succeeded', 'finished'];
const neither: readonly string[] = ['withdrawn'];

/** The schedules of a channel whose runs are counted. */
type Counted = Readonly<{ team: string; channel: string; schedules: readonly string[] }>;

export type RunCounting = {
  /** Counts the runs of schedules within a time, and those that were left out in their channel. */
  countRuns(of: Counted, span: Span): Promise<RunCounts>;
};

export function runCountingIn(store: Store): RunCounting {
  return { countRuns: (of, span) => countRuns(store, of, span) };
}

async function countRuns(store: Store, { team, channel, schedules }: Counted, span: Span): Promise<RunCounts> {
  const [states, left] = await Promise.all([
    store
      .selectFrom('jobs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('schedule', 'is not', null)
      .where('schedule', 'in', schedules)
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
