import type { Transaction } from 'kysely';
import type { Schema } from '../database.ts';
import type { EndedJob } from '../jobs/rows/job.ts';
import { isAnyOf } from '../lists.ts';
import { byKey, type Key } from '../queue.ts';
import type { Kind, Thing } from './kind.ts';
import { actOn, type Give, type Note, thingsIn } from './things.ts';

/*
 * The end of a job may mean something for a thing: a clone that is ready gets its lease, a run that ended is counted.
 * Each feature says what, as a pure step; it is written in the transaction of that end.
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
  ended: readonly Readonly<{ job: EndedJob; now: number }>[],
  hooks: readonly EndHook[],
): Promise<void> {
  const plans = await plansOf(changes, ended);
  const news = ended.flatMap(({ job, now }) =>
    hooks.flatMap(hook => hook(job, plans.get(job.plan ?? '')).map(one => ({ one, now }))),
  );
  for (const { one, now } of news.toSorted((a, b) => byKey(a.one, b.one))) await one.write(changes, note, now);
}

async function plansOf(
  changes: Transaction<Schema>,
  ended: readonly Readonly<{ job: Pick<EndedJob, 'plan'> }>[],
): Promise<ReadonlyMap<string, PlanOfEnd>> {
  const ids = [...new Set(ended.flatMap(({ job }) => job.plan ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await changes
    .selectFrom('jobs')
    .select(['id', 'target', 'schedule', 'createdAt'])
    .where(isAnyOf('id', ids))
    .execute();
  return new Map(rows.map(row => [row.id, row]));
}
