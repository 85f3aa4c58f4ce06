import { createServer, connect as dial, type Socket } from 'node:net';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { StoreTrouble } from '../../../src/ground/failure.ts';
import { type Schema, StoreFault } from '../../../src/store/database.ts';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { light } from '../../../src/store/light.ts';
import { testClock } from '../../clock.ts';
import { freshDatabase } from '../../postgres.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { jobsOf, wish } from '../folder.ts';

async function begin() {
  const url = await freshDatabase();
  const clock = testClock();
  const faults: unknown[] = [];
  let heard = 0;
  const shared = await openShared(url, clock, { heard: () => heard++, faulty: error => faults.push(error) });
  const outside = new pg.Client(url);
  await outside.connect();
  const cut = () =>
    outside.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dolly' and datname = current_database()",
    );
  const close = async () => {
    await outside.end();
    await shared.close();
  };
  return { ...shared, url, clock, faults, outside, cut, close, heard: () => heard };
}

describe.runIf(hasPostgres)('a store that was written before 0.2.0', () => {
  test.each([
    ['under names of a schema that no release had', "update kysely_migration set name = '2026-11-21-first'"],
    ['without a note of its schema', 'drop table kysely_migration'],
  ])('a store in PostgreSQL from before 0.2.0, %s, is not opened, and nothing in it is touched', async (_, change) => {
    const { store, url, outside, close } = await begin();
    await jobsOf(store).add(wish());
    await outside.query(change);
    const everything = async () => {
      const { rows } = await outside.query<{ name: string; rows: string }>(
        `select relname as name, relkind, xmin::text from pg_class where relnamespace = 'public'::regnamespace
         order by relname`,
      );
      return [rows, (await outside.query('select xmin::text, * from jobs')).rows];
    };
    const before = await everything();
    const fault = await openShared(url, testClock(), { heard: () => undefined, faulty: () => undefined }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(StoreFault);
    const { searchParams, pathname } = new URL(url);
    expect(String(fault)).toBe(
      `StoreFault: This store was written before 0.2.0, so this Dolly leaves it as it is: the store in PostgreSQL at ${searchParams.get('host')}${pathname}. Name another DATABASE_URL, or keep the older Dolly.`,
    );
    expect(await everything()).toEqual(before);
    await close();
  });

  test('a database that has tables of another program alone is opened as a new store', async () => {
    const url = await freshDatabase();
    const outside = new pg.Client(url);
    await outside.connect();
    await outside.query(
      'create table spatial_ref_sys (srid integer); create schema other; create table other.jobs (x text)',
    );
    await outside.end();
    const { store, close } = await openShared(url, testClock(), { heard: () => undefined, faulty: () => undefined });
    expect((await jobsOf(store).add(wish())).job.state).toBe('new');
    await close();
  });
});

describe.runIf(hasPostgres)('a commit', () => {
  test('a commit waits for the disk, unless it only notes a lock, a delay or a count', async () => {
    const { store, outside, close } = await begin();
    const jobs = jobsOf(store);
    const { id } = (await jobs.add(wish())).job;
    // The process of PostgreSQL that writes behind looks five times a second, until it has heard of this.
    await outside.query("alter system set wal_writer_delay = '10s'");
    await outside.query('select pg_reload_conf()');
    /** Whether what some work wrote is on the disk only later, by most of nine times: PostgreSQL writes other things, too. */
    const isBehind = async (work: () => Promise<unknown>) => {
      let times = 0;
      for (let time = 0; time < 9; time++) {
        await jobs.add(wish());
        await work();
        const { rows } = await outside.query<{ is: boolean }>(
          'select pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn() as is',
        );
        if (rows[0]?.is) times += 1;
      }
      return times > 4;
    };
    const late = () => store.updateTable('jobs').set({ tellAt: 5_000 }).where('id', '=', id).modifyEnd(light);
    expect(await isBehind(() => late().execute())).toBe(true);
    expect(await isBehind(() => late().returning('id').execute())).toBe(true);
    expect(await isBehind(() => jobs.add(wish()))).toBe(false);
    expect(await isBehind(() => jobs.takeUntold(9_000, 1_000, 9))).toBe(false);
    const inTransaction = () =>
      store
        .transaction()
        .execute(changes =>
          changes.updateTable('jobs').set({ tellAt: 6_000 }).where('id', '=', id).modifyEnd(light).execute(),
        );
    expect(await isBehind(inTransaction)).toBe(false);
    expect(await late().returning('id').execute()).toEqual([expect.objectContaining({ id })]);
    await close();
  });
});

describe.runIf(hasPostgres)('a statement that comes again', () => {
  const reads = (store: Kysely<Schema>) => store.selectFrom('presets').selectAll().where('team', '=', 'T1').execute();
  /** How often a connection has prepared it. */
  const prepared = async (store: Kysely<Schema>) => {
    const { rows } = await sql<{ many: number }>`select count(*) as many from pg_prepared_statements
      where statement like 'select * %presets%'`.execute(store);
    return rows[0]?.many;
  };

  test.each([
    ['is prepared once on its connection', undefined, 1],
    ['is not prepared where the configuration says so', false, 0],
  ])('an SQL statement that comes again %s', async (_, preparing, times) => {
    const hooks = {
      heard: () => undefined,
      faulty: () => undefined,
      ...(preparing === undefined ? {} : { preparing }),
    };
    const { store, close } = await openShared(await freshDatabase(), testClock(), hooks);
    await store.connection().execute(async own => {
      for (let time = 0; time < 5; time++) await reads(own);
      expect(await prepared(own)).toBe(times);
    });
    await close();
  });

  test('a prepared statement runs again after its table was changed, and fails once within a transaction', async () => {
    const { store, outside, close } = await begin();
    await store.connection().execute(async own => {
      for (let time = 0; time < 3; time++) await reads(own);
      await outside.query('alter table presets add column one integer');
      for (let time = 0; time < 3; time++) expect(await reads(own)).toEqual([]);
      await outside.query('alter table presets add column other integer');
      await expect(own.transaction().execute(reads)).rejects.toThrow(StoreTrouble);
      expect(await own.transaction().execute(reads)).toEqual([]);
    });
    await close();
  });
});

describe.runIf(hasPostgres)('the processes on one store', () => {
  /** A process with its clock, and what it heard. */
  const joins = async (url: string, silence = 60_000) => {
    const clock = testClock();
    const heard: string[] = [];
    const { replicas, close } = await openShared(
      url,
      clock,
      {
        heard: hints => heard.push(hints ? JSON.stringify(hints) : 'change'),
        paused: ({ limit, key, milliseconds }) => heard.push(`${limit} ${key} ${milliseconds}`),
        faulty: error => heard.push(String(error)),
      },
      { silence },
    );
    await expect.poll(() => heard.splice(0)).toEqual(['change']);
    return { ...replicas, clock, heard, close };
  };

  test('the processes on one store know how many they are, soon after one joined or went', async () => {
    const url = await freshDatabase();
    const first = await joins(url);
    expect(first.count()).toBe(1);
    const second = await joins(url);
    await expect.poll(() => [first.count(), second.count()]).toEqual([2, 2]);
    await second.close();
    await expect
      .poll(async () => {
        await first.clock.advance(5_000);
        return first.count();
      })
      .toBe(1);
    await first.close();
  });

  test('the processes on one store do not count one that stands still, though its connections are there', async () => {
    const url = await freshDatabase();
    const frozen = await joins(url);
    const first = await joins(url, 100);
    await expect
      .poll(async () => {
        await first.clock.advance(5_000);
        return first.count();
      })
      .toBe(1);
    const { store, close } = await openShared(url, testClock(), { heard: () => undefined, faulty: () => undefined });
    const listeners = sql<{ many: number }>`select count(*) as many from pg_stat_activity
      where datname = current_database() and query = 'listen dolly'`;
    expect((await listeners.execute(store)).rows[0]?.many).toBeGreaterThanOrEqual(2);
    await Promise.all([close(), first.close(), frozen.close()]);
  });

  test('the processes on one store tell each other of many changes once and of each pause, and not themselves', async () => {
    const url = await freshDatabase();
    const [first, second] = [await joins(url), await joins(url)];
    for (let time = 0; time < 20; time++) first.announce();
    await expect.poll(() => second.heard).toEqual(['change']);
    await first.clock.advance(250);
    await second.clock.advance(250);
    await expect.poll(() => second.heard).toEqual(['change', 'change']);
    first.passOn({ limit: 'posts', key: 'C1', milliseconds: 30_000 });
    await expect.poll(() => second.heard).toEqual(['change', 'change', 'posts C1 30000']);
    expect(first.heard).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  test('the processes on one store tell each other what is due, each queue and Home once with its earliest time', async () => {
    const url = await freshDatabase();
    const [first, second] = [await joins(url), await joins(url)];
    const [home, job] = [
      { queue: 'homes', at: 1, whose: { team: 'T1', person: 'U1' } },
      { queue: 'jobs', at: 5 },
    ];
    first.announce([job]);
    await expect.poll(() => second.heard.splice(0)).toEqual([JSON.stringify([job])]);
    first.announce([job, home]);
    first.announce([{ queue: 'jobs', at: 3 }, { queue: 'jobs', at: 9 }, home]);
    await first.clock.advance(250);
    await expect.poll(() => second.heard.splice(0)).toEqual([JSON.stringify([{ queue: 'jobs', at: 3 }, home])]);
    // What does not fit into one notification is anything.
    first.announce(
      Array.from({ length: 200 }, (_, at) => ({ ...home, whose: { team: 'T1', person: `U${at}00000000` } })),
    );
    await first.clock.advance(250);
    await expect.poll(() => second.heard.splice(0)).toEqual(['change']);
    await Promise.all([first.close(), second.close()]);
  });
});

describe.runIf(hasPostgres)('a connection that is lost', () => {
  test('a connection that is lost in a transaction fails that alone, and the next statement has another one', async () => {
    const { store, cut, close } = await begin();
    const transaction = store.transaction().execute(async changes => {
      await sql`select 1`.execute(changes);
      await cut();
      // Nothing is asked at this moment: the news of the loss has nobody to go to but the connection itself.
      await new Promise(resolve => setTimeout(resolve, 100));
      await sql`select 2`.execute(changes);
    });
    await expect(transaction).rejects.toThrow();
    expect((await sql`select 3 as three`.execute(store)).rows).toEqual([{ three: 3 }]);
    await close();
  });

  test('a listener that lost its connection gets a new one, and looks for what was announced meanwhile', async () => {
    const { clock, cut, close, heard, faults, outside } = await begin();
    await expect.poll(heard).toBe(1);
    await cut();
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        await clock.advance(600);
        return heard();
      })
      .toBe(2);
    await outside.query("select pg_notify('dolly', 'another')");
    await expect.poll(heard).toBe(3);
    await close();
  });

  test('a connection that falls silent is given up in time, and the next statement has another one', async () => {
    const url = new URL(await freshDatabase());
    const behind = `${url.searchParams.get('host')}/.s.PGSQL.5432`;
    const pairs: Socket[][] = [];
    const road = createServer(near => {
      const far = dial(behind);
      pairs.push([near, far]);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) socket.on('error', () => undefined);
    });
    await new Promise<void>(resolve => road.listen(0, '127.0.0.1', resolve));
    const address = road.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { store, close } = await openShared(
      `postgres://dolly@127.0.0.1:${port}${url.pathname}`,
      testClock(),
      { heard: () => undefined, faulty: () => undefined },
      { hold: 500, close: 500 },
    );
    /** Nothing passes any more on what is connected now, and nobody is told so. */
    const blocks = () => {
      for (const [near, far] of pairs.splice(0)) {
        near?.unpipe();
        far?.unpipe();
      }
    };
    blocks();
    await expect(sql`select 1`.execute(store)).rejects.toThrow();
    expect((await sql`select 2 as two`.execute(store)).rows).toEqual([{ two: 2 }]);
    const transaction = store.transaction().execute(async changes => {
      await sql`select 3`.execute(changes);
      blocks();
      await sql`select 4`.execute(changes);
    });
    await expect(transaction).rejects.toThrow();
    expect((await sql`select 5 as five`.execute(store)).rows).toEqual([{ five: 5 }]);
    blocks();
    road.close();
    await close();
  }, 20_000);
});
