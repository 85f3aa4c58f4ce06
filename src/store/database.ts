import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, type KyselyConfig, SqliteDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/*
 * Columns are text and integers only, times milliseconds since the epoch (UTC), structures JSON as text, flags 0 or 1:
 * nothing here depends on which database keeps it.
 */

export type JobRow = {
  id: string;
  /** Made anew with each form: a form that is submitted twice is one job. */
  requestKey: string;
  team: string;
  person: string;
  operation: string;
  /** JSON: the checked values by field name. */
  inputs: string;
  /** JSON: what the identifiers among the values were called when they were chosen. */
  labels: string;
  target: string;
  /** What people call the target; may be improved once the records were read. */
  targetName: string | null;
  state: string;
  /** One sentence on why the job is as it is. */
  reason: string | null;
  /** Why nothing is done about the job at the moment: `sign-in` or `busy`. */
  hold: string | null;
  /** 1 while nobody knows whether the service accepted the call. */
  inDoubt: number;
  /** JSON: what the records showed before the call. */
  baseline: string | null;
  /** JSON: what the records showed last. */
  evidence: string | null;
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: string | null;
  createdAt: number;
  sentAt: number | null;
  endedAt: number | null;
  /** When the job wants the next step. */
  dueAt: number | null;
  deadlineAt: number | null;
  looks: number;
  leaseUntil: number;
  /** Where the person asked. */
  channel: string;
  /** Where the message stands: that channel, or a direct message. */
  place: string | null;
  messageTs: string | null;
  replyTs: string | null;
  /** Counts what changed for a reader; `shown` is the last that Slack took. */
  revision: number;
  shown: number;
  tellAt: number | null;
  tellTries: number;
  tellLeaseUntil: number;
  /** JSON: the post under way, whose answer may be lost. */
  posting: string | null;
  /** Why the person asks for it, in their words, for those who decide. */
  purpose: string | null;
  /** The user of the service that it was asked as, and runs as. */
  login: string | null;
  /** JSON: what the policy asked for when it began to wait for approval; `null` where it did not. */
  terms: string | null;
  /** JSON: what an approver sees of the target; and a digest over that and over what is asked. */
  facts: string | null;
  digest: string | null;
  /** JSON: who decided what, in order. */
  decisions: string;
  /** When nobody can approve it any more, or an approval is too old to act on. */
  expiresAt: number | null;
  /** How often the approvers were to be reminded. */
  reminders: number;
  /** The channel of the approval's own card; `null` where the job's message has the buttons. */
  cardPlace: string | null;
  /** Why it ran without approval, in the words of the person who broke the glass. */
  emergency: string | null;
  /** JSON: where the messages stand that are neither the job's own nor the reply at its end, by part. */
  posts: string;
};

/** One line of the trail of who did what (audit.ts). */
export type AuditRow = {
  /** Sorts by time. */
  id: string;
  at: number;
  team: string;
  /** The Slack user who did it, or `dolly`. */
  actor: string;
  /** The Slack user whose job or sign-in it is about. */
  person: string | null;
  /** The user of the service that the actor is signed in as. */
  login: string | null;
  event: string;
  operation: string | null;
  target: string | null;
  targetName: string | null;
  job: string | null;
  channel: string | null;
  /** What was answered, or why. */
  detail: string | null;
};

export type CredentialRow = {
  team: string;
  person: string;
  username: string;
  token: string;
  createdAt: number;
};

export type LinkRow = {
  /** SHA-256 of the link's secret. */
  id: string;
  team: string;
  person: string;
  channel: string;
  /** The command to go on with after the sign-in. */
  intent: string | null;
  expiresAt: number;
  tries: number;
};

/** The App Home of a person who has opened it (homes.ts). */
export type HomeRow = {
  team: string;
  person: string;
  /** When it was opened last, or a page of it was turned. */
  openedAt: number;
  /** JSON: the page at which each of its lists stands. */
  pages: string;
  /** Counts how often it was asked for, by whatever stands in no other table. */
  asked: number;
  /** What it was made from when it was published last, and a digest of it; empty where it must be published anyway. */
  seen: string;
  digest: string;
  /** It is not published before. */
  nextAt: number;
  leaseUntil: number;
  tries: number;
};

export type TryRow = {
  /** One try has two rows: one about the person, one about the user name. */
  id: string;
  /** SHA-256 of whom the row is about. */
  about: string;
  triedAt: number;
};

/** Which job a new record is the proof of. */
export type ClaimRow = { record: string; job: string };

export type Schema = {
  jobs: JobRow;
  claims: ClaimRow;
  /** `text` holds all its words in lower case, to be looked through. */
  audit: AuditRow & { text: string };
  credentials: CredentialRow;
  links: LinkRow;
  homes: HomeRow;
  tries: TryRow;
};

export type Store = Kysely<Schema>;

/** Raised when the store cannot be opened; its message says what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

const migrations: Record<string, Migration> = {
  '2026-11-21-first': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('jobs')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('request_key', 'text', column => column.notNull().unique())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('operation', 'text', column => column.notNull())
        .addColumn('inputs', 'text', column => column.notNull())
        .addColumn('labels', 'text', column => column.notNull())
        .addColumn('target', 'text', column => column.notNull())
        .addColumn('target_name', 'text')
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('hold', 'text')
        .addColumn('in_doubt', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('baseline', 'text')
        .addColumn('evidence', 'text')
        .addColumn('claimed', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('sent_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('due_at', 'bigint')
        .addColumn('deadline_at', 'bigint')
        .addColumn('looks', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('lease_until', 'bigint', column => column.notNull().defaultTo(0))
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('place', 'text')
        .addColumn('message_ts', 'text')
        .addColumn('reply_ts', 'text')
        .addColumn('revision', 'integer', column => column.notNull().defaultTo(1))
        .addColumn('shown', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('tell_at', 'bigint')
        .addColumn('tell_tries', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('tell_lease_until', 'bigint', column => column.notNull().defaultTo(0))
        .addColumn('posting', 'text')
        .execute();
      await store.schema.createIndex('jobs_due').on('jobs').column('due_at').execute();
      await store.schema.createIndex('jobs_tell').on('jobs').column('tell_at').execute();
      await store.schema.createIndex('jobs_person').on('jobs').columns(['team', 'person', 'created_at']).execute();
      await store.schema.createIndex('jobs_claimed').on('jobs').column('claimed').execute();
      await store.schema
        .createTable('credentials')
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('username', 'text', column => column.notNull())
        .addColumn('token', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('credentials_person', ['team', 'person'])
        .execute();
      await store.schema
        .createTable('links')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('intent', 'text')
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '2026-11-21-power': {
    async up(store: Kysely<unknown>) {
      const jobs = () => store.schema.alterTable('jobs');
      for (const name of ['purpose', 'login', 'terms', 'facts', 'digest', 'card_place', 'emergency'])
        await jobs().addColumn(name, 'text').execute();
      await jobs().addColumn('expires_at', 'bigint').execute();
      await jobs()
        .addColumn('reminders', 'integer', column => column.notNull().defaultTo(0))
        .execute();
      await jobs()
        .addColumn('decisions', 'text', column => column.notNull().defaultTo('[]'))
        .execute();
      await jobs()
        .addColumn('posts', 'text', column => column.notNull().defaultTo('{}'))
        .execute();
      await store.schema.createIndex('jobs_state').on('jobs').columns(['team', 'state']).execute();
      await store.schema.createIndex('jobs_target').on('jobs').columns(['team', 'target', 'state']).execute();
      await store.schema
        .createTable('audit')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('actor', 'text', column => column.notNull())
        .addColumn('person', 'text')
        .addColumn('login', 'text')
        .addColumn('event', 'text', column => column.notNull())
        .addColumn('operation', 'text')
        .addColumn('target', 'text')
        .addColumn('target_name', 'text')
        .addColumn('job', 'text')
        .addColumn('channel', 'text')
        .addColumn('detail', 'text')
        .addColumn('text', 'text', column => column.notNull())
        .execute();
      await store.schema.createIndex('audit_team').on('audit').columns(['team', 'id']).execute();
      await store.schema.createIndex('audit_at').on('audit').column('at').execute();
    },
  },
  '2026-11-21-tries': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('tries')
        .addColumn('id', 'text', column => column.notNull())
        .addColumn('about', 'text', column => column.notNull())
        .addColumn('tried_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('tries_one', ['about', 'id'])
        .execute();
    },
  },
  '2026-11-22-claims': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('claims')
        .addColumn('record', 'text', column => column.primaryKey())
        .addColumn('job', 'text', column => column.notNull())
        .execute();
      const before = sql`select claimed, max(id) from jobs where claimed is not null group by claimed`;
      await sql`insert into claims (record, job) ${before}`.execute(store);
    },
  },
  '2026-11-22-homes': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('homes')
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('opened_at', 'bigint', column => column.notNull())
        .addColumn('pages', 'text', column => column.notNull())
        .addColumn('asked', 'integer', column => column.notNull())
        .addColumn('seen', 'text', column => column.notNull())
        .addColumn('digest', 'text', column => column.notNull())
        .addColumn('next_at', 'bigint', column => column.notNull())
        .addColumn('lease_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .addPrimaryKeyConstraint('homes_person', ['team', 'person'])
        .execute();
      await store.schema.createIndex('homes_opened').on('homes').column('opened_at').execute();
      // Whether anything changed for a person is read out of the index alone: rows of jobs may be large.
      await store.schema.createIndex('jobs_revision').on('jobs').columns(['team', 'person', 'revision']).execute();
    },
  },
  '2026-11-22-looks': {
    async up(store: Kysely<unknown>) {
      // A person's jobs are looked at together, however many of theirs have ended.
      await store.schema.createIndex('jobs_looks').on('jobs').columns(['team', 'person', 'due_at']).execute();
    },
  },
};

/**
 * Opens the embedded store in `dataDir` (made for its owner only), brings it to this release's schema, and holds it
 * for this process alone. `ran` is told of each statement.
 * @throws {StoreFault} where the folder cannot be written, the file is no database, another Dolly holds it, or a newer
 *   release wrote it.
 */
export async function openStore(dataDir: string, ran?: Ran): Promise<Store> {
  const file = join(dataDir, 'dolly.sqlite');
  const sqlite = openFile(dataDir, file);
  const store = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: preparedOnce(sqlite) }),
    plugins: [new CamelCasePlugin()],
    ...logged(ran),
  });
  try {
    await migrate(store, file, 'DATA_DIR');
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}

/** Is told the first word of a statement, and how many milliseconds it took. */
export type Ran = (statement: string, milliseconds: number) => void;

/** What tells `ran`, as an option of Kysely. */
export function logged(ran: Ran | undefined): Pick<KyselyConfig, 'log'> {
  if (!ran) return {};
  return {
    log: ({ query, queryDurationMillis }) => ran(/^\w+/.exec(query.sql)?.[0].toLowerCase() ?? '', queryDurationMillis),
  };
}

/**
 * Brings a store to this release's schema; of several processes that do so at once, one does.
 * @throws {StoreFault} where that cannot be, naming the store and the key that says which it is
 */
export async function migrate(store: Store, name: string, key: 'DATA_DIR' | 'DATABASE_URL'): Promise<void> {
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const newer = error instanceof Error && /corrupted migrations/i.test(error.message);
  throw new StoreFault(
    newer
      ? `The store ${name} was written by a newer release of Dolly. Start that release, or name another ${key}.`
      : `The store ${name} cannot be brought to this release's schema. Restore it from a backup, or name another ${key}.`,
    { cause: error },
  );
}

/** So many prepared statements are kept: the texts are few, but for lists, which come in many lengths. */
const mostPrepared = 500;

/** Kysely prepares each statement anew; one whose text was prepared lately is run as it is. */
function preparedOnce(sqlite: Sqlite.Database) {
  const known = new Map<string, Sqlite.Statement>();
  return {
    close: () => void sqlite.close(),
    prepare(sql: string): Sqlite.Statement {
      const statement = known.get(sql) ?? sqlite.prepare(sql);
      known.delete(sql);
      known.set(sql, statement);
      const [oldest] = known.keys();
      if (known.size > mostPrepared && oldest !== undefined) known.delete(oldest);
      return statement;
    },
  };
}

/** Opens the file for this process alone. @throws {StoreFault} where that cannot be */
export function openFile(dataDir: string, file: string): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    sqlite = new Sqlite(file, { timeout: 2_000 });
    chmodSync(file, 0o600);
    // One process owns the file: a second one would act on the same jobs.
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.pragma('journal_mode = WAL');
    // With NORMAL, commits that were acknowledged can be lost when the power fails.
    sqlite.pragma('synchronous = FULL');
    sqlite.exec('BEGIN IMMEDIATE; COMMIT');
    return sqlite;
  } catch (cause) {
    sqlite?.close();
    throw new StoreFault(openFault(cause, dataDir, file), { cause });
  }
}

function openFault(cause: unknown, dataDir: string, file: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return `Another Dolly is using ${file}. Stop it, or name another DATA_DIR.`;
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
    return `${file} is no database of Dolly. Move it away, or name another DATA_DIR.`;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return `There is no space left for the store in ${dataDir}.`;
  return `The store's folder ${dataDir} cannot be written (${code || 'unknown reason'}). Make it writable, or name another DATA_DIR.`;
}
