import type { Kysely } from 'kysely';
import { compiledOnce, insertCompiled, valuesOf } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { type Actor, entryRow, entryValues, type NewEntry, withEntry } from '../tables/audit/audit.ts';
import type { Entry } from '../tables/audit/auditSearch.ts';
import { columnsOf, newRow } from './rows/encode.ts';
import type { Approval, NewJob } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

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

/** The approval with which a job is born: of the policy’s own word, rather than of people. */
export type ApprovedBefore = Pick<Approval, 'terms' | 'facts' | 'digest' | 'expiresAt'> & Readonly<{ login: string }>;

/**
 * Adds a job in a transaction of its cause, with its entry in the trail, which names `by`, or else the bot; does nothing
 * where its request is known. With `approved` it is born approved.
 */
export async function addJob(
  changes: Store,
  note: (entry: NewEntry) => Promise<unknown>,
  job: NewJob,
  { approved, by }: Readonly<{ approved?: ApprovedBefore | undefined; by?: Actor | undefined }>,
): Promise<void> {
  const row = { ...newRow(job), ...(approved ? { ...columnsOf(approved), state: 'approved' } : {}) };
  const { numAffectedRows } = await insertJob(changes, row);
  if (numAffectedRows === 0n) return;
  const { id, team, person, operation, target, targetName, channel, purpose, createdAt } = job;
  const about = { job: id, team, person, operation, target, targetName, channel, login: approved?.login ?? null };
  await note({ ...about, at: createdAt, actor: 'dolly', event: 'asked', detail: purpose, ...by });
}
