import { CompiledQuery, sql } from 'kysely';
import { vi } from 'vitest';
import type { Store } from '../../src/store/database.ts';
import { isShared } from '../../src/store/lock.ts';

/** The numbers from 1 on, as rows. */
export const upTo = (last: number) =>
  sql`(with recursive s (n) AS (select 1 union all select n + 1 from s where n < ${sql.lit(last)}) select n from s) as s`;
export const many = upTo(5_000);

/** How the store comes to the rows of each of some statements that some work runs. */
export async function plansIn(store: Store, which: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const asked = vi.spyOn(store.getExecutor(), 'executeQuery');
  await work();
  const queries = asked.mock.calls.map(([query]) => query).filter(query => which.test(query.sql));
  asked.mockRestore();
  const explain = isShared(store) ? 'explain (analyze, costs off, timing off)' : 'explain query plan';
  const plans = queries.map(({ sql, parameters }) => CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
  return Promise.all(plans.map(async plan => JSON.stringify((await store.executeQuery(plan)).rows)));
}

/** The rows that PostgreSQL read by a plan, as far as it counts them. */
export function readBy(plan: string): number {
  const steps = plan.matchAll(
    / on (?:jobs|outbox|due|things)[^(]*\(actual rows=([\d.]+) loops=(\d+)\)((?:(?!actual rows).)*)/g,
  );
  return steps.reduce((sum, [, rows, loops, more = '']) => {
    const removed = /Rows Removed by Filter: (\d+)/.exec(more)?.[1];
    return sum + (Number(rows) + Number(removed ?? 0)) * Number(loops);
  }, 0);
}
