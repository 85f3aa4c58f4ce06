import { expect, onTestFinished, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { creationOf } from '../../../src/api/reading/times.ts';
import { answerWish, withdrawWish } from '../../../src/features/leases/answerWish.ts';
import { leaseFeature } from '../../../src/features/leases/feature.ts';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { bringBack, setLease } from '../../../src/features/leases/leaseActs.ts';
import { workOnLeases } from '../../../src/features/leases/run/workOnLeases.ts';
import { day } from '../../../src/ground/durations.ts';
import { isMaker } from '../../../src/jobs/approval/people/maker.ts';
import { writeMinute } from '../../../src/operations/requests/keepFor.ts';
import { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { leaseId, leases } from '../../../src/store/tables/leases.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';

/* Whose lease it is that somebody begins on a clone which had none. */

const clone = 'MYSQL_CLONE_SERVER-1';
const by = (person: string) => ({ team: 'T1', person, channel: 'C1', record: clone });
const aDay = { type: 'for', milliseconds: day } as const;

/** A clone without a lease, which Ana has made through Dolly, or nobody has; Dev approves. */
async function withoutLease({ end, isMade = true }: { end: 'ask' | 'delete'; isMade?: boolean }) {
  const store = await storeIn(folder());
  const here = await board(store, { leases: [{ title: 'test clones', end }], approvers: ['U0DEV'] });
  onTestFinished(() => here.end());
  const { parts, clock } = here;
  const [id, now] = [parseIdentifier(clone), clock.now()];
  const record = id && (await parts.records.of({ team: 'T1', person: 'U0ANA' }).alone(id));
  if (!record) throw new Error('there is no clone');
  if (isMade) {
    await parts.jobs.add({
      ...{ team: 'T1', person: 'U0ANA', id: 'made', requestKey: 'made', operation: 'clone.create', values: {} },
      ...{ labels: {}, target: 'MYSQL_LIVE_SERVER-1', targetName: null, channel: 'C2', purpose: null, createdAt: now },
    });
    const marks = { name: record.name, madeAt: creationOf(record) };
    const evidence = JSON.stringify(Evidence.parse({ id: clone, ...marks, since: now, seenAt: now }));
    await store
      .updateTable('jobs')
      .set({ state: 'succeeded', claimed: clone, evidence, reason: '', sentAt: now, endedAt: now, dueAt: null })
      .where('id', '=', 'made')
      .execute();
    const claim = {
      record: clone,
      sign: '',
      job: 'made',
      name: record.name ?? null,
      madeAt: creationOf(record) ?? null,
    };
    await store.insertInto('claims').values(claim).execute();
  }
  return {
    ...here,
    async told() {
      const rows = await store.selectFrom('outbox').select(['kind', 'person']).orderBy('createdAt').execute();
      return rows.map(({ kind, person }) => `${kind} to ${person}`);
    },
  };
}

test('a clone stays its maker’s, who is asked before a colleague sets an end that deletes it', async () => {
  const here = await withoutLease({ end: 'delete' });
  expect(await setLease(here.parts, by('U0EVE'), aDay)).toMatchObject({
    type: 'asked',
    lease: { person: 'U0ANA', state: 'kept', endsAt: null, job: 'made', operation: 'clone.create' },
  });
  expect(await here.told()).toEqual(['lease wish to U0ANA']);
  expect(await setLease(here.parts, by('U0DEV'), aDay)).toMatchObject({
    type: 'set',
    lease: { person: 'U0ANA', endsAt: here.clock.now() + day },
  });
});

test('only whoever wished an end for a clone can withdraw the wish, and only once', async () => {
  const here = await withoutLease({ end: 'delete' });
  const asked = await setLease(here.parts, by('U0EVE'), aDay);
  const question = asked.type === 'asked' ? asked.question : '';
  const refused = { type: 'refused', sentence: expect.stringContaining('already answered') };
  for (const act of [by('U0DEV'), by('U0ANA'), { ...by('U0EVE'), team: 'T2' }])
    expect(await withdrawWish(here.parts, act, question)).toMatchObject(refused);
  const twice = await Promise.all([1, 2].map(() => withdrawWish(here.parts, by('U0EVE'), question)));
  expect(twice.map(({ type }) => type).toSorted()).toEqual(['refused', 'withdrawn']);
  const grant = answerWish(here.parts, by('U0ANA'), {
    id: question,
    isGranted: true,
    until: writeMinute(here.clock.now() + day),
  });
  expect(await grant).toMatchObject(refused);
});

test('a lease that names no job comes to name the one by which its owner made the clone', async () => {
  const here = await withoutLease({ end: 'delete' });
  const now = here.clock.now();
  // As it began by an approval, or in an older release.
  const bare = { job: null, operation: null, name: null, madeAt: null, wish: null, since: now };
  const as = { ...newLease({ ...by('U0ANA'), ...bare }), ...keptUntil(now + day, now) };
  await here.parts.things.act(leases, as.id, () => ({ as, dueAt: now }), now);
  const loop = workOnLeases({ ...here.parts, changed: async () => undefined }, here.parts);
  onTestFinished(() => loop.stop());
  const found = () => here.parts.things.find(leases, as.id);
  for (let turn = 0; turn < 20 && (await found())?.job === null; turn++) await here.clock.advance(5_000);
  expect(await found()).toMatchObject({ job: 'made', person: 'U0ANA' });
});

test('twenty wishes of one person send one message, in which only the last accepted wish can be granted', async () => {
  const here = await withoutLease({ end: 'delete' });
  const days = (many: number) => ({ type: 'for', milliseconds: many * day }) as const;
  const wishes = async (person: string, many: number) => setLease(here.parts, by(person), days(many));
  const first = await wishes('U0EVE', 1);
  // The same one again is no other wish.
  expect(await wishes('U0EVE', 1)).toMatchObject({ type: 'asked' });
  for (const many of [2, 3]) expect(await wishes('U0EVE', many)).toMatchObject({ type: 'asked' });
  for (let many = 4; many <= 20; many++)
    await expect(wishes('U0EVE', many)).rejects.toMatchObject({ kind: 'forbidden' });
  // Another account of hers is no other person.
  await here.signsIn('U0BEN', 'eve');
  await expect(wishes('U0BEN', 1)).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await here.told()).toEqual(['lease wish to U0ANA']);
  const id = first.type === 'asked' ? first.question : '';
  const grants = (many: number) =>
    answerWish(here.parts, by('U0ANA'), { id, isGranted: true, until: writeMinute(here.clock.now() + many * day) });
  expect(await grants(1)).toEqual({
    type: 'refused',
    sentence: expect.stringContaining('has changed since you saw it'),
  });
  expect(await grants(3)).toMatchObject({ type: 'set', lease: { endsAt: here.clock.now() + 3 * day } });
});

test('a colleague’s end that only asks is set at once, and the clone’s maker hears of it', async () => {
  const here = await withoutLease({ end: 'ask' });
  expect(await setLease(here.parts, by('U0EVE'), aDay)).toMatchObject({ type: 'set', lease: { person: 'U0ANA' } });
  expect(await here.told()).toEqual(['lease to U0ANA']);
});

test('a maker who sets the end of their own clone gets a lease that names their job, and no message', async () => {
  const here = await withoutLease({ end: 'delete' });
  expect(await setLease(here.parts, by('U0ANA'), aDay)).toMatchObject({
    type: 'set',
    lease: { person: 'U0ANA', login: 'ana', job: 'made' },
  });
  expect(await here.told()).toEqual([]);
});

test('setting the first end of a clone that Dolly did not make makes nobody its maker', async () => {
  const here = await withoutLease({ end: 'ask', isMade: false });
  expect(await setLease(here.parts, by('U0EVE'), aDay)).toMatchObject({ type: 'set', lease: { person: 'U0EVE' } });
  expect(await isMaker(here.parts, { team: 'T1', person: 'U0EVE' }, clone)).toBe(false);
});

test.each([
  ['an approver, who holds the clone then', 'U0DEV', { allowedBy: 'U0DEV' }, true],
  ['somebody else, who does not hold the clone then', 'U0EVE', { allowedBy: null }, false],
])('the first end of a clone that Dolly did not make can be set by %s', async (_, person, lease, holds) => {
  const here = await withoutLease({ end: 'delete', isMade: false });
  expect(await setLease(here.parts, by(person), aDay)).toMatchObject({ type: 'set', lease: { person, ...lease } });
  const keepers = await leaseFeature.about.keepersOf(here.parts, 'T1', [clone]);
  expect([...keepers.values()].map(({ person }) => person)).toEqual(holds ? [person] : []);
});

test('an approver who set the end of a clone is asked before somebody else changes it', async () => {
  const { parts, told } = await withoutLease({ end: 'delete', isMade: false });
  await setLease(parts, by('U0DEV'), { type: 'for', milliseconds: 2 * day });
  const before = await parts.things.find(leases, leaseId('T1', clone));
  const wished = await setLease(parts, by('U0EVE'), aDay);
  expect(wished.type).toBe('asked');
  expect(await parts.things.find(leases, leaseId('T1', clone))).toMatchObject({
    ...{ person: 'U0DEV', allowedBy: 'U0DEV', endsAt: before?.endsAt },
  });
  expect((await told()).at(-1)).toBe('lease wish to U0DEV');
});

test('whoever set a clone’s end first must ask the approver who allowed its deletion since', async () => {
  const { parts, told } = await withoutLease({ end: 'delete', isMade: false });
  await setLease(parts, by('U0EVE'), aDay);
  await setLease(parts, by('U0DEV'), { type: 'for', milliseconds: 2 * day });
  expect((await setLease(parts, by('U0EVE'), aDay)).type).toBe('asked');
  expect((await told()).at(-1)).toBe('lease wish to U0DEV');
});

test('an approver’s permission on a lease outlives a change to no end, and a clone that is brought back', async () => {
  const { parts, clock } = await withoutLease({ end: 'delete', isMade: false });
  await setLease(parts, by('U0DEV'), aDay);
  await setLease(parts, by('U0EVE'), { type: 'none' });
  const kept = await parts.things.find(leases, leaseId('T1', clone));
  expect(kept).toMatchObject({ allowedBy: 'U0DEV', endsAt: null });
  if (!kept) return;
  const stopped = {
    ...kept,
    id: leaseId('T1', 'MYSQL_CLONE_SERVER-2'),
    record: 'MYSQL_CLONE_SERVER-2',
    state: 'stopped',
  } as const;
  await parts.things.act(leases, stopped.id, () => ({ as: stopped, dueAt: null }), clock.now());
  const back = await bringBack(parts, { ...by('U0EVE'), record: stopped.record });
  expect(back).toMatchObject({ type: 'set', lease: { allowedBy: 'U0DEV', person: 'U0DEV' } });
});

test('an end set by a former approver can be changed without asking them', async () => {
  const { parts } = await withoutLease({ end: 'delete', isMade: false });
  await setLease(parts, by('U0DEV'), { type: 'for', milliseconds: 2 * day });
  const policy = { ...parts.policy, approvers: ['U0BEN'] };
  const set = await setLease({ ...parts, policy }, by('U0EVE'), aDay);
  expect(set).toMatchObject({ type: 'set', lease: { allowedBy: null } });
});
