import { sql } from 'kysely';
import type { Store } from './database.ts';

/** Resolves where the store answers. */
export async function answers(store: Store): Promise<void> {
  await sql`select 1`.execute(store);
}

/** How many jobs have not ended, by operation and state. All of those are due at some time, which has an index. */
export async function countOpen(store: Store): Promise<{ operation: string; state: string; count: number }[]> {
  const rows = await store
    .selectFrom('jobs')
    .select(({ fn }) => ['operation', 'state', fn.countAll<number>().as('count')])
    .where('dueAt', '>=', 0)
    .groupBy(['operation', 'state'])
    .execute();
  return rows.map(row => ({ ...row, count: Number(row.count) }));
}
