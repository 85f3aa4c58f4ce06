import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import type { EndedJob } from './rows/job.ts';

/** The runs of a channel within a time, by how they went; `left` are those that were left out. */
export type RunCounts = Readonly<Record<'well' | 'unshown' | 'unconfirmed' | 'failed' | 'open' | 'left', number>>;

/** A time from `since` up to, and without, `until`, in milliseconds since the epoch. */
type Span = Readonly<{ since: number; until: number }>;

/** How a run counts. What nobody knows the result of is neither well nor failed. */
const counts: Readonly<Record<EndedJob['state'], keyof RunCounts | 'none'>> = {
  succeeded: 'well',
  finished: 'unshown',
  unconfirmed: 'unconfirmed',
  failed: 'failed',
  denied: 'failed',
  void: 'failed',
  expired: 'failed',
  withdrawn: 'none',
};
const countOf = new Map<string, keyof RunCounts | 'none'>(Object.entries(counts));

/** How a run counts by its state: one that has not ended is open. */
export function countOfRun(state: string): keyof RunCounts | 'none' {
  return countOf.get(state) ?? 'open';
}

/** The schedules of a channel whose runs are counted. */
type Counted = Readonly<{ team: string; channel: string; schedules: readonly string[] }>;

export type RunCounting = ReturnType<typeof runCountingIn>;

export function runCountingIn(store: Store) {
  return {
    /** Counts the runs of schedules within a time, and those that were left out in their channel. */
    countRuns: (of: Counted, span: Span) => countRuns(store, of, span),
  };
}

async function countRuns(store: Store, { team, channel, schedules }: Counted, span: Span): Promise<RunCounts> {
  const [states, left] = await Promise.all([
    store
      .selectFrom('jobs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('schedule', 'is not', null)
      .where(isAnyOf('schedule', schedules))
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
  const many = (count: keyof RunCounts) =>
    states.reduce((sum, one) => sum + (countOfRun(one.state) === count ? one.count : 0), 0);
  return {
    well: many('well'),
    unshown: many('unshown'),
    unconfirmed: many('unconfirmed'),
    failed: many('failed'),
    open: many('open'),
    left: left?.count ?? 0,
  };
}
