import { getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { giveBackMemory } from '../../src/app/giveBackMemory.ts';

/** The bytes that the system gave to V8 for new objects. */
const young = () =>
  getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.physical_space_size ?? Number.NaN;

test('the memory that V8 took for new objects at the start goes back to the system', () => {
  const kept: object[] = [];
  // What survives for a while lets V8 take more room for what is new.
  for (let round = 0; round < 60; round++) {
    kept.length = 0;
    for (let index = 0; index < 100_000; index++) kept.push({ index });
  }
  kept.length = 0;
  const before = young();
  giveBackMemory();
  expect(young()).toBeLessThan(before / 2);
});

test('no code can begin a collection once the memory is given back', () => {
  giveBackMemory();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
