import { expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '../../../src/store/agenda.ts';
import type { Store } from '../../../src/store/database.ts';
import { followHistory, type History, type StorePlace } from '../../../src/store/history/history.ts';
import type { PutBack } from '../../../src/store/history/putBack.ts';
import { noteRows } from '../../../src/store/history/recentRows.ts';
import { credentialsIn } from '../../../src/store/tables/credentials.ts';
import { openVault } from '../../../src/store/vault.ts';
import { testClock } from '../../clock.ts';
import { ben, folder, jobsOf, sent, storeIn, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

/* A store that goes back under a process: here by hand, row by row. */

const first: StorePlace = { line: '1', start: 'a', position: 10 };
const promoted: StorePlace = { line: '2', start: 'b', position: 5 };

/** A process on a store, which begins where the store stands first. */
async function follows(store: Store, clock = testClock(1_000_000)) {
  const put: PutBack[] = [];
  let place = first;
  const told = () => undefined;
  const wentBack = (some: readonly PutBack[]) => void put.push(...some);
  const look = async () => place;
  const faulty = () => undefined;
  const history: History = followHistory({ store, beside: store, place: look, clock, told, wentBack, faulty });
  onTestFinished(() => history.stop());
  await history.begin();
  /** The store goes on from an earlier state, elsewhere. */
  const moves = (next: StorePlace) => {
    place = next;
    return history.arrive(next);
  };
  return { clock, history, put, moves };
}

const stateOf = async (store: Store, id: string) =>
  (await store.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst())?.state;

test('after the store went back, sent, withdrawn and lost requests stand again as they did', async () => {
  const store = await storeIn(folder());
  const jobs = jobsOf(store);
  const { put, moves } = await follows(store);
  const [gone, waits, withdrawn, asked] = [wish(), wish(), wish(), wish()];
  for (const one of [gone, waits, withdrawn, asked]) await jobs.add(one);
  await moveJob(jobs, gone.id, 'new', 'sending', sent(2_000), 2_000);
  await moveJob(jobs, waits.id, 'new', 'sending', sent(2_000), 2_000);
  await moveJob(jobs, withdrawn.id, 'new', 'withdrawn', { endedAt: 2_000 }, 2_000);
  const before = { state: 'new', sentAt: null, endedAt: null, revision: 1 };
  await store.updateTable('jobs').set(before).where('id', 'in', [waits.id, withdrawn.id]).execute();
  await store.deleteFrom('jobs').where('id', 'in', [gone.id, asked.id]).execute();

  await moves(promoted);
  const states = await Promise.all([gone, waits, withdrawn, asked].map(({ id }) => stateOf(store, id)));
  expect(states).toEqual(['sending', 'sending', 'withdrawn', 'new']);
  expect(put).toEqual(Array.from({ length: 4 }, () => ({ team: 'T1', what: 'request' })));
  const entries = await store.selectFrom('audit').select('job').where('event', '=', 'put back').execute();
  expect(entries.map(({ job }) => job).toSorted()).toEqual(
    [gone, waits, withdrawn, asked].map(({ id }) => id).toSorted(),
  );
});

test('after the store went back, a request that was sent there meanwhile stays sent, though it had been withdrawn', async () => {
  const store = await storeIn(folder());
  const jobs = jobsOf(store);
  const { put, moves } = await follows(store);
  const job = wish();
  await jobs.add(job);
  await moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000 }, 2_000);
  const other = { state: 'sending', ...sent(3_000), endedAt: null, revision: 1 };
  await store.updateTable('jobs').set(other).where('id', '=', job.id).execute();
  await moves(promoted);
  expect(await stateOf(store, job.id)).toBe('sending');
  expect(put).toEqual([]);
});

test('after the store went back, a sign-out ends the sign-in again, and not one that came later', async () => {
  const store = await storeIn(folder());
  const credentials = credentialsIn(
    store,
    openVault([Buffer.alloc(32, 7)], () => undefined),
  );
  const { put, moves } = await follows(store);
  const row = { ...ben, username: 'ben', token: 'sealed' };
  await credentials.keep(ben, 'ben', 'token', 2_000);
  await credentials.forget(ben, 3_000);
  await store
    .insertInto('credentials')
    .values({ ...row, createdAt: 2_000 })
    .execute();
  await moves(promoted);
  expect(await credentials.has(ben)).toBe(false);
  expect(put).toEqual([{ team: 'T1', what: 'sign-in' }]);
  await store
    .insertInto('credentials')
    .values({ ...row, createdAt: 9_000 })
    .execute();
  await moves({ ...promoted, line: '3' });
  expect(await credentials.has(ben)).toBe(true);
});

test('after the store went back, what had been rolled back is not put back', async () => {
  const store = await storeIn(folder());
  const { put, moves } = await follows(store);
  const row = { ...ben, username: 'ben', token: 'sealed', createdAt: 2_000 };
  const stops = inTransaction(store, async changes => {
    noteRows(changes, { table: 'credentials', row, isOver: false });
    throw new Error('it stops');
  });
  await expect(stops).rejects.toThrow('it stops');
  await moves(promoted);
  expect(put).toEqual([]);
});

test('after a fail-over, a process goes on once the others came to the new server or were silent for a minute', async () => {
  const store = await storeIn(folder());
  const clock = testClock(1_000_000);
  const [one, other, silent] = [await follows(store, clock), await follows(store, clock), await follows(store, clock)];
  await silent.history.stop();
  let hasCome = false;
  const coming = one.moves(promoted).then(() => {
    hasCome = true;
  });
  await clock.advance(1_000);
  expect(hasCome).toBe(false);
  const another = other.moves(promoted);
  await clock.advance(1_000);
  await Promise.all([coming, another]);
  expect(hasCome).toBe(true);

  await store
    .insertInto('things')
    .values({
      ...{ kind: 'replica', id: 'of old', team: '', person: '', channel: null, subject: JSON.stringify(['2', 'b']) },
      ...{
        state: 'on',
        revision: 1,
        plannedAt: null,
        waitsFor: null,
        createdAt: clock.now(),
        endedAt: null,
        body: '{}',
      },
    })
    .execute();
  const next = { line: '3', start: 'c', position: 1 };
  const refused = Promise.allSettled([one.moves(next), other.moves(next)]);
  await clock.advance(6_000);
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(one.history.isHere(next)).toBe(false);
  await clock.advance(60_000);
  expect(one.history.isHere(next)).toBe(true);
});

test('after a restart of the same server, no process waits for another', async () => {
  const store = await storeIn(folder());
  const clock = testClock(1_000_000);
  const [one] = [await follows(store, clock), await follows(store, clock)];
  await one.moves({ ...first, start: 'later', position: 11 });
  expect(one.history.isHere({ ...first, start: 'later', position: 12 })).toBe(true);
});
