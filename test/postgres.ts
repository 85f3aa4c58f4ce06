import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { systemClock } from '../src/ground/clock.ts';
import { openShared } from '../src/store/drivers/postgres.ts';
import { type Postgres, shareModel, startPostgres } from './postgresServer.ts';
import { statements } from './quiet.ts';
import { scratchFolder } from './scratch.ts';

// PostgreSQL is a process of its own, which works in real time: what it was asked is on its way like a request.
const seen = new WeakSet<pg.Client>();
for (const act of ['connect', 'query'] as const) {
  const original = pg.Client.prototype[act];
  Reflect.set(pg.Client.prototype, act, function (this: pg.Client, ...given: unknown[]): unknown {
    if (!seen.has(this))
      for (const end of ['connect', 'drain', 'end'] as const) this.on(end, () => statements.ends(this));
    seen.add(this);
    statements.begins(this);
    return Reflect.apply(original, this, given);
  });
}

/** The database of a model that has the tables of this release, and nothing in them. */
const tables = 'dolly_tables';
let server: Postgres | undefined;
let migrated: Promise<string> | undefined;

/** The data of which each test file's server is a copy, once there are some. */
const model = () => join(inject('scratch'), 'postgres');

/** The server that the test file has to itself. */
export function ownPostgres(): Postgres {
  if (server) return server;
  const isCopy = existsSync(model());
  const own = startPostgres(false, undefined, model());
  [server, migrated] = [own, isCopy ? Promise.resolve(own.urlOf(tables)) : undefined];
  globalThis.endsOfTestFile?.push(() => {
    server = undefined;
    own.stop();
  });
  return own;
}

/** The URL of an empty database on {@link ownPostgres}. */
export const freshDatabase = (): Promise<string> => ownPostgres().database();

/** The URL of a database on {@link ownPostgres} that has the tables of this release, and nothing in them. */
export async function freshTables(): Promise<string> {
  if (!server) await makeModel();
  const own = ownPostgres();
  migrated ??= migratedOn(own);
  return own.database(await migrated);
}

/** Makes what each server is a copy of: to start one, and to make the tables, takes the machine longer than most tests do. */
async function makeModel(): Promise<void> {
  if (existsSync(model())) return;
  const home = scratchFolder('model');
  const first = startPostgres(false, home);
  await migratedOn(first);
  first.stop();
  shareModel(home, model());
  rmSync(home, { recursive: true, force: true });
}

async function migratedOn(own: Postgres): Promise<string> {
  const url = await own.database(undefined, tables);
  const hooks = { heard: () => undefined, faulty: () => undefined };
  const { close } = await openShared(url, systemClock, hooks);
  await close();
  return url;
}
