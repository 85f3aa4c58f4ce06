import { type Kysely, sql } from 'kysely';
import { noteDue } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { lockOrder } from '../lock.ts';
import type { Job, JobChange, JobState } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

type Written = Pick<JobRow, 'team' | 'person' | 'state' | 'dueAt' | 'lockedUntil' | 'tellAt' | 'tellLockedUntil'>;

/**
 * Notes when a job that was just written is due for its next step and for its message, and whose Home shows it. What is
 * locked is in the hands of whoever goes on with it. `before` is the state that it had.
 */
export function noteJob(changes: Kysely<Schema>, row: Written, now: number, before?: JobState): void {
  const { team, person, state, dueAt, lockedUntil, tellAt, tellLockedUntil } = row;
  if (lockedUntil <= now) noteDue(changes, 'jobs', dueAt);
  if (tellLockedUntil <= now) noteDue(changes, 'jobs to tell', tellAt);
  // Those who decide see it, too.
  const isAwaited = state === 'awaiting' || before === 'awaiting';
  noteDue(changes, 'homes', now, isAwaited ? { team } : { team, person });
}

/** A step of a job, as far as it is news. */
type News = Readonly<{ state: JobState; changes: JobChange }>;
type NewsAt = Readonly<{ transition: News & Readonly<{ news: boolean }>; now: number }>;

/**
 * Tells the plans of the jobs that were just written, whose messages are theirs, and makes a plan due whose step has
 * ended. The rows of plans are locked after those of all steps, and in one order: no two processes wait for each other.
 */
export async function tellPlans(
  changes: Store,
  written: ReadonlyMap<NewsAt, Pick<Job, 'plan' | 'endedAt'>>,
): Promise<void> {
  const news = [...written].flatMap(([{ transition, now }, { plan, endedAt }]) =>
    plan !== null && transition.news ? [{ plan, now, isEnd: endedAt !== null, isBad: isBad(transition) }] : [],
  );
  const plans = Map.groupBy(news, ({ plan }) => plan);
  for (const [id, ofPlan] of [...plans].toSorted(([one], [other]) => lockOrder(one, other))) {
    const now = Math.max(...ofPlan.map(one => one.now));
    await changes
      .updateTable('jobs')
      .set(eb => ({
        revision: eb('revision', '+', 1),
        tellAt: ofPlan.some(one => one.isBad) ? now : sql`case when ${isToldOfAll} then ${now} else tell_at end`,
        tellTries: 0,
      }))
      .where('id', '=', id)
      .execute();
    if (ofPlan.some(({ isEnd }) => isEnd))
      await changes
        .updateTable('jobs')
        .set({ dueAt: now, lockedUntil: 0 })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute();
    noteDue(changes, 'jobs to tell', now);
    noteDue(changes, 'jobs', ofPlan.some(({ isEnd }) => isEnd) ? now : null);
  }
}

/**
 * The time at which a job is told that has news: a step of a plan has no message of its own, unless it is a batch that asks
 * for approval, and a job that tells only failures has none before the first.
 */
export function toldAt(at: number | null, news: News) {
  const isTold = isBad(news) ? sql`true` : isToldOfAll;
  return sql<number | null>`case when (plan is null or steps is not null) and ${isTold} then cast(${at} as bigint) end`;
}

/** Whether readers follow a job: it tells of all, or has a message already, which is kept up to date. */
const isToldOfAll = sql<boolean>`(tells is null or shown > 0 or posting is not null)`;

/** The states in which a job needs people, or did not go well. */
const badStates: readonly JobState[] = ['awaiting', 'denied', 'void', 'failed', 'unconfirmed', 'expired'];

/** Whether a step of a job is news for those who want to hear of failures only. */
function isBad({ state, changes }: News): boolean {
  return badStates.includes(state) || changes.hold === 'sign-in';
}
