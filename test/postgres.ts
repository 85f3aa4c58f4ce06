import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { systemClock } from '../src/ground/clock.ts';
import { openShared } from '../src/store/drivers/postgres.ts';
import { type Postgres, startPostgres } from './postgresServer.ts';

let server: Postgres | undefined;
afterAll(() => server?.stop());

/** The server that the test file has to itself. */
export function ownPostgres(): Postgres {
  server ??= startPostgres(false, undefined, join(inject('scratch'), 'postgres'));
  return server;
}

/** The URL of an empty database on {@link ownPostgres}. */
export const freshDatabase = (): Promise<string> => ownPostgres().database();

let migrated: Promise<string> | undefined;

/** The URL of a database on {@link ownPostgres} that has the tables of this release, and nothing in them. */
export async function freshTables(): Promise<string> {
  migrated ??= migratedDatabase();
  return ownPostgres().database(await migrated);
}

async function migratedDatabase(): Promise<string> {
  const url = await freshDatabase();
  const hooks = { heard: () => undefined, faulty: () => undefined };
  const { close } = await openShared(url, systemClock, hooks);
  await close();
  return url;
}
