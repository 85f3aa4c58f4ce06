import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../ground/clock.ts';
import { day } from '../ground/durations.ts';
import { type Schema, StoreFault } from './database.ts';
import { openShared } from './drivers/postgres.ts';
import { openFile } from './drivers/sqlite.ts';
import { freeLocks } from './dueQueue.ts';
import { freeJobLocks } from './jobs/queue/jobQueue.ts';
import { migrate } from './migrations.ts';

/** The number of rows of a table that were carried. */
export type Carried = Readonly<{ table: string; rows: number }>;

/**
 * Number of rows that one statement carries: with all their columns they stay below the parameters that it may have.
 */
const slice = 500;

const CarriedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.instanceof(Uint8Array)]));
type CarriedRow = z.infer<typeof CarriedRow>;

/**
 * Carries the embedded store in `dataDir` into the PostgreSQL at `url`, which must be empty. All tables are carried in
 * one transaction, so that everything arrives or nothing. The embedded store stays as it is, even if its schema is of a
 * release before this one: what it lacks is added in a transaction that is rolled back.
 * @throws {StoreFault} where either cannot be opened or has a schema that this release does not know, a running Dolly
 *   holds the embedded one, or the other one has rows
 */
export async function moveStore(dataDir: string, url: string, clock: Clock): Promise<Carried[]> {
  const file = join(dataDir, 'dolly.sqlite');
  if (!existsSync(file)) throw new StoreFault(`There is no store at ${file}. DATA_DIR must name its folder.`);
  const sqlite = openFile(dataDir, file);
  try {
    sqlite.exec('BEGIN IMMEDIATE');
    const source = new Kysely<Schema>({
      dialect: new SqliteDialect({ database: sqlite }),
      plugins: [new CamelCasePlugin()],
    });
    await migrate(source, file, 'DATA_DIR');
    const tables = (await source.introspection.getTables()).map(({ name }) => name);
    return await carryAll(sqlite, tables, url, clock);
  } finally {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    sqlite.close();
  }
}

async function carryAll(from: Sqlite.Database, tables: readonly string[], url: string, clock: Clock) {
  const silent = () => undefined;
  // A connection that fails makes its statement fail, too. This one is held for as long as all rows take, and what it
  // prepared would be left in a pooler.
  const hooks = { heard: silent, faulty: silent, preparing: false };
  const { store, close } = await openShared(url, clock, hooks, { hold: day });
  try {
    return await store
      .withoutPlugins()
      .transaction()
      .execute(async to => {
        // Nobody else must add anything between the check and the end.
        await sql`lock table ${sql.join(tables.map(name => sql.table(name)))} in exclusive mode`.execute(to);
        const count = async (table: string) => {
          const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(to);
          return rows[0]?.n ?? 0;
        };
        const full: string[] = [];
        for (const table of tables) if ((await count(table)) > 0) full.push(table);
        if (full.length > 0)
          throw new StoreFault(
            `The store that DATABASE_URL names has rows already (${full.join(', ')}). Name an empty database.`,
          );
        const carried: Carried[] = [];
        for (const table of tables) {
          let rows = 0;
          for (const some of slicesOf(from, table)) {
            await add(to, table, some);
            rows += some.length;
          }
          if ((await count(table)) !== rows) throw new Error(`not every row of ${table} arrived`);
          carried.push({ table, rows });
        }
        // No Dolly held the embedded store, so the locks in its rows mean nothing.
        const moved = to.withPlugin(new CamelCasePlugin());
        await freeJobLocks(moved);
        await freeLocks(moved);
        return carried;
      });
  } finally {
    await close();
  }
}

function* slicesOf(from: Sqlite.Database, table: string): Generator<CarriedRow[]> {
  let some: CarriedRow[] = [];
  for (const row of from.prepare(`select * from ${table}`).iterate()) {
    some.push(CarriedRow.parse(row));
    if (some.length < slice) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

async function add(to: Kysely<Schema>, table: string, rows: readonly CarriedRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map(row => sql`(${sql.join(columns.map(column => row[column]))})`);
  const names = sql.join(columns.map(column => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(to);
}
