import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openShared } from '../../src/store/postgres.ts';
import { testClock } from '../clock.ts';
import { freshDatabase, hasPostgres } from '../postgres.ts';

async function begin() {
  const url = await freshDatabase();
  const clock = testClock();
  const faults: unknown[] = [];
  let heard = 0;
  const shared = await openShared(
    url,
    clock,
    () => heard++,
    error => faults.push(error),
  );
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
  return { ...shared, clock, faults, outside, cut, close, heard: () => heard };
}

describe.runIf(hasPostgres)('a connection that is lost', () => {
  test('in the middle of a transaction fails that alone, and the next statement has another', async () => {
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

  test('by the listener is made anew, and what was announced meanwhile is looked for', async () => {
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
});
