import { describe, expect, test } from 'vitest';
import { jobsOf, sent, stores, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

describe.each(stores)('in %s', (_, open) => {
  test('nothing is found where the other jobs on the records of no job are asked for', async () => {
    expect(await jobsOf(await open()).overlappingAll([])).toEqual(new Map());
  });

  test('the other jobs on the records of several jobs are found together just as for each job alone', async () => {
    const jobs = jobsOf(await open());
    /** A job on a record, sent at a time and ended at another one, if at all. */
    const make = async (target: string, sentAt: number, end?: readonly ['succeeded' | 'unconfirmed', number]) => {
      const { job } = await jobs.add(wish({ target, operation: 'database.backup' }));
      await moveJob(jobs, job.id, 'new', 'sending', sent(sentAt), sentAt);
      await moveJob(jobs, job.id, 'sending', 'running', { dueAt: sentAt }, sentAt);
      if (end) await moveJob(jobs, job.id, 'running', end[0], { endedAt: end[1], dueAt: null }, end[1]);
      return { id: job.id, sentAt, target };
    };
    const early = await make('MYSQL_LIVE_SERVER-1', 1_000);
    const late = await make('MYSQL_LIVE_SERVER-1', 50_000);
    const other = await make('MYSQL_LIVE_SERVER-2', 30_000);
    await make('MYSQL_LIVE_SERVER-1', 2_000, ['succeeded', 3_000]);
    await make('MYSQL_LIVE_SERVER-1', 20_000, ['unconfirmed', 45_000]);
    await make('MYSQL_LIVE_SERVER-2', 10_000, ['unconfirmed', 12_000]);
    await make('MYSQL_LIVE_SERVER-2', 28_000, ['succeeded', 31_000]);
    await jobs.add(wish({ target: 'MYSQL_LIVE_SERVER-2' }));
    const all = await jobs.overlappingAll([early, late, other]);
    const counts = [early, late, other].map(({ id }) => all.get(id)?.length);
    expect(counts).toEqual([3, 2, 1]);
    for (const job of [early, late, other]) expect(all.get(job.id)).toEqual(await jobs.overlapping(job));
    expect(
      all
        .get(late.id)
        ?.map(({ isLate }) => isLate)
        .toSorted(),
    ).toEqual([false, true]);
  });

  test('a job on a record with very many jobs gets as many of the others as it would if asked for alone', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const target = 'MYSQL_LIVE_SERVER-1';
    const add = async (sentAt: number) => {
      const { job } = await jobs.add(wish({ target }));
      return { id: job.id, sentAt, target };
    };
    const made = [];
    for (let at = 0; at < 260; at++) made.push(await add(at < 250 ? 1_000 : 9_000));
    // All but the last ten had ended when those were sent.
    await store.updateTable('jobs').set({ state: 'succeeded', sentAt: 1_000, endedAt: 5_000 }).execute();
    for (const { id } of made.slice(250))
      await store
        .updateTable('jobs')
        .set({ state: 'running', sentAt: 9_000, endedAt: null })
        .where('id', '=', id)
        .execute();
    const [first, last] = [made[0], made.at(-1)];
    if (!first || !last) throw new Error('none was made');
    const all = await jobs.overlappingAll([first, last]);
    expect(all.get(first.id)).toHaveLength(200);
    expect(all.get(last.id)).toHaveLength(9);
  });

  test('very many jobs on other environments do not hide those that may make a record on this one', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const on = (place: string) => ({ on: place, port: null, name: null, path: null });
    for (let at = 0; at < 250; at++) await jobs.add(wish({ takes: on('HOST_ENVIRONMENT-5') }));
    const [own, rival, anywhere] = [
      await jobs.add(wish({ takes: on('HOST_ENVIRONMENT-4') })),
      await jobs.add(wish({ takes: on('HOST_ENVIRONMENT-4') })),
      await jobs.add(wish()),
    ].map(({ job }) => job.id);
    await store.updateTable('jobs').set({ state: 'running', sentAt: 1_000, deadlineAt: 90_000 }).execute();
    const job = { id: own ?? '', sentAt: 1_000 };
    const found = await jobs.unclaimed(job, ['database.stop'], ['HOST_ENVIRONMENT-4']);
    expect(found.map(({ id }) => id).toSorted()).toEqual([rival, anywhere].toSorted());
    expect(await jobs.unclaimed(job, ['clone.create'], ['HOST_ENVIRONMENT-4'])).toEqual([]);
  });
});
