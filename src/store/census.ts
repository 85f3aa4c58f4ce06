import { randomUUID } from 'node:crypto';
import type { Store } from './database.ts';
import { asking } from './tables/stateAnswers.ts';

/** Size of the probe row in characters, as large as a job's row may be: a store with room for it has room for a job. */
const probeSize = 8_000;

/**
 * Resolves where the store takes a write: a full disk can still be read. Writes a row and deletes it in one
 * transaction, so that nobody sees it.
 */
export async function answers(store: Store): Promise<void> {
  const id = `probe-${randomUUID()}`;
  const owner = { team: '', person: '', channel: '', action: '' };
  const row = { id, ...owner, value: 'x'.repeat(probeSize), createdAt: 0 };
  await store.transaction().execute(async changes => {
    await changes.insertInto('inbox').values(row).execute();
    await changes.deleteFrom('inbox').where('id', '=', id).execute();
  });
}

/** Counts the jobs that have not ended, by operation and state: also those whose next look stands in a table of its own. */
export async function countOpen(store: Store): Promise<{ operation: string; state: string; count: number }[]> {
  return store
    .selectFrom('jobs')
    .select(({ fn }) => ['operation', 'state', fn.countAll<number>().as('count')])
    .where('endedAt', 'is', null)
    .groupBy(['operation', 'state'])
    .execute();
}

/** Counts the state words about which a job under way asks people, by kind of record. */
export async function countDoubts(store: Store): Promise<{ kind: string; count: number }[]> {
  return store
    .selectFrom('stateAnswers')
    .innerJoin('jobs', 'jobs.id', 'stateAnswers.job')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('jobs.endedAt', 'is', null)
    .where('says', '=', asking)
    .groupBy('kind')
    .execute();
}
