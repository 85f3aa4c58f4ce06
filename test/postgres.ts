import { afterAll } from 'vitest';
import { type Postgres, startPostgres } from './postgresServer.ts';

let server: Postgres | undefined;
afterAll(() => server?.stop());

/** The URL of an empty database, on a server that the test file has to itself. */
export async function freshDatabase(): Promise<string> {
  server ??= startPostgres();
  return server.database();
}
