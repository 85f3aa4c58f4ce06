import { describe, expect, test } from 'vitest';
import { auditIn } from '../../../src/store/tables/audit.ts';
import { type Execution, executionIdOf, wakeExecution } from '../../../src/store/tables/executionRows.ts';
import { executionsIn } from '../../../src/store/tables/executions.ts';
import type { NewGrant } from '../../../src/store/tables/grantRows.ts';
import { grantsIn } from '../../../src/store/tables/grants.ts';
import { ben, stores, wish } from '../folder.ts';

const asked = {
  ...{ team: 'T1', execution: 'Fx1', run: 'Wx1', step: 'back_up', person: 'U1', declared: ['outcome'] },
  ...{ inputs: { database: 'shop', port: 3310 }, createdAt: 1_000, deadlineAt: 9_000 },
} as const;
const id = executionIdOf(asked);

const grant: NewGrant = {
  ...{ id: 'digest-1', team: 'T1', person: 'U1', step: 'back_up', workflow: 'Nightly', channel: 'C1' },
  ...{ about: { asks: 'back up shop' }, runsAs: null, createdAt: 1_500 },
};
const notice = { id: 'grant digest-1', subject: 'digest-1', team: 'T1', kind: 'grant', createdAt: 1_500, data: {} };
const question = { grant, notice: { ...notice, to: { person: 'U1' } }, meanwhile: { dueAt: 9_000 } };
const given = {
  changes: { state: 'given', decidedAt: 2_000 },
  trail: { event: 'leave given' },
  outcome: 'Given.',
} as const;

describe.each(stores)('executions in %s', (_, open) => {
  const opened = async () => {
    const store = await open();
    const [executions, grants] = [executionsIn(store), grantsIn(store)];
    const one = async (which = id): Promise<Execution> => {
      const found = await executions.find(which);
      if (!found) throw new Error(`there is no ${which}`);
      return found;
    };
    return { store, executions, grants, one };
  };

  test('one that Slack delivers three times is one row, and the same id of another team is another', async () => {
    const { store, executions, one } = await opened();
    const added = await Promise.all([1, 2, 3].map(() => executions.add(asked)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await executions.add({ ...asked, team: 'T2' })).toBe(true);
    expect(await one()).toMatchObject({ ...asked, state: 'asked', hold: null, result: null, dueAt: 1_000 });
    const { entries } = await auditIn(store).read('T1', { words: [] }, 10);
    expect(entries.map(({ event }) => event)).toEqual(['step asked']);
  });

  test('one that is due is taken by one process until its lock ends', async () => {
    const { executions } = await opened();
    await executions.add(asked);
    expect(await executions.take(999, 20_000, 5)).toEqual([]);
    const taken = await Promise.all([executions.take(1_000, 20_000, 5), executions.take(1_000, 20_000, 5)]);
    expect(taken.flat()).toHaveLength(1);
    expect(await executions.take(21_000, 20_000, 5)).toHaveLength(1);
  });

  test('of two steps of it one is written, and what a second one brought is left out whole', async () => {
    const { store, executions, one } = await opened();
    await executions.add(asked);
    const seen = await one();
    const step = {
      changes: { state: 'running', job: 'job-a', dueAt: 5_000 },
      job: wish({ ...ben, id: 'job-a' }),
    } as const;
    expect(await executions.apply(seen, step, 2_000)).toMatchObject({ state: 'running', job: 'job-a' });
    const other = { ...step, job: wish({ ...ben, id: 'job-b', requestKey: 'other' }) };
    expect(await executions.apply(seen, other, 2_000)).toBeUndefined();
    const jobs = await store.selectFrom('jobs').select('id').execute();
    expect(jobs).toEqual([{ id: 'job-a' }]);
  });

  test('the end of its job makes it due at once, whoever was about to put it off', async () => {
    const { store, executions, one } = await opened();
    await executions.add(asked);
    await executions.apply(await one(), { changes: { state: 'running', job: 'job-a', dueAt: 2_000 } }, 2_000);
    const [seen] = await executions.take(2_000, 20_000, 5);
    await wakeExecution(store, id, 2_000);
    if (seen) await executions.putOff(seen, 600_000, false);
    expect(await one()).toMatchObject({ dueAt: 2_000, lockedUntil: 0 });
    // What is over is not begun anew by the end of a job that went on.
    await executions.apply(await one(), { changes: { state: 'ended', dueAt: null } }, 3_000);
    await wakeExecution(store, id, 4_000);
    expect((await one()).dueAt).toBeNull();
  });

  test('a leave is asked for once for all that need it, and its decision makes all of them due', async () => {
    const { store, executions, grants, one } = await opened();
    await executions.add(asked);
    await executions.add({ ...asked, execution: 'Fx2' });
    const two = [await one(), await one('T1 Fx2')];
    await Promise.all(two.map(each => executions.askLeave(each, question, 1_500)));
    expect(await store.selectFrom('notices').select('id').execute()).toHaveLength(1);
    expect(await grants.openOf({ team: 'T1', person: 'U1' })).toBe(1);
    const open = await grants.find('digest-1');
    if (!open) throw new Error('nobody was asked');
    const both = await Promise.all([grants.decide(open, given, 2_000), grants.decide(open, given, 2_000)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    for (const which of [id, 'T1 Fx2']) expect(await one(which)).toMatchObject({ hold: 'leave', dueAt: 2_000 });
    expect(await store.selectFrom('notices').select('outcome').execute()).toEqual([{ outcome: 'Given.' }]);
  });

  test('one that asks while the leave is given does not wait for it, and none begins once it is revoked', async () => {
    const { executions, grants, one } = await opened();
    await executions.add(asked);
    await executions.askLeave(await one(), question, 1_500);
    const open = await grants.find('digest-1');
    const held = open && (await grants.decide(open, given, 2_000));
    await executions.add({ ...asked, execution: 'Fx2' });
    const late = await one('T1 Fx2');
    expect(await executions.askLeave(late, question, 2_000)).toMatchObject({ state: 'given' });
    expect(await one('T1 Fx2')).toMatchObject({ hold: null, dueAt: 1_000 });

    const revoked = { changes: { state: 'revoked', decidedAt: 3_000 }, trail: { event: 'leave revoked' } } as const;
    if (held) await grants.decide(held, revoked, 3_000);
    const begins = { changes: { state: 'running' }, grant: 'digest-1' } as const;
    expect(await executions.apply(await one('T1 Fx2'), begins, 3_000)).toBeUndefined();
    expect((await one('T1 Fx2')).state).toBe('asked');
  });

  test('a sign-in makes those due that wait for it, and only those of that person', async () => {
    const { executions, one } = await opened();
    for (const [execution, person] of [['Fx1', 'U1'] as const, ['Fx2', 'U2'] as const]) {
      await executions.add({ ...asked, execution, person });
      await executions.apply(await one(`T1 ${execution}`), { changes: { hold: 'sign-in', dueAt: 9_000 } }, 1_500);
    }
    await executions.signedIn({ team: 'T1', person: 'U1' }, 2_000);
    expect([(await one()).dueAt, (await one('T1 Fx2')).dueAt]).toEqual([2_000, 9_000]);
  });

  test('a row that only another release can read is left to that release', async () => {
    const { store, executions } = await opened();
    await executions.add(asked);
    await store.updateTable('executions').set({ state: 'dreaming' }).execute();
    expect(await executions.take(2_000, 20_000, 5)).toEqual([]);
    expect(await executions.find(id)).toBeUndefined();
  });

  test('what ended long ago goes, with its messages; grants that are held stay', async () => {
    const { executions, grants, one } = await opened();
    await executions.add(asked);
    await executions.askLeave(await one(), question, 1_500);
    await executions.apply(await one(), { changes: { state: 'ended', endedAt: 2_000, dueAt: null } }, 2_000);
    expect([await executions.sweep(2_000), await executions.sweep(2_001)]).toEqual([0, 1]);
    const open = await grants.find('digest-1');
    if (open) await grants.decide(open, given, 2_000);
    expect(await grants.sweep(1e9)).toBe(0);
  });
});
