import { expect, test } from 'vitest';
import { startLoop } from '../../src/ground/loop.ts';
import { testClock } from '../clock.ts';

test('a turn of a loop is a poll only where nothing but the longest sleep began it', async () => {
  const clock = testClock(0);
  const turns: [number, boolean][] = [];
  let next: number | undefined;
  let isBroken = false;
  const loop = startLoop(clock, {
    async turn(_run, isPoll) {
      turns.push([clock.now(), isPoll]);
      if (isBroken) throw new Error('no store');
      return next;
    },
    failed: () => undefined,
    maxSleep: 5_000,
  });
  await clock.advance(0);
  await clock.advance(5_000);
  next = 12_000;
  await clock.advance(5_000);
  next = undefined;
  await clock.advance(2_000);
  loop.wake();
  await clock.advance(0);
  await clock.advance(6_000);
  isBroken = true;
  await clock.advance(4_000);
  isBroken = false;
  await clock.advance(400);
  await loop.stop();
  expect(turns.slice(0, 7)).toEqual([
    [0, false],
    [5_000, true],
    [10_000, true],
    [12_000, false],
    [12_000, false],
    [17_000, true],
    [22_000, true],
  ]);
  expect(turns.slice(7).map(([, isPoll]) => isPoll)).toEqual([false]);
});

test('a loop that stops renews the locks of its tasks until they are finished', async () => {
  const clock = testClock(0);
  const renewed: number[] = [];
  const work = Promise.withResolvers<void>();
  let isRun = false;
  const loop = startLoop(clock, {
    async turn(run) {
      if (!isRun) run(work.promise);
      isRun = true;
      return undefined;
    },
    failed: () => undefined,
    renew: async () => void renewed.push(clock.now()),
  });
  await clock.advance(0);
  const stopped = loop.stop();
  await clock.advance(12_000);
  work.resolve();
  await stopped;
  await clock.advance(20_000);
  expect(renewed).toEqual([5_000, 10_000]);
});
