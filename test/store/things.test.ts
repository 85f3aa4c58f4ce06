import { describe, expect, test } from 'vitest';
import { keptUntil, newLease } from '../../src/features/leases/lease.ts';
import { leaseHookOf } from '../../src/features/leases/run/afterJob.ts';
import { day, minute } from '../../src/ground/durations.ts';
import { inTransaction } from '../../src/store/agenda.ts';
import type { Store } from '../../src/store/database.ts';
import { freeLocks } from '../../src/store/dueQueue.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { type Lease, type LeaseStep, leaseId, leases } from '../../src/store/tables/leases.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { type EndHook, newsFor } from '../../src/store/things/endNews.ts';
import { needOf } from '../../src/store/things/need.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { ben, jobsOf, sent, stores, wish } from './folder.ts';
import { moveJob } from './steps.ts';
import { noticeOf } from './tables/aNotice.ts';

/* Durable things, by the example of leases. Their queue has its own suite (queues/). */

const record = 'MYSQL_CLONE_SERVER-7';
const id = leaseId('T1', record);
const lockTime = 20_000;

const made = { name: 'shop-3310', madeAt: 900, job: null, operation: null, channel: 'C1', wish: null, since: 1_000 };
const fresh = newLease({ ...ben, record, ...made });
const notice = (name: string) => noticeOf(name, { subject: id, to: { person: 'U1' } });
const over: LeaseStep = { changes: { state: 'ended', endedAt: 6_000 }, dueAt: null };

async function begun(store: Store, endsAt = 5_000, job: string | null = null): Promise<Lease> {
  const as = { ...fresh, ...keptUntil(endsAt, 1_000), job };
  const begins = { as, dueAt: endsAt, trail: { event: 'lease set' } };
  const lease = await thingsIn(store).act(leases, id, () => begins, 1_000);
  if (!lease) throw new Error('there is a lease already');
  return lease;
}

const find = (store: Store) => thingsIn(store).find(leases, id);
const dueAt = async (store: Store) =>
  (await store.selectFrom('due').select('dueAt').where('id', '=', id).executeTakeFirst())?.dueAt;

/** Lets a job end, with what that means for things. */
async function ends(store: Store, hook: EndHook, now = 2_000, change: Parameters<typeof wish>[0] = {}) {
  const jobs = jobsIn(store, { knows: () => true, ends: [{ ended: hook }] });
  const { job } = await jobs.add(wish(change));
  await moveJob(jobs, job.id, 'new', 'running', sent(1_000), 1_000);
  await moveJob(jobs, job.id, 'running', 'succeeded', { endedAt: now, reason: 'done', claimed: record }, now);
  return job.id;
}

/** What the end of a job means for leases, where the policy has no rule. */
const hook = leaseHookOf({ leases: [] });
const keepFor = (text: string) => ({ values: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', keepFor: text } });

describe.each(stores)('a durable thing in %s', (_, open) => {
  test('a lease begins in the transaction in which its job ends, and is due at once', async () => {
    const store = await open();
    const job = await ends(store, hook, 2_000, keepFor('3d'));
    expect(await find(store)).toMatchObject({ state: 'new', job, person: 'U1', wish: '3d', since: 2_000, revision: 1 });
    expect(await dueAt(store)).toBe(2_000);
  });

  test('a durable thing hears of the end of a job once, and again where the job went on and ended anew', async () => {
    const store = await open();
    let heard = 0;
    const hearing: EndHook = () => {
      heard += 1;
      return [];
    };
    const id = await ends(store, hearing);
    const jobs = jobsIn(store, { knows: () => true, ends: [{ ended: hearing }] });
    await moveJob(jobs, id, 'succeeded', 'succeeded', {}, 3_000, { event: 'objected' });
    expect(heard).toBe(1);
    await moveJob(jobs, id, 'succeeded', 'running', { endedAt: null }, 4_000);
    await moveJob(jobs, id, 'running', 'succeeded', { endedAt: 5_000, reason: 'done' }, 5_000);
    expect(heard).toBe(2);
  });

  test('a new lease takes the place of the one with its identifier, whose messages lose their buttons', async () => {
    const store = await open();
    const [things, notices] = [thingsIn(store), outboxIn(store)];
    const before = await begun(store);
    await notices.add([notice('n')]);
    // It was asked for after the end of the one before was set.
    await ends(store, hook, 2_000, { person: 'U2', createdAt: 1_001, ...keepFor('3d') });
    expect(await find(store)).toMatchObject({
      state: 'new',
      person: 'U2',
      endsAt: null,
      revision: before.revision + 1,
    });
    expect(await notices.find('n')).toMatchObject({ outcome: 'Another clone has this identifier now.', revision: 2 });
    expect(await things.apply(leases, before, { changes: { endsAt: 9_000 } }, { now: 3_000 })).toBeUndefined();
  });

  test('a lease goes on where its own job ends a second time', async () => {
    const store = await open();
    const job = await ends(store, hook, 2_000, keepFor('3d'));
    await thingsIn(store).act(leases, id, () => ({ changes: keptUntil(9_000, 2_000), dueAt: 9_000 }), 2_000);
    const again = newsFor(leases, id, lease => (lease?.job === job ? undefined : { as: fresh }));
    await ends(store, () => [again]);
    expect(await find(store)).toMatchObject({ state: 'kept', endsAt: 9_000, job });
  });

  test.each([
    ['of whoever held the one before', 'made', 'U1'],
    ['of its maker, where nobody held the one before', null, 'U2'],
  ])(
    'a lease moves to the clone that a plan made in place of its own, unless it was over before: it is %s',
    async (_, job, person) => {
      const store = await open();
      await begun(store, 5_000, job);
      await thingsIn(store).act(leases, id, () => ({ ...over, changes: { state: 'ended', endedAt: 1_500 } }), 1_500);
      const other = 'MYSQL_CLONE_SERVER-8';
      const renewed = async (plan: string, createdAt: number) => {
        const jobs = jobsIn(store, { knows: () => true, ends: [{ ended: hook }] });
        await jobs.add(wish({ id: plan, target: record, createdAt }));
        const { job } = await jobs.add(wish({ person: 'U2' }));
        await store.updateTable('jobs').set({ plan, step: 0 }).where('id', '=', job.id).execute();
        await moveJob(jobs, job.id, 'new', 'running', sent(1_700), 1_700);
        await moveJob(jobs, job.id, 'running', 'succeeded', { endedAt: 2_000, reason: 'done', claimed: other }, 2_000);
        return thingsIn(store).find(leases, leaseId('T1', other));
      };
      // One that ended before anybody asked for the plan is nobody’s any more.
      expect(await renewed('late', 1_600)).toBeUndefined();
      const moved = { person, since: 2_000, state: 'new', wish: expect.stringContaining('1970') };
      expect(await renewed('early', 1_400)).toMatchObject(moved);
    },
  );

  test('of two steps of a lease at once, one is taken with its messages, its job and its audit entry', async () => {
    const store = await open();
    const [things, notices, jobs] = [thingsIn(store), outboxIn(store), jobsOf(store)];
    const lease = await begun(store);
    const approved = {
      terms: { rule: 'r', lease: 'r', approvals: 0, approvers: [], asker: { users: [], names: ['ben'] } },
      facts: [],
      digest: 'd',
      expiresAt: 9_000,
      login: 'ben',
    };
    const { login: _login, ...approval } = approved;
    const step = (name: string) => ({
      changes: { state: 'stopping' as const, endJob: name },
      dueAt: 9_000,
      trail: { event: `lease ${name}` },
      notices: [notice(name)],
      job: { job: wish({ id: name, requestKey: name, operation: 'clone.stop', target: record }), approved },
    });
    const done = await Promise.all(
      ['one', 'other'].map(name => things.apply(leases, lease, step(name), { now: 5_000 })),
    );
    const [won, ...more] = done.flatMap(one => one?.endJob ?? []);
    expect(more).toEqual([]);
    const lost = won === 'one' ? 'other' : 'one';
    expect(await jobs.find(won ?? '')).toMatchObject({ state: 'approved', login: 'ben', approval });
    expect(await jobs.find(lost)).toBeUndefined();
    expect(await notices.find(lost)).toBeUndefined();
    expect(await notices.find(won ?? '')).toBeDefined();
    const { entries } = await auditIn(store).read('T1', { words: ['lease'] }, 10);
    expect(entries.map(({ event }) => event).toSorted()).toEqual([`lease ${won}`, 'lease set'].toSorted());
  });

  test('a durable thing takes no step that its kind does not know', async () => {
    const store = await open();
    const lease = await begun(store);
    const step: LeaseStep = { changes: { state: 'deleting' } };
    await expect(thingsIn(store).apply(leases, lease, step, { now: 5_000 })).rejects.toThrow('from kept to deleting');
    expect(await find(store)).toEqual(lease);
  });

  test('a process takes no step of a durable thing that was made due anew after the process had taken it', async () => {
    const store = await open();
    const things = thingsIn(store);
    const lease = await begun(store);
    const [taken] = await things.queue(leases).take(5_000, 1);
    await store.updateTable('things').set({ waitsFor: 'sign-in T1 U1' }).execute();
    await things.wakeWaiting('sign-in T1 U1', 5_001);
    const late = await things.apply(
      leases,
      lease,
      { ...over, trail: { event: 'late' } },
      { now: 5_002, ...(taken ? { taken: taken.due } : {}) },
    );
    expect(late).toBeUndefined();
    expect(await find(store)).toMatchObject({ state: 'kept', revision: 1 });
    expect(await things.queue(leases).take(5_002, 1)).toHaveLength(1);
  });

  test('a durable thing in a state of another release is left to that release', async () => {
    const store = await open();
    const things = thingsIn(store);
    await begun(store);
    await store.updateTable('things').set({ state: 'dreaming' }).execute();
    expect(await things.queue(leases).take(5_000, 10)).toEqual([]);
    expect(await find(store)).toBeUndefined();
    expect(await things.act(leases, id, () => ({ as: fresh }), 5_000)).toBeUndefined();
    expect(await store.selectFrom('things').select('state').execute()).toEqual([{ state: 'dreaming' }]);
  });

  test('a durable thing keeps what another release wrote in it, until another thing takes its place', async () => {
    const store = await open();
    const things = thingsIn(store);
    const { state, revision } = await begun(store);
    const row = await store.selectFrom('things').select('body').executeTakeFirstOrThrow();
    const newer = { ...JSON.parse(row.body), colour: { name: 'red' } };
    await store
      .updateTable('things')
      .set({ body: JSON.stringify(newer) })
      .execute();
    const read = async (): Promise<unknown> =>
      JSON.parse((await store.selectFrom('things').select('body').executeTakeFirstOrThrow()).body);
    const extended = await things.act(leases, id, () => ({ changes: { endsAt: 9_000, reason: 'r' } }), 2_000);
    expect(extended).toMatchObject({ state, revision: revision + 1, endsAt: 9_000 });
    expect(await read()).toEqual({ ...newer, endsAt: 9_000, reason: 'r' });
    const need = needOf(leases, id, () => ({ reason: 'noted' }));
    if (extended) await things.apply(leases, extended, { changes: { reason: null } }, { now: 3_000 });
    await inTransaction(store, changes => need(changes, async () => undefined, 3_000));
    expect(await read()).toEqual({ ...newer, endsAt: 9_000, reason: 'noted' });
    await things.act(leases, id, () => ({ as: fresh }), 4_000);
    expect(await read()).not.toHaveProperty('colour');
  });

  test('a durable thing that ended long ago is cleared away with its messages, unless another took its place', async () => {
    const store = await open();
    const [things, notices] = [thingsIn(store), outboxIn(store)];
    await begun(store);
    await notices.add([notice('n')]);
    await things.act(leases, id, () => ({ ...over, closed: [{ outcome: 'It is gone.' }] }), 6_000);
    expect(await things.sweep(leases, 6_000)).toBe(0);
    const second = { ...fresh, person: 'U2', ...keptUntil(null, 7_000) };
    await things.act(leases, id, lease => (lease?.state === 'ended' ? { as: second } : undefined), 7_000);
    expect(await find(store)).toMatchObject({ person: 'U2', state: 'kept', endedAt: null });
    expect(await things.sweep(leases, day)).toBe(0);
    await things.act(leases, id, () => over, 8_000);
    expect(await things.sweep(leases, day)).toBe(1);
    expect(await notices.find('n')).toBeUndefined();
    expect(await dueAt(store)).toBeUndefined();
    expect(await things.sweep(leases, day)).toBe(0);
  });

  test('a lease is woken by the end of the job that it waits for, and changed by the end of a request', async () => {
    const store = await open();
    const things = thingsIn(store);
    await begun(store, 90 * minute);
    await ends(store, hook, 3_000, { operation: 'clone.stop', target: record });
    expect(await dueAt(store)).toBe(90 * minute);
    await things.act(leases, id, () => ({ changes: { state: 'stopping' }, dueAt: 9_000 }), 2_000);
    await ends(store, hook, 3_000, { operation: 'clone.stop', target: record });
    const woken = await find(store);
    expect(woken).toMatchObject({ endsAt: 90 * minute, revision: 3 });
    expect(await dueAt(store)).toBe(3_000);
    const asked = { operation: 'clone.lease', target: record, values: { keepUntil: '1970-01-02 00:00 UTC' } };
    await ends(store, hook, 4_000, asked);
    const extended = { state: 'kept', endsAt: day, setAt: 4_000 };
    expect(await find(store)).toMatchObject({ ...extended, revision: 4 });
    expect(await dueAt(store)).toBe(4_000);
    // A step that was made from what was before changes nothing.
    expect(woken && (await things.apply(leases, woken, over, { now: 5_000 }))).toBeUndefined();
    await things.act(leases, id, () => over, 5_000);
    await ends(store, hook, 6_000, asked);
    expect(await find(store)).toMatchObject({ ...extended, setAt: 6_000 });
    expect(await dueAt(store)).toBe(6_000);
  });

  test('a durable thing has its lock freed at a start where no other process can hold one', async () => {
    const store = await open();
    await begun(store);
    const queue = thingsIn(store).queue(leases);
    expect(await queue.take(5_000, 1)).toHaveLength(1);
    expect(await queue.take(5_000, 1)).toEqual([]);
    await freeLocks(store);
    expect(await queue.take(5_000 + lockTime / 2, 1)).toHaveLength(1);
  });
});
