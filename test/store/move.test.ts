import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { minute } from '../../src/ground/durations.ts';
import { StoreFault } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { moveStore } from '../../src/store/moveStore.ts';
import { freshDatabase } from '../postgres.ts';
import { hasPostgres } from '../postgresServer.ts';
import { scratchFolder } from '../scratch.ts';
import { folder, jobsOf, storeIn, wish } from './folder.ts';

type Row = Record<string, unknown>;

/** Makes an embedded store in which every column of every table holds something of its own, in `rows` rows. */
async function fillStore(dataDir: string, rows: number): Promise<void> {
  await (await openStore(dataDir)).destroy();
  const sqlite = new Sqlite(join(dataDir, 'dolly.sqlite'));
  for (const table of tablesIn(sqlite)) {
    const columns = sqlite.prepare<[], { name: string; type: string }>(`pragma table_info("${table}")`).all();
    const insert = sqlite.prepare(`insert into "${table}" values (${columns.map(() => '?').join()})`);
    for (let at = 0; at < rows; at++)
      insert.run(
        columns.map(({ name, type }, column) =>
          type === 'text' ? `${table}.${name} ${at} ü🐑'"\\` : type === 'bigint' ? 4e12 + at * 100 + column : at,
        ),
      );
  }
  sqlite.close();
}

/** The tables as SQLite itself lists them, without those that say which migrations were made. */
function tablesIn(sqlite: Sqlite.Database): string[] {
  const all = sqlite.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all();
  return all.map(({ name }) => name).filter(name => !name.startsWith('kysely_'));
}

function embeddedRows(dataDir: string): Record<string, Row[]> {
  const sqlite = new Sqlite(join(dataDir, 'dolly.sqlite'));
  const all = tablesIn(sqlite).map(table => [table, sqlite.prepare<[], Row>(`select * from ${table}`).all()] as const);
  sqlite.close();
  return Object.fromEntries(all);
}

async function sharedRows(url: string, tables: readonly string[]): Promise<Record<string, Row[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all: Record<string, Row[]> = {};
  for (const table of tables) all[table] = (await client.query<Row>(`select * from ${table}`)).rows;
  await client.end();
  return all;
}

/** Rows in an order of their own, with PostgreSQL's long integers, which come as texts, as texts everywhere. */
const comparable = (rows: readonly Row[] = []) =>
  rows
    .map(row =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [name, String(value)])
          .toSorted(),
      ),
    )
    .toSorted();

/** How long another program may take on a machine that has much else to do, in milliseconds. */
const patience = 120_000;
const program = new URL('../../src/move.ts', import.meta.url).pathname;

/** What a program has written so far. */
function textOf({ stdout, stderr }: ChildProcessWithoutNullStreams): () => string {
  let said = '';
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
  return () => said;
}

async function faultOf(moving: Promise<unknown>): Promise<string> {
  const fault = await moving.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof StoreFault)) throw new Error(`expected a StoreFault, got ${String(fault)}`);
  return fault.message;
}

describe.runIf(hasPostgres)('an embedded store', () => {
  let dataDir: string;
  let before: Record<string, Row[]>;
  beforeAll(async () => {
    dataDir = scratchFolder('move');
    await fillStore(dataDir, 1_203);
    before = embeddedRows(dataDir);
  });
  afterAll(() => {
    expect(embeddedRows(dataDir)).toEqual(before);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const empty = async (url: string) => {
    const rows = await sharedRows(url, Object.keys(before));
    return Object.values(rows).every(some => some.length === 0);
  };

  test('an embedded store is moved whole into PostgreSQL, with every table, row and column, and locks are freed', async () => {
    const url = await freshDatabase();
    const carried = await moveStore(dataDir, url, systemClock);
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(6);
    expect(carried.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual(
      Object.keys(before)
        .toSorted()
        .map(table => ({ table, rows: 1_203 })),
    );
    const after = await sharedRows(url, Object.keys(before));
    for (const [table, rows] of Object.entries(before)) {
      const freed = (row: Row) => ({
        ...row,
        ...('locked_until' in row ? { locked_until: 0 } : {}),
        ...('tell_locked_until' in row ? { tell_locked_until: 0 } : {}),
        ...(table === 'looks' ? { free_at: row.due_at } : {}),
      });
      const expected = rows.map(freed);
      expect([table, comparable(after[table])]).toEqual([table, comparable(expected)]);
    }
  });

  test('an embedded store is not moved into a database that has rows already', async () => {
    const url = await freshDatabase();
    const { store, close } = await openShared(url, systemClock, { heard: vi.fn(), faulty: vi.fn() });
    const { job } = await jobsOf(store).add(wish());
    await close();
    expect(await faultOf(moveStore(dataDir, url, systemClock))).toBe(
      'The store that DATABASE_URL names has rows already (audit, jobs). Name an empty database.',
    );
    const { jobs } = await sharedRows(url, ['jobs']);
    expect(jobs?.map(({ id }) => id)).toEqual([job.id]);
  });

  test('an embedded store is not moved while a Dolly uses it, or where there is none', async () => {
    const used = folder();
    await storeIn(used);
    const url = await freshDatabase();
    expect(await faultOf(moveStore(used, url, systemClock))).toMatch(/^Another Dolly is using /);
    const nothing = folder();
    expect(await faultOf(moveStore(nothing, url, systemClock))).toBe(
      `There is no store at ${join(nothing, 'dolly.sqlite')}. DATA_DIR must name its folder.`,
    );
  });

  test('an embedded store is not moved where a newer release wrote it or the database', async () => {
    const later = "insert into kysely_migration (name, timestamp) values ('2099-01-01-later', '2099-01-01')";
    const newer = folder();
    cpSync(dataDir, newer, { recursive: true });
    const sqlite = new Sqlite(join(newer, 'dolly.sqlite'));
    sqlite.exec(later);
    sqlite.close();
    const url = await freshDatabase();
    expect(await faultOf(moveStore(newer, url, systemClock))).toContain('was written by a newer release');

    await (await openShared(url, systemClock, { heard: vi.fn(), faulty: vi.fn() })).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(later);
    await client.end();
    expect(await faultOf(moveStore(dataDir, url, systemClock))).toContain('was written by a newer release');
    expect(await empty(url)).toBe(true);
  });

  test('an embedded store from before 0.2.0 is not moved, and stays as it is', async () => {
    const older = folder();
    cpSync(dataDir, older, { recursive: true });
    const file = join(older, 'dolly.sqlite');
    const sqlite = new Sqlite(file);
    sqlite.exec("update kysely_migration set name = '2026-11-21-first'");
    sqlite.close();
    const was = readFileSync(file);
    const url = await freshDatabase();
    expect(await faultOf(moveStore(older, url, systemClock))).toContain('This store was written before 0.2.0');
    expect(readFileSync(file).equals(was)).toBe(true);
  });

  describe('of which the last part does not get through', () => {
    let url: string;
    let client: pg.Client;
    const last = () => Object.keys(before).toSorted().at(-1);
    beforeAll(async () => {
      url = await freshDatabase();
      await (await openShared(url, systemClock, { heard: vi.fn(), faulty: vi.fn() })).close();
      client = new pg.Client({ connectionString: url });
      await client.connect();
    });
    afterAll(() => client.end());
    /** From now on, this is done before a row comes into the last table. */
    const hinders = (work: string) =>
      client.query(
        `create or replace function hinder() returns trigger language plpgsql as $$ begin ${work}; return new; end $$;
         create or replace trigger hinder before insert on "${last()}" for each row execute function hinder()`,
      );

    test('a move of the store that fails near its end leaves nothing behind', async () => {
      await hinders("raise exception 'no space left'");
      await expect(moveStore(dataDir, url, systemClock)).rejects.toThrow('no space left');
      expect(await empty(url)).toBe(true);
    });

    /** A database of its own in which a move stops at the last table, as this trigger says, until a lock is free. */
    const databaseThatStops = async (trigger: string, when: string) => {
      const own = await freshDatabase();
      await (await openShared(own, systemClock, { heard: vi.fn(), faulty: vi.fn() })).close();
      const other = new pg.Client({ connectionString: own });
      await other.connect();
      onTestFinished(() => other.end());
      await other.query('select pg_advisory_lock(7)');
      await other.query(
        `create function stops() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return null; end $$;
         ${trigger} on "${last()}" ${when} execute function stops()`,
      );
      const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
      const stopped = () => vi.waitFor(async () => expect((await other.query(waiting)).rowCount).toBe(1), patience);
      return { url: own, stopped, query: (text: string) => other.query(text) };
    };

    test('a move of the store is completed however long it takes', async () => {
      const slow = await databaseThatStops('create trigger stops before insert', 'for each statement');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const moving = moveStore(dataDir, slow.url, systemClock);
      moving.catch(() => undefined);
      await slow.stopped();
      await vi.advanceTimersByTimeAsync(10 * minute);
      await slow.query('select pg_advisory_unlock(7)');
      expect((await moving).every(({ rows }) => rows === 1_203)).toBe(true);
    });

    test('a move of the store that is killed leaves nothing behind, and can be tried again', async () => {
      await hinders('perform pg_advisory_xact_lock(7)');
      await client.query('select pg_advisory_lock(7)');
      const run = () =>
        spawn(process.execPath, [program], { cwd: folder(), env: { DATA_DIR: dataDir, DATABASE_URL: url } });
      const waiting = async (some: number) => {
        const { rowCount } = await client.query("select 1 from pg_locks where locktype = 'advisory' and not granted");
        expect(rowCount).toBe(some);
      };
      const killed = run();
      await vi.waitFor(() => waiting(1), patience);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      await client.query('select pg_advisory_unlock(7)');
      await vi.waitFor(() => waiting(0), patience);
      // A lock of this kind waits for whatever is still at work there.
      await client.query(`begin; lock table "${last()}"; commit`);
      expect(await empty(url)).toBe(true);

      const again = run();
      const said = textOf(again);
      const [code] = await once(again, 'exit');
      expect([code, said()]).toEqual([0, expect.stringMatching(/^Moved into PostgreSQL:\n/)]);
      for (const table of Object.keys(before)) expect(said()).toMatch(new RegExp(`^ {2}${table} +1203$`, 'm'));
      expect(said()).toContain(`The store in ${dataDir} was left as it was`);
    });

    test('a move of the store does not say that nothing was moved where the answer to its commit is lost', async () => {
      const cut = await databaseThatStops(
        'create constraint trigger stops after insert',
        'deferrable initially deferred for each row',
      );
      const child = spawn(process.execPath, [program], {
        cwd: folder(),
        env: { DATA_DIR: dataDir, DATABASE_URL: cut.url },
      });
      const said = textOf(child);
      await cut.stopped();
      await cut.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted");
      const [code] = await once(child, 'exit');
      expect(code).toBe(1);
      expect(said()).toContain('either everything was moved, or nothing');
      expect(said()).not.toContain('Nothing was moved.');
    });

    test('the program that moves the store says in a sentence what is missing to begin', async () => {
      const child = spawn(process.execPath, [program], { cwd: folder(), env: {} });
      const said = textOf(child);
      const [code] = await once(child, 'exit');
      expect([code, said()]).toEqual([
        1,
        'DATABASE_URL: is missing; it names the PostgreSQL to move the store into\nNothing was moved.\n',
      ]);
    });
  });
});
