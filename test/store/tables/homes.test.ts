import { describe, expect, test } from 'vitest';
import { lockTime } from '../../../src/ground/loop.ts';
import type { Store } from '../../../src/store/database.ts';
import type { Jobs } from '../../../src/store/jobs/jobs.ts';
import { pageIn } from '../../../src/store/jobs/reading.ts';
import { credentialsIn } from '../../../src/store/tables/credentials.ts';
import { attention, type Home, homesIn } from '../../../src/store/tables/homes.ts';
import { openVault } from '../../../src/store/vault.ts';
import { awaited, ben, folder, jobsOf, sent, storeIn, wish } from '../folder.ts';
import { claimFor, moveJob } from '../steps.ts';

const eva = { team: 'T1', person: 'U2' };
/** Each look at the store comes after all leases of before. */
let later = 10_000;

async function begin() {
  const store = await storeIn(folder());
  return { store, homes: homesIn(store), jobs: jobsOf(store) };
}

/** Opens Ben's Home and publishes it. */
async function published(store: Store, now = 1_000): Promise<Home> {
  const homes = homesIn(store);
  await homes.opened(ben, now);
  const { taken } = await homes.take(now, 10);
  const [home] = taken;
  if (!home) throw new Error('there is no Home');
  await homes.published(home, 'digest', now + 2_000);
  return home;
}

/** Whether Ben's Home is behind some time later; if it is, it is published then. */
async function isBehind(store: Store): Promise<boolean> {
  later += 10_000;
  const homes = homesIn(store);
  const { taken } = await homes.take(later, 10);
  for (const home of taken) await homes.published(home, 'digest', later);
  return taken.some(({ person }) => person === ben.person);
}

const takenAt = async (store: Store, now: number) =>
  (await homesIn(store).take(now, 10)).taken.map(({ person }) => person);

async function fails(jobs: Jobs, id: string, now: number): Promise<void> {
  await moveJob(jobs, id, 'new', 'failed', { endedAt: now }, now);
}

describe('a Home', () => {
  test('a published Home is up to date until something of its person changes', async () => {
    const { store, jobs } = await begin();
    await published(store);
    await jobs.add(wish({ ...eva }));
    expect(await isBehind(store)).toBe(false);
    const { job } = await jobs.add(wish());
    expect(await isBehind(store)).toBe(true);
    expect(await isBehind(store)).toBe(false);
    await fails(jobs, job.id, later);
    expect(await isBehind(store)).toBe(true);
  });

  test('a Home is behind when anything of its workspace begins or stops waiting for approval', async () => {
    const { store, jobs } = await begin();
    const { job } = await jobs.add(wish({ ...eva }));
    await published(store);
    await moveJob(jobs, job.id, 'new', 'awaiting', awaited, 1_500);
    expect(await isBehind(store)).toBe(true);
    await moveJob(jobs, job.id, 'awaiting', 'withdrawn', { endedAt: 2_000 }, 1_600);
    expect(await isBehind(store)).toBe(true);
    const other = await jobs.add(wish({ team: 'T2', person: 'U9' }));
    await moveJob(jobs, other.job.id, 'new', 'awaiting', awaited, 1_700);
    expect(await isBehind(store)).toBe(false);
  });

  test('a Home is behind when its person signs in, signs in anew or signs out', async () => {
    const { store } = await begin();
    const credentials = credentialsIn(store, openVault([Buffer.alloc(32, 1)]));
    await published(store);
    await credentials.keep(ben, 'ben', 'token', 1_100);
    expect(await isBehind(store)).toBe(true);
    await credentials.keep(ben, 'ben', 'token', 1_200);
    expect(await isBehind(store)).toBe(true);
    await credentials.forget(ben, 1_300);
    expect(await isBehind(store)).toBe(true);
    expect(await isBehind(store)).toBe(false);
  });

  test('a Home is taken by one of the processes that try, until its lock is over', async () => {
    const { store } = await begin();
    await homesIn(store).opened(ben, 1_000);
    const takes = await Promise.all([1, 2, 3].map(() => takenAt(store, 1_000)));
    expect(takes.flat()).toEqual([ben.person]);
    expect(await takenAt(store, 999 + lockTime)).toEqual([]);
    expect(await takenAt(store, 1_000 + lockTime)).toEqual([ben.person]);
  });

  test('a Home is not taken before its next time, unless its person opens it', async () => {
    const { store, homes, jobs } = await begin();
    await published(store);
    await jobs.add(wish());
    expect(await homes.take(2_000, 10)).toMatchObject({ taken: [], later: [ben], nextAt: 3_000 });
    await homes.opened(ben, 2_100);
    expect(await takenAt(store, 2_100)).toEqual([ben.person]);
  });

  test('a Home whose content changes while it is published is behind at once', async () => {
    const { store, homes, jobs } = await begin();
    await homes.opened(ben, 1_000);
    const [home] = (await homes.take(1_000, 10)).taken;
    await jobs.add(wish());
    if (home) await homes.published(home, 'digest', 1_000);
    expect(await takenAt(store, 1_001)).toEqual([ben.person]);
  });

  test('a Home that Slack did not take is tried again, and its tries are counted', async () => {
    const { store, homes } = await begin();
    await homes.opened(ben, 1_000);
    const [home] = (await homes.take(1_000, 10)).taken;
    if (home) await homes.putOff(home, 4_000, 'failed');
    expect(await takenAt(store, 3_999)).toEqual([]);
    const [again] = (await homes.take(4_000, 10)).taken;
    expect(again).toMatchObject({ tries: 1, digest: '' });
  });

  test('a Home that was opened too long ago is left alone', async () => {
    const { store, jobs } = await begin();
    await published(store);
    await jobs.add(wish());
    expect(await takenAt(store, 1_000 + attention)).toEqual([]);
    expect(await takenAt(store, 999 + attention)).toEqual([ben.person]);
  });

  test('a Home keeps its pages when it is opened again soon, and begins anew after some absence', async () => {
    const { homes } = await begin();
    const pagesAt = async (now: number) => {
      await homes.opened(ben, now);
      return (await homes.take(now, 10)).taken.map(({ pages }) => pages);
    };
    await homes.opened(ben, 1_000);
    await homes.turned(ben, '{"clones":2}', 2_000);
    expect(await pagesAt(3_000)).toEqual(['{"clones":2}']);
    expect(await pagesAt(3_000 + attention)).toEqual(['{}']);
  });

  test('a Home keeps how far its person is with the first steps, and never goes back', async () => {
    const { homes } = await begin();
    const stepsAt = async (now: number) => {
      await homes.opened(ben, now);
      return (await homes.take(now, 10)).taken.map(({ steps }) => steps);
    };
    await homes.stepped(ben, 'over');
    expect(await stepsAt(1_000)).toEqual(['open']);
    await homes.stepped(ben, 'seen');
    await homes.stepped(eva, 'over');
    expect(await stepsAt(1_000 + lockTime)).toEqual(['seen']);
    await homes.stepped(ben, 'over');
    await homes.stepped(ben, 'seen');
    expect(await stepsAt(3_000 + attention)).toEqual(['over']);
  });

  test('a Home that is forgotten is not taken, and can be opened again', async () => {
    const { store, homes } = await begin();
    await published(store);
    await homes.forget(ben);
    await homes.ask(ben);
    expect(await takenAt(store, later)).toEqual([]);
    await homes.opened(ben, 1_000);
    expect(await takenAt(store, later)).toEqual([ben.person]);
  });
});

describe('the jobs of a person', () => {
  test('a person’s jobs stand in pages: those under way by their beginning, the others by their end', async () => {
    const { jobs } = await begin();
    const ids: string[] = [];
    for (const createdAt of [1_000, 2_000, 3_000, 4_000, 5_000]) ids.push((await jobs.add(wish({ createdAt }))).job.id);
    await jobs.add(wish({ ...eva }));
    const [first = '', second = '', third, fourth, fifth] = ids;
    await fails(jobs, second, 7_000);
    await fails(jobs, first, 8_000);
    const ofPage = async (which: 'underWay' | 'ended', page: number) => {
      const { rows, ...more } = await jobs[which](ben, page, 2);
      return { ...more, ids: rows.map(({ id }) => id) };
    };
    expect(await ofPage('underWay', 0)).toEqual({ all: 3, page: 0, size: 2, ids: [fifth, fourth] });
    expect(await ofPage('underWay', 9)).toEqual({ all: 3, page: 1, size: 2, ids: [third] });
    expect(await ofPage('ended', 0)).toEqual({ all: 2, page: 0, size: 2, ids: [first, second] });
    expect(await jobs.lastEnd(ben)).toBe(8_000);
    expect(await jobs.lastEnd(eva)).toBe(0);
  });

  test('a person’s jobs tell which records they made', async () => {
    const { jobs } = await begin();
    const { job } = await jobs.add(wish());
    await moveJob(jobs, job.id, 'new', 'sending', sent(2_000), 2_000);
    await moveJob(jobs, job.id, 'sending', 'running', {}, 2_000);
    const running = await jobs.find(job.id);
    expect(running?.state === 'running' && (await claimFor(jobs, running, 'MYSQL_CLONE_SERVER-9'))).toBe(true);
    expect(await jobs.made(ben)).toEqual(new Set(['MYSQL_CLONE_SERVER-9']));
    expect(await jobs.made(eva)).toEqual(new Set());
  });
});

test.each([
  [0, 0, 0],
  [3, 0, 0],
  [0, 7, 0],
  [1, 7, 1],
  [2, 7, 1],
  [1, 5, 0],
])('page %d of %d rows, five a page, is shown as page %d', (page, all, is) => {
  const rows = Array.from({ length: all }, (_, at) => at);
  expect(pageIn(rows, page, 5)).toEqual({ rows: rows.slice(is * 5, is * 5 + 5), all, page: is, size: 5 });
});
