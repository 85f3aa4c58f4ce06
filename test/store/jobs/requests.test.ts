import { describe, expect, test } from 'vitest';
import { ben, jobsOf, stores, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

describe.each(stores)('in %s', (_, open) => {
  test('a person’s earlier requests of an operation are theirs, the latest first, without those that came to nothing', async () => {
    const jobs = jobsOf(await open());
    const add = async (at: number, change: Parameters<typeof wish>[0] = {}) =>
      (await jobs.add(wish({ createdAt: at, values: { port: at }, ...change }))).job.id;
    await add(1_000);
    const refused = await add(2_000);
    await add(3_000, { operation: 'database.backup' });
    await add(4_000, { person: 'U2' });
    await add(5_000, { labels: { 'HOST_ENVIRONMENT-4': 'dev' } });
    await add(6_000, { team: 'T2' });
    await moveJob(jobs, refused, 'new', 'failed', { endedAt: 2_500, dueAt: null }, 2_500);
    const earlier = await jobs.earlier(ben, 'clone.create');
    expect(earlier.map(({ values }) => values.port)).toEqual([5_000, 1_000]);
    expect(earlier[0]).toMatchObject({
      operation: 'clone.create',
      values: { port: 5_000 },
      labels: { 'HOST_ENVIRONMENT-4': 'dev' },
      targetName: 'orders',
    });
  });

  test('a team’s requests whose records may not be listed yet are those under way, and those that ended a moment ago', async () => {
    const jobs = jobsOf(await open());
    const add = async (port: number, change: Parameters<typeof wish>[0] = {}) =>
      (await jobs.add(wish({ values: { port }, ...change }))).job.id;
    await add(1);
    await add(2, { person: 'U2' });
    await add(3, { team: 'T2' });
    await add(4, { operation: 'database.backup' });
    const ends = [
      [await add(5), 'succeeded', 90_000],
      [await add(6), 'succeeded', 10_000],
      [await add(7), 'failed', 90_000],
    ] as const;
    for (const [id, state, endedAt] of ends)
      await moveJob(jobs, id, 'new', state, { endedAt, sentAt: 1, dueAt: null }, endedAt);
    const ports = (await jobs.pending('T1', ['clone.create', 'clone.share'], 60_000)).map(({ values }) => values.port);
    expect(ports.sort()).toEqual([1, 2, 5]);
    expect(await jobs.pending('T1', [], 0)).toEqual([]);
  });
});
