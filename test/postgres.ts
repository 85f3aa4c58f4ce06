import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { systemClock } from '../src/ground/clock.ts';
import { openShared } from '../src/store/drivers/postgres.ts';
import { type Postgres, startPostgres } from './postgresServer.ts';
import { statements } from './quiet.ts';

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

let server: Postgres | undefined;
let migrated: Promise<string> | undefined;

/** The server that the test file has to itself. */
export function ownPostgres(): Postgres {
  if (server) return server;
  const own = startPostgres(false, undefined, join(inject('scratch'), 'postgres'));
  [server, migrated] = [own, undefined];
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
  const own = ownPostgres();
  migrated ??= migratedDatabase();
  return own.database(await migrated);
}

async function migratedDatabase(): Promise<string> {
  const url = await freshDatabase();
  const hooks = { heard: () => undefined, faulty: () => undefined };
  const { close } = await openShared(url, systemClock, hooks);
  await close();
  return url;
}
