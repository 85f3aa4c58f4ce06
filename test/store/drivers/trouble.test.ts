import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/ground/clock.ts';
import { mayHaveStored, StoreTrouble, sentence } from '../../../src/ground/failure.ts';
import { pauseBefore } from '../../../src/jobs/pauseAfterFailure.ts';
import { answers } from '../../../src/store/census.ts';
import type { Schema } from '../../../src/store/database.ts';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { tellingTrouble } from '../../../src/store/drivers/trouble.ts';
import { freshDatabase, freshTables } from '../../postgres.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { folder, jobsOf, storeIn, storeInPostgres, stores, wish } from '../folder.ts';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  ['has no space left', 'pragma max_page_count = 1', 'there is no space left for it'],
  ['cannot be written', 'pragma query_only = 1', 'it cannot be written'],
])('a store that %s says so, and that nothing was sent', async (_what, pragma, why) => {
  const store = await storeIn(folder());
  await sql.raw(pragma).execute(store);
  const error = await failureOf(jobsOf(store).add(wish({ purpose: 'x'.repeat(100_000) })));
  expect(error).toBeInstanceOf(StoreTrouble);
  expect(sentence(error)).toContain(`My store has a problem (${why}), so nothing was sent.`);
  // The log has what lies behind it.
  expect(error).toHaveProperty('cause.code', expect.stringMatching(/^SQLITE_/));
});

test.each([
  ['has no space left', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
  ['cannot be written', 'pragma query_only = 1', 'pragma query_only = 0'],
])('a store that %s counts as not answering for as long, though it could be read', async (_what, begins, ends) => {
  const store = await storeIn(folder());
  // The migrations leave free pages in the file, in which it could still write.
  await sql.raw('vacuum').execute(store);
  await sql.raw(begins).execute(store);
  expect(await failureOf(answers(store))).toBeInstanceOf(StoreTrouble);
  await sql.raw(ends).execute(store);
  await answers(store);
  expect(await store.selectFrom('inbox').selectAll().execute()).toEqual([]);
});

test.each(stores)(
  'a statement that %s does not accept is told as a defect, and not as trouble of the store',
  async (_what, open) => {
    const store = await open();
    const error = await failureOf(sql`select nothing from nowhere`.execute(store));
    expect(error).not.toBeInstanceOf(StoreTrouble);
    expect(sentence(error)).toContain('Something went wrong inside Dolly');
  },
);

describe.runIf(hasPostgres)('a connection that is lost', () => {
  test('a connection that is lost at the commit leaves it open whether the store has the job', async () => {
    const store = await storeInPostgres(() => undefined);
    const ends = 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    await sql.raw(`create function ends() returns trigger language plpgsql as $$ ${ends} $$`).execute(store);
    const atCommit = 'after insert on jobs deferrable initially deferred for each row execute function ends()';
    await sql.raw(`create constraint trigger trouble ${atCommit}`).execute(store);
    const error = await failureOf(jobsOf(store).add(wish()));
    expect(mayHaveStored(error)).toBe(true);
    expect(sentence(error)).toContain('I do not know yet whether I saved this');
  });
  test('a connection that is lost before the commit leaves nothing in the store, and nothing was sent', async () => {
    const store = await storeInPostgres(() => undefined);
    const error = await failureOf(
      store.transaction().execute(changes => sql`select pg_terminate_backend(pg_backend_pid())`.execute(changes)),
    );
    expect(mayHaveStored(error)).toBe(false);
    expect(sentence(error)).toContain('nothing was sent');
  });
});

describe.runIf(hasPostgres)('PostgreSQL', () => {
  const admin = async (url: string, statement: string) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const opened = async (url: string) => {
    const { store, close } = await openShared(url, systemClock, { heard: () => undefined, faulty: () => undefined });
    onTestFinished(close);
    return store;
  };
  /** The URL, with something about it changed. */
  const changed = (text: string, change: (url: URL) => void) => {
    const url = new URL(text);
    change(url);
    return url.href;
  };
  /** A store whose connections are with another address from now on. */
  const moved = async (change: (url: URL) => void) => {
    const url = await freshTables();
    const address = { url };
    const pool = new pg.Pool({
      Client: class extends pg.Client {
        constructor() {
          super(address.url);
        }
      },
    });
    const store = new Kysely<Schema>({ dialect: tellingTrouble(new PostgresDialect({ pool })) });
    onTestFinished(() => store.destroy());
    address.url = changed(url, change);
    return store;
  };

  test.each<[string, (url: URL) => void, string]>([
    ['that has stopped, at a socket', url => url.searchParams.set('host', '/nowhere'), 'it does not answer'],
    ['behind a road that is closed', url => url.searchParams.set('host', '255.255.255.255'), 'it does not answer'],
    ['whose certificate is none', url => url.searchParams.set('sslrootcert', '/nowhere'), 'it does not answer'],
    ['that speaks no TLS', url => url.searchParams.set('sslmode', 'require'), 'it does not answer'],
    ['without the database', url => Object.assign(url, { pathname: '/gone' }), 'it does not let me in'],
    ['without the user', url => Object.assign(url, { username: 'nobody' }), 'it does not let me in'],
  ])('PostgreSQL %s is trouble of the store, and nothing was sent', async (_, change, why) => {
    const store = await moved(change);
    const works = [() => sql`select 1`.execute(store), () => store.transaction().execute(async () => undefined)];
    for (const work of works) {
      const error = await failureOf(work());
      expect(sentence(error)).toContain(`My store has a problem (${why}), so nothing was sent.`);
      expect(pauseBefore(error, 0)).toBeGreaterThan(0);
    }
  });

  test('a transaction that PostgreSQL ends in a deadlock leaves nothing, and is tried again after a pause', async () => {
    const store = await opened(await freshTables());
    const jobs = jobsOf(store);
    const [one, other] = [(await jobs.add(wish())).job.id, (await jobs.add(wish())).job.id];
    const together = Promise.withResolvers<void>();
    let arrived = 0;
    const both = async (first: string, second: string) => {
      await store.transaction().execute(async changes => {
        const marks = (id: string) => changes.updateTable('jobs').set({ tellAt: 5 }).where('id', '=', id).execute();
        await marks(first);
        if (++arrived === 2) together.resolve();
        await together.promise;
        await marks(second);
      });
    };
    const errors = (await Promise.all([failureOf(both(one, other)), failureOf(both(other, one))])).filter(Boolean);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toHaveProperty('cause.code', '40P01');
    expect(sentence(errors[0])).toContain('My store has a problem (it is too busy), so nothing was sent.');
    expect(pauseBefore(errors[0], 0)).toBeGreaterThan(0);
  });

  test.each([
    [
      'does not let make tables',
      'grant usage on schema public to public',
      '42501',
      'does not let this user make tables',
    ],
    ['has no schema for us', 'drop schema public', '3F000', 'cannot be used (3F000: no schema has been selected'],
  ])('a start on PostgreSQL that %s says so, and does not ask for a backup', async (_, statement, code, why) => {
    const url = await freshDatabase();
    await admin(url, `create role stranger${code} login; ${statement}`);
    const fault = await failureOf(
      opened(changed(url, own => Object.assign(own, { username: `stranger${code}`.toLowerCase() }))),
    );
    expect(String(fault)).toContain(why);
    expect(String(fault)).not.toContain('backup');
    expect(fault).toHaveProperty('cause.cause.code', code);
  });
});
