import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openShared } from '../../src/store/postgres.ts';
import { hasPostgres, startPostgres } from '../postgres.ts';

describe.runIf(hasPostgres)('when PostgreSQL is gone', () => {
  test('in the middle of a transaction, that fails, nothing else does, and the next finds the store again', async () => {
    const postgres = startPostgres();
    const lost = Promise.withResolvers<unknown>();
    const url = await postgres.database();
    const { store, close } = await openShared(url, systemClock, () => undefined, lost.resolve);
    try {
      const failed = store.transaction().execute(async changes => {
        await sql`select 1`.execute(changes);
        postgres.kill();
        // The connection learns of it while no statement is under way.
        await lost.promise;
        await sql`select 1`.execute(changes);
      });
      await expect(failed).rejects.toThrow();
      postgres.start();
      expect((await sql`select 1 as one`.execute(store)).rows).toEqual([{ one: 1 }]);
    } finally {
      await close();
      postgres.stop();
    }
  });
});
