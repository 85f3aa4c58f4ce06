import { describe, expect, test } from 'vitest';
import { type Consent, consents, decided, type NewConsent } from '../../../src/features/workflows/consent/consent.ts';
import {
  type Execution,
  type ExecutionStep,
  executionHook,
  executionIdOf,
  executions,
  newExecution,
} from '../../../src/features/workflows/execution.ts';
import { type ExecutionSight, nextOfExecution } from '../../../src/features/workflows/nextOfExecution.ts';
import { day } from '../../../src/ground/durations.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { signInOf } from '../../../src/store/things/kind.ts';
import { thingsIn } from '../../../src/store/things/things.ts';
import { ben, jobsOf, sent, stores, wish } from '../../store/folder.ts';
import { moveJob } from '../../store/steps.ts';
import { aConsent } from './aConsent.ts';

const asked = {
  ...{ team: 'T1', execution: 'Fx1', run: 'Wx1', step: 'back_up', person: 'U1', declared: ['outcome'] },
  ...{ inputs: { database: 'shop', port: 3310 }, createdAt: 1_000, deadlineAt: 9_000 },
} as const;
const id = executionIdOf(asked);
const needed: NewConsent = {
  ...{ id: 'digest-1', team: 'T1', person: 'U1', step: 'back_up', workflow: 'Nightly', channel: 'C1' },
  ...{ about: { asks: 'back up shop' }, runsAs: null, createdAt: 1_500 },
};
const question: ExecutionSight = { saw: 'no consent', needed, before: undefined, open: 0 };

function opened(store: Store) {
  const things = thingsIn(store);
  const add = (change: Partial<Omit<Parameters<typeof newExecution>[0], 'inputs'>> = {}) => {
    const as = newExecution({ ...asked, ...change });
    const begins = { as, dueAt: as.createdAt, trail: { event: 'step asked' } };
    return things.act(executions, as.id, there => (there ? undefined : begins), as.createdAt);
  };
  const one = async (which = id): Promise<Execution> => {
    const found = await things.find(executions, which);
    if (!found) throw new Error(`there is no ${which}`);
    return found;
  };
  const dueAt = async (which = id) =>
    (await store.selectFrom('due').select('dueAt').where('id', '=', which).executeTakeFirst())?.dueAt;
  /** Takes the step that follows on what was seen. */
  const sees = async (execution: Execution, sight: ExecutionSight, now: number) => {
    const step = nextOfExecution(execution, sight, now);
    if ('rest' in step) throw new Error('it rests');
    return things.apply(executions, execution, step, { now });
  };
  const apply = async (step: ExecutionStep, now: number, which = id) =>
    things.apply(executions, await one(which), step, { now });
  /** Decides on the consent as its person and those who approve do. */
  const decide = (state: Consent['state'], now: number) =>
    things.act(
      consents,
      'digest-1',
      consent =>
        consent && consent.state !== state
          ? { ...decided(consent, state, now), trail: { event: `consent ${state}` }, closed: [{ outcome: 'Decided.' }] }
          : undefined,
      now,
    );
  return { things, add, one, dueAt, sees, apply, decide };
}

const begins = (job: string): ExecutionSight => ({
  ...{
    saw: 'job',
    consent: aConsent({ id: 'digest-1' }),
    renewal: undefined,
    job: wish({ ...ben, id: job, requestKey: job }),
  },
});

describe.each(stores)('executions in %s', (_, open) => {
  test('an execution that Slack delivers three times is stored once, and once more for another team', async () => {
    const store = await open();
    const { add, one, dueAt } = opened(store);
    const added = await Promise.all([1, 2, 3].map(() => add()));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await add({ team: 'T2' })).toBeDefined();
    expect(await one()).toMatchObject({ ...asked, state: 'asked', waitsFor: null, result: null });
    expect(await dueAt()).toBe(1_000);
    const { entries } = await auditIn(store).read('T1', { words: [] }, 10);
    expect(entries.map(({ event, detail, person }) => [event, detail, person])).toEqual([
      ['step asked', 'back_up (Wx1)', 'U1'],
    ]);
  });

  test('an execution that names no person is in nobody’s name in the trail', async () => {
    const store = await open();
    await opened(store).add({ person: '' });
    const { entries } = await auditIn(store).read('T1', { words: [] }, 10);
    expect(entries.map(({ person }) => person)).toEqual([null]);
  });

  test('a question for a consent that is unanswered for three days is asked once more by the next run', async () => {
    const store = await open();
    const { add, one, sees, things } = opened(store);
    const told = async () => {
      const rows = await store.selectFrom('outbox').select('id').where('subject', '=', 'digest-1').execute();
      return rows.map(row => row.id);
    };
    const runs = async (execution: string, at: number) => {
      const which = executionIdOf({ team: 'T1', execution });
      await add({ execution, createdAt: at, deadlineAt: at + 3 * day });
      const before = await things.find(consents, 'digest-1');
      return () => one(which).then(found => sees(found, { ...question, before }, at));
    };
    await (await runs('Fx1', 1_500))();
    await (await runs('Fx2', 1_500 + 2 * day))();
    expect(await told()).toEqual(['consent digest-1']);
    const late = 1_500 + 3 * day;
    const [third, fourth] = [await runs('Fx3', late), await runs('Fx4', late + 1)];
    expect(await third()).toMatchObject({ waitsFor: 'consent digest-1' });
    // What it saw is not so any more: it is looked at again.
    expect(await fourth()).toBeUndefined();
    await (await runs('Fx5', late + 2))();
    expect(await told()).toEqual(['consent digest-1', `consent digest-1 ${late}`]);
  });

  test('an execution takes one of two concurrent steps, and nothing of the other is written', async () => {
    const store = await open();
    const { add, one, sees, decide } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await decide('given', 1_600);
    const seen = await one();
    expect(await sees(seen, begins('job-a'), 2_000)).toMatchObject({ state: 'running', job: 'job-a' });
    expect(await sees(seen, begins('job-b'), 2_000)).toBeUndefined();
    expect(await store.selectFrom('jobs').select('id').execute()).toEqual([{ id: 'job-a' }]);
  });

  test('a consent given while the clock was ahead lasts no longer, but from its first use on', async () => {
    const store = await open();
    const { add, one, sees, decide, things } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await decide('given', 300 * day);
    expect(await sees(await one(), begins('job-a'), 2_000)).toMatchObject({ state: 'running' });
    expect(await things.find(consents, 'digest-1')).toMatchObject({ state: 'given', decidedAt: 2_000 });
  });

  test.each([
    ['a job', 'sending'],
    ['a plan', 'running'],
  ] as const)('work of a workflow is not begun once its consent is taken back: %s', async (_kind, state) => {
    const store = await open();
    const { add, one, sees, decide } = opened(store);
    const jobs = jobsOf(store);
    const begun = async (execution: string, job: string, at: number) => {
      const which = executionIdOf({ team: 'T1', execution });
      await add({ execution });
      await sees(await one(which), question, 1_500);
      await decide('given', 1_600);
      const sight = begins(job);
      const made = sight.saw === 'job' ? { ...sight, job: { ...sight.job, execution: which } } : sight;
      await sees(await one(which), made, at);
    };
    await begun('Fx1', 'job-a', 2_000);
    await begun('Fx2', 'job-b', 2_001);
    expect((await moveJob(jobs, 'job-a', 'new', state, sent(2_500), 2_500))?.state).toBe(state);
    await decide('revoked', 3_000);
    expect(await moveJob(jobs, 'job-b', 'new', state, sent(3_500), 3_500)).toBeUndefined();
    // What was sent goes on, and what was not can be withdrawn.
    expect((await moveJob(jobs, 'job-a', state, 'failed', { endedAt: 4_000 }, 4_000))?.state).toBe('failed');
    expect((await moveJob(jobs, 'job-b', 'new', 'withdrawn', { endedAt: 4_000 }, 4_000))?.state).toBe('withdrawn');
  });

  test('no step of a workflow’s plan is sent once its consent is taken back', async () => {
    const store = await open();
    const { add, one, sees, apply, decide } = opened(store);
    const jobs = jobsOf(store);
    const run = async (execution: string, plan: string, at: number) => {
      const which = executionIdOf({ team: 'T1', execution });
      await add({ execution });
      await sees(await one(which), question, 1_500);
      await decide('given', 1_600);
      const sight = begins(plan);
      const made = sight.saw === 'job' ? { ...sight, job: { ...sight.job, execution: which } } : sight;
      await sees(await one(which), made, at);
      await moveJob(jobs, plan, 'new', 'running', sent(2_500), 2_500);
      const step = wish({ id: `${plan}-0-1`, requestKey: `${plan} 0` });
      await jobs.beginStep(
        { id: plan, state: 'running' },
        { state: 'running', changes: {}, news: false },
        { ...step, plan, step: 0, login: null, approval: undefined },
      );
    };
    await run('Fx1', 'plan-a', 2_000);
    await run('Fx2', 'plan-b', 2_001);
    await run('Fx3', 'plan-c', 2_002);
    expect((await moveJob(jobs, 'plan-a-0-1', 'new', 'sending', sent(2_600), 2_600))?.state).toBe('sending');
    await decide('revoked', 3_000);
    expect(await moveJob(jobs, 'plan-b-0-1', 'new', 'sending', sent(3_500), 3_500)).toBeUndefined();
    // What goes on once the workflow's step is over was let go on by its person.
    await apply({ changes: { state: 'telling', waitsFor: null, endedAt: 3_600 } }, 3_600, 'T1 Fx3');
    expect((await moveJob(jobs, 'plan-c-0-1', 'new', 'sending', sent(3_700), 3_700))?.state).toBe('sending');
    expect((await moveJob(jobs, 'plan-b-0-1', 'new', 'withdrawn', { endedAt: 4_000 }, 4_000))?.state).toBe('withdrawn');
  });

  test('the end of its job makes an execution due at once, even while a process puts it off', async () => {
    const store = await open();
    const { things, add, one, dueAt, apply } = opened(store);
    await add();
    await apply({ changes: { state: 'running', job: 'job-a' }, dueAt: 2_000 }, 2_000);
    const queue = things.queue(executions);
    const [taken] = await queue.take(2_000, 5);
    const ends = async (job: string) => {
      const jobs = jobsIn(store, { knows: () => true, ends: [{ ended: executionHook }] });
      await jobs.add({ ...wish({ id: job, requestKey: job }), execution: id });
      await moveJob(jobs, job, 'new', 'failed', { endedAt: 2_500, reason: 'refused' }, 2_500);
    };
    await ends('job-a');
    if (taken) await queue.rest(taken.due, 600_000, { now: 2_500 });
    expect(await dueAt()).toBe(2_500);
    expect(await queue.take(2_500, 5)).toHaveLength(1);
    // What is over is not begun anew by the end of a job that went on.
    await apply({ changes: { state: 'telling', endedAt: 3_000 } }, 3_000);
    await apply({ changes: { state: 'ended' }, dueAt: null }, 3_000);
    await ends('job-b');
    expect([await dueAt(), (await one()).state]).toEqual([null, 'ended']);
  });

  test('a consent is asked for once for all executions that need it, and its decision makes all due', async () => {
    const store = await open();
    const { things, add, one, dueAt, sees, decide } = opened(store);
    await add();
    await add({ execution: 'Fx2' });
    const two = [await one(), await one('T1 Fx2')];
    const waits = await Promise.all(two.map(each => sees(each, question, 1_500)));
    expect(waits.map(each => each?.waitsFor)).toEqual(['consent digest-1', 'consent digest-1']);
    expect(await store.selectFrom('outbox').select('id').execute()).toHaveLength(1);
    // To ask once more is no change that a button would miss.
    expect(await things.find(consents, 'digest-1')).toMatchObject({ state: 'asked', revision: 1 });
    const both = await Promise.all([decide('given', 2_000), decide('given', 2_000)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    for (const which of [id, 'T1 Fx2']) expect(await dueAt(which)).toBe(2_000);
    expect(await store.selectFrom('outbox').select('outcome').execute()).toEqual([{ outcome: 'Decided.' }]);
    const { entries } = await auditIn(store).read('T1', { words: ['consent'] }, 10);
    expect(entries.map(({ event, detail }) => [event, detail])).toEqual([
      ['consent given', 'back_up in the workflow Nightly'],
      ['consent asked', 'back_up in the workflow Nightly'],
    ]);
  });

  test('an execution does not wait for a consent that is given, and begins nothing once it is revoked', async () => {
    const store = await open();
    const { things, add, one, dueAt, sees, decide } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await decide('given', 2_000);
    await add({ execution: 'Fx2' });
    const late = await one('T1 Fx2');
    expect(await sees(late, question, 2_000)).toBeUndefined();
    expect([await one('T1 Fx2'), await dueAt('T1 Fx2')]).toEqual([late, 1_000]);
    await decide('revoked', 3_000);
    expect(await sees(late, begins('job-a'), 3_000)).toBeUndefined();
    expect((await one('T1 Fx2')).state).toBe('asked');
    expect(await store.selectFrom('jobs').select('id').execute()).toEqual([]);
    expect(await things.find(consents, 'digest-1')).toMatchObject({ usedAt: null, revision: 3 });
  });

  test('an execution notes the use of its consent, and is due at once when that is revoked', async () => {
    const store = await open();
    const { things, add, one, dueAt, sees, apply, decide } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await decide('given', 2_000);
    await sees(
      await one(),
      { saw: 'wait', consent: aConsent({ id: 'digest-1' }), renewal: undefined, workflow: 'Nightly', hours: 2 },
      2_500,
    );
    expect(await things.find(consents, 'digest-1')).toMatchObject({ usedAt: 2_500, revision: 2, state: 'given' });
    await apply({ changes: {}, dueAt: 99_000 }, 2_600);
    await decide('revoked', 3_000);
    expect(await dueAt()).toBe(3_000);
    // It is found where it waits for the sign-in of its person, too.
    await sees(await one(), { saw: 'signed out', step: { workflow: 'Nightly', title: 'Back up' } }, 3_100);
    await decide('given', 3_200);
    expect(await dueAt()).toBe(3_200);
  });

  test('a sign-in makes only that person’s waiting executions due', async () => {
    const store = await open();
    const { things, add, one, dueAt, sees } = opened(store);
    const out: ExecutionSight = { saw: 'signed out', step: { workflow: 'Nightly', title: 'Back up' } };
    for (const [execution, person] of [['Fx1', 'U1'] as const, ['Fx2', 'U2'] as const]) {
      await add({ execution, person, deadlineAt: 99_000_000 });
      await sees(await one(`T1 ${execution}`), out, 1_500);
    }
    await things.wakeWaiting(signInOf({ team: 'T1', person: 'U1' }), 2_000);
    expect([await dueAt(), await dueAt('T1 Fx2')]).toEqual([2_000, 601_500]);
    await sees(await one(), { saw: 'signed in' }, 2_000);
    const told = await store.selectFrom('outbox').select(['person', 'outcome']).orderBy('person').execute();
    expect(told).toEqual([
      { person: 'U1', outcome: 'You are signed in again.' },
      { person: 'U2', outcome: null },
    ]);
    expect((await one()).waitsFor).toBeNull();
  });

  test('executions and consents that ended long ago are deleted, but not consents that are given', async () => {
    const store = await open();
    const { things, add, one, sees, apply, decide } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await sees(await one(), { saw: 'end', result: { error: 'no' } }, 2_000);
    await apply({ changes: { state: 'ended' }, dueAt: null }, 2_100);
    expect([await things.sweep(executions, 2_000), await things.sweep(executions, 2_001)]).toEqual([0, 1]);
    await add({ execution: 'Fx2' });
    await sees(
      await one('T1 Fx2'),
      { ...question, before: aConsent({ id: 'digest-1', state: 'asked', createdAt: 1_500 }) },
      5_000,
    );
    expect([await things.sweep(consents, 5_000), await things.sweep(consents, 5_001)]).toEqual([0, 1]);
    expect(await store.selectFrom('outbox').select('id').execute()).toEqual([]);
    await sees(await one('T1 Fx2'), question, 6_000);
    await decide('given', 6_500);
    expect(await things.sweep(consents, 1e9)).toBe(0);
    await decide('revoked', 7_000);
    expect([await things.sweep(consents, 7_000), await things.sweep(consents, 7_001)]).toEqual([0, 1]);
  });

  test('a consent that only another release can read lets nothing begin', async () => {
    const store = await open();
    const { add, one, sees } = opened(store);
    await add();
    await sees(await one(), question, 1_500);
    await store.updateTable('things').set({ state: 'dreaming' }).where('kind', '=', 'consent').execute();
    expect(await sees(await one(), question, 2_000)).toBeUndefined();
    expect(await sees(await one(), begins('job-a'), 2_000)).toBeUndefined();
    expect((await one()).state).toBe('asked');
  });
});
