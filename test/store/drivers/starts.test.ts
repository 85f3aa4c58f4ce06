import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { testClock } from '../../clock.ts';
import { hasPgBouncer, pooled } from '../../pgBouncer.ts';
import { freshDatabase } from '../../postgres.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { jobsOf, wish } from '../folder.ts';

/* Processes that start at the same moment on a store that lacks the schema of this release. */

/**
 * One more process on a store, which closes with the test, and how often it waited for another one's migration; `waited`
 * hears of that at once.
 */
async function starts(url: string, patience = {}, waited = () => {}) {
  let waits = 0;
  const begins = () => {
    waits += 1;
    waited();
  };
  const hooks = { heard: () => undefined, faulty: () => undefined, preparing: false, waits: begins };
  const { store, close } = await openShared(url, testClock(), hooks, patience);
  onTestFinished(close);
  return { jobs: jobsOf(store), waits };
}

/** A connection from outside of Dolly. */
async function outside(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Lets each making of a table wait for the connection, until that unlocks 4711. */
async function standsBefore(admin: pg.Client): Promise<void> {
  await admin.query(`
    create function stands() returns event_trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(4711); end $$;
    create event trigger stands on ddl_command_start when tag in ('CREATE TABLE') execute function stands();
    select pg_advisory_lock(4711)`);
}

/** Milliseconds that a statement may take in these tests: more than those take that wait for nothing, on a busy machine, too. */
const limit = 2_000;

/** Whether the migration that stands there has taken longer than any statement may. */
async function standsTooLong(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query(
    "select now() - query_start > $1::interval as is_long from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    [`${limit} milliseconds`],
  );
  return rows[0]?.is_long === true;
}

/** The number of migrations that stand before that. */
async function standing(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query("select pid from pg_locks where locktype = 'advisory' and not granted");
  return rows.length;
}

const roads = [
  ['at PostgreSQL itself', async (url: string) => url],
  ...(hasPgBouncer ? [['behind PgBouncer, by transactions', (url: string) => pooled(url)] as const] : []),
] as const;

describe.runIf(hasPostgres).each(roads)('%s', (_, road) => {
  test('processes that start at once on an empty store all start, and leave no lock behind', async () => {
    const own = await freshDatabase();
    const url = await road(own);
    const begun = await Promise.all(Array.from({ length: 6 }, () => starts(url)));
    for (const { jobs } of begun) expect((await jobs.add(wish())).job.state).toBe('new');
    const { rows } = await (await outside(own)).query("select pid from pg_locks where locktype = 'advisory'");
    expect(rows).toEqual([]);
    expect((await starts(url)).waits).toBe(0);
  });

  test.each([
    ['ends well', undefined],
    ['is cut off', 'select pg_terminate_backend(pid) from pg_locks where not granted and objid = 4711'],
  ])(
    'a process waits for the long migration of another one, says so once, and starts after that %s',
    async (_, cut) => {
      const own = await freshDatabase();
      const admin = await outside(own);
      await standsBefore(admin);
      await admin.query(`alter database ${new URL(own).pathname.slice(1)} set lock_timeout = '${limit / 2}ms'`);
      const url = await road(own);
      const short = { statement: limit };
      const first = starts(url, short).catch((error: unknown) => String(error));
      await expect.poll(() => standing(admin)).toBe(1);
      const { promise: waited, resolve } = Promise.withResolvers<void>();
      const second = starts(url, short, resolve);
      // Where it does not start, it says why.
      await Promise.race([waited, second]);
      await expect.poll(() => standsTooLong(admin)).toBe(true);
      if (cut !== undefined) {
        await admin.query(cut);
        expect(await first).toMatch(/cannot be used \((57P01: terminating|08P01: server conn crashed)/);
      }
      await admin.query('select pg_advisory_unlock(4711)');
      expect((await second).waits).toBe(1);
      expect((await (await second).jobs.add(wish())).job.state).toBe('new');
      if (cut === undefined) expect(await first).toMatchObject({ waits: 0 });
    },
  );
});

test.runIf(hasPgBouncer)(
  'a pooler with few servers has one for each process that waits for a long migration',
  async () => {
    const own = await freshDatabase();
    const admin = await outside(own);
    await standsBefore(admin);
    const url = await pooled(own, { default_pool_size: '2', min_pool_size: '0', query_wait_timeout: '1' });
    const first = starts(url);
    await expect.poll(() => standing(admin)).toBe(1);
    let waiting = 0;
    const others = [1, 2, 3].map(() => starts(url, {}, () => void waiting++));
    await expect.poll(() => waiting, { timeout: 5_000 }).toBe(3);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    await admin.query('select pg_advisory_unlock(4711)');
    for (const { jobs } of await Promise.all([first, ...others]))
      expect((await jobs.add(wish())).job.state).toBe('new');
  },
);
