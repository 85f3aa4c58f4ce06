import { type Kysely, sql } from 'kysely';
import { noteDue } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { lockOrder } from '../lock.ts';
import { equals, oneMore } from '../statementParts.ts';
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
type NewsAt = Readonly<{
  /** The job as it was before. */
  job?: Pick<Job, 'state'>;
  transition: News & Readonly<{ news: boolean }>;
  now: number;
}>;

/** The states of a job that the service has, or may have. */
const underWay: readonly JobState[] = ['sending', 'running'];

/**
 * Tells the plans of the jobs that were just written, whose messages are theirs, and makes a plan due whose step has
 * ended. One that was withdrawn is told once more when all has ended that was under way by then. The rows of plans are
 * locked after those of all steps, and in one order: no two processes wait for each other.
 */
export async function tellPlans(
  changes: Store,
  written: ReadonlyMap<NewsAt, Pick<Job, 'plan' | 'endedAt'>>,
): Promise<void> {
  const news = [...written].flatMap(([{ job, transition, now }, { plan, endedAt }]) => {
    const isEnd = endedAt !== null;
    const wasUnderWay = isEnd && job !== undefined && underWay.includes(job.state) && transition.state !== 'withdrawn';
    return plan !== null && transition.news ? [{ plan, now, isEnd, wasUnderWay, isBad: isBad(transition) }] : [];
  });
  const plans = Map.groupBy([...news, ...(await newsAbove(changes, news))], ({ plan }) => plan);
  for (const [id, ofPlan] of [...plans].toSorted(([one], [other]) => lockOrder(one, other))) {
    const now = Math.max(...ofPlan.map(one => one.now));
    const told = await changes
      .updateTable('jobs')
      .set({
        revision: oneMore('revision'),
        tellAt: ofPlan.some(one => one.isBad) ? now : sql`case when ${isToldOfAll} then ${now} else tell_at end`,
        tellTries: 0,
      })
      .where('id', '=', id)
      .returning('state')
      .executeTakeFirst();
    if (ofPlan.some(({ isEnd }) => isEnd))
      await changes
        .updateTable('jobs')
        .set({ dueAt: now, lockedUntil: 0 })
        .where(equals({ id, state: 'running' }))
        .execute();
    if (told?.state === 'withdrawn' && ofPlan.some(({ wasUnderWay }) => wasUnderWay)) await tellOnceMore(changes, id);
    noteDue(changes, 'jobs to tell', now);
    noteDue(changes, 'jobs', ofPlan.some(({ isEnd }) => isEnd) ? now : null);
  }
}

/** The same news for the batches whose parts these plans are, where what was under way has ended. */
async function newsAbove<News extends Readonly<{ plan: string; wasUnderWay: boolean }>>(
  changes: Store,
  news: readonly News[],
): Promise<readonly News[]> {
  const over = news.filter(({ wasUnderWay }) => wasUnderWay);
  if (over.length === 0) return [];
  const those = isAnyOf(
    'id',
    over.map(({ plan }) => plan),
  );
  const parts = await changes.selectFrom('jobs').select(['id', 'plan']).where(those).execute();
  return parts.flatMap(({ id, plan }) =>
    plan === null ? [] : over.filter(one => one.plan === id).map(one => ({ ...one, plan, isEnd: false })),
  );
}

/**
 * Has a reply about a withdrawn plan follow the one of its withdrawal, once nothing of it is under way any more. Its row is
 * locked by now: of two ends at once, the later one finds the other.
 */
async function tellOnceMore(changes: Store, id: string): Promise<void> {
  const ofIt = changes.selectFrom('jobs').select('id').where('plan', '=', id);
  const left = changes
    .selectFrom('jobs as left')
    .select('left.id')
    .where(({ or, eb }) => or([eb('left.plan', '=', id), eb('left.plan', 'in', ofIt)]))
    .where('left.state', 'in', underWay)
    .where('left.steps', 'is', null);
  await changes
    .updateTable('jobs')
    // A post of the first reply that is under way is not that of the next one.
    .set({ replyTs: null, posting: sql`case when posting like '%"part":"reply"%' then null else posting end` })
    .where('id', '=', id)
    .where('plan', 'is', null)
    .where(({ not, exists }) => not(exists(left)))
    .execute();
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
