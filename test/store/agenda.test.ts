import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Hint, inTransaction, listenToQueue, listenToWritten, noteDue } from '../../src/store/agenda.ts';
import type { Store } from '../../src/store/database.ts';
import { addDue } from '../../src/store/dueQueue.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { openVault } from '../../src/store/vault.ts';
import { awaited, ben, jobsOf, stores, wish } from './folder.ts';
import { moveJob } from './steps.ts';

/** What a store's process hears of, in its order. */
function hearing(store: Store) {
  const heard: Hint[] = [];
  listenToWritten(store, hints => void heard.push(...hints));
  return async () => {
    await turn();
    return heard.splice(0).map(({ queue, at, whose }) => [queue, at, ...(whose ? [whose] : [])]);
  };
}

describe.each(stores)('in %s', (_, open) => {
  test('what a transaction makes due is heard of once it is committed, and never where it is rolled back', async () => {
    const store = await open();
    const heard = hearing(store);
    const isThere: Promise<number>[] = [];
    const rows = () => store.selectFrom('due').selectAll().execute();
    listenToQueue(store, 'lease', () => void isThere.push(rows().then(({ length }) => length)));
    const row = { kind: 'lease', id: 'one', team: 'T1', dueAt: 5_000, now: 1_000 };
    await inTransaction(store, async changes => {
      await addDue(changes, [row]);
      await turn();
      expect(isThere).toEqual([]);
    });
    expect(await heard()).toEqual([['lease', 5_000]]);
    expect(await Promise.all(isThere)).toEqual([1]);
    const broken = inTransaction(store, async changes => {
      await addDue(changes, [{ ...row, id: 'two' }]);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await heard()).toEqual([]);
    noteDue(store, 'lease', null);
    expect(await heard()).toEqual([]);
  });

  test('a job announces when its step, its message and its person’s Home are due', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const heard = hearing(store);
    const { job } = await jobs.add(wish());
    expect(await heard()).toEqual([
      ['jobs', 1_000],
      ['jobs to tell', 6_000],
      ['homes', 1_000, ben],
    ]);
    await moveJob(jobs, job.id, 'new', 'awaiting', { ...awaited, dueAt: 9_000 }, 2_000);
    // Those who decide see it in their Homes, too.
    const home = ['homes', 2_000, { team: 'T1' }];
    expect(await heard()).toEqual([['jobs', 9_000], ['jobs to tell', 2_000], home]);
    await moveJob(jobs, job.id, 'awaiting', 'approved', { dueAt: 3_000, lockedUntil: 30_000 }, 3_000);
    expect((await heard()).map(([queue]) => queue)).toEqual(['jobs to tell', 'homes']);
  });

  test('a sign-in and a sign-out announce whose Home is out of date', async () => {
    const store = await open();
    const heard = hearing(store);
    const credentials = credentialsIn(store, openVault([Buffer.alloc(32, 1)]));
    await credentials.keep(ben, 'ben', 'token', 1_000);
    await credentials.forget(ben, 2_000);
    await credentials.forget(ben, 3_000);
    expect(await heard()).toEqual([
      ['homes', 1_000, ben],
      ['homes', 2_000, ben],
      ['homes', 3_000, ben],
    ]);
  });
});
