import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Store, StoreFault } from './database.ts';
import { isShared } from './lock.ts';

/** The tables of 0.2.0. They stay as they are: a later release changes them by a migration of its own. */
const tables = {
  jobs: `
    id text primary key, request_key text not null unique, team text not null, person text not null,
    operation text not null, inputs text not null, labels text not null, target text not null, target_name text,
    state text not null, reason text, hold text, in_doubt integer default 0 not null,
    baseline text, evidence text, claimed text,
    created_at bigint not null, sent_at bigint, ended_at bigint, deadline_at bigint,
    due_at bigint, looks integer default 0 not null, locked_until bigint default 0 not null, fence integer default 0 not null,
    channel text not null, thread text, place text, message_ts text, reply_ts text,
    revision integer default 1 not null, shown integer default 0 not null,
    tell_at bigint, tell_tries integer default 0 not null, tell_locked_until bigint default 0 not null, tell_holder text,
    posting text, posts text default '[]' not null,
    purpose text, login text, terms text, facts text, digest text, decisions text default '[]' not null,
    expires_at bigint, reminders integer default 0 not null, card_place text, card_ts text, emergency text,
    steps text, plan text, step integer, impact text, schedule text, rhythm text, zone text, runs_as text, tells text, execution text`,
  looks: `
    job text primary key, team text not null, person text not null,
    due_at bigint not null, free_at bigint not null, looks integer not null, fence integer not null`,
  claims: 'record text primary key, job text not null',
  audit: `
    id text primary key, at bigint not null, team text not null, actor text not null, person text, login text,
    event text not null, operation text, target text, target_name text, job text, channel text, detail text,
    text text not null`,
  // SQLite keeps bytes in a column of any type.
  audit_blocks: `
    last text primary key, lower text not null unique, oldest bigint, newest bigint,
    late integer default 0 not null, grams bytea`,
  credentials: `
    team text not null, person text not null, username text not null, token text not null, created_at bigint not null,
    constraint credentials_person primary key (team, person)`,
  links: `
    id text primary key, team text not null, person text not null, channel text not null, thread text, intent text,
    expires_at bigint not null, tries integer default 0 not null`,
  tries: `
    id text not null, about text not null, tried_at bigint not null,
    constraint tries_one primary key (about, id)`,
  homes: `
    team text not null, person text not null, opened_at bigint not null, pages text not null, steps text not null,
    asked integer not null, seen text not null, digest text not null,
    next_at bigint not null, locked_until bigint not null, fence integer not null, tries integer not null,
    constraint homes_person primary key (team, person)`,
  inbox: `
    id text primary key, team text not null, person text not null, channel text not null, thread text,
    action text not null, value text not null, created_at bigint not null`,
  heard: 'id text primary key, team text not null, kind text not null, heard_at bigint not null',
  words: `
    service text not null, team text not null, kind text not null, word text not null,
    stood integer not null, rested integer not null, passed integer not null, seen_at bigint not null,
    constraint words_one primary key (service, team, kind, word)`,
  state_answers: `
    service text not null, team text not null, kind text not null, word text not null, person text not null,
    login text not null, job text not null, record text not null, says text not null, approves integer not null,
    at bigint not null,
    constraint state_answers_one primary key (service, team, kind, word, person, job)`,
  required_fields: `
    service text not null, operation text not null, vendor text not null, field text not null, seen_at bigint not null,
    constraint required_fields_one primary key (service, operation, vendor, field)`,
  older_workspaces: 'team text primary key, kinds text not null',
  // Of two people who save the same name at the same moment, one gets it.
  presets: `
    id text primary key, team text not null, scope text not null, holder text not null, operation text not null,
    likeness text not null, name text not null, person text not null, inputs text not null, labels text not null,
    revision integer default 1 not null, created_at bigint not null, used_at bigint not null,
    constraint presets_name unique (team, scope, holder, operation, likeness)`,
  due: `
    kind text not null, id text not null, team text not null, due_at bigint, set_at bigint not null,
    locked_until bigint not null, fence integer not null, tries integer not null,
    constraint due_one primary key (kind, id)`,
  things: `
    kind text not null, id text not null, team text not null, person text not null, channel text, subject text,
    state text not null, revision integer not null, planned_at bigint, waits_for text,
    created_at bigint not null, ended_at bigint, body text not null,
    constraint things_one primary key (kind, id)`,
  outbox: `
    id text primary key, subject text not null, team text not null, kind text not null, data text not null, outcome text,
    person text, channel text, job text, thread text, created_at bigint not null,
    revision integer not null, shown integer not null, place text, ts text, arrived_at bigint, posting text,
    is_news integer not null`,
  watchers: `
    id text primary key, team text not null, person text not null, login text, turn integer not null,
    looked_at bigint`,
  sights: `
    watcher text not null, record text not null, name text, made_at bigint, since bigint not null, gone_at bigint,
    backed_at bigint, troubles text not null, news integer,
    constraint sights_one primary key (watcher, record)`,
  installations: `
    team text primary key, name text, app text, bot text not null, bot_user text not null, person text not null,
    token text, expires_at bigint, created_at bigint not null, ended_at bigint, locked_until bigint default 0 not null`,
  used_states: 'id text primary key, expires_at bigint not null',
} as const satisfies Record<string, string>;

/** The indexes of 0.2.0. */
const indexes = [
  'jobs_due on jobs (due_at)',
  'jobs_tell on jobs (tell_at)',
  'jobs_person on jobs (team, person, created_at)',
  'jobs_claimed on jobs (claimed)',
  'jobs_state on jobs (team, state)',
  'jobs_target on jobs (team, target, state)',
  // Jobs that overlap on the same record are searched for in all teams.
  'jobs_overlap on jobs (target, state)',
  // A person's jobs are looked at together. The index finds them quickly, however many others have ended.
  'jobs_looks on jobs (team, person, due_at)',
  // This index alone tells whether anything changed for a person: rows of jobs may be large.
  'jobs_open on jobs (team, person, revision, created_at, ended_at) where ended_at is null',
  'jobs_ended on jobs (team, person, ended_at, state) where ended_at is not null',
  'jobs_old on jobs (ended_at) where ended_at is not null',
  "jobs_again on jobs (sent_at, ended_at) where state in ('finished', 'unconfirmed')",
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
  'things_person on things (kind, team, person)',
  'things_channel on things (kind, team, channel) where channel is not null',
  'things_subject on things (kind, subject) where subject is not null',
  'things_ended on things (kind, ended_at) where ended_at is not null',
  'things_waiting on things (waits_for) where waits_for is not null',
  'outbox_subject on outbox (subject)',
  'sights_news on sights (watcher, news)',
] as const;

/** The name of the first schema. Every store of Dolly that this release knows has it. */
const first = '0.2.0-first';

/**
 * The changes of the schema, in the order of their names: each begins with the release that made it. A change that was
 * released stays as it is, and a test brings the store of every release to the present schema (test/store/releases.test.ts).
 */
const migrations: Record<string, Migration> = {
  [first]: {
    async up(store: Kysely<unknown>) {
      const statements = [
        ...Object.entries(tables).map(([name, columns]) => `create table ${name} (${columns})`),
        ...indexes.map(index => `create index ${index}`),
        ...lateEntries(store),
      ];
      for (const statement of statements) await sql.raw(statement).execute(store);
    },
  },
};

/**
 * Makes the statements for a trigger that empties a block of the trail's index when an entry is added inside of it,
 * whichever process adds it. In PostgreSQL the block may be cut while the trigger waits for its row; then it is looked
 * for again.
 */
function lateEntries(store: Kysely<unknown>): readonly string[] {
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
 * Refuses a store that another schema was made for. It only reads.
 * @throws {StoreFault} for a store of a newer release, and for one from before 0.2.0: the first release keeps nothing of
 *   what was tried before it
 */
export async function refuseOthers(store: Store, name: string, key: StoreKey): Promise<void> {
  const present = await tablesIn(store);
  const isKept = present.includes('kysely_migration');
  const { rows } = isKept
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(store)
    : { rows: [] };
  const made = rows.map(row => row.name);
  // A start that broke off may have left Kysely's own tables alone.
  if (made.length > 0 ? !made.includes(first) : present.some(table => Object.hasOwn(tables, table)))
    throw new StoreFault(
      `This store was written before 0.2.0, so this Dolly leaves it as it is: the store ${name}. Name another ${key}, or keep the older Dolly.`,
    );
  if (made.some(one => !Object.hasOwn(migrations, one)))
    throw new StoreFault(
      `The store ${name} was written by a newer release of Dolly. Start that release, or name another ${key}.`,
    );
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
 * Brings a store to this release's schema. If several processes do so at once, one does it and the others wait.
 * @throws {StoreFault} where that fails, and for a store of {@link refuseOthers}; its sentence names the store and the
 *   setting (`key`) that chooses it
 */
export async function migrate(store: Store, name: string, key: StoreKey): Promise<void> {
  await refuseOthers(store, name, key);
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error)
    throw new StoreFault(
      `The store ${name} cannot be brought to this release's schema. Restore it from a backup, or name another ${key}.`,
      { cause: error },
    );
}
