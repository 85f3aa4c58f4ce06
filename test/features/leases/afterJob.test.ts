import { expect, test } from 'vitest';
import { wishOfMoved } from '../../../src/features/leases/run/afterJob.ts';

const since = Date.UTC(2026, 10, 20);
const now = Date.UTC(2026, 10, 23);

test.each([
  ['keeps its end', { wish: null, since, endsAt: Date.UTC(2026, 10, 24, 18) }, '2026-11-24 18:00 UTC'],
  [
    'has its time once more where that is over',
    { wish: null, since, endsAt: since + 86_400_000 },
    '2026-11-24 00:00 UTC',
  ],
  ['has no end where it had none', { wish: null, since, endsAt: null }, 'no end'],
  ['is what was asked for, where nobody has looked at it yet', { wish: '3d', since, endsAt: null }, '3d'],
])('the lease of a clone that is made again %s', (_, before, wish) => {
  expect(wishOfMoved(before, now)).toBe(wish);
});
