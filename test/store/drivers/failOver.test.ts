import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mayHaveStored, sentence } from '../../../src/ground/failure.ts';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { testClock } from '../../clock.ts';
import { movingAddress } from '../../movingAddress.ts';
import { freshTables } from '../../postgres.ts';
import { hasPostgres, startPostgres } from '../../postgresServer.ts';
import { scratchFolder } from '../../scratch.ts';
import { jobsOf, wish } from '../folder.ts';

/* A fail-over that ends no connection: those that stand are with a server that answers, and takes no writes. */

/** Asks a server from outside of Dolly. */
async function tells(url: string, ...statements: string[]): Promise<readonly unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

/** A process on the store behind `url`. Its clock stands still unless it is turned. */
async function opens(url: string) {
  const clock = testClock();
  const heard: unknown[] = [];
  const { store, close } = await openShared(url, clock, {
    heard: () => heard.push(clock.now()),
    faulty: () => undefined,
  });
  onTestFinished(close);
  const jobs = jobsOf(store);
  /** What a write is told: nothing where it was taken. */
  const writes = () =>
    jobs.add(wish()).then(
      () => undefined,
      (error: unknown) => error,
    );
  const isWritten = () => writes().then(error => error === undefined);
  const reads = () =>
    store.transaction().execute(async changes => {
      await sql`select pg_sleep(0.02)`.execute(changes);
      return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(changes)).rows[0]?.pid;
    });
  /** The connections of reads that go on at once. */
  const connections = async () => new Set(await Promise.all(Array.from({ length: 6 }, reads)));
  return { store, clock, heard, writes, isWritten, connections };
}

const listeners = "select pid from pg_stat_activity where application_name = 'dolly' and query = 'listen dolly'";

describe.runIf(hasPostgres)('a server that has become read-only', () => {
  /** `moves` has new connections be with a server that takes writes; those that stand have the one that does not. */
  const failsOver = async () => {
    const direct = await freshTables();
    const address = await movingAddress(direct);
    const dolly = await opens(address.url);
    expect(await dolly.writes()).toBeUndefined();
    await expect.poll(() => tells(direct, listeners)).toHaveLength(1);
    const writable = 'set default_transaction_read_only = off';
    onTestFinished(async () => {
      await tells(direct, writable, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()');
    });
    await tells(direct, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    const database = new URL(direct).pathname.slice(1);
    const moves = () => tells(direct, writable, `alter database ${database} ${writable}`);
    return { ...dolly, ...address, direct, moves };
  };

  test('Dolly leaves a server that became read-only within seconds, with all connections and without a write', async () => {
    const { clock, direct, heard, isWritten, connections, moves } = await failsOver();
    const [before, listening] = [await connections(), await tells(direct, listeners)];
    await clock.advance(5_000);
    expect(await tells(direct, listeners)).toEqual(listening);
    await moves();
    await clock.advance(5_000);
    await expect.poll(() => tells(direct, listeners)).toEqual([]);
    expect([...(await connections())].filter(pid => before.has(pid))).toEqual([]);
    expect(await isWritten()).toBe(true);
    const times = heard.length;
    await clock.advance(5_000);
    // What was announced meanwhile went to the other server.
    await expect.poll(() => heard.length).toBe(times + 1);
    expect(await tells(direct, listeners)).not.toEqual(listening);
  });

  test('Dolly leaves a server that became read-only at once after a write that it refused', async () => {
    const { isWritten, moves } = await failsOver();
    await expect.poll(isWritten).toBe(false);
    await moves();
    await isWritten();
    await expect.poll(isWritten).toBe(true);
  });

  test('a server that became read-only has nothing of what it refused, and the error says that nothing was sent', async () => {
    const { store, writes, moves, isWritten } = await failsOver();
    const many = () => store.selectFrom('jobs').select('id').execute();
    await expect.poll(isWritten).toBe(false);
    const before = await many();
    const error = await writes();
    expect(mayHaveStored(error)).toBe(false);
    expect(sentence(error)).toContain('it cannot be written), so nothing was sent');
    const transaction = store.transaction().execute(async changes => {
      await changes.selectFrom('jobs').select('id').execute();
      await changes.updateTable('jobs').set({ tellAt: 1 }).execute();
    });
    expect(mayHaveStored(await transaction.catch((refusal: unknown) => refusal))).toBe(false);
    expect(await many()).toEqual(before);
    await moves();
    await expect.poll(isWritten).toBe(true);
    expect(await many()).toHaveLength(before.length + 1);
  });

  test('Dolly checks a read-only server with one connection at a time, and still reads from it', async () => {
    const { clock, seen, writes, isWritten, connections } = await failsOver();
    await expect.poll(isWritten).toBe(false);
    const before = await connections();
    seen.most = 0;
    await Promise.all(Array.from({ length: 200 }, writes));
    await clock.advance(5_000);
    // The pool, the listener, and the one that looks; another one may be on its way out.
    expect(seen.most).toBeLessThanOrEqual(13);
    const { made } = seen;
    await clock.advance(60_000);
    expect(seen.made - made).toBeLessThanOrEqual(13);
    expect([...(await connections())].filter(pid => before.has(pid)).length).toBeGreaterThan(0);
  });
});

test.runIf(hasPostgres)(
  'Dolly leaves a standby within seconds once the address leads to the first server',
  async () => {
    const [model, first, second] = [scratchFolder('pg'), scratchFolder('pg'), scratchFolder('pg')];
    const made = startPostgres(false, model);
    const url = await made.database();
    const { close } = await openShared(url, testClock(), { heard: () => undefined, faulty: () => undefined });
    await close();
    made.stop();
    const primary = startPostgres(false, first, join(model, 'data'));
    writeFileSync(join(model, 'data', 'standby.signal'), '');
    const standby = startPostgres(false, second, join(model, 'data'));
    onTestFinished(() => {
      for (const server of [primary, standby]) server.stop();
      for (const folder of [model, first, second]) rmSync(folder, { recursive: true, force: true });
    });
    const at = (folder: string) => {
      const server = new URL(url);
      server.searchParams.set('host', join(folder, 'data'));
      return server.href;
    };
    const address = await movingAddress(at(first));
    const { clock, writes, isWritten } = await opens(address.url);
    expect(await isWritten()).toBe(true);
    address.leadsTo(at(second));
    const ends = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dolly'";
    /** Ends also a connection that was on its way to the first server when the address turned, and was not yet shown there. */
    const writesElsewhere = async () => {
      await tells(at(first), ends);
      return sentence(await writes());
    };
    await expect.poll(writesElsewhere).toContain('it cannot be written');
    address.leadsTo(at(first));
    await clock.advance(5_000);
    await expect.poll(isWritten).toBe(true);
  },
);
