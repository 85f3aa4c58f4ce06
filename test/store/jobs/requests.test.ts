import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/database.ts';
import type { NewJob } from '../../../src/store/jobs/rows/job.ts';
import { isShared } from '../../../src/store/lock.ts';
import { ben, jobsOf, stores, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

describe.each(stores)('in %s', (_, open) => {
  test('a person’s earlier requests of an operation are listed, the latest first, without those that failed', async () => {
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

  test('ports are taken on an environment by requests under way, and by those that were done a moment ago', async () => {
    const jobs = jobsOf(await open());
    const add = async (port: number, change: Parameters<typeof wish>[0] = {}) =>
      (await jobs.add(wish({ takes: takesOn('HOST_ENVIRONMENT-4', { port }), ...change }))).job.id;
    await add(1);
    await add(2, { person: 'U2' });
    await add(3, { team: 'T2' });
    await add(4, { takes: undefined });
    await add(8, { takes: takesOn('HOST_ENVIRONMENT-5', { port: 8 }) });
    const ends = [
      [await add(5), 'succeeded', 90_000],
      [await add(6), 'succeeded', 10_000],
      [await add(7), 'failed', 90_000],
    ] as const;
    for (const [id, state, endedAt] of ends)
      await moveJob(jobs, id, 'new', state, { endedAt, sentAt: 1, dueAt: null }, endedAt);
    const taken = await jobs.taken('T1', 'HOST_ENVIRONMENT-4', 60_000);
    expect(taken.map(({ port }) => port).sort()).toEqual([1, 2, 5]);
  });

  test('a job is added only while nobody else there takes its port or name, however many others there are', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    for (let port = 1; port <= 1_100; port++)
      await jobs.add(wish({ takes: takesOn('HOST_ENVIRONMENT-4', { port, name: `QA${port}` }) }));
    const asks = (change: Partial<NonNullable<NewJob['takes']>>, must: readonly ('port' | 'name')[], who = {}) => {
      const takes = takesOn('HOST_ENVIRONMENT-4', change);
      const of = (what: 'port' | 'name') => must.includes(what);
      const free = { port: of('port') ? takes.port : null, name: of('name') ? takes.name : null, since: 0 };
      return jobs.addIfFree(wish({ takes, ...who }), {}, free);
    };
    expect(await asks({ port: 1 }, ['port'])).toBeUndefined();
    expect(await asks({ port: 1_100 }, ['port'])).toBeUndefined();
    expect(await asks({ port: 1_101, name: 'QA1100' }, ['port', 'name'])).toBeUndefined();
    const entries = () =>
      store
        .selectFrom('audit')
        .select(eb => eb.fn.countAll().as('many'))
        .executeTakeFirst();
    expect(Number((await entries())?.many)).toBe(1_100);
    // Whoever typed a port themselves may ask for one that is taken.
    expect(await asks({ port: 1_100 }, [])).toMatchObject({ isNew: true });
    expect(await asks({ port: 1_100, on: 'HOST_ENVIRONMENT-5' }, ['port'])).toMatchObject({ isNew: true });
    expect(await asks({ port: 1_100 }, ['port'], { team: 'T2' })).toMatchObject({ isNew: true });
    expect(await asks({ port: 1_101 }, ['port'])).toMatchObject({ isNew: true });
    expect(await asks({ port: 1_101 }, ['port'])).toBeUndefined();
  });

  test('only one of two requests at the same moment takes a free port, and only one a free name', async context => {
    const store = await open();
    // The embedded store runs one statement after the other.
    if (!isShared(store)) return context.skip();
    for (const free of [
      { port: 1, name: null, since: 0 },
      { port: null, name: 'QA1', since: 0 },
    ]) {
      const ask = (at: Store) => jobsOf(at).addIfFree(wish({ takes: takesOn('HOST_ENVIRONMENT-4', free) }), {}, free);
      const isWaiting = sql<{ is: boolean }>`select exists (select from pg_locks where not granted) as is`;
      const [first, second] = await store.transaction().execute(async changes => {
        const asked = await ask(changes);
        const other = ask(store);
        let isOver = false;
        void other.finally(() => {
          isOver = true;
        });
        while (!isOver && !(await isWaiting.execute(changes)).rows[0]?.is);
        return [asked, other.then(added => ({ added }))] as const;
      });
      expect(first).toMatchObject({ isNew: true });
      expect(await second).toEqual({ added: undefined });
    }
  });

  test('a job that is looked at again takes no port from the job that has it by now', async () => {
    const jobs = jobsOf(await open());
    const takes = takesOn('HOST_ENVIRONMENT-4', { port: 1, name: 'QA1' });
    const ask = (since: number) => jobs.addIfFree(wish({ takes }), {}, { port: 1, name: 'QA1', since });
    const { id = '' } = (await ask(0))?.job ?? {};
    await moveJob(jobs, id, 'new', 'unconfirmed', { endedAt: 90_000, sentAt: 1, dueAt: null }, 90_000);
    expect(await ask(100_000)).toMatchObject({ isNew: true });
    const again = { endedAt: null, deadlineAt: 200_000, dueAt: 100_000, reason: null };
    expect(await moveJob(jobs, id, 'unconfirmed', 'running', again, 100_000)).toMatchObject({ state: 'running' });
    expect(await ask(100_000)).toBeUndefined();
  });

  test('a port of a job that ended a moment ago is not free yet, and the same request twice is one job', async () => {
    const jobs = jobsOf(await open());
    const takes = takesOn('HOST_ENVIRONMENT-4', { port: 1 });
    const first = wish({ takes });
    await jobs.add(first);
    await moveJob(jobs, first.id, 'new', 'succeeded', { endedAt: 90_000, sentAt: 1, dueAt: null }, 90_000);
    const asks = (since: number, change = {}) =>
      jobs.addIfFree(wish({ takes, ...change }), {}, { port: 1, name: null, since });
    expect(await asks(60_000)).toBeUndefined();
    const { requestKey } = first;
    expect(await asks(60_000, { requestKey })).toMatchObject({ isNew: false, job: { id: first.id } });
    expect(await asks(100_000)).toMatchObject({ isNew: true });
  });
});

/** What a request takes on an environment. */
function takesOn(on: string, change: Partial<NonNullable<NewJob['takes']>>): NonNullable<NewJob['takes']> {
  return { on, port: null, name: null, path: null, ...change };
}
