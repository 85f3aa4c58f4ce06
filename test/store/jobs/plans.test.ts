import { describe, expect, test } from 'vitest';
import { type Jobs, jobsIn } from '../../../src/store/jobs/jobs.ts';
import { isPlan, type NewStep, type Plan } from '../../../src/store/jobs/rows/job.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { ben, jobsOf, sent, stores, wish } from '../folder.ts';
import { moveJob, noteJob } from '../steps.ts';

const target = 'MYSQL_CLONE_SERVER-1';
const steps = [target, 'MYSQL_CLONE_SERVER-2'].map(id => ({
  operation: 'database.delete',
  values: { database: id },
  labels: {},
  target: id,
  targetName: null,
}));
const stepOf = (plan: string, step: number, tries = 1): NewStep => ({
  ...wish({ id: `${plan}-${step}-${tries}`, requestKey: `${plan} ${step} ${tries}`, createdAt: 5_000 }),
  ...{ operation: 'database.delete', values: { database: target }, target },
  ...{ plan, step, login: null, approval: undefined },
});

/** A plan that runs, is told, and is due at no time soon. */
async function running(jobs: Jobs): Promise<Plan<'running'>> {
  const { job } = await jobs.add(wish({ operation: 'database.teardown', target, steps }));
  const moved = await moveJob(jobs, job.id, 'new', 'running', { ...sent(0), dueAt: 600_000 }, 0);
  if (moved?.state !== 'running' || !isPlan(moved)) throw new Error('it is no plan that runs');
  await jobs.noteTold(moved.id, moved.revision);
  return moved;
}
const begin = (jobs: Jobs, plan: Plan<'running'>, step = 0) =>
  jobs.beginStep(
    plan,
    { state: 'running', changes: { step, dueAt: 600_000 }, news: false, revision: plan.revision },
    stepOf(plan.id, step),
  );

describe.each(stores)('a plan in %s', (_, open) => {
  test('a plan keeps its steps, and begins each once, however many processes try', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const plan = await running(jobs);
    expect(plan.steps).toEqual(steps);
    const begun = await Promise.all([begin(jobs, plan), begin(jobs, plan)]);
    // Both rest on the same revision, which neither changes here: the second finds the job that the first made.
    expect(begun.filter(Boolean).length).toBeGreaterThan(0);
    expect((await jobs.stepsOf(plan.id)).map(({ id, operation }) => [id, operation])).toEqual([
      [`${plan.id}-0-1`, 'database.delete'],
    ]);
    const { entries } = await auditIn(store).read('T1', { words: ['begun'] }, 9);
    expect(entries.map(({ operation, detail }) => [operation, detail])).toEqual([['database.delete', 'step 1 of 2']]);
    await noteJob(jobs, plan.id, 'running', { reason: 'News.' }, true, 6_000);
    expect(await begin(jobs, plan, 1)).toBeUndefined();
    expect(await jobs.stepsOf(plan.id)).toHaveLength(1);
  });

  test('a plan has the only message: it tells the news of its steps, and the end of a step makes it due', async () => {
    const jobs = jobsOf(await open());
    const plan = await running(jobs);
    await begin(jobs, plan);
    const id = `${plan.id}-0-1`;
    expect(await jobs.takeUntold(5_000, 1_000, 9)).toEqual([]);
    await moveJob(jobs, id, 'new', 'sending', sent(5_000), 5_000);
    expect((await jobs.takeUntold(5_000, 1_000, 9)).map(job => job.id)).toEqual([plan.id]);
    expect(await jobs.find(plan.id)).toMatchObject({ dueAt: 600_000 });
    await moveJob(jobs, id, 'sending', 'running', { dueAt: 6_000 }, 5_500);
    // News without an entry in the trail reach the plan, too.
    const before = await jobs.find(plan.id);
    const job = { id, state: 'running', plan: plan.id } as const;
    await jobs.apply(job, { state: 'running', changes: { reason: 'It waits.' }, news: true }, 6_000);
    const after = await jobs.find(plan.id);
    if (!before || before.state === 'unreadable' || !after || after.state === 'unreadable') throw new Error('no plan');
    expect(after.revision).toBe(before.revision + 1);
    await jobs.takeDue(6_000, 60_000, 9);
    await moveJob(jobs, id, 'running', 'succeeded', { endedAt: 7_000, dueAt: null }, 7_000);
    expect((await jobs.takeDue(7_000, 60_000, 9)).map(job => job.id)).toEqual([plan.id]);
    expect(await jobs.find(id)).toMatchObject({ tellAt: null });
  });

  test('a plan is told of a sign-in that lets its step go on, and no other plan is', async () => {
    const jobs = jobsOf(await open());
    const [plan, other] = [await running(jobs), await running(jobs)];
    for (const each of [plan, other]) await begin(jobs, each);
    const step = { id: `${plan.id}-0-1`, state: 'new', plan: plan.id } as const;
    await jobs.apply(step, { state: 'new', changes: { hold: 'sign-in', dueAt: 99_000 }, news: true }, 5_000);
    const [asking] = await jobs.takeUntold(5_000, 1_000, 9);
    expect(asking?.id).toBe(plan.id);
    await jobs.noteTold(plan.id, asking?.revision ?? 0);
    expect(await jobs.takeUntold(6_500, 1_000, 9)).toEqual([]);
    await jobs.resume(ben, 7_000);
    expect((await jobs.takeUntold(7_000, 1_000, 9)).map(({ id }) => id)).toEqual([plan.id]);
    // It still waits for its step, which is due.
    const due = (await jobs.takeDue(7_000, 1_000, 9)).map(({ id }) => id);
    expect([due.includes(step.id), due.includes(plan.id)]).toEqual([true, false]);
  });

  test('a withdrawn plan gets a later reply once all that was under way has ended', async () => {
    const jobs = jobsOf(await open());
    const plan = await running(jobs);
    const part = { ...stepOf(plan.id, 1), id: 'part', requestKey: 'part', steps };
    const begins = { state: 'running', changes: { dueAt: 600_000 }, news: false } as const;
    expect(await jobs.beginStep(plan, begins, stepOf(plan.id, 0), part)).toBeDefined();
    const ran = await moveJob(jobs, 'part', 'new', 'running', { ...sent(5_000), dueAt: 600_000 }, 5_000);
    if (ran?.state !== 'running' || !isPlan(ran)) throw new Error('it is no plan that runs');
    expect(await jobs.beginStep(ran, begins, stepOf('part', 0), stepOf('part', 1))).toBeDefined();
    const [own, inPart, unsent] = [`${plan.id}-0-1`, 'part-0-1', 'part-1-1'];
    for (const id of [own, inPart]) {
      await moveJob(jobs, id, 'new', 'sending', sent(5_000), 5_000);
      await moveJob(jobs, id, 'sending', 'running', {}, 5_000);
    }
    for (const id of [plan.id, 'part']) {
      await moveJob(jobs, id, 'running', 'withdrawn', { endedAt: 6_000, dueAt: null }, 6_000);
      await jobs.noteMessage(id, { replyTs: '6.1' });
    }
    const replies = () =>
      Promise.all(
        [plan.id, 'part'].map(async id => {
          const job = await jobs.find(id);
          return job?.state === 'unreadable' ? 'unreadable' : job?.replyTs;
        }),
      );
    await moveJob(jobs, unsent, 'new', 'withdrawn', { endedAt: 6_000, dueAt: null }, 6_000);
    await moveJob(jobs, own, 'running', 'failed', { endedAt: 7_000, dueAt: null }, 7_000);
    expect(await replies()).toEqual(['6.1', '6.1']);
    await jobs.noteMessage(plan.id, { posting: { part: 'reply', end: 3, place: 'C1', since: 6_000 } });
    await moveJob(jobs, inPart, 'running', 'succeeded', { endedAt: 8_000, dueAt: null }, 8_000);
    expect(await replies()).toEqual([null, '6.1']);
    expect(await jobs.find(plan.id)).toMatchObject({
      state: 'withdrawn',
      endedAt: 6_000,
      dueAt: null,
      posting: undefined,
    });
    expect((await jobs.takeUntold(8_000, 1_000, 9)).map(({ id }) => id)).toContain(plan.id);
  });

  test('a plan that has ended tells of the end of a step, and is due no more', async () => {
    const jobs = jobsOf(await open());
    const plan = await running(jobs);
    await begin(jobs, plan);
    await moveJob(jobs, `${plan.id}-0-1`, 'new', 'sending', sent(5_000), 5_000);
    const ended = await moveJob(jobs, plan.id, 'running', 'withdrawn', { endedAt: 6_000, dueAt: null }, 6_000);
    await jobs.noteTold(plan.id, ended?.revision ?? 0);
    await moveJob(jobs, `${plan.id}-0-1`, 'sending', 'failed', { endedAt: 7_000, dueAt: null }, 7_000);
    expect(await jobs.find(plan.id)).toMatchObject({ state: 'withdrawn', dueAt: null, tellAt: 7_000 });
  });

  test('a plan stands in lists in place of its steps', async () => {
    const jobs = jobsOf(await open());
    const plan = await running(jobs);
    await begin(jobs, plan);
    const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id);
    expect(ids(await jobs.ofPerson(ben, 9))).toEqual([plan.id]);
    expect(ids((await jobs.underWay(ben, 0, 9)).rows)).toEqual([plan.id]);
    expect(ids(await jobs.openOn('T1', target))).toEqual([plan.id]);
    await moveJob(jobs, plan.id, 'running', 'failed', { endedAt: 6_000, dueAt: null }, 6_000);
    expect(ids(await jobs.openOn('T1', target))).toEqual([plan.id]);
    expect((await jobs.ended(ben, 0, 9)).all).toBe(1);
  });

  test('a plan itself counts as no work on its target, and its steps do', async () => {
    const jobs = jobsOf(await open());
    const plan = await running(jobs);
    await begin(jobs, plan);
    await moveJob(jobs, `${plan.id}-0-1`, 'new', 'sending', sent(5_000), 5_000);
    const other = { id: 'other', sentAt: 4_000, target };
    expect(await jobs.overlapping(other)).toEqual([
      {
        id: `${plan.id}-0-1`,
        operation: 'database.delete',
        sentAt: 5_000,
        endedAt: null,
        inDoubt: false,
        claimed: null,
        isProved: false,
        isLate: false,
      },
    ]);
    expect(await jobs.unclaimed(other, ['database.delete'])).toEqual([]);
  });

  test('a plan with a step that this release does not know cannot be read here', async () => {
    const store = await open();
    const plan = await running(jobsOf(store));
    const here = jobsIn(store, { knows: (operation, _target, isAPlan) => isAPlan || operation === 'clone.create' });
    expect(await here.find(plan.id)).toMatchObject({ state: 'unreadable' });
  });
});
