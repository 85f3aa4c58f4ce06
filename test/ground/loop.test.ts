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

test('a loop that is woken for a time begins its turn then, and knows by when nothing else is due', async () => {
  const clock = testClock(0);
  const turns: [number, number | undefined][] = [];
  let next: number | undefined = 60_000;
  const loop = startLoop(clock, {
    async turn(_run, _isPoll, known) {
      turns.push([clock.now(), known]);
      return next;
    },
    failed: () => undefined,
    maxSleep: 90_000,
  });
  await clock.advance(0);
  loop.wake(2_000);
  // A later time changes nothing.
  loop.wake(3_000);
  await clock.advance(1_999);
  expect(turns).toEqual([[0, undefined]]);
  await clock.advance(1);
  // Something is due now, and nothing else before the minute is over.
  loop.wake(1_000);
  await clock.advance(0);
  // Anything may be due.
  loop.wake();
  await clock.advance(0);
  next = undefined;
  loop.wake(0);
  await clock.advance(0);
  // The last turn did not know what is due.
  loop.wake(0);
  await clock.advance(0);
  await loop.stop();
  expect(turns.slice(1)).toEqual([
    [2_000, undefined],
    [2_000, 60_000],
    [2_000, undefined],
    [2_000, 60_000],
    [2_000, undefined],
  ]);
});

test('a loop that hears of a due time during its turn wakes at the earlier one', async () => {
  const clock = testClock(0);
  const turns: number[] = [];
  const loop = startLoop(clock, {
    async turn() {
      turns.push(clock.now());
      await null;
      if (turns.length === 1) loop.wake(1_000);
      return 4_000;
    },
    failed: () => undefined,
  });
  await clock.advance(3_999);
  await loop.stop();
  expect(turns).toEqual([0, 1_000]);
});
