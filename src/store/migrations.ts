import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { StoreTrouble } from '../ground/failure.ts';
import { initially, inSql, int, table, tableStatement } from './columns.ts';
import { type Store, StoreFault, tables } from './database.ts';
import { ownWords } from './drivers/trouble.ts';
import { roomSql } from './jobs/queue/busy.ts';
import { rankSql, sinceSql } from './jobs/queue/importance.ts';
import { lateSql } from './jobs/recordClaims.ts';
import { isShared } from './lock.ts';

/** The indexes of 0.2.0. */
const indexes = [
  'jobs_due on jobs (due_at)',
  'jobs_tell on jobs (tell_at)',
  // In the order in which they are told.
  `jobs_untold on jobs (${rankSql}, ${sinceSql}) where tell_at is not null`,
  `jobs_rooms on jobs (${roomSql}, ${rankSql}, ${sinceSql}) where tell_at is not null`,
  'jobs_person on jobs (team, person, created_at)',
  'jobs_claimed on jobs (claimed) where claimed is not null',
  'jobs_state on jobs (team, state)',
  'jobs_target on jobs (team, target, state)',
  // Jobs that overlap on the same record are searched for in all teams, and those that may take effect late on all records.
  'jobs_overlap on jobs (target, ended_at)',
  `jobs_late on jobs (${lateSql}, target) where state = 'unconfirmed' and claimed is null`,
  // A person's jobs are looked at together. The index finds them quickly, however many others have ended.
  'jobs_looks on jobs (team, person, due_at)',
  // What is being made on an environment. The jobs that have ended are not in these.
  'jobs_taking on jobs (team, takes_on, takes_port, takes_name, takes_path, ended_at) where ended_at is null and takes_on is not null',
  'jobs_taking_name on jobs (team, takes_on, takes_name) where ended_at is null and takes_name is not null',
  // This index alone tells whether anything changed for a person: rows of jobs may be large.
  'jobs_open on jobs (team, person, revision, created_at, ended_at) where ended_at is null',
  // It alone counts a person's history.
  'jobs_ended on jobs (team, person, ended_at, state, plan) where ended_at is not null',
  'jobs_made on jobs (team, person, claimed) where claimed is not null',
  'jobs_old on jobs (ended_at) where ended_at is not null',
  // The jobs whose new record may still appear, whoever asked.
  'jobs_unclaimed on jobs (operation, takes_on) where ended_at is null and claimed is null and sent_at is not null',
  "jobs_again on jobs (sent_at, ended_at) where state in ('finished', 'unconfirmed')",
  // What is under way at the service, whose pace it counts for.
  "jobs_sent on jobs (sent_at) where state in ('sending', 'running') and ended_at is null",
  "jobs_account on jobs (team) where hold = 'sign-in' and runs_as = 'service'",
  'jobs_plan on jobs (plan, step) where plan is not null',
  'jobs_schedule on jobs (schedule, created_at) where schedule is not null',
  "jobs_timed on jobs (team, ended_at, id) where state = 'succeeded'",
  'looks_free on looks (free_at)',
  'looks_person on looks (team, person)',
  'claims_job on claims (job)',
  'audit_team on audit (team, id)',
  'audit_at on audit (at)',
  "audit_runs on audit (team, at) where event in ('run missed', 'run skipped', 'run waits')",
  'audit_blocks_bare on audit_blocks (last) where grams is null',
  'homes_opened on homes (opened_at)',
  'heard_time on heard (heard_at)',
  'presets_person on presets (team, person)',
  'due_next on due (kind, due_at)',
  'things_state on things (kind, state, team)',
  'things_person on things (kind, team, person, state)',
  'things_channel on things (kind, team, channel, state) where channel is not null',
  'things_subject on things (kind, subject, state) where subject is not null',
  'things_ended on things (kind, ended_at) where ended_at is not null',
  'things_waiting on things (waits_for) where waits_for is not null',
  'outbox_subject on outbox (subject, created_at)',
  'outbox_open on outbox (subject) where outcome is null and is_news = 0',
  'sights_news on sights (watcher, news)',
] as const;

/** Those of what one row alone may have. */
const uniqueIndexes = [
  'jobs_free_port on jobs (team, takes_on, free_port) where free_port is not null',
  'jobs_free_name on jobs (team, takes_on, free_name) where free_name is not null',
] as const;

/**
 * The name of the first schema. Every store of Dolly that this release knows has it. It is made of the definitions of all
 * tables as long as none has changed since: a test holds them against the store of 0.2.0.
 */
const first = '0.2.0-first';

/**
 * The changes of the schema, in the order of their names: each begins with the release that made it. A change that was
 * released stays as it is, and a test brings the store of every release to the present schema (test/store/releases.test.ts).
 */
const migrations: Readonly<Record<string, (store: Store) => readonly string[]>> = {
  [first]: store => [
    ...Object.entries(tables).map(([name, table]) => tableStatement(name, table)),
    ...indexes.map(index => `create index ${index}`),
    ...uniqueIndexes.map(index => `create unique index ${index}`),
    ...lateEntries(store),
  ],
};

const short = { type: 'varchar(255) not null', initial: undefined } as const;
const shortKey = { ...short, type: `${short.type} primary key` } as const;

/**
 * Which changes were made, as Kysely's migrator keeps it, by which releases before this one look. We do without that one: it makes
 * these tables before it has a lock, and its lock is one of a session, whose end a pooler may hand to another server.
 */
const notes = {
  kyselyMigration: table({ name: shortKey, timestamp: short }),
  kyselyMigrationLock: table({ id: shortKey, isLocked: initially(int, 0) }),
} as const;

/**
 * Makes the statements for a trigger that empties a block of the trail's index when an entry is added inside of it,
 * whichever process adds it. In PostgreSQL the block may be cut while the trigger waits for its row; then it is looked
 * for again.
 */
function lateEntries(store: Store): readonly string[] {
  const isLate = 'new.id <= (select max(last) from audit_blocks)';
  const empty = `update audit_blocks set grams = null, late = late + 1
    where last = (select min(last) from audit_blocks where last >= new.id) and lower < new.id;`;
  if (!isShared(store)) return [`create trigger audit_late after insert on audit when ${isLate} begin ${empty} end`];
  return [
    // A filter of some kilobytes is read most quickly in its row.
    'alter table audit_blocks alter column grams set storage main',
    `create function audit_late() returns trigger language plpgsql as $$
      begin
        for tries in 1..9 loop
          exit when (${isLate}) is not true;
          ${empty}
          exit when found;
        end loop;
        return null;
      end $$`,
    'create trigger audit_late after insert on audit for each row execute function audit_late()',
  ];
}

/** The setting that chooses a store. */
type StoreKey = 'DATA_DIR' | 'DATABASE_URL';

/**
 * Refuses a store that another schema was made for, and gives what it lacks of the changes of this release. It only reads.
 * @throws {StoreFault} for a store of a newer release, and for one from before 0.2.0: the first release keeps nothing of
 *   what was tried before it
 */
export async function refuseOthers(store: Store, name: string, key: StoreKey): Promise<readonly string[]> {
  const present = await tablesIn(store);
  const isKept = present.includes('kysely_migration');
  const { rows } = isKept
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(store)
    : { rows: [] };
  const made = rows.map(row => row.name);
  // A start that broke off may have left Kysely's own tables alone.
  if (made.length > 0 ? !made.includes(first) : Object.keys(tables).some(name => present.includes(inSql(name))))
    throw new StoreFault(
      `This store was written before 0.2.0, so this Dolly leaves it as it is: the store ${name}. Name another ${key}, or keep the older Dolly.`,
    );
  if (made.some(one => !Object.hasOwn(migrations, one)))
    throw new StoreFault(
      `The store ${name} was written by a newer release of Dolly. Start that release, or name another ${key}.`,
    );
  return Object.keys(migrations)
    .filter(one => !made.includes(one))
    .toSorted();
}

async function tablesIn(store: Store): Promise<readonly string[]> {
  const { rows } = await (isShared(store)
    ? sql<{
        name: string;
      }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(store);
  return rows.map(({ name }) => name);
}

/**
 * Brings a store to this release's schema. If several processes do so at once, one does it and the others wait for as long as
 * it takes; these call `waits`.
 * @throws {StoreFault} for a store of {@link refuseOthers}, and where that fails through no trouble of the store's; its
 *   sentence names the store and the setting (`key`) that chooses it
 */
export async function migrate(store: Store, name: string, key: StoreKey, waits = () => {}): Promise<void> {
  if ((await refuseOthers(store, name, key)).length === 0) return;
  const run = async (changes: Store) => {
    const lacking = await refuseOthers(changes, name, key);
    const present = await tablesIn(changes);
    const absent = Object.entries(notes).filter(([note]) => !present.includes(inSql(note)));
    for (const [note, columns] of absent) await sql.raw(tableStatement(note, columns)).execute(changes);
    for (const one of lacking) {
      for (const text of migrations[one]?.(changes) ?? []) await sql.raw(text).execute(changes);
      const at = new Date().toISOString();
      await sql`insert into kysely_migration (name, timestamp) values (${one}, ${at})`.execute(changes);
    }
  };
  try {
    if (!isShared(store)) return await run(store);
    // What the process before this one has made is seen, whatever level the role has.
    const isDone = () =>
      store
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async changes => (await takeTurn(changes)) && run(changes).then(() => true));
    if (await isDone()) return;
    waits();
    while (!(await isDone())) await sleep(pause);
  } catch (cause) {
    if (cause instanceof StoreFault || cause instanceof StoreTrouble) throw cause;
    throw new StoreFault(
      `The store ${name} cannot be brought to this release's schema (${ownWords(cause)}). Restore it from a backup, or name another ${key}.`,
      { cause },
    );
  }
}

/** The lock of the migrations, which ends with their transaction. */
const turn = sql.lit(7_355_608);

/** The pause between two looks whether it is one's turn, in milliseconds. */
const pause = 250;

/**
 * Whether no other process brings this store to a new schema. It is one's turn until the transaction ends, which has no limit
 * of time. Whoever has to wait ends it, and keeps no connection meanwhile: a pooler may have few of them.
 */
async function takeTurn(changes: Store): Promise<boolean> {
  await sql`select set_config(name, '0', true) from pg_settings where name in
    ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`.execute(
    changes,
  );
  const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${turn}) as is_ours`.execute(
    changes,
  );
  return rows[0]?.isOurs === true;
}
