import { describe, expect, test } from 'vitest';
import { pace } from '../../../src/slack/outbox/slackRates.ts';

describe('a pace of three at once, then one a second,', () => {
  const used = (...times: number[]) => {
    const rate = pace({ burst: 3, every: 1_000 });
    for (const time of times) rate.useSlot('a', time);
    return rate;
  };
  test('the pace of messages lets a burst of three go at the same moment, and no fourth', () => {
    expect(used(0, 0).isFree('a', 0)).toBe(true);
    expect(used(0, 0, 0).isFree('a', 0)).toBe(false);
    expect(used(0, 0, 0).isFree('a', 999)).toBe(false);
    expect(used(0, 0, 0).isFree('a', 1_000)).toBe(true);
  });
  test('the pace of messages lets one go each second after a burst, and three again after a rest', () => {
    expect(used(0, 0, 0, 1_000).isFree('a', 1_999)).toBe(false);
    expect(used(0, 0, 0, 1_000, 2_000).isFree('a', 3_000)).toBe(true);
    expect(used(0, 0, 0, 9_000, 9_000).isFree('a', 9_000)).toBe(true);
    expect(used(0, 0, 0, 9_000, 9_000, 9_000).isFree('a', 9_000)).toBe(false);
  });
  test('the pace of messages gives those that can wait only half of a burst, and tells when they may go', () => {
    const rate = pace({ burst: 4, every: 1_000 });
    for (let use = 0; use < 2; use++) {
      expect(rate.isFree('a', 0, true)).toBe(true);
      rate.useSlot('a', 0);
    }
    expect([rate.isFree('a', 0, true), rate.isFree('a', 0)]).toEqual([false, true]);
    expect([rate.busy(0, true), rate.busy(0)]).toEqual([['a'], []]);
    expect([rate.nextFree(0, true), rate.nextFree(0)]).toEqual([1_000, undefined]);
    expect(rate.isFree('a', 1_000, true)).toBe(true);
    const shared = pace({ burst: 4, every: 1_000 }, () => 9);
    expect(shared.isFree('a', 0, true)).toBe(true);
  });
  test('the pace of messages is kept for each channel apart', () => {
    const rate = used(0, 0, 0);
    expect(rate.isFree('b', 0)).toBe(true);
    expect(rate.busy(0)).toEqual(['a']);
    expect(rate.nextFree(0)).toBe(1_000);
  });
  test('the pace of messages rests for as long as Slack says, and then begins with one', () => {
    const rate = used();
    rate.rest('a', 30_000);
    expect(rate.busy(29_999)).toEqual(['a']);
    expect(rate.nextFree(0)).toBe(30_000);
    expect([rate.isResting('a', 29_999), rate.isResting('a', 30_000), rate.isResting('b', 0)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(used(0, 0, 0).isResting('a', 0)).toBe(false);
    expect(rate.isFree('a', 30_000)).toBe(true);
    rate.useSlot('a', 30_000);
    expect(rate.isFree('a', 30_000)).toBe(false);
  });
  test('the pace of messages is divided among the processes that share it, also when their number changes', () => {
    let sharers = 3;
    const rate = pace({ burst: 3, every: 1_000 }, () => sharers);
    rate.useSlot('a', 0);
    expect(rate.isFree('a', 2_999)).toBe(false);
    expect(rate.isFree('a', 3_000)).toBe(true);
    sharers = 1;
    for (let time = 0; time < 3; time++) rate.useSlot('a', 3_000);
    expect([rate.isFree('a', 3_999), rate.isFree('a', 4_000)]).toEqual([false, true]);
  });
  test('the pace of messages forgets a channel that has been quiet', () => {
    expect(used(0, 0, 0).busy(10_000)).toEqual([]);
    expect(used(0, 0, 0).nextFree(10_000)).toBeUndefined();
  });
});
