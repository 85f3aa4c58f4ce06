import { describe, expect, test } from 'vitest';
import { atLeast, backOff, seldom } from '../../src/ground/clock.ts';
import { startLoop } from '../../src/ground/loop.ts';
import { pauseAfter } from '../../src/slack/connection/retryAfter.ts';
import { homePauses } from '../../src/slack/home/homePauses.ts';
import { testClock } from '../clock.ts';

const many = <T>(give: () => T): T[] => Array.from({ length: 200 }, give);

describe('what failed is tried again', () => {
  test('pauses between tries grow up to a longest one, and never end for all at the same moment', () => {
    for (const [tries, middle] of [
      [0, 1_000],
      [1, 2_000],
      [5, 32_000],
      [9, 60_000],
      [5_000, 60_000],
    ] as const) {
      const pauses = many(() => backOff(tries, 1_000, 60_000));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(middle * 0.8);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(middle * 1.2);
      expect(new Set(pauses).size).toBeGreaterThan(50);
    }
  });

  test('a pause that was asked for is kept in full, and does not end for all at the same moment', () => {
    const limited = { code: 'slack_webapi_rate_limited_error', retryAfter: 30 };
    for (const pauses of [many(() => atLeast(30_000)), many(() => pauseAfter(limited, 3))]) {
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30_000);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(36_000);
      expect(new Set(pauses).size).toBeGreaterThan(50);
    }
  });

  test('a channel where Slack wants a pause gets it in full, and does not resume for all at the same moment', () => {
    const clock = testClock(0);
    const quiet = homePauses(clock);
    quiet.keep('C1', 30_000);
    const until = many(() => quiet.until('C1') ?? 0);
    expect(Math.min(...until)).toBeGreaterThanOrEqual(30_000);
    expect(new Set(until).size).toBeGreaterThan(50);
    expect(quiet.until('C2')).toBeUndefined();
  });
});

describe('a loop whose turns fail', () => {
  test('a loop whose turns fail turns less and less often, says so once a minute, and then goes on at once', async () => {
    const clock = testClock(0);
    let turns = 0;
    let isBroken = true;
    const told: number[] = [];
    const running = startLoop(clock, {
      async turn() {
        turns += 1;
        if (isBroken) throw new Error('no store');
        return undefined;
      },
      failed: (_error, times) => told.push(times),
    });
    for (let second = 0; second < 600; second++) {
      running.wake();
      await clock.advance(1_000);
    }
    expect(turns).toBeGreaterThan(90);
    expect(turns).toBeLessThan(170);
    expect(told.length).toBeGreaterThan(8);
    expect(told.length).toBeLessThan(12);
    expect(told.reduce((sum, times) => sum + times)).toBeGreaterThan(turns - 20);
    isBroken = false;
    await clock.advance(6_000);
    const before = turns;
    running.wake();
    await clock.advance(1);
    expect(turns).toBe(before + 1);
    await running.stop();
  });
});

test('trouble that comes often is told at first, and then once a minute with how often it came', async () => {
  const clock = testClock(0);
  const told: unknown[] = [];
  const tell = seldom(clock, (what: string, times) => told.push([what, times]));
  for (const what of ['a', 'b', 'c']) tell(what);
  await clock.advance(60_000);
  tell('d');
  expect(told).toEqual([
    ['a', 1],
    ['d', 3],
  ]);
});
