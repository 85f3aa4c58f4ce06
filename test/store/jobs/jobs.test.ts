import { describe, expect, test } from 'vitest';
import { lockTime } from '../../../src/ground/loop.ts';
import { countOpen } from '../../../src/store/census.ts';
import type { Store } from '../../../src/store/database.ts';
import type { Jobs } from '../../../src/store/jobs/jobs.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import type { RunningJob } from '../../../src/store/jobs/rows/job.ts';
import { accountOwner } from '../../../src/store/serviceOwner.ts';
import { addNews, awaited, ben, jobsOf, sent, stores, wish } from '../folder.ts';
import { claimFor, lookInVain, moveJob, noteJob } from '../steps.ts';

/** A job that runs since `sentAt`. */
async function running(jobs: Jobs, sentAt: number): Promise<RunningJob> {
  const { job } = await jobs.add(wish());
  await moveJob(jobs, job.id, 'new', 'sending', sent(sentAt), sentAt);
  const moved = await moveJob(jobs, job.id, 'sending', 'running', { dueAt: sentAt }, sentAt);
  if (moved?.state !== 'running') throw new Error('it does not run');
  return moved;
}

describe.each(stores)('in %s:', (_, open) => {
  const begin = async (): Promise<{ store: Store; jobs: Jobs }> => {
    const store = await open();
    return { store, jobs: jobsOf(store) };
  };

  describe('a job', () => {
    test('a job that is added is new and due at once, and to be told five seconds later', async () => {
      const { jobs } = await begin();
      const { job, isNew } = await jobs.add(wish({ createdAt: 5_000 }));
      expect(isNew).toBe(true);
      expect(job).toMatchObject({
        state: 'new',
        hold: null,
        dueAt: 5_000,
        tellAt: 10_000,
        revision: 1,
        shown: 0,
        tries: 0,
      });
      expect(await jobs.find(job.id)).toEqual(job);
      expect(await jobs.find('other')).toBeUndefined();
    });

    test('a form makes one job, however often it is submitted', async () => {
      const { jobs } = await begin();
      const first = wish({ requestKey: 'one form' });
      const answers = await Promise.all([1, 2, 3].map(at => jobs.add({ ...first, id: `job-of-submit-${at}` })));
      expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
      expect(await jobs.ofPerson(ben, 10)).toHaveLength(1);
    });

    test('a job is moved by one of those who try, and the others change nothing', async () => {
      const { jobs } = await begin();
      const { job } = await jobs.add(wish());
      const moves = await Promise.all([
        moveJob(jobs, job.id, 'new', 'sending', { ...sent(2_000), reason: 'a' }, 2_000),
        moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000, reason: 'b' }, 2_000),
        moveJob(jobs, job.id, 'new', 'sending', { ...sent(2_000), reason: 'c' }, 2_000),
      ]);
      const [winner, ...others] = moves.filter(moved => moved !== undefined);
      expect(others).toEqual([]);
      expect(await jobs.find(job.id)).toEqual(winner);
      expect(winner).toMatchObject({ revision: 2, tellAt: 2_000 });
    });

    test('a note for a state that a job has left is not written', async () => {
      const { jobs } = await begin();
      const { job } = await jobs.add(wish());
      await moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000 }, 2_000);
      expect(await noteJob(jobs, job.id, 'new', { reason: 'late' }, true, 3_000)).toBeUndefined();
      expect(await jobs.find(job.id)).toMatchObject({ state: 'withdrawn', reason: '', revision: 2 });
    });

    test('a job is told again only where a note is news', async () => {
      const { jobs } = await begin();
      const { job } = await jobs.add(wish());
      await jobs.noteTold(job.id, 1);
      expect(await noteJob(jobs, job.id, 'new', { tries: 3 }, false, 2_000)).toMatchObject({
        tries: 3,
        revision: 1,
        tellAt: null,
      });
      expect(await noteJob(jobs, job.id, 'new', { hold: 'busy' }, true, 3_000)).toMatchObject({
        hold: 'busy',
        revision: 2,
        tellAt: 3_000,
      });
    });

    test('a job that moved on while its message was posted is still to be told', async () => {
      const { jobs } = await begin();
      const { job } = await jobs.add(wish());
      await noteJob(jobs, job.id, 'new', {}, true, 2_000);
      await jobs.noteTold(job.id, 1);
      expect(await jobs.find(job.id)).toMatchObject({ tellAt: 2_000 });
      await jobs.noteTold(job.id, 2);
      expect(await jobs.find(job.id)).toMatchObject({ tellAt: null });
    });
  });

  describe('the jobs of a person', () => {
    test('the jobs of a person are theirs in one workspace alone, the newest first', async () => {
      const { jobs } = await begin();
      await jobs.add(wish({ id: 'old', createdAt: 1 }));
      await jobs.add(wish({ id: 'new', createdAt: 3 }));
      await jobs.add(wish({ id: 'middle', createdAt: 2 }));
      await jobs.add(wish({ person: 'U2' }));
      await jobs.add(wish({ team: 'T2' }));
      expect((await jobs.ofPerson(ben, 10)).map(({ id }) => id)).toEqual(['new', 'middle', 'old']);
      expect((await jobs.ofPerson(ben, 2)).map(({ id }) => id)).toEqual(['new', 'middle']);
    });
  });

  describe('the last job of a target that was confirmed', () => {
    test('the last confirmed job of a target is looked up by operation, target and workspace', async () => {
      const { jobs } = await begin();
      const ended = async (id: string, end: 'succeeded' | 'failed', endedAt: number, change: object) => {
        await jobs.add(wish({ id, operation: 'database.backup', ...change }));
        await moveJob(jobs, id, 'new', 'sending', sent(endedAt - 2), endedAt - 2);
        await moveJob(jobs, id, 'sending', 'running', {}, endedAt - 1);
        await moveJob(jobs, id, 'running', end, { endedAt }, endedAt);
      };
      await ended('first', 'succeeded', 2_000, {});
      await ended('last', 'succeeded', 3_000, { person: 'U2' });
      await ended('failed', 'failed', 4_000, {});
      await ended('a clone', 'succeeded', 5_000, { operation: 'clone.create' });
      await ended('elsewhere', 'succeeded', 6_000, { team: 'T2' });
      await ended('of another', 'succeeded', 7_000, { target: 'MYSQL_LIVE_SERVER-2' });
      expect(await jobs.lastDone('T1', 'MYSQL_LIVE_SERVER-1', ['database.backup'])).toMatchObject({ id: 'last' });
      expect(await jobs.lastDone('T1', 'MYSQL_LIVE_SERVER-1', ['database.delete'])).toBeUndefined();
    });
  });

  describe.each([
    ['due', 'dueAt', 'due', 'takeDue'],
    ['to be told', 'tellAt', 'tell', 'takeUntold'],
  ] as const)('jobs that are %s', (_, column, queue, take) => {
    test('jobs are taken when their time has come, the longest due first, and by one taker only', async () => {
      const { jobs } = await begin();
      for (const [id, at] of [
        ['late', 3_000],
        ['first', 1_000],
        ['second', 2_000],
      ] as const)
        await addNews(jobs, { id, createdAt: at });
      const taken = async (now: number, most = 10) => (await jobs[take](now, 60_000, most)).map(({ id }) => id);
      expect(await taken(999)).toEqual([]);
      expect(await taken(2_000, 1)).toEqual(['first']);
      expect(await taken(2_000)).toEqual(['second']);
      expect(await taken(2_000)).toEqual([]);
      // The lock on the first two is over.
      expect((await taken(62_000)).toSorted()).toEqual(['first', 'late', 'second']);
    });

    test('the store tells when the next job of a queue is due', async () => {
      const { jobs } = await begin();
      expect(await jobs.nextTime(queue)).toBeUndefined();
      const { job } = await addNews(jobs, { createdAt: 7_000 });
      await addNews(jobs, { createdAt: 9_000 });
      expect(await jobs.nextTime(queue)).toBe(7_000);
      await jobs[take](7_000, lockTime, 1);
      expect(await jobs.nextTime(queue, 7_000)).toBe(9_000);
      await jobs.noteMessage(job.id, { [column]: null });
      expect(await jobs.nextTime(queue)).toBe(9_000);
      expect(await jobs.nextTime(queue, 9_000)).toBeUndefined();
    });

    test('jobs that another process had taken are free after a start', async () => {
      const { store, jobs } = await begin();
      await addNews(jobs);
      expect(await jobs[take](1_000, 60_000, 10)).toHaveLength(1);
      await freeJobLocks(store);
      expect(await jobs[take](1_000, 60_000, 10)).toHaveLength(1);
    });
  });

  describe('after a clock was set back by an hour', () => {
    const hour = 3_600_000;
    const now = 10 * hour;

    test.each([
      ['due', 'takeDue', 'due'],
      ['to be told', 'takeUntold', 'tell'],
    ] as const)(
      'after a clock was set back by an hour, jobs that are %s and were taken before are free',
      async (_, take, queue) => {
        const { jobs } = await begin();
        await addNews(jobs);
        expect(await jobs[take](now + hour, 20_000, 10)).toHaveLength(1);
        expect(await jobs.nextTime(queue)).toBe(1_000);
        expect(await jobs[take](now, 20_000, 10)).toHaveLength(1);
        // Another process whose clock is a little behind respects that.
        expect(await jobs[take](now - 5_000, 20_000, 10)).toEqual([]);
      },
    );

    test('after a clock was set back, jobs that were put off are due, unless they wait for a person', async () => {
      const { jobs } = await begin();
      const late = { createdAt: now + hour + 30_000 };
      const { job } = await jobs.add(wish({ id: 'new', ...late }));
      await jobs.add(wish({ id: 'held', ...late }));
      await noteJob(jobs, 'held', 'new', { hold: 'sign-in' }, false, now);
      await jobs.add(wish({ id: 'awaiting', ...late }));
      await moveJob(jobs, 'awaiting', 'new', 'awaiting', awaited, now);
      await jobs.add(wish({ id: 'soon', createdAt: now + 60_000 }));
      await jobs.recall(now);
      expect((await jobs.takeDue(now, 20_000, 10)).map(({ id }) => id)).toEqual([job.id]);
      expect((await jobs.takeUntold(now, 20_000, 10)).map(({ id }) => id).toSorted()).toEqual([
        'awaiting',
        'held',
        'new',
      ]);
    });
  });

  test('the jobs of people who have enough in hand are not taken, and the next time is another’s', async () => {
    const { jobs } = await begin();
    await jobs.add(wish({ createdAt: 1_000 }));
    await jobs.add(wish({ id: 'of another', person: 'U2', createdAt: 5_000 }));
    expect(await jobs.nextTime('due', 2_000)).toBe(5_000);
    expect((await jobs.takeDue(9_000, 20_000, 10, { without: [ben.person] })).map(({ id }) => id)).toEqual([
      'of another',
    ]);
  });

  test('the store counts the jobs of each state, and those that are still to be told', async () => {
    const { store, jobs } = await begin();
    await running(jobs, 1_000);
    const { id } = await running(jobs, 1_000);
    await noteJob(jobs, id, 'running', { looks: 9 }, false, 1_000);
    await lookInVain(jobs, 1_000, 9_000);
    await jobs.add(wish());
    const { job } = await jobs.add(wish());
    await moveJob(jobs, job.id, 'new', 'failed', { endedAt: 2_000 }, 2_000);
    await jobs.noteTold(job.id, 2);
    expect(await jobs.standing()).toEqual({ new: 1, awaiting: 0, approved: 0, sending: 0, running: 2, untold: 3 });
    expect((await countOpen(store)).toSorted((one, other) => one.count - other.count)).toEqual([
      { operation: 'clone.create', state: 'new', count: 1 },
      { operation: 'clone.create', state: 'running', count: 2 },
    ]);
  });

  test('a message that is noted for one revision of a job is not kept for a later revision', async () => {
    const { jobs } = await begin();
    const { job } = await jobs.add(wish());
    await noteJob(jobs, job.id, 'new', {}, true, 2_000);
    await jobs.noteMessage(job.id, { replyTs: '1.1' }, 1);
    expect(await jobs.find(job.id)).toMatchObject({ replyTs: null });
    await jobs.noteMessage(job.id, { replyTs: '1.1' }, 2);
    expect(await jobs.find(job.id)).toMatchObject({ replyTs: '1.1' });
  });

  test('a job that a process has taken stays with it while it renews the lock, unless it let the job go', async () => {
    const { jobs } = await begin();
    const { job } = await jobs.add(wish());
    const { job: other } = await jobs.add(wish());
    const taken = await jobs.takeDue(2_000, 10_000, 10);
    await noteJob(jobs, other.id, 'new', { dueAt: 3_000 }, false, 2_000);
    await jobs.renewDue(taken, 30_000);
    expect((await jobs.takeDue(15_000, 10_000, 10)).map(({ id }) => id)).toEqual([other.id]);
    expect((await jobs.takeDue(30_000, 10_000, 10)).map(({ id }) => id)).toContain(job.id);
  });

  test('a job that moves to another state gives up its lock, unless the move keeps it', async () => {
    const { jobs } = await begin();
    const { job } = await jobs.add(wish());
    await jobs.takeDue(1_000, 60_000, 1);
    expect(
      (await moveJob(jobs, job.id, 'new', 'sending', { lockedUntil: 61_000, ...sent(1_000) }, 1_000))?.lockedUntil,
    ).toBe(61_000);
    expect((await moveJob(jobs, job.id, 'sending', 'running', {}, 1_000))?.lockedUntil).toBe(0);
  });

  test('a sign-in makes due the jobs that wait for that person’s sign-in, and no others', async () => {
    const { jobs } = await begin();
    const add = async (id: string, hold: 'sign-in' | 'busy' | null, change = {}) => {
      await jobs.add(wish({ id, ...change }));
      await noteJob(jobs, id, 'new', { hold, dueAt: 99_000, reason: 'wait', lockedUntil: 98_000 }, false, 1_000);
    };
    await add('waiting', 'sign-in');
    await add('busy', 'busy');
    await add('other person', 'sign-in', { person: 'U2' });
    await add('other team', 'sign-in', { team: 'T2' });
    await add('with the service account', 'sign-in', { runsAs: 'service' });
    await jobs.resume(ben, 5_000);
    expect(
      (await jobs.takeDue(5_000, 60_000, 10)).map(({ id, hold, reason, revision }) => [id, hold, reason, revision]),
    ).toEqual([['waiting', null, null, 2]]);
    await jobs.resume(accountOwner(ben.team), 6_000);
    expect((await jobs.takeDue(6_000, 60_000, 10)).map(({ id }) => id)).toEqual(['with the service account']);
  });

  describe('a new record', () => {
    const record = 'MYSQL_CLONE_SERVER-9';

    test('a new record belongs to one of two jobs that ran at the same time, and the other one looks again at once', async () => {
      const { jobs } = await begin();
      const both = [await running(jobs, 1_000), await running(jobs, 1_500)] as const;
      const claims = await Promise.all(both.map(job => claimFor(jobs, job, record)));
      // Two connections of PostgreSQL race: either may be the first one.
      expect(claims.toSorted()).toEqual([false, true]);
      const [one, two] = claims[0] ? both : ([both[1], both[0]] as const);
      expect(await jobs.find(two.id)).toMatchObject({ claimed: null, dueAt: 0, lockedUntil: 0 });
      expect(await claimFor(jobs, one, record)).toBe(true);
      expect(await claimFor(jobs, two, 'MYSQL_CLONE_SERVER-10')).toBe(true);
      expect(await jobs.find(one.id)).toMatchObject({ claimed: record });
    });

    test('a job gives up the record that it had claimed once it takes another one', async () => {
      const { jobs } = await begin();
      const [one, two] = [await running(jobs, 1_000), await running(jobs, 1_500)];
      expect(await claimFor(jobs, one, record)).toBe(true);
      expect(await claimFor(jobs, one, 'MYSQL_CLONE_SERVER-10', { leaves: record })).toBe(true);
      expect(await claimFor(jobs, two, record)).toBe(true);
      expect(await jobs.claimsOn([record, 'MYSQL_CLONE_SERVER-10'])).toHaveLength(2);
    });

    test('a claim and the end that rests on it are written together, and a job that comes late ends nothing', async () => {
      const store = await open();
      const jobs = jobsOf(store);
      const [one, two, three] = [await running(jobs, 1_000), await running(jobs, 1_500), await running(jobs, 1_500)];
      const claims = [{ record, sign: '', name: null, madeAt: null, over: null }];
      const changes = { endedAt: 2_000, dueAt: null, reason: 'It is there.' };
      const end = { state: 'succeeded', changes, trail: { event: 'succeeded' }, news: true, claims } as const;
      const { claims: _, ...other } = end;
      await jobs.apply(one, end, 2_000);
      await jobs.applyAll(
        [
          { job: two, transition: end },
          { job: three, transition: other },
        ],
        2_000,
      );
      const states = await Promise.all([one, two, three].map(async ({ id }) => (await jobs.find(id))?.state));
      expect(states).toEqual(['succeeded', 'running', 'succeeded']);
      expect(await jobs.claimsOn([record])).toMatchObject([{ job: one.id, endedAt: 2_000 }]);
      expect(await store.selectFrom('audit').select('job').where('event', '=', 'succeeded').execute()).toEqual([
        { job: one.id },
        { job: three.id },
      ]);
      // A step that comes too late leaves no claim behind.
      await jobs.apply(
        one,
        { ...end, claims: [{ record: 'MYSQL_CLONE_SERVER-8', sign: '', name: null, madeAt: null, over: null }] },
        3_000,
      );
      expect(await jobs.claimsOn(['MYSQL_CLONE_SERVER-8'])).toEqual([]);
    });

    test('a claim on a record that no longer stands goes over to one of the jobs that noticed it', async () => {
      const { jobs } = await begin();
      const [one, two, three] = [await running(jobs, 1_000), await running(jobs, 1_500), await running(jobs, 1_500)];
      await claimFor(jobs, one, record);
      const claims = await Promise.all([two, three].map(job => claimFor(jobs, job, record, { over: one.id })));
      expect(claims.toSorted()).toEqual([false, true]);
    });
  });
});
