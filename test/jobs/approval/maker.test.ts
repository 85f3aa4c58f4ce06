import { expect, onTestFinished, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { ownersOfClones } from '../../../src/jobs/approval/people/cloneOwner.ts';
import { isMaker } from '../../../src/jobs/approval/people/maker.ts';
import { parsed, recordOf } from '../../../src/sandbox/playground/json.ts';
import { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { type Lease, leases } from '../../../src/store/tables/leases.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { type Board, board } from '../deciding.ts';

/* What one made, one may renew alone: not what has its number by now. */

const clone = 'MYSQL_CLONE_SERVER-1';
const ana = { team: 'T1', person: 'U0ANA' };
const [name, createdAt] = ['orders-3320', '2026-11-20T10:00:00.000Z'];

/** Gives Ana, or somebody else, a lease that a job began on the clone as it was, or on another one. */
async function keeps({ parts, clock }: Pick<Board, 'parts' | 'clock'>, change: Partial<Lease>) {
  const [now, madeAt] = [clock.now(), Date.parse(createdAt)];
  const about = { ...ana, record: clone, name, madeAt, job: 'job-0', operation: null, channel: 'C1', wish: '3d' };
  const lease = { ...newLease({ ...about, since: now }), ...keptUntil(now + 1_000, now), ...change };
  await parts.things.act(leases, lease.id, () => ({ as: lease, dueAt: now, trail: { event: 'kept' } }), now);
}

/** A service that shows the clone as `shown` says, once Ana has it by a job or by a lease. */
async function owning(by: 'job' | 'lease', shown: object) {
  const store = await storeIn(folder());
  const here = await board(store, {}, undefined, async (request, next) => {
    const answer = await next();
    if (!new URL(request.url).pathname.endsWith(clone)) return answer;
    return Response.json({ ...recordOf(parsed(await answer.text())), name, createdAt, ...shown });
  });
  onTestFinished(() => here.end());
  const [now, madeAt] = [here.clock.now(), Date.parse(createdAt)];
  if (by === 'lease') {
    await keeps(here, {});
    return here;
  }
  await here.parts.jobs.add({
    ...{ ...ana, id: 'made', requestKey: 'made', operation: 'clone.create', values: {}, labels: {} },
    ...{ target: 'MYSQL_LIVE_SERVER-1', targetName: null, channel: 'C1', purpose: null, createdAt: now },
  });
  const evidence = JSON.stringify(Evidence.parse({ id: clone, name, madeAt, since: now, seenAt: now }));
  await store
    .updateTable('jobs')
    .set({ state: 'succeeded', claimed: clone, evidence, reason: '', sentAt: now, endedAt: now, dueAt: null })
    .where('id', '=', 'made')
    .execute();
  await store.insertInto('claims').values({ record: clone, sign: '', job: 'made', name, madeAt }).execute();
  return here;
}

const others: readonly (readonly [string, object, boolean])[] = [
  ['is as it was', {}, true],
  ['is another one by now', { name: 'new', createdAt: '2026-11-21T08:00:00.000Z' }, false],
  ['was renamed', { name: 'new' }, false],
  ['shows nothing that tells it from others', { name: undefined, createdAt: undefined }, false],
  ['is gone', { deleted: true }, false],
];

test.each(others)(
  'whoever made a clone counts as its maker only while it is the same clone: one that %s',
  async (_, shown, may) => {
    const { parts } = await owning('job', shown);
    expect(await isMaker(parts, ana, clone)).toBe(may);
    expect(await isMaker(parts, { ...ana, person: 'U0BEN' }, clone)).toBe(false);
  },
);

test.each(others)(
  'whoever has the lease of a clone counts as its maker only while it is the same clone: one that %s',
  async (_, shown, may) => {
    const { parts } = await owning('lease', shown);
    expect(await isMaker(parts, ana, clone)).toBe(may);
  },
);

test('whoever made a clone no longer counts as its maker once somebody else has its lease', async () => {
  const here = await owning('job', {});
  await keeps(here, { person: 'U0BEN', name: 'before', madeAt: 0 });
  expect(await isMaker(here.parts, ana, clone)).toBe(true);
  await keeps(here, { person: 'U0BEN' });
  expect(await isMaker(here.parts, ana, clone)).toBe(false);
  expect(await isMaker(here.parts, { ...ana, person: 'U0BEN' }, clone)).toBe(true);
});

test('whoever began the lease of a clone by hand, without having made it, does not count as its maker', async () => {
  const here = await owning('lease', {});
  await keeps(here, { job: null });
  expect(await isMaker(here.parts, ana, clone)).toBe(false);
});

const stillThere = others.filter(([how]) => how !== 'is gone');
test.each(stillThere.flatMap(row => (['job', 'lease'] as const).map(by => [...row, by] as const)))(
  'an earlier job or lease tells whose a clone is only while it is the same clone: one that %s',
  async (_, shown, isTheirs, by) => {
    const { parts } = await owning(by, shown);
    const id = parseIdentifier(clone);
    const record = id && (await parts.records.of(ana).alone(id));
    if (!record) throw new Error('there is no clone');
    expect((await ownersOfClones(parts, ana.team, [record]))(record).person).toBe(isTheirs ? ana.person : undefined);
  },
);
