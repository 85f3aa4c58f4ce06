import type { Transaction } from 'kysely';
import type { Schema } from '../database.ts';
import { byKey, type Key } from '../dueQueue.ts';
import { type EndedJob, hasEnded, isEnd, type Job, type JobState, type RunningJob } from '../jobs/rows/job.ts';
import { isAnyOf } from '../lists.ts';
import type { Kind, Thing } from './kind.ts';
import { actOn, type Give, type Note, thingsIn } from './things.ts';

/*
 * The end of a job may mean something for a thing: a clone that is ready gets its lease, a run that ended is counted. So may
 * that the job goes on after its end. Each feature says what, as a pure step, written in the transaction of that.
 */

/** The part of a plan that its steps' ends may ask for. */
export type PlanOfEnd = Readonly<{ id: string; target: string; schedule: string | null; createdAt: number }>;

/** What the end of a job means for a thing. */
export type EndNews = Key &
  Readonly<{
    write(changes: Transaction<Schema>, note: Note, now: number): Promise<unknown>;
  }>;

/** Says what the end of a job means for things. `plan` is the plan that the job is a step of. */
export type EndHook = (job: EndedJob, plan: PlanOfEnd | undefined) => readonly EndNews[];

/** Says what it means for things that a job runs again, which had ended in a state. */
export type ReopenHook = (job: RunningJob, was: JobState, plan: PlanOfEnd | undefined) => readonly EndNews[];

/** What else the end of a job changes, in its transaction, and what it changes that one goes on. */
export type EndHooks = Readonly<{ ended: EndHook; reopened?: ReopenHook }>;

/** A job that was just written, with the state that it was in before. */
type WrittenJob = Readonly<{ job: Job; was: JobState; now: number }>;

/**
 * Makes the news for a thing: `give` says what follows for it as it is then. `beside` names another thing of the kind,
 * which `give` gets as it is, too.
 */
export function newsFor<S extends string, B extends object>(
  kind: Kind<S, B>,
  id: string,
  give: (...thing: [...Parameters<Give<S, B>>, beside: Thing<S, B> | undefined, now: number]) => ReturnType<Give<S, B>>,
  beside?: string,
): EndNews {
  return {
    kind: kind.name,
    id,
    async write(changes, note, now) {
      const other = beside === undefined ? undefined : await thingsIn(changes).find(kind, beside);
      return actOn(changes, note, { kind, id, give: thing => give(thing, other, now), now });
    },
  };
}

/** Writes in a transaction what the ends of jobs mean for things, in one order: no two processes wait for each other. */
export async function writeEndNews(
  changes: Transaction<Schema>,
  note: Note,
  written: readonly WrittenJob[],
  hooks: readonly EndHooks[],
): Promise<void> {
  // What is said of an end is no end.
  const moved = written.filter(({ job, was }) => hasEnded(job) !== isEnd(was));
  const plans = await plansOf(changes, moved);
  const newsOf = ({ job, was }: WrittenJob): readonly EndNews[] => {
    const plan = plans.get(job.plan ?? '');
    if (hasEnded(job)) return hooks.flatMap(({ ended }) => ended(job, plan));
    return job.state === 'running' ? hooks.flatMap(({ reopened }) => reopened?.(job, was, plan) ?? []) : [];
  };
  const news = moved.flatMap(one => newsOf(one).map(news => ({ news, now: one.now })));
  for (const { news: one, now } of news.toSorted((a, b) => byKey(a.news, b.news))) await one.write(changes, note, now);
}

async function plansOf(
  changes: Transaction<Schema>,
  moved: readonly Readonly<{ job: Pick<Job, 'plan'> }>[],
): Promise<ReadonlyMap<string, PlanOfEnd>> {
  const ids = [...new Set(moved.flatMap(({ job }) => job.plan ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await changes
    .selectFrom('jobs')
    .select(['id', 'target', 'schedule', 'createdAt'])
    .where(isAnyOf('id', ids))
    .execute();
  return new Map(rows.map(row => [row.id, row]));
}
