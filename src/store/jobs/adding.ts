import { type Kysely, type RawBuilder, sql } from 'kysely';
import { namesIn } from '../columns.ts';
import { compiledOnce, insertCompiled } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { noteRows } from '../history/recentRows.ts';
import { unlessThere } from '../statementParts.ts';
import { type Actor, entryRow, entryValues, type NewEntry, withEntry } from '../tables/audit/audit.ts';
import type { Entry } from '../tables/audit/auditSearch.ts';
import { endedSince, vain } from './requests.ts';
import { columnsOf, newRow } from './rows/encode.ts';
import type { Approval, NewJob } from './rows/job.ts';
import { type JobRow, jobsTable } from './rows/jobRow.ts';
import { noteJob } from './telling.ts';

/** Adds a job; changes no row where its request is known already. */
const insertJob = insertCompiled((store, row: JobRow) => store.insertInto('jobs').values(row).onConflict(unlessThere));

/** What nobody else may be asking for on the environment of a request; `since` is the time of the ends that count. */
export type MustBeFree = Readonly<{ port: number | null; name: string | null; since: number }>;

type RowsToAdd = Readonly<{ job: JobRow; entry: Schema['audit']; since: number }>;

/**
 * Adds a job with its entry in the trail: both or neither. It is one statement, since people wait for it. Gives `false`
 * where the request is known already, or something is not free; nothing is written then.
 */
export async function insertAsked(store: Store, row: JobRow, by: Entry, free?: MustBeFree): Promise<boolean> {
  const { port = null, name = null, since = 0 } = free ?? {};
  const asked = { job: { ...row, freePort: port, freeName: name }, entry: entryRow(by), since };
  const { numAffectedRows } = await (free ? insertIfFree : insertBoth)(store, asked);
  return numAffectedRows !== 0n;
}

const jobColumns = namesIn(jobsTable);

function valuesOf({ job }: RowsToAdd): readonly unknown[] {
  return jobColumns.map(column => job[column]);
}

/**
 * Whether no other job takes what must be free. A port or a name that may be taken is `null`. Two processes that ask at
 * the same moment do not see each other's rows: for those there are unique indexes.
 */
function isFree(store: Kysely<Schema>, { job, since }: RowsToAdd) {
  const { team, takesOn, freePort, freeName } = job;
  const there = store.selectFrom('jobs').select('id').where('takesOn', '=', takesOn);
  const open = there.where('team', '=', team).where('endedAt', 'is', null);
  const ended = there
    .where(endedSince(team, since))
    .where(({ eb, or }) => or([eb('takesPort', '=', freePort), eb('takesName', '=', freeName)]));
  return sql`not exists ${open.where('takesPort', '=', freePort)}
    and not exists ${open.where('takesName', '=', freeName)} and not exists ${ended}`;
}

/** The parameters of {@link isFree}, in their order. */
function asksOf({ job: { team, takesOn, freePort, freeName }, since }: RowsToAdd): readonly unknown[] {
  const there = [takesOn, team];
  return [...there, freePort, ...there, freeName, takesOn, since, team, ...vain, freePort, freeName];
}

function insertAskedWhere(
  isTrue: (store: Kysely<Schema>, asked: RowsToAdd) => RawBuilder<unknown>,
  parametersOf: (asked: RowsToAdd) => readonly unknown[],
) {
  return compiledOnce(
    (store, asked: RowsToAdd) => {
      const insert = store
        .insertInto('jobs')
        .columns(jobColumns)
        .expression(sql`select ${sql.join(valuesOf(asked))} where ${isTrue(store, asked)}`)
        .onConflict(unlessThere);
      return withEntry(store, insert, asked.entry);
    },
    asked => [...valuesOf(asked), ...parametersOf(asked), ...entryValues(asked.entry)],
  );
}

const insertIfFree = insertAskedWhere(isFree, asksOf);
/** Asks nothing of the other jobs, of which the history may have a million. */
const insertBoth = insertAskedWhere(
  () => sql`true`,
  () => [],
);

/** The approval with which a job is born: of the policy’s own word, rather than of people. */
export type ApprovedBefore = Pick<Approval, 'terms' | 'facts' | 'digest' | 'expiresAt'> & Readonly<{ login: string }>;

/** Adds the row of a job in a transaction, and notes it; `false` where its request is known. */
export async function insertNoted(changes: Store, row: JobRow, now: number): Promise<boolean> {
  const { numAffectedRows } = await insertJob(changes, row);
  if (numAffectedRows === 0n) return false;
  noteJob(changes, row, now);
  noteRows(changes, { table: 'jobs', row });
  return true;
}

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
  if (!(await insertNoted(changes, row, job.createdAt))) return;
  const { id, team, person, operation, target, targetName, channel, purpose, createdAt } = job;
  const about = { job: id, team, person, operation, target, targetName, channel, login: approved?.login ?? null };
  await note({ ...about, at: createdAt, actor: 'dolly', event: 'asked', detail: purpose, ...by });
}
