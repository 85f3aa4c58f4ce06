import { describe, expect, test } from 'vitest';
import { day, minute } from '../../../src/ground/durations.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { auditIn } from '../../../src/store/tables/audit.ts';
import { type EarlierLease, keptUntil, leaseId, type NewLease } from '../../../src/store/tables/leaseRows.ts';
import { freeLeaseLocks, type Lease, leasesIn } from '../../../src/store/tables/leases.ts';
import { type NewNotice, noticesIn } from '../../../src/store/tables/notices.ts';
import { ben, jobsOf, sent, stores, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

const record = 'MYSQL_CLONE_SERVER-7';
const lockTime = 20_000;

function newLease(change: Partial<NewLease> = {}): NewLease {
  const made = { name: 'shop-3310', madeAt: 900, job: null, operation: null, channel: 'C1', wish: null, since: 1_000 };
  return { ...ben, record, ...made, ...change };
}

const notice = (id: string, change: Partial<NewNotice> = {}): NewNotice => ({
  ...{ id, subject: leaseId('T1', record), team: 'T1', kind: 'lease', createdAt: 1_000, data: { a: 1 } },
  ...{ to: { person: 'U1' } },
  ...change,
});

async function begun(store: Store, endsAt = 5_000): Promise<Lease> {
  const changes = { ...keptUntil(endsAt, 1_000), dueAt: endsAt };
  const lease = await leasesIn(store).begin(newLease(), { changes, trail: { event: 'lease set' } }, 1_000);
  if (!lease) throw new Error('there is a lease already');
  return lease;
}

/** A job whose end begins the lease of its clone. */
async function ends(store: Store, change: Partial<NewLease> = {}) {
  const jobs = jobsIn(store, {
    knows: () => true,
    lease: ({ id, endedAt }) => ({
      type: 'begins',
      lease: newLease({ job: id, since: endedAt, ...change }),
    }),
  });
  const { job } = await jobs.add(wish());
  await moveJob(jobs, job.id, 'new', 'running', sent(1_000), 1_000);
  await moveJob(jobs, job.id, 'running', 'succeeded', { endedAt: 2_000, reason: 'done' }, 2_000);
  return job.id;
}

describe.each(stores)('a lease in %s', (_, open) => {
  test('begins in the transaction of the end of its job, and is due at once', async () => {
    const store = await open();
    const job = await ends(store);
    const lease = await leasesIn(store).find('T1', record);
    expect(lease).toMatchObject({ state: 'new', job, person: 'U1', name: 'shop-3310', since: 2_000, dueAt: 2_000 });
  });

  test('of the clone that had the identifier before is over, and its messages lose their buttons', async () => {
    const store = await open();
    const [leases, notices] = [leasesIn(store), noticesIn(store)];
    const before = await begun(store);
    await notices.add([notice('n')]);
    await ends(store, { name: 'other', person: 'U2' });
    const lease = await leases.find('T1', record);
    expect(lease).toMatchObject({
      state: 'new',
      person: 'U2',
      name: 'other',
      endsAt: null,
      revision: before.revision + 1,
    });
    expect(await notices.find('n')).toMatchObject({ outcome: 'Another clone has this identifier now.', revision: 2 });
    expect(await leases.apply(before, { changes: { endsAt: 9_000 } }, 3_000)).toBeUndefined();
  });

  test('goes on where its own job ends a second time', async () => {
    const store = await open();
    const job = await ends(store);
    const leases = leasesIn(store);
    const lease = await leases.find('T1', record);
    if (lease) await leases.apply(lease, { changes: { ...keptUntil(9_000, 2_000), dueAt: 9_000 } }, 2_000);
    await ends(store, { job, name: 'other' });
    expect(await leases.find('T1', record)).toMatchObject({ state: 'kept', endsAt: 9_000, name: 'shop-3310' });
  });

  test('moves to the clone that a plan made in place of its own, unless it was over before', async () => {
    const store = await open();
    const [leases, team] = [leasesIn(store), 'T1'];
    const made = 'MYSQL_CLONE_SERVER-8';
    await begun(store);
    const renewed = async (id: string, createdAt: number) => {
      const moved = { plan: id, isAlone: true, wishAfter: ({ since, endsAt }: EarlierLease) => `${since} ${endsAt}` };
      const lease = newLease({ record: made, person: 'U2', job: id, since: 2_000 });
      const jobs = jobsIn(store, { knows: () => true, lease: () => ({ type: 'begins', lease, moved }) });
      const { job } = await jobs.add(wish({ id, target: record, createdAt }));
      await moveJob(jobs, job.id, 'new', 'failed', { endedAt: 2_000, reason: 'x' }, 2_000);
      return leases.find(team, made);
    };
    const over = { changes: { state: 'ended' as const, endedAt: 1_500, dueAt: null } };
    const lease = await leases.find(team, record);
    if (lease) await leases.apply(lease, over, 1_500);
    // One that ended before anybody asked for the plan is nobody’s any more.
    expect(await renewed('late', 1_600)).toBeUndefined();
    expect(await renewed('early', 1_400)).toMatchObject({
      person: 'U1',
      wish: '1000 5000',
      since: 2_000,
      state: 'new',
    });
  });

  test('takes one of two steps at once: with its messages, its job and its entry in the trail, or without all of them', async () => {
    const store = await open();
    const [leases, notices, jobs] = [leasesIn(store), noticesIn(store), jobsOf(store)];
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
      changes: { state: 'stopping' as const, endJob: name, dueAt: 9_000 },
      trail: { event: `lease ${name}` },
      notices: [notice(name)],
      job: { job: wish({ id: name, requestKey: name, operation: 'clone.stop', target: record }), approved },
    });
    const done = await Promise.all(['one', 'other'].map(name => leases.apply(lease, step(name), 5_000)));
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

  test('is taken by one process when it is due, and by another where that one is gone', async () => {
    const store = await open();
    const leases = leasesIn(store);
    await begun(store);
    expect(await leases.take(4_999, lockTime, 10)).toEqual([]);
    expect(await leases.nextTime(4_999)).toBe(5_000);
    const taken = await Promise.all([leases.take(5_000, lockTime, 10), leases.take(5_000, lockTime, 10)]);
    expect(taken.flat()).toHaveLength(1);
    expect(await leases.nextTime(5_000)).toBeUndefined();
    expect(await leases.take(5_001 + lockTime, lockTime, 10)).toHaveLength(1);
    await freeLeaseLocks(store);
    const [again] = await leases.take(5_001, lockTime, 10);
    if (again) await leases.putOff(again, 60_000);
    expect(await leases.nextTime(5_001)).toBe(60_000);
  });

  test('in a state of another release is left to that release', async () => {
    const store = await open();
    const leases = leasesIn(store);
    await begun(store);
    await store.updateTable('leases').set({ state: 'dreaming' }).execute();
    expect(await leases.take(5_000, lockTime, 10)).toEqual([]);
    expect(await leases.find('T1', record)).toBeUndefined();
    expect(await leases.begin(newLease(), { changes: {} }, 1_000)).toBeUndefined();
  });

  test('that ended long ago is cleared away with its messages, and makes room for another one before', async () => {
    const store = await open();
    const [leases, notices] = [leasesIn(store), noticesIn(store)];
    const lease = await begun(store);
    await notices.add([notice('n')]);
    const over = { changes: { state: 'ended' as const, endedAt: 6_000, dueAt: null }, outcome: 'It is gone.' };
    const ended = await leases.apply(lease, over, 6_000);
    expect(await leases.holderOf('T1', record)).toBeUndefined();
    expect(await leases.sweep(6_000)).toBe(0);
    expect(ended?.state).toBe('ended');
    expect(await leases.begin(newLease({ person: 'U2' }), { changes: keptUntil(null, 7_000) }, 7_000)).toBeDefined();
    expect(await leases.holderOf('T1', record)).toBe('U2');
    expect(await leases.sweep(day)).toBe(0);
    const second = await leases.find('T1', record);
    if (second) await leases.apply(second, over, 8_000);
    expect(await leases.sweep(day)).toBe(1);
    expect(await notices.find('n')).toBeUndefined();
    expect(await leases.sweep(day)).toBe(0);
  });

  test('is woken by the end of a job on its clone, and extended by the end of a request for that', async () => {
    const store = await open();
    const leases = leasesIn(store);
    await begun(store, 90 * minute);
    const ended = async (news: 'look' | 'extended', now: number) => {
      const team = 'T1';
      const lease = () =>
        news === 'look'
          ? ({ type: news, team, record, states: ['kept'] } as const)
          : ({ type: news, lease: newLease(), endsAt: 99 * minute, outcome: 'Approved.' } as const);
      const jobs = jobsIn(store, { knows: () => true, lease });
      const { job } = await jobs.add(wish());
      await moveJob(jobs, job.id, 'new', 'failed', { endedAt: now, reason: 'x' }, now);
    };
    await ended('look', 3_000);
    const woken = await leases.find('T1', record);
    expect(woken).toMatchObject({ dueAt: 3_000, endsAt: 90 * minute, revision: 2 });
    await ended('extended', 4_000);
    const extended = { dueAt: 4_000, endsAt: 99 * minute, setAt: 4_000 };
    expect(await leases.find('T1', record)).toMatchObject({ ...extended, revision: 3 });
    // A step that was made from what was before changes nothing.
    const over = { changes: { state: 'ended' as const, endedAt: 5_000, dueAt: null } };
    expect(woken && (await leases.apply(woken, over, 5_000))).toBeUndefined();
    const now = await leases.find('T1', record);
    if (now) await leases.apply(now, over, 5_000);
    await ended('extended', 6_000);
    expect(await leases.find('T1', record)).toMatchObject({ ...extended, state: 'kept', setAt: 6_000, dueAt: 6_000 });
  });

  test('of a clone that had none begins with the approval of a longer one', async () => {
    const store = await open();
    const lease = () => ({ type: 'extended', lease: newLease(), endsAt: null, outcome: 'Approved.' }) as const;
    const jobs = jobsIn(store, { knows: () => true, lease });
    const { job } = await jobs.add(wish());
    await moveJob(jobs, job.id, 'new', 'failed', { endedAt: 7_000, reason: 'x' }, 7_000);
    expect(await leasesIn(store).find('T1', record)).toMatchObject({ state: 'kept', endsAt: null, name: 'shop-3310' });
  });
});

describe.each(stores)('a notice in %s', (_, open) => {
  test('is added once, told once, and told again when its outcome is known', async () => {
    const store = await open();
    const notices = noticesIn(store);
    await notices.add([notice('n'), notice('n'), notice('m', { to: { job: 'j' } })]);
    const taken = await Promise.all([notices.take(1_000, lockTime, 10), notices.take(1_000, lockTime, 10)]);
    expect(
      taken
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['m', 'n']);
    const [first] = taken.flat().filter(({ id }) => id === 'n');
    if (!first) throw new Error('it was not taken');
    const kept = await notices.keep(first, 31_000, { part: 'notice', place: 'D1', since: 1_000 });
    if (!kept) throw new Error('it is not kept');
    expect((await notices.find('n'))?.posting).toEqual({ part: 'notice', place: 'D1', since: 1_000 });
    await notices.posted(kept, 'D1', '1.2', 1_000);
    await leasesIn(store).apply(await begun(store), { changes: {}, outcome: 'Kept.' }, 2_000);
    // What is noted late by a process whose lock was over changes nothing.
    expect(await notices.keep(first, 99_000)).toBeUndefined();
    await notices.putOff(first, 50_000, true);
    // The outcome came while it was posted.
    await notices.told(kept);
    expect(await notices.find('n')).toMatchObject({
      place: 'D1',
      ts: '1.2',
      posting: undefined,
      shown: 1,
      revision: 2,
      tellAt: 2_000,
    });
    const [again] = await notices.take(2_000, lockTime, 10);
    if (again) await notices.told(again);
    expect(await notices.find('n')).toMatchObject({ outcome: 'Kept.', shown: 2, tellAt: null });
    expect(await notices.sweep(1_000)).toBe(0);
    expect(await notices.sweep(2_000)).toBe(1);
  });

  test.each(['alert', 'report', 'schedule'])(
    'of the kind %s, on which nothing follows, goes with the history',
    async kind => {
      const notices = noticesIn(await open());
      await notices.add([notice('n', { kind, to: { channel: 'C1' } })]);
      expect(await notices.sweep(2_000)).toBe(0);
      const [taken] = await notices.take(1_000, lockTime, 10);
      if (taken) await notices.told(taken);
      expect(await notices.sweep(1_000)).toBe(0);
      expect(await notices.sweep(2_000)).toBe(1);
    },
  );
});
