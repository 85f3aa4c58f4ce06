import { describe, expect, test } from 'vitest';
import type { Jobs } from '../../../src/store/jobs/jobs.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { kindOfCopy, stateAnswersIn } from '../../../src/store/tables/stateAnswers.ts';
import { jobsOf, sent, stores, wish } from '../folder.ts';
import { claimFor, moveJob } from '../steps.ts';

const [long, cut, now] = [10_000, 50_000, 90_000];

/** A job that ran from one time to another, whose end is told; without `endedAt` it runs still. */
async function ran(
  jobs: Jobs,
  sentAt: number,
  endedAt: number | undefined,
  claim?: string,
  end = 'succeeded' as const,
) {
  const { job } = await jobs.add(wish({ createdAt: sentAt }));
  await moveJob(jobs, job.id, 'new', 'sending', sent(sentAt), sentAt);
  const running = await moveJob(jobs, job.id, 'sending', 'running', {}, sentAt);
  if (claim !== undefined && running?.state === 'running') expect(await claimFor(jobs, running, claim)).toBe(true);
  const ended =
    endedAt === undefined ? running : await moveJob(jobs, job.id, 'running', end, { endedAt, dueAt: null }, endedAt);
  if (ended) await jobs.noteTold(job.id, ended.revision);
  return job.id;
}

describe.each(stores)('jobs that ended long ago, in %s,', (_, open) => {
  test('jobs that ended long ago are cleared away with their claims, and the audit trail says so', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const old = await ran(jobs, long, long + 1_000, 'MYSQL_CLONE_SERVER-1');
    const young = await ran(jobs, cut + 1_000, cut + 2_000, 'MYSQL_CLONE_SERVER-2');
    const waiting = (await jobs.add(wish({ createdAt: cut + 1_000 }))).job.id;
    const untold = (await jobs.add(wish({ createdAt: long }))).job.id;
    await moveJob(jobs, untold, 'new', 'failed', { endedAt: long + 1_000 }, long + 1_000);
    expect(await jobs.sweep(cut, now)).toBe(1);
    expect(await jobs.sweep(cut, now)).toBe(0);
    const left = (await store.selectFrom('jobs').select('id').execute()).map(({ id }) => id);
    expect(left.toSorted()).toEqual([young, waiting, untold].toSorted());
    expect(await jobs.find(old)).toBeUndefined();
    expect(await store.selectFrom('claims').select('record').execute()).toEqual([{ record: 'MYSQL_CLONE_SERVER-2' }]);
    const [newest] = (await auditIn(store).read('T1', { words: [] }, 1)).entries;
    expect(newest).toMatchObject({ event: 'swept', actor: 'dolly', at: now });
    expect(newest?.detail).toBe('1 job that ended before 1970-01-01T00:00:50.000Z was cleared away.');
  });

  test('answers about a state word go with an old job only where the same person says the same elsewhere', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const answers = stateAnswersIn(store, 'https://service');
    const [first, second] = [await ran(jobs, long, long + 1_000), await ran(jobs, long + 500, long + 1_500)];
    const young = await ran(jobs, cut + 1_000, cut + 2_000);
    const word = { team: 'T1', kind: 'clones', word: 'P' };
    const says = async (person: string, job: string, approves = 0) =>
      answers.add({ ...word, person, login: person, job, record: `of ${job}`, says: 'ready', approves, at: long });
    for (const job of [first, second, young]) await says('U1', job);
    await says('U2', first);
    await says('U3', second, 1);
    expect(await answers.askerOf({ ...word, word: 'Q' }, first, long)).toBe(first);
    while ((await jobs.sweep(cut, now)) > 0);
    const left = await store.selectFrom('stateAnswers').select(['person', 'job']).orderBy('person').execute();
    expect(left).toEqual([
      { person: 'U1', job: young },
      { person: 'U2', job: first },
      { person: 'U3', job: second },
    ]);
  });

  test('all answers about a physical clone go with its old job, since they hold for no other', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const answers = stateAnswersIn(store, 'https://service');
    const kind = kindOfCopy('MYSQL_CLONE_SERVER-7');
    const [old, young] = [await ran(jobs, long, long + 1_000), await ran(jobs, cut + 1_000, cut + 2_000)];
    for (const [job, approves] of [
      [old, 0],
      [old, 1],
      [young, 0],
    ] as const)
      await answers.add({
        ...{ team: 'T1', kind, word: 'RUNNING', person: `U${approves}`, login: 'ana', job, record: 'r' },
        ...{ says: 'ready', approves, at: long },
      });
    while ((await jobs.sweep(cut, now)) > 0);
    expect(await store.selectFrom('stateAnswers').select('job').execute()).toEqual([{ job: young }]);
  });

  test('old jobs stay while a job that was under way beside them runs or may be looked at again', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const beside = await ran(jobs, long, long + 5_000, 'MYSQL_CLONE_SERVER-1');
    const running = await ran(jobs, long + 4_000, undefined);
    expect(await jobs.sweep(cut, now)).toBe(0);
    const job = await jobs.find(running);
    // Its record is still known as another job's.
    expect(job?.state === 'running' && (await claimFor(jobs, job, 'MYSQL_CLONE_SERVER-1'))).toBe(false);
    const unclear = await moveJob(jobs, running, 'running', 'unconfirmed', { endedAt: cut + 1_000 }, cut + 1_000);
    await jobs.noteTold(running, unclear?.revision ?? 0);
    expect(await jobs.sweep(cut, now)).toBe(0);
    expect(await jobs.find(beside)).toBeDefined();
    expect(await jobs.sweep(cut + 2_000, now)).toBe(2);
  });

  test('old jobs are cleared away beside a job that is over its deadline, or was never sent', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const beside = await ran(jobs, long, long + 5_000);
    await jobs.add(wish({ createdAt: long }));
    const stuck = await ran(jobs, long + 4_000, undefined);
    await store
      .updateTable('jobs')
      .set({ state: 'of another release', deadlineAt: cut - 1 })
      .where('id', '=', stuck)
      .execute();
    expect(await jobs.sweep(cut, now)).toBe(1);
    expect(await jobs.find(beside)).toBeUndefined();
    expect(await jobs.find(stuck)).toMatchObject({ state: 'unreadable' });
  });

  test('the old steps of a plan stay as long as the plan is there, since it would begin them again', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const [plan, step] = [await ran(jobs, long, cut + 1_000), await ran(jobs, long + 1_000, long + 2_000)];
    await store.updateTable('jobs').set({ plan }).where('id', '=', step).execute();
    expect(await jobs.sweep(cut, now)).toBe(0);
    expect(await jobs.sweep(cut + 2_000, now)).toBe(1);
    expect(await jobs.find(plan)).toBeUndefined();
    expect(await jobs.sweep(cut + 2_000, now)).toBe(1);
  });

  test('two processes that clear old jobs away at once take each job once, in small steps', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const id = await ran(jobs, long, long + 1_000);
    const [row] = await store.selectFrom('jobs').selectAll().where('id', '=', id).execute();
    if (!row) throw new Error('there is no job');
    const more = Array.from({ length: 249 }, (_row, at) => ({ ...row, id: `old-${at}`, requestKey: `old-${at}` }));
    for (let at = 0; at < more.length; at += 83)
      await store
        .insertInto('jobs')
        .values(more.slice(at, at + 83))
        .execute();
    const first = await Promise.all([jobs.sweep(cut, now), jobs.sweep(cut, now)]);
    const rest = await jobs.sweep(cut, now);
    expect(Math.max(...first)).toBe(200);
    expect(first.reduce((sum, many) => sum + many, rest)).toBe(250);
  });
});
