import { describe, expect, test } from 'vitest';
import { lockTime } from '../../../src/ground/loop.ts';
import { type Jobs, jobsIn } from '../../../src/store/jobs/jobs.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import type { Job, JobChange, Unreadable } from '../../../src/store/jobs/rows/job.ts';
import type { TakenLook } from '../../../src/store/jobs/rows/jobRow.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { addNews, awaited, ben, jobsOf, sent, stores, wish } from '../folder.ts';
import { lookInVain, moveJob, noteJob } from '../steps.ts';
import { noticeOf } from '../tables/aNotice.ts';

/** A job that runs, is told, and is due at `dueAt`. */
async function running(jobs: Jobs, dueAt: number, change: Partial<Parameters<typeof wish>[0]> = {}): Promise<Job> {
  const { job } = await jobs.add(wish(change));
  await moveJob(jobs, job.id, 'new', 'sending', sent(0), 0);
  const moved = await moveJob(jobs, job.id, 'sending', 'running', { dueAt, place: job.channel, messageTs: '1.1' }, 0);
  if (!moved) throw new Error('it does not run');
  await jobs.noteMessage(job.id, { shown: moved.revision, tellAt: null });
  return moved;
}

const ids = (some: readonly Job[]) => some.map(({ id }) => id).sort();

test.runIf(hasPostgres)(
  'a process that renews locks does not wait for another one that is changing one of the rows',
  async () => {
    const [, open] = stores.at(-1) ?? [];
    const store = await open?.();
    if (!store) throw new Error('there is no PostgreSQL');
    const jobs = jobsOf(store);
    const notices = outboxIn(store).queue();
    for (const id of ['a', 'b']) {
      await running(jobs, 1_000, { id, requestKey: id });
      await noteJob(jobs, id, 'running', { reason: 'News.', dueAt: 3_000 }, true, 3_000);
      await outboxIn(store).add([noticeOf(id)]);
    }
    const due = await jobs.takeDue(9_000, lockTime, 10);
    const untold = await jobs.takeUntold(9_000, lockTime, 10);
    const taken = (await notices.take(9_000, 10)).map(one => one.due);
    expect([due, untold, taken].map(({ length }) => length)).toEqual([2, 2, 2]);
    await store.transaction().execute(async changes => {
      await changes.updateTable('jobs').set({ reason: 'Changed.' }).where('id', '=', 'a').execute();
      await changes.updateTable('due').set({ tries: 1 }).where('id', '=', 'a').execute();
      await jobs.renewDue(due, 99_000);
      expect(await jobs.renewUntold(['a', 'b'], 99_000)).toEqual(['b']);
      await notices.renew(taken, 99_000);
    });
    const locks = (table: 'jobs' | 'due') =>
      store.selectFrom(table).select(['id', 'lockedUntil']).where('id', 'in', ['a', 'b']).orderBy('id').execute();
    for (const table of ['jobs', 'due'] as const)
      expect(
        (await locks(table)).map(({ lockedUntil }) => lockedUntil),
        table,
      ).toEqual([9_000 + lockTime, 99_000]);
  },
);

test.runIf(hasPostgres).each([
  ['', {}],
  [' of one person, and takes those of the next', { person: 'U2' }],
])('A process that takes jobs does not wait for another one that is changing some of them%s', async (_, other) => {
  const [, open] = stores.at(-1) ?? [];
  const store = await open?.();
  if (!store) throw new Error('there is no PostgreSQL');
  const jobs = jobsOf(store);
  const [first, second] = [await running(jobs, 1_000), await running(jobs, 2_000, other)];
  const news = { reason: 'News.' };
  for (const { id } of [first, second]) await noteJob(jobs, id, 'running', news, true, 3_000);
  await store.transaction().execute(async changes => {
    await changes.updateTable('jobs').set({ reason: 'Changed.' }).where('id', '=', first.id).execute();
    expect(ids(await jobs.takeDue(3_000, 60_000, 1))).toEqual([second.id]);
    expect(ids(await jobs.takeUntold(3_000, 60_000, 1))).toEqual([second.id]);
  });
  expect(ids(await jobs.takeDue(3_000, 60_000, 2))).toEqual([first.id]);
  expect(ids(await jobs.takeUntold(3_000, 60_000, 2))).toEqual([first.id]);
});

describe.each(stores)('in %s:', (_, open) => {
  describe('what is taken along with a job that is due', () => {
    test('a job that is due is taken together with the running jobs of the same person that are due soon', async () => {
      const jobs = jobsOf(await open());
      const due = await running(jobs, 1_000);
      const soon = await running(jobs, 5_000);
      const late = await running(jobs, 20_000);
      await running(jobs, 5_000, { person: 'U2' });
      await running(jobs, 5_000, { team: 'T2' });
      await jobs.add(wish({ createdAt: 5_000 }));
      expect(ids(await jobs.takeDue(1_000, 10_000, 1, { soon: 10_000 }))).toEqual(ids([due, soon]));
      expect(await jobs.takeDue(1_000, 10_000, 1, { soon: 10_000 })).toEqual([]);
      expect(ids(await jobs.takeDue(20_000, 1_000, 100))).toContain(late.id);
    });
    test.each([
      ['by their rows', 0],
      ['by their looks', 9],
    ])(
      'all due jobs of a person are taken at once, and the person who waited longest comes first, %s',
      async (_, looks) => {
        const store = await open();
        const jobs = jobsOf(store);
        const people = ['U1', 'U2', 'U3'];
        for (const person of [...people, ...people, ...people]) await running(jobs, 1_000, { person });
        await store.updateTable('jobs').set({ looks }).execute();
        await lookInVain(jobs, 1_000, 10_000);
        for (const [table, time] of [
          ['jobs', 'dueAt'],
          ['looks', 'freeAt'],
        ] as const)
          for (const [person, at] of [
            ['U3', 9_000],
            ['U1', 9_500],
          ] as const)
            await store
              .updateTable(table)
              .set({ [time]: at })
              .where('person', '=', person)
              .where(time, '=', 10_000)
              .execute();
        const taken: string[][] = [];
        for (let turn = 0; turn < 2; turn++)
          taken.push((await jobs.takeDue(10_000, 60_000, 4, { soon: 1_000 })).map(({ person }) => person).sort());
        expect(taken).toEqual([
          ['U1', 'U1', 'U1', 'U3', 'U3', 'U3'],
          ['U2', 'U2', 'U2'],
        ]);
      },
    );
  });

  describe('a process that was paused for longer than its lock lasts', () => {
    test('a process that was paused beyond its lock notes nothing of a message that another one took', async () => {
      const store = await open();
      const [paused, other] = [jobsOf(store), jobsOf(store)];
      const { job } = await addNews(paused, { createdAt: 2_000 });
      expect(ids(await paused.takeUntold(3_000, lockTime, 10))).toEqual([job.id]);
      expect(ids(await other.takeUntold(3_000 + lockTime, lockTime, 10))).toEqual([job.id]);
      expect(await paused.renewUntold([job.id], 90_000)).toEqual([]);
      expect(await paused.noteMessage(job.id, { place: 'C1', messageTs: '1.1', tellLockedUntil: 0 })).toBe(false);
      await paused.notePost(job.id, { part: 'alarm' }, { place: 'C1', ts: '1.2' });
      await paused.noteTold(job.id, 1);
      await paused.letGo([job.id], 3_000);
      expect(await other.find(job.id)).toMatchObject({ messageTs: null, posts: [], tellAt: 2_000 });
      expect(await other.takeUntold(4_000 + lockTime, lockTime, 10)).toEqual([]);
      expect(await other.renewUntold([job.id], 90_000)).toEqual([job.id]);
      expect(await other.noteMessage(job.id, { place: 'C1', messageTs: '1.3' })).toBe(true);
    });
  });

  describe('a sending', () => {
    test('a request is not sent with a sign-in that its person has ended or made anew meanwhile', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const signIn = { owner: ben, since: 1_000 };
      const begins = async () => {
        const { job } = await addNews(jobs);
        const transition = {
          state: 'sending',
          changes: sent(3_000),
          news: false,
          trail: { event: 'sending' },
          signIn,
        } as const;
        return (await jobs.apply({ id: job.id, state: 'new' }, transition, 3_000))?.state;
      };
      expect(await begins()).toBeUndefined();
      const row = { ...ben, username: 'ben', token: 'sealed', createdAt: 1_000 };
      await store.insertInto('credentials').values(row).execute();
      expect(await begins()).toBe('sending');
      await store.updateTable('credentials').set({ createdAt: 2_000 }).execute();
      expect(await begins()).toBeUndefined();
    });
  });

  describe('looks that brought nothing new', () => {
    test('looks that brought nothing new are noted for all jobs at once, which are then due later', async () => {
      const jobs = jobsOf(await open());
      const three = await Promise.all([1, 2, 3].map(() => running(jobs, 1_000)));
      await lookInVain(jobs, 1_000, 9_000);
      expect(await jobs.takeDue(8_999, 1_000, 10)).toEqual([]);
      const again = await jobs.takeDue(9_000, 1_000, 10);
      expect(ids(again)).toEqual(ids(three));
      expect(
        again.map(one => ({ looks: one.state === 'running' && one.looks, revision: one.revision, tellAt: one.tellAt })),
      ).toEqual(three.map(({ revision }) => ({ looks: 1, revision, tellAt: null })));
    });
    test('after a few looks in vain at a job, its next looks are due in a table of their own', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const { id } = await running(jobs, 1_000);
      const rows: unknown[] = [];
      for (let look = 1; look <= 7; look++) {
        await lookInVain(jobs, (look - 1) * 10_000 + 1_000, look * 10_000);
        const taken = await jobs.takeDue(look * 10_000, 1_000, 10);
        expect(taken).toMatchObject([{ id, state: 'running', looks: look, dueAt: look * 10_000 }]);
        rows.push((await store.selectFrom('jobs').select('dueAt').executeTakeFirstOrThrow()).dueAt);
      }
      expect(rows).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, null, null]);
    });
    test('a process that remembers a job takes its due look without reading the job from the store', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const [known, other, changed] = [
        await running(jobs, 1_000),
        await running(jobs, 1_000),
        await running(jobs, 1_000),
      ].map(({ id }) => id);
      await store.updateTable('jobs').set({ looks: 9 }).execute();
      await lookInVain(jobs, 1_000, 10_000);
      await noteJob(jobs, changed ?? '', 'running', { dueAt: 60_000 }, false, 4_000);
      const looks: TakenLook[] = [];
      const remembers = (look: TakenLook) => {
        looks.push(look);
        return look.job === known;
      };
      expect(ids(await jobs.takeDue(10_000, 60_000, 10, { remembers }))).toEqual([other]);
      const isHere = new Map(looks.map(look => [look.job, look.isHere]));
      expect([known, other, changed].map(id => isHere.get(id ?? ''))).toEqual([1, 1, 0]);
      const read = await jobs.lookedAt(
        looks.filter(({ job }) => job === known),
        10_000,
      );
      expect(read).toMatchObject([{ id: known, state: 'running', dueAt: 10_000, looks: 10, taken: { by: 'look' } }]);
    });
    test('a job whose looks are in a table of their own is due by its own row again once somebody changes it', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const { id } = await running(jobs, 1_000);
      await store.updateTable('jobs').set({ looks: 9 }).execute();
      await lookInVain(jobs, 1_000, 10_000);
      // A click makes it due earlier.
      await noteJob(jobs, id, 'running', { dueAt: 5_000 }, false, 4_000);
      expect(await jobs.takeDue(5_000, 1_000, 10)).toMatchObject([{ id, dueAt: 5_000, looks: 9 }]);
      // Its row in the narrow queue is stale, and gives nobody the job a second time.
      await noteJob(jobs, id, 'running', { dueAt: 60_000 }, false, 5_000);
      expect(await jobs.takeDue(10_000, 1_000, 10)).toEqual([]);
      expect(await store.selectFrom('looks').selectAll().execute()).toEqual([]);
      await lookInVain(jobs, 60_000, 70_000);
      expect(await jobs.takeDue(70_000, 1_000, 10)).toMatchObject([{ id, dueAt: 70_000, looks: 10 }]);
      await moveJob(jobs, id, 'running', 'succeeded', { dueAt: null, endedAt: 71_000 }, 71_000);
      expect(await jobs.takeDue(90_000, 1_000, 10)).toEqual([]);
      expect(await jobs.nextTime('due', 90_000)).toBeUndefined();
    });
    test('a look is locked while one process renews the lock, and is freed where a clock was set back', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const { id } = await running(jobs, 1_000);
      await store.updateTable('jobs').set({ looks: 9 }).execute();
      await lookInVain(jobs, 1_000, 10_000);
      const taken = await jobs.takeDue(10_000, 20_000, 10);
      expect(taken).toMatchObject([{ id }]);
      expect(await jobs.takeDue(29_999, 20_000, 10)).toEqual([]);
      await jobs.renewDue(taken, 50_000);
      expect(await jobs.takeDue(49_999, 20_000, 10)).toEqual([]);
      expect(await jobs.takeDue(50_000, 20_000, 10)).toMatchObject([{ dueAt: 10_000 }]);
      // The lock holds until 70,000; by this clock, no lock lasts so long.
      await jobs.recall(20_000);
      await lookInVain(jobs, 20_000, 9_000_000);
      await jobs.recall(30_000);
      expect(await jobs.takeDue(30_000, 20_000, 10)).toHaveLength(1);
      await freeJobLocks(store);
      expect(await jobs.takeDue(30_000, 20_000, 10)).toHaveLength(1);
    });
    test('looks at jobs of another release are put back unchanged, for that release to take', async () => {
      const store = await open();
      const newer = jobsOf(store);
      const { id } = await running(newer, 1_000, { operation: 'cluster.create' });
      await store.updateTable('jobs').set({ looks: 9 }).execute();
      await lookInVain(newer, 1_000, 10_000);
      const older = jobsIn(store, { knows: operation => operation === 'clone.create' });
      expect(await older.takeDue(10_000, 20_000, 10)).toEqual([]);
      expect(await older.nextTime('due', 10_000)).toBeUndefined();
      expect(await newer.takeDue(10_000, 20_000, 10)).toMatchObject([{ id, dueAt: 10_000 }]);
    });
    test('a look in vain does not put off again a job that somebody made due meanwhile', async () => {
      const jobs = jobsOf(await open());
      const { id } = await running(jobs, 1_000);
      const [job] = await jobs.takeDue(1_000, 60_000, 10);
      await noteJob(jobs, id, 'running', { dueAt: 2_000 }, false, 2_000);
      if (job?.state === 'running') await jobs.noChange([{ job, dueAt: 90_000 }]);
      expect(ids(await jobs.takeDue(2_000, 60_000, 10))).toEqual([id]);
    });
    test('a look in vain changes nothing of a job that has ended meanwhile', async () => {
      const jobs = jobsOf(await open());
      const { id } = await running(jobs, 1_000);
      const [job] = await jobs.takeDue(1_000, 1_000, 10);
      await moveJob(jobs, id, 'running', 'succeeded', { dueAt: null, endedAt: 2_000 }, 2_000);
      if (job?.state === 'running') await jobs.noChange([{ job, dueAt: 9_000 }]);
      expect(await jobs.find(id)).toMatchObject({ state: 'succeeded', dueAt: null });
    });
  });

  describe('a job of another release', () => {
    test('a job of another release is left with its time unchanged for that release, and is told of once', async () => {
      const store = await open();
      const heard: string[] = [];
      const leftAlone = ({ id }: Unreadable) => void heard.push(id);
      const older = jobsIn(store, { knows: operation => operation === 'clone.create', leftAlone });
      const newer = jobsOf(store);
      const { job: other } = await addNews(newer, { operation: 'cluster.create' });
      const { job: own } = await addNews(newer, { createdAt: 2_000 });
      expect(ids(await older.takeDue(3_000, lockTime, 10))).toEqual([own.id]);
      expect(ids(await older.takeUntold(3_000, lockTime, 10))).toEqual([own.id]);
      expect([await older.nextTime('due', 3_000), await older.nextTime('tell', 3_000)]).toEqual([undefined, undefined]);
      expect(ids(await newer.takeDue(3_000, lockTime, 10))).toEqual([other.id]);
      expect(ids(await newer.takeUntold(3_000, lockTime, 10))).toEqual([other.id]);
      // It is looked at again later: its release may have ended it.
      expect(await older.takeDue(120_000, 60_000, 10)).toHaveLength(1);
      expect(heard).toEqual([other.id]);
      expect(await older.find(other.id)).toMatchObject({ state: 'unreadable' });
      expect(await newer.find(other.id)).toMatchObject({ state: 'new', dueAt: other.createdAt, revision: 1 });
    });

    test('a job of another release counts as work on its target, and as one that may make a record', async () => {
      const store = await open();
      const older = jobsIn(store, { knows: operation => operation === 'clone.create' });
      const newer = jobsOf(store);
      const own = await running(newer, 1_000);
      const other = await running(newer, 1_000, { operation: 'cluster.create' });
      if (own.state !== 'running') throw new Error('it does not run');
      await store.updateTable('jobs').set({ state: 'cloning' }).where('id', '=', other.id).execute();
      expect(await older.overlapping(own)).toEqual([
        {
          id: other.id,
          operation: 'cluster.create',
          sentAt: 0,
          endedAt: null,
          inDoubt: false,
          claimed: null,
          isProved: false,
          isLate: false,
        },
      ]);
      expect(await older.unclaimed(own, ['database.stop'])).toMatchObject([{ state: 'unreadable', id: other.id }]);
      expect(await older.openOn(ben.team, own.target)).toHaveLength(2);
      expect((await older.underWay(ben, 0, 10)).rows.map(({ state }) => state).toSorted()).toEqual([
        'running',
        'unreadable',
      ]);
      expect(await older.inHand([own.target, 'MYSQL_LIVE_SERVER-99'])).toEqual(new Set([own.target]));
    });
  });

  describe('what is to be told', () => {
    const untold = async (change: JobChange = {}) => {
      const jobs = jobsOf(await open());
      const changed = await running(jobs, 0, { channel: 'C1' });
      const asked = (await addNews(jobs, { channel: 'C2', createdAt: 2_000 })).job;
      const ended = await running(jobs, 0, { channel: 'C3' });
      await noteJob(jobs, changed.id, 'running', { reason: 'news' }, true, 1_000);
      await moveJob(jobs, ended.id, 'running', 'succeeded', { endedAt: 3_000, ...change }, 3_000);
      return { jobs, changed, asked, ended };
    };

    test('messages go out in order: what waits for a decision, ends, what was just asked for, and other news', async () => {
      const { jobs, changed, asked, ended } = await untold();
      const { id: waiting } = (await jobs.add(wish({ createdAt: 0 }))).job;
      await moveJob(jobs, waiting, 'new', 'awaiting', { ...awaited, messageTs: '1.1' }, 3_500);
      const order = [];
      for (let turn = 0; turn < 4; turn++) order.push(...(await jobs.takeUntold(3_900, 60_000, 1)).map(({ id }) => id));
      expect(order).toEqual([waiting, ended.id, asked.id, changed.id]);
      await jobs.letGo(order);
      expect((await jobs.takeUntold(3_900, 60_000, 10)).map(({ id }) => id)).toEqual(order);
    });
    test('a request of two seconds ago is told before any more ends of jobs', async () => {
      const { jobs, asked, ended } = await untold();
      expect((await jobs.takeUntold(4_000, 60_000, 2)).map(({ id }) => id)).toEqual([asked.id, ended.id]);
    });
    test('an end of a job that waited long is told though its channel is crowded, unless Slack wants a pause', async () => {
      const { jobs, changed, ended } = await untold({ messageTs: '1.1' });
      const busy = { places: ['C1', 'C2', 'C3'], endedBefore: 3_000 };
      expect(ids(await jobs.takeUntold(5_000, 1_000, 10, { ...busy, resting: ['C3'] }))).toEqual([changed.id]);
      expect(ids(await jobs.takeUntold(7_000, 1_000, 10, busy))).toEqual([changed.id, ended.id].sort());
    });
    test('an approval card that is not posted yet goes out even while no message may be changed', async () => {
      const { jobs, asked, ended } = await untold();
      const { id: waiting } = (await jobs.add(wish({ createdAt: 0 }))).job;
      await moveJob(jobs, waiting, 'new', 'awaiting', { ...awaited, messageTs: '1.1', cardPlace: 'C9' }, 3_500);
      const busy = { teams: [ben.team] };
      expect(ids(await jobs.takeUntold(5_000, 1_000, 10, busy))).toEqual([asked.id, ended.id, waiting].sort());
      await jobs.noteMessage(waiting, { cardPlace: 'C9', cardTs: '2.2' });
      expect(ids(await jobs.takeUntold(7_000, 1_000, 10, busy))).toEqual([asked.id, ended.id].sort());
    });
    test('news of jobs wait where nothing may be posted, except for changes of messages that stand there', async () => {
      const { jobs, changed } = await untold();
      const busy = { places: ['C1', 'C2', 'C3'], teams: [] };
      expect(ids(await jobs.takeUntold(5_000, lockTime, 10, busy))).toEqual([changed.id]);
      expect(await jobs.nextTime('tell', 5_000)).toBeUndefined();
      expect(await jobs.nextTime('tell')).toBe(1_000);
    });
    test('news of jobs wait where no message may be changed, except for new messages and replies to ends', async () => {
      const { jobs, asked, ended } = await untold();
      const busy = { places: [], teams: [ben.team] };
      expect(ids(await jobs.takeUntold(5_000, 60_000, 10, busy))).toEqual([asked.id, ended.id].sort());
    });
    test('a job whose reply stands waits until its card may be changed', async () => {
      const { jobs, asked } = await untold({ replyTs: '2.2' });
      expect(ids(await jobs.takeUntold(5_000, 60_000, 10, { places: [], teams: [ben.team] }))).toEqual([asked.id]);
    });
    test('news that Slack did not take come after the others, and before news of running jobs', async () => {
      const { jobs, changed, asked, ended } = await untold({ messageTs: '1.1' });
      await jobs.takeUntold(3_900, 1_000, 10);
      await jobs.noteMessage(ended.id, { tellAt: 3_900, tellTries: 1 });
      expect((await jobs.takeUntold(5_000, 60_000, 10)).map(({ id }) => id)).toEqual([asked.id, ended.id, changed.id]);
    });
    test('news that a process could not tell can be taken again at once', async () => {
      const { jobs } = await untold();
      const taken = await jobs.takeUntold(5_000, 60_000, 10);
      await jobs.letGo(ids(taken));
      expect(ids(await jobs.takeUntold(5_000, 60_000, 10))).toEqual(ids(taken));
    });
  });
});
