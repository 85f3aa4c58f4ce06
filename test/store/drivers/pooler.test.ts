import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mayHaveStored, sentence } from '../../../src/ground/failure.ts';
import type { Schema, Store } from '../../../src/store/database.ts';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { testClock } from '../../clock.ts';
import { hasPgBouncer, pooled } from '../../pgBouncer.ts';
import { freshTables, ownPostgres } from '../../postgres.ts';
import { jobsOf, wish } from '../folder.ts';

/* What a pooler between Dolly and its store does that gives each transaction another connection. */

async function opens(url: string, preparing: boolean) {
  const faults: string[] = [];
  const faulty = (error: unknown) => void faults.push(String(error));
  const { store, close } = await openShared(url, testClock(), { heard: () => undefined, faulty, preparing });
  onTestFinished(close);
  return { store, faults };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const presets = (store: Kysely<Schema>, team = 'T1') =>
  store.selectFrom('presets').selectAll().where('team', '=', team).execute();

/** Reads a table that often at once that all connections of the pooler have a part in it. */
async function reads(...replicas: readonly Readonly<{ store: Store }>[]): Promise<void> {
  for (let time = 0; time < 6; time++)
    await Promise.all(replicas.flatMap(({ store }) => ['T1', 'T2', 'T3'].map(team => presets(store, team))));
}

describe.runIf(hasPgBouncer)('behind PgBouncer, by transactions', () => {
  test.each([
    ['without preparing', false],
    ['with DATABASE_PREPARE as it is by itself', true],
  ])('behind PgBouncer, %s, all replicas go on reading a table that gets new columns', async (_, preparing) => {
    const own = await freshTables();
    const url = await pooled(own);
    const replicas = [await opens(url, preparing), await opens(url, preparing)];
    const outside = new pg.Client(own);
    await outside.connect();
    onTestFinished(() => outside.end());
    await reads(...replicas);
    for (const column of ['one', 'other']) {
      await outside.query(`alter table presets add column ${column} integer`);
      await reads(...replicas);
      replicas.push(await opens(url, preparing));
      await reads(...replicas);
      await expect(replicas[0]?.store.transaction().execute(changes => presets(changes))).resolves.toEqual([]);
    }
    const said = replicas.flatMap(({ faults }) => faults).filter(fault => !fault.includes('statement_timeout'));
    expect(said.filter(fault => !fault.includes('DATABASE_PREPARE=false'))).toEqual([]);
    // Each of them once, at most: a newer PgBouncer prepares by itself.
    expect(said.length).toBeLessThanOrEqual(preparing ? replicas.length : 0);
  });

  test.each([
    ['says so where it drops the limit of statements', '0', 1],
    ['says nothing where the store has that limit by itself', '30s', 0],
  ])('a process behind PgBouncer %s', async (_, limit, times) => {
    const own = await freshTables();
    const outside = new pg.Client(own);
    await outside.connect();
    await outside.query(`alter database ${new URL(own).pathname.slice(1)} set statement_timeout = '${limit}'`);
    await outside.end();
    const { faults } = await opens(await pooled(own), false);
    expect(faults.filter(fault => fault.includes('ALTER ROLE'))).toHaveLength(times);
  });

  test('behind PgBouncer, no statement runs under the name of another one', async () => {
    const url = await pooled(await freshTables(), { default_pool_size: '2', min_pool_size: '2' });
    const [{ store: one }, { store: other }] = [await opens(url, true), await opens(url, true)];
    const asks = async (store: Store, what: string) => {
      const { rows } = await sql<{ got: string }>`select ${sql.lit(what)} || ${'!'} as got`.execute(store);
      expect(rows).toEqual([{ got: `${what}!` }]);
    };
    for (let time = 0; time < 12; time++)
      await Promise.all(['a', 'b', 'c'].flatMap(what => [asks(one, `${what}1`), asks(other, `${what}2`)]));
  });

  test.each([
    ['a parameter that it does not pass', { ignore_startup_parameters: '' }, 'unsupported startup parameter'],
    ['a password that is wrong', { auth_type: 'plain' }, /password|login|auth|no such user/i],
  ])('a start that fails behind PgBouncer quotes its words about %s', async (_, given, words) => {
    const url = await pooled(await freshTables(), given);
    const fault = String(await failureOf(opens(url.replace('dolly@', 'dolly:hunter2@'), false)));
    expect(fault).toMatch(
      /^StoreFault: The store, PostgreSQL at .*, cannot be used \(08P01: .+\)\. Check DATABASE_URL\.$/,
    );
    expect(fault).toMatch(words);
    expect(fault).not.toContain('hunter2');
  });

  test('while PgBouncer cannot reach its server, errors say that nothing was sent, or that this is open', async () => {
    const server = ownPostgres();
    const url = await pooled(await freshTables(), { query_wait_timeout: '1', server_login_retry: '1' });
    const { store } = await opens(url, false);
    const jobs = jobsOf(store);
    await jobs.add(wish());
    const sleeps = failureOf(sql`select pg_sleep(60)`.execute(store));
    await expect
      .poll(
        async () =>
          (
            await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where query like 'select pg_sleep%'`.execute(store)
          ).rows[0]?.n,
      )
      .toBe(1);
    server.kill();
    expect(mayHaveStored(await sleeps)).toBe(true);
    const words = async () => {
      const error = await failureOf(presets(store));
      return error instanceof Error ? `${sentence(error)} ${error.cause}` : '';
    };
    const unsent =
      /^My store has a problem \(it does not answer\), so nothing was sent\. .*(server login has been failing|query_wait_timeout)/;
    for (let time = 0; time < 9; time++) expect(await words()).toMatch(unsent);
    server.start();
    await expect.poll(() => failureOf(jobs.add(wish()))).toBeUndefined();
  });
});
