import { expect, test } from 'vitest';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { leaseHookOf, wishOfMoved } from '../../../src/features/leases/run/afterJob.ts';
import { day } from '../../../src/ground/durations.ts';
import { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { inTrail } from '../../../src/store/tables/audit/audit.ts';
import { hasHolder, leaseId, leases } from '../../../src/store/tables/leases.ts';
import { writeEndNews } from '../../../src/store/things/endNews.ts';
import { actOn, thingsIn } from '../../../src/store/things/things.ts';
import { jobIn } from '../../jobs/jobIn.ts';
import { folder, storeIn } from '../../store/folder.ts';

test.each([
  ['its owner', null, 'ana'],
  ['the service account, which is nobody’s own user', 'service', null],
] as const)(
  'a lease names the user of its owner: its clone was made with the sign-in of %s',
  async (_, runsAs, login) => {
    const store = await storeIn(folder());
    const clone = 'MYSQL_CLONE_SERVER-9';
    const evidence = JSON.stringify(Evidence.parse({ id: clone, name: 'shop-3310', since: 0, seenAt: 0 }));
    const job = jobIn('succeeded', { operation: 'clone.create', claimed: clone, evidence, runsAs });
    const hook = leaseHookOf({ leases: [{ default: day }] });
    await inTrail(store, undefined, (changes, note) =>
      writeEndNews(changes, note, [{ job, was: 'running', now }], [{ ended: hook }]),
    );
    expect(await thingsIn(store).find(leases, leaseId('T1', clone))).toMatchObject({
      person: 'U1',
      state: 'new',
      login,
    });
  },
);

test.each([
  ['whoever asked for it', 'U1'],
  ['somebody else', 'U2'],
])(
  'a clone whose end was set by %s before it was ready is held by its maker, and keeps that end',
  async (_, person) => {
    const store = await storeIn(folder());
    const record = 'MYSQL_CLONE_SERVER-9';
    const known = { id: record, name: 'shop-3310', madeAt: 5 };
    const evidence = JSON.stringify(Evidence.parse({ ...known, since: 0, seenAt: 0 }));
    const job = jobIn('succeeded', { operation: 'clone.create', claimed: record, evidence });
    const set = { team: 'T1', person, channel: 'C1', record, name: known.name, madeAt: known.madeAt, job: null };
    const own = newLease({ ...set, operation: null, login: 'somebody', wish: null, since: job.createdAt + 1 });
    const as = { ...own, ...keptUntil(day, job.createdAt + 1) };
    await inTrail(store, undefined, async (changes, note) => {
      await actOn(changes, note, { kind: leases, id: as.id, give: () => ({ as }), now });
      await writeEndNews(
        changes,
        note,
        [{ job, was: 'running', now }],
        [{ ended: leaseHookOf({ leases: [{ default: day }] }) }],
      );
    });
    const held = await thingsIn(store).find(leases, as.id);
    expect(held).toMatchObject({ person: 'U1', login: job.login, job: job.id, endsAt: day });
    expect(held && hasHolder(held)).toBe(true);
  },
);

const since = Date.UTC(2026, 10, 20);
const now = Date.UTC(2026, 10, 23);

test.each([
  [
    'keeps its end where that is to come',
    { wish: null, since, endsAt: Date.UTC(2026, 10, 24, 18) },
    '2026-11-24 18:00 UTC',
  ],
  [
    'has its time once more where its end has passed',
    { wish: null, since, endsAt: since + 86_400_000 },
    '2026-11-24 00:00 UTC',
  ],
  ['has no end where it had none', { wish: null, since, endsAt: null }, 'no end'],
  ['is what was asked for, where nobody has looked at it yet', { wish: '3d', since, endsAt: null }, '3d'],
])('the lease of a clone that is made again keeps what was wished: it %s', (_, before, wish) => {
  expect(wishOfMoved(before, now)).toBe(wish);
});
