import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { codeOf, StoreTrouble } from '../../ground/failure.ts';
import { logged, type Ran, type Schema, type Store, StoreFault } from '../database.ts';
import { halvesOf } from '../inOne.ts';
import { isLight } from '../light.ts';
import { migrate, refuseOthers } from '../migrations.ts';
import { tellingTrouble } from './trouble.ts';

/*
 * A commit waits for the disk (`synchronous = FULL`), unless it is marked as light. A job of one clone, from its form to
 * its told end, waits nine times:
 * - its row with the entry `asked`, before the form closes;
 * - `sending`, before the request leaves; `running`; and its end, before anybody is told. Each has its entry in the trail;
 * - what was seen of its record before the end;
 * - for each of the two posts, the intent before it and its place after it, so that nothing is told twice.
 * Locks, delays, counts, claims (the end takes them along), and the note that Slack shows the present revision are light.
 */

/**
 * Opens the embedded store in `dataDir` (made for its owner only), brings it to this release's schema, and holds it
 * for this process alone. `ran` is called after each statement.
 * @throws {StoreFault} where the folder cannot be written, the file is no database, another Dolly holds it, or the
 *   schema is not one of this release or of those before it
 */
export async function openStore(dataDir: string, ran?: Ran): Promise<Store> {
  const file = fileIn(dataDir);
  const sqlite = openFile(dataDir, file);
  const store = new Kysely<Schema>({
    dialect: tellingTrouble(new SqliteDialect({ database: preparedOnce(sqlite) }), { before: turnsOfLoop() }),
    plugins: [new CamelCasePlugin()],
    ...logged(ran),
  });
  try {
    await refuseOthers(store, file, 'DATA_DIR');
    // Only now: the mode stands in the file, and a store that is refused stays as it is, to the byte.
    sqlite.pragma('journal_mode = WAL');
    // All of a migration or nothing of it: a process may be killed in the middle, and the next start begins anew.
    sqlite.exec('BEGIN IMMEDIATE');
    await migrate(store, file, 'DATA_DIR');
    sqlite.exec('COMMIT');
    return store;
  } catch (error) {
    await store.destroy();
    throw error instanceof StoreFault ? error : new StoreFault(openFault(error, dataDir, file), { cause: error });
  }
}

/** Max time of one turn of the event loop in which statements follow one another, in milliseconds. */
const mostOfTurn = 20;

/**
 * Lets others have their turn between two statements: SQLite answers at once, so that a long transaction, or the steps of
 * many jobs, would go on without a pause for as long as they take. Short work waits for nothing.
 */
function turnsOfLoop(): () => Promise<void> | undefined {
  let began: number | undefined;
  return () => {
    if (began !== undefined && performance.now() - began >= mostOfTurn) return turnOfLoop();
    if (began === undefined) {
      began = performance.now();
      setImmediate(() => {
        began = undefined;
      });
    }
    return undefined;
  };
}

/** Whether the file of the store is there and has nothing in it: it was cut off, or a copy of it failed. */
export function isEmptyStore(dataDir: string): boolean {
  return statSync(fileIn(dataDir), { throwIfNoEntry: false })?.size === 0;
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'dolly.sqlite');
}

/** Max prepared statements that are kept. Their texts are few, except for lists, which come in many lengths. */
const maxPrepared = 500;

/** Gives Kysely, which prepares each statement anew, a statement again whose text was prepared lately. */
function preparedOnce(sqlite: Sqlite.Database): SqliteDatabase {
  const known = new LRUCache<string, SqliteStatement>({ max: maxPrepared });
  return {
    close: () => void sqlite.close(),
    prepare(sql) {
      const before = known.get(sql);
      if (before) return before;
      const [first, second] = halvesOf(sql);
      const prepared = sqlite.prepare<unknown[]>(first);
      const whole = second === undefined ? prepared : both(sqlite, prepared, sqlite.prepare<unknown[]>(second));
      const statement = isLight(sql) ? unsynced(sqlite, prepared) : whole;
      known.set(sql, statement);
      return statement;
    },
  };
}

/** Runs the two statements of {@link inOne}. Gives the changes of the first one. */
function both(
  sqlite: Sqlite.Database,
  first: Sqlite.Statement<unknown[]>,
  second: Sqlite.Statement<unknown[]>,
): SqliteStatement {
  const [begin, commit] = [sqlite.prepare('begin'), sqlite.prepare('commit')];
  const own = first.source.split('?').length - 1;
  const run = (parameters: readonly unknown[]) => {
    begin.run();
    try {
      const done = first.run(parameters.slice(0, own));
      if (done.changes > 0) second.run(parameters.slice(own));
      commit.run();
      return done;
    } catch (error) {
      // SQLite may have rolled back by itself.
      if (sqlite.inTransaction) sqlite.exec('rollback');
      throw error;
    }
  };
  return { reader: false, run, all: () => [], iterate: parameters => second.iterate(parameters) };
}

/** The same statement, but its commit does not wait for the disk. The level cannot change inside of a transaction. */
function unsynced(sqlite: Sqlite.Database, statement: Sqlite.Statement<unknown[]>): SqliteStatement {
  const lightly = <T>(work: () => T): T => {
    if (sqlite.inTransaction) return work();
    sqlite.pragma('synchronous = NORMAL');
    try {
      return work();
    } finally {
      sqlite.pragma('synchronous = FULL');
    }
  };
  return {
    reader: statement.reader,
    all: parameters => lightly(() => statement.all(parameters)),
    run: parameters => lightly(() => statement.run(parameters)),
    iterate: parameters => statement.iterate(parameters),
  };
}

/** Opens the file for this process alone. @throws {StoreFault} where that fails */
export function openFile(dataDir: string, file: string): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    sqlite = new Sqlite(file, { timeout: 2_000 });
    chmodSync(file, 0o600);
    // One process owns the file: a second one would act on the same jobs.
    sqlite.pragma('locking_mode = EXCLUSIVE');
    // With NORMAL, commits that were acknowledged can be lost when the power fails.
    sqlite.pragma('synchronous = FULL');
    sqlite.exec('BEGIN IMMEDIATE; COMMIT');
    return withFunctions(sqlite);
  } catch (cause) {
    sqlite?.close();
    throw new StoreFault(openFault(cause, dataDir, file), { cause });
  }
}

/** Adds the function of PostgreSQL that our queries use: a bit of bytes, counted from the lowest one of the first byte. */
export function withFunctions(sqlite: Sqlite.Database): Sqlite.Database {
  return sqlite.function('get_bit', { deterministic: true }, (bytes: unknown, at: unknown) =>
    bytes instanceof Uint8Array && typeof at === 'number' ? ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1 : null,
  );
}

function openFault(cause: unknown, dataDir: string, file: string): string {
  const own = cause instanceof StoreTrouble ? cause.cause : cause;
  const code = codeOf(own);
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return `Another Dolly is using ${file}. Stop it, or name another DATA_DIR.`;
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
    return `${file} is not a database of Dolly. Move it away, or name another DATA_DIR.`;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC')
    return `There is no space left for the store in ${dataDir}. Make room, or name another DATA_DIR.`;
  return `The store's folder ${dataDir} cannot be written (${code || 'unknown reason'}). Make it writable, or name another DATA_DIR.`;
}
