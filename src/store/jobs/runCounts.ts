import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { equals } from '../statementParts.ts';
import type { EndedJob } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/**
 * The runs of a channel within a time, by how they went; `left` are those that were left out, and `waits` those that wait for
 * a sign-in.
 */
type RunCounts = Readonly<Record<'well' | 'unshown' | 'unconfirmed' | 'failed' | 'open' | 'waits' | 'left', number>>;

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

/** The runs of schedules, as a report tells of them. */
export type RunCounting = Readonly<{
  /** Counts the runs of schedules within a time, and those that were left out in their channel. */
  countRuns(of: Counted, span: Span): Promise<RunCounts>;
  /** The message that told a failed run of a schedule as news within a time, the latest; `undefined` where there is none. */
  toldFailure(
    schedule: string,
    span: Span,
  ): Promise<Pick<JobRow, 'channel' | 'place' | 'messageTs' | 'thread'> | undefined>;
}>;

export function runCountingIn(store: Store): RunCounting {
  return {
    countRuns: (of, span) => countRuns(store, of, span),
    toldFailure: (schedule, { since, until }) =>
      store
        .selectFrom('jobs')
        .select(['channel', 'place', 'messageTs', 'thread'])
        .where('schedule', 'is not', null)
        .where(equals({ schedule, state: 'failed' }))
        .where('messageTs', 'is not', null)
        // What was known is one message, without a reply.
        .whereRef('replyTs', '!=', 'messageTs')
        .where('endedAt', '>=', since)
        .where('endedAt', '<', until)
        .orderBy('endedAt', 'desc')
        .limit(1)
        .executeTakeFirst(),
  };
}

async function countRuns(store: Store, { team, channel, schedules }: Counted, span: Span): Promise<RunCounts> {
  const entries = store
    .selectFrom('audit')
    .select(['event', 'operation', 'target', 'detail'])
    .where('team', '=', team)
    .where('at', '>=', span.since)
    .where('at', '<', span.until)
    .where('channel', '=', channel);
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
    // Written out as in the index (migrations.ts), which a database uses only then.
    entries.where(sql<boolean>`event in ('run missed', 'run skipped', 'run waits')`).execute(),
  ]);
  const [waiting, out] = [left.filter(({ event }) => event === waits), left.filter(({ event }) => event !== waits)];
  // A sign-in made up for some of them, or came too late.
  const begun = waiting.length === 0 ? [] : await entries.where('event', '=', 'run begun').execute();
  const over = new Set([...begun, ...out].map(runOf));
  const many = (count: keyof RunCounts) =>
    states.reduce((sum, one) => sum + (countOfRun(one.state) === count ? one.count : 0), 0);
  return {
    well: many('well'),
    unshown: many('unshown'),
    unconfirmed: many('unconfirmed'),
    failed: many('failed'),
    open: many('open'),
    waits: new Set(waiting.map(runOf).filter(run => !over.has(run))).size,
    left: out.length,
  };
}

/** The event of a run that waits for a sign-in. */
const waits = 'run waits';

type RunEntry = Readonly<{ event: string; operation: string | null; target: string | null; detail: string | null }>;

/** The run that an entry is about: its work, and its time, with which the detail begins, or ends where several were missed. */
function runOf({ event, operation, target, detail }: RunEntry): string {
  const times = detail?.match(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g) ?? [];
  return `${operation} ${target} ${event === 'run missed' ? times.at(-1) : times[0]}`;
}
