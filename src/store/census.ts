import { randomUUID } from 'node:crypto';
import type { Store } from './database.ts';

/** As large as a job's row may be, so that what has room for this has room for a job. In characters. */
const probeSize = 8_000;

/** Resolves where the store takes a row, which nobody sees: a full disk can still be read. */
export async function answers(store: Store): Promise<void> {
  const id = `probe-${randomUUID()}`;
  const owner = { team: '', person: '', channel: '', action: '' };
  const row = { id, ...owner, value: 'x'.repeat(probeSize), createdAt: 0, dueAt: 0, leaseUntil: 0, tries: 0 };
  await store.transaction().execute(async changes => {
    await changes.insertInto('uses').values(row).execute();
    await changes.deleteFrom('uses').where('id', '=', id).execute();
  });
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
