import { expect, test } from 'vitest';
import { StoreTrouble } from '../../src/ground/failure.ts';
import { gathered } from '../../src/store/gathered.ts';

test('items that come while others are being written are written together, and each gets its own result', async () => {
  const writes: (readonly number[])[] = [];
  const write = gathered(async (items: readonly number[]) => {
    writes.push(items);
    return items.map(item => item * 10);
  });
  expect(await Promise.all([1, 2, 3].map(write))).toEqual([10, 20, 30]);
  expect(await write(4)).toBe(40);
  expect(writes).toEqual([[1], [2, 3], [4]]);
});

test('a faulty item fails alone, and trouble of the store fails all items that were to be written together', async () => {
  let writes = 0;
  const write = gathered(async (items: readonly (number | Error)[]) => {
    writes += 1;
    const fault = items.find(item => item instanceof Error);
    if (fault) throw fault;
    return items;
  });
  const outcomes = async (items: readonly (number | Error)[]) =>
    (await Promise.allSettled(items.map(write))).map(result => result.status);
  expect(await outcomes([1, 2, new Error('faulty'), 3])).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(writes).toBe(5);
  expect(await outcomes([1, 2, new StoreTrouble('away'), 3])).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(writes).toBe(7);
});
