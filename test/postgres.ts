import { afterAll } from 'vitest';
import { type Postgres, startPostgres } from './postgresServer.ts';

let server: Postgres | undefined;
afterAll(() => server?.stop());

/** The server that the test file has to itself. */
export function ownPostgres(): Postgres {
  server ??= startPostgres();
  return server;
}

/** The URL of an empty database on {@link ownPostgres}. */
export const freshDatabase = (): Promise<string> => ownPostgres().database();
