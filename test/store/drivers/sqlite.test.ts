import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreFault } from '../../../src/store/database.ts';
import { isEmptyStore, openStore } from '../../../src/store/drivers/sqlite.ts';
import { folder, jobsOf, storeIn, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

async function faultOf(dataDir: string): Promise<string> {
  const fault = await openStore(dataDir).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof StoreFault)) throw new Error(`expected a StoreFault, got ${String(fault)}`);
  return fault.message;
}

test('the embedded store is made where there is nothing, for its owner only', async () => {
  const dataDir = join(folder(), 'deep', 'data');
  await storeIn(dataDir);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(dataDir)).toBe('700');
  for (const file of ['dolly.sqlite', 'dolly.sqlite-wal'])
    expect([file, mode(join(dataDir, file))]).toEqual([file, '600']);
});

test('an empty store file is noticed before a new store begins in it', async () => {
  const dataDir = folder();
  expect(isEmptyStore(dataDir)).toBe(false);
  writeFileSync(join(dataDir, 'dolly.sqlite'), '');
  expect(isEmptyStore(dataDir)).toBe(true);
  await storeIn(dataDir);
  expect(isEmptyStore(dataDir)).toBe(false);
});

test('a long transaction in SQLite lets others have their turn, and short statements wait for nothing', async () => {
  const store = await storeIn(folder());
  // The turn in which the store was opened is over.
  await new Promise(resolve => setImmediate(resolve));
  let [turns, isOver, now] = [0, false, performance.now()];
  const time = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => time.mockRestore());
  const takesTurns = (): void => {
    turns += 1;
    if (!isOver) setImmediate(takesTurns);
  };
  setImmediate(takesTurns);
  const one = sql<{ one: number }>`select 1 as one`;
  for (let statement = 0; statement < 3; statement++) await one.execute(store);
  expect(turns).toBe(0);
  await store.transaction().execute(async changes => {
    for (let statement = 0; statement < 40; statement++) {
      now += 5;
      await one.execute(changes);
    }
  });
  isOver = true;
  expect(turns).toBeGreaterThan(2);
});

test('a job is there again after the store was closed and opened', async () => {
  const dataDir = folder();
  const store = await openStore(dataDir);
  const { job } = await jobsOf(store).add(wish({ values: { text: 'ü 🐑' } }));
  await store.destroy();
  expect(await jobsOf(await storeIn(dataDir)).find(job.id)).toEqual(job);
});

test('a copy of the store’s folder that is put back later holds what it held', async () => {
  const [dataDir, backup] = [folder(), folder()];
  const store = await openStore(dataDir);
  const { job } = await jobsOf(store).add(wish());
  await store.destroy();
  cpSync(dataDir, backup, { recursive: true });
  const later = await openStore(dataDir);
  await moveJob(jobsOf(later), job.id, 'new', 'withdrawn', { endedAt: 2_000, reason: 'After the backup.' }, 2_000);
  await later.destroy();
  rmSync(dataDir, { recursive: true });
  cpSync(backup, dataDir, { recursive: true });
  expect(await jobsOf(await storeIn(dataDir)).find(job.id)).toEqual(job);
});

test('SQLite writes each acknowledged commit through to the disk', async () => {
  const store = await storeIn(folder());
  expect((await sql`pragma journal_mode`.execute(store)).rows).toEqual([{ journalMode: 'wal' }]);
  // 2 is FULL: with less, a power cut takes commits with it.
  expect((await sql`pragma synchronous`.execute(store)).rows).toEqual([{ synchronous: 2 }]);
});

describe('the store is not opened, and one sentence says what to do,', () => {
  test('a store that another Dolly holds is not opened, and one sentence says what to do', async () => {
    const dataDir = folder();
    await storeIn(dataDir);
    expect(await faultOf(dataDir)).toBe(
      `Another Dolly is using ${join(dataDir, 'dolly.sqlite')}. Stop it, or name another DATA_DIR.`,
    );
  });

  test('a file that is no database is not opened as a store, and stays as it is', async () => {
    const dataDir = folder();
    const file = join(dataDir, 'dolly.sqlite');
    const text = 'Dear diary, '.repeat(500);
    writeFileSync(file, text);
    expect(await faultOf(dataDir)).toBe(`${file} is not a database of Dolly. Move it away, or name another DATA_DIR.`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([
    ['a file stands in place of the folder', (place: string) => writeFileSync(place, '')],
    ['a file stands above it', (place: string) => writeFileSync(join(place, '..', 'file'), '')],
    ['the database is a folder', (place: string) => mkdirSync(join(place, 'dolly.sqlite'), { recursive: true })],
  ])('a store is not opened where %s, and one sentence says what to do', async (what, prepare) => {
    const above = folder();
    prepare(join(above, 'data'));
    const dataDir = what.includes('above') ? join(above, 'file', 'data') : join(above, 'data');
    expect(await faultOf(dataDir)).toMatch(
      /^The store's folder .+ cannot be written \([A-Z_]+\)\. Make it writable, or name another DATA_DIR\.$/,
    );
  });

  test('a store that a newer release wrote is not opened, and one sentence says what to do', async () => {
    const dataDir = folder();
    await (await openStore(dataDir)).destroy();
    const file = join(dataDir, 'dolly.sqlite');
    const sqlite = new Sqlite(file);
    sqlite.exec(
      "INSERT INTO kysely_migration (name, timestamp) VALUES ('2099-01-01-later', '2099-01-01T00:00:00.000Z')",
    );
    sqlite.close();
    expect(await faultOf(dataDir)).toBe(
      `The store ${file} was written by a newer release of Dolly. Start that release, or name another DATA_DIR.`,
    );
  });

  test.each([
    ['under names of a schema that no release had', "UPDATE kysely_migration SET name = '2026-11-21-first'"],
    ['without a note of its schema', 'DROP TABLE kysely_migration'],
    ['in another mode of the file', 'DROP TABLE kysely_migration; PRAGMA journal_mode = DELETE'],
  ])('a store file from before 0.2.0, %s, is not opened, and nothing in it is touched', async (_, change) => {
    const dataDir = folder();
    const store = await openStore(dataDir);
    await jobsOf(store).add(wish());
    await store.destroy();
    const file = join(dataDir, 'dolly.sqlite');
    const sqlite = new Sqlite(file);
    sqlite.exec(change);
    sqlite.close();
    const before = readFileSync(file);
    expect(await faultOf(dataDir)).toBe(
      `This store was written before 0.2.0, so this Dolly leaves it as it is: the store ${file}. Name another DATA_DIR, or keep the older Dolly.`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['dolly.sqlite']);
  });

  test('a store with something of another program in its way is not opened, and one sentence says what to do', async () => {
    const dataDir = folder();
    const file = join(dataDir, 'dolly.sqlite');
    const sqlite = new Sqlite(file);
    sqlite.exec('CREATE VIEW jobs AS SELECT 1 AS x');
    sqlite.close();
    expect(await faultOf(dataDir)).toBe(
      `The store ${file} cannot be brought to this release's schema (SQLITE_ERROR: view jobs already exists). Restore it from a backup, or name another DATA_DIR.`,
    );
  });
});

test('a store that could not be opened is let go, and can be opened once it is mended', async () => {
  const dataDir = folder();
  const file = join(dataDir, 'dolly.sqlite');
  const sqlite = new Sqlite(file);
  sqlite.exec('CREATE VIEW jobs AS SELECT 1 AS x');
  sqlite.close();
  await faultOf(dataDir);
  const again = new Sqlite(file);
  again.exec('DROP VIEW jobs');
  again.close();
  await storeIn(dataDir);
  expect(existsSync(file)).toBe(true);
});

test('a migration that breaks off half-way leaves nothing behind, and the next start does all of it', async () => {
  const dataDir = folder();
  await (await openStore(dataDir)).destroy();
  const change = (...statements: readonly string[]) => {
    const sqlite = new Sqlite(join(dataDir, 'dolly.sqlite'));
    for (const statement of statements) sqlite.exec(statement);
    sqlite.close();
  };
  // As before the first migration, but for a view in the way of its second half.
  const before = new Sqlite(join(dataDir, 'dolly.sqlite'));
  const tables = before.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  before.close();
  change(...tables.map(name => `DROP TABLE "${name}"`), 'CREATE VIEW things AS SELECT 1 AS x');
  expect(await faultOf(dataDir)).toContain('cannot be brought');
  change('DROP VIEW things');
  await storeIn(dataDir);
});
