import type { Kysely } from 'kysely';
import { compiledOnce, insertCompiled, valuesOf } from '../compiled.ts';
import type { JobRow, Schema, Store } from '../database.ts';
import { entryRow, entryValues, withEntry } from '../tables/audit.ts';
import type { Entry } from '../tables/auditSearch.ts';

const insertOf = (store: Kysely<Schema>, row: JobRow) =>
  store
    .insertInto('jobs')
    .values(row)
    .onConflict(conflict => conflict.doNothing());

/** Adds a job; changes no row where its request is known already. */
export const insertJob = insertCompiled((store, row: JobRow) => insertOf(store, row).compile());

/**
 * Adds a job with its entry in the trail: both or neither. It is one statement, since people wait for it. Gives `false`
 * where the request is known already; nothing is written then.
 */
export async function insertAsked(store: Store, job: JobRow, entry: Entry): Promise<boolean> {
  const { numAffectedRows } = await insertBoth(store, { job, entry: entryRow(entry) });
  return numAffectedRows !== 0n;
}

const insertBoth = compiledOnce(
  (store, { job, entry }: Readonly<{ job: JobRow; entry: Schema['audit'] }>) =>
    withEntry(store, insertOf(store, job), entry),
  ({ job, entry }, first) => [...valuesOf(job, first.job), ...entryValues(entry)],
);
