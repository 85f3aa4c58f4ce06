import { expect, it } from 'vitest';
import { flood } from './load.ts';

it('a benchmark’s flood makes exactly the requests it was told to, never more at once than allowed', async () => {
  let now = 0;
  let most = 0;
  let done = 0;
  await flood(50, 4, async () => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
    done++;
  });
  expect({ most, now, done }).toEqual({ most: 4, now: 0, done: 50 });
});

it('a benchmark’s flood of requests stops at the first failure', async () => {
  let begun = 0;
  const failing = flood(50, 1, async () => {
    begun++;
    throw new Error('no answer');
  });
  await expect(failing).rejects.toThrow('no answer');
  expect(begun).toBe(1);
});
