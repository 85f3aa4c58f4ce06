import { expect, it } from 'vitest';
import { inRounds, inTurns, type Kind } from './rounds.ts';

it('the benchmark measures both apps in each round, and each is first in turn', async () => {
  const order: Kind[] = [];
  await inRounds(3, ['x'], async kind => {
    order.push(kind);
    return { x: 0 };
  });
  expect(order).toEqual(['bare', 'dolly', 'dolly', 'bare', 'bare', 'dolly']);
});

it('the benchmark pairs what was measured in the same round', async () => {
  let count = 0;
  const pairs = await inRounds(2, ['x', 'y'], async kind => {
    count++;
    return { x: kind === 'dolly' ? 100 + count : count, y: -count };
  });
  expect(pairs.get('x')).toEqual([
    { bare: 1, dolly: 102 },
    { bare: 4, dolly: 103 },
  ]);
  expect(pairs.get('y')).toEqual([
    { bare: -1, dolly: -2 },
    { bare: -4, dolly: -3 },
  ]);
});

it('the benchmark measures short things in turns, each app as often, and keeps the values apart', async () => {
  const order: Kind[] = [];
  const values = await inTurns(3, async kind => {
    order.push(kind);
    return order.length;
  });
  expect(order).toEqual(['bare', 'dolly', 'dolly', 'bare', 'bare', 'dolly']);
  expect(values).toEqual({ bare: [1, 4, 5], dolly: [2, 3, 6] });
});
