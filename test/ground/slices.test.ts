import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { mapInSlices, sortInSlices } from '../../src/ground/slices.ts';

function works(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('long work on many items keeps their order and gives other work its turns', async () => {
  let turns = 0;
  let isOver = false;
  const takesTurns = (): void => {
    turns += 1;
    if (!isOver) setImmediate(takesTurns);
  };
  setImmediate(takesTurns);
  const made = await mapInSlices(Array(100).keys(), item => {
    works(1);
    return item * 2;
  });
  isOver = true;
  expect(made).toEqual([...Array(100).keys()].map(item => item * 2));
  expect(turns).toBeGreaterThan(3);
});

test('short work on a few items is done in one go', async () => {
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  expect(await mapInSlices(['a', 'b'], item => item.toUpperCase())).toEqual(['A', 'B']);
  expect(turns).toBe(0);
});

test('several long works share the event loop, with one slice in each turn', async () => {
  let turn = 0;
  let isOver = false;
  const takesTurns = (): void => {
    turn += 1;
    if (!isOver) setImmediate(takesTurns);
  };
  const done = Array.of<number>();
  setImmediate(takesTurns);
  const work = () =>
    mapInSlices(Array(10).keys(), () => {
      works(5);
      done.push(turn);
    });
  await Promise.all([work(), work(), work()]);
  isOver = true;
  const later = done.filter(at => at > 0);
  expect(later.length).toBeGreaterThan(20);
  expect(new Set(later).size).toBe(later.length);
});

test('sorting in slices gives the same order as at once, and gives other work its turns', async () => {
  const items = Array.from({ length: 4_321 }, (_, at) => ({ at, size: (at * 7_919) % 1_000 }));
  const bySize = (a: { size: number }, b: { size: number }) => a.size - b.size;
  expect(await sortInSlices(items, bySize)).toStrictEqual(items.toSorted(bySize));
  expect(await sortInSlices(items.slice(0, 3), bySize)).toStrictEqual(items.slice(0, 3).sort(bySize));
  expect(await sortInSlices([], bySize)).toStrictEqual([]);
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  await sortInSlices(items.slice(0, 1_000), (a, b) => {
    works(0.01);
    return bySize(a, b);
  });
  clearInterval(turn);
  expect(turns).toBeGreaterThan(3);
});
