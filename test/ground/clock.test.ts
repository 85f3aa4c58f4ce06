import { expect, test } from 'vitest';
import { ageOf, seldom, systemClock, thisMoment, wasSetSince } from '../../src/ground/clock.ts';
import { testClock } from '../clock.ts';

const minute = 60_000;

/** A clock whose time of day can be set, and which can sleep. */
function settable() {
  const clock = testClock(10 * minute);
  let set = 0;
  return {
    clock: { ...clock, now: () => clock.now() + set },
    advance: clock.advance,
    set(by: number) {
      set += by;
    },
  };
}

test('a moment is as old as the time that passed, also where the time of day was set back since', async () => {
  const { clock, advance, set } = settable();
  const moment = thisMoment(clock);
  await advance(5_000);
  expect([ageOf(clock, moment), wasSetSince(clock, moment)]).toEqual([5_000, false]);
  set(-8 * minute);
  expect([ageOf(clock, moment), wasSetSince(clock, moment)]).toEqual([5_000, true]);
});

test('a moment before a sleep is as old as the time of day says', () => {
  const { clock, set } = settable();
  const moment = thisMoment(clock);
  set(8 * minute);
  expect([ageOf(clock, moment), wasSetSince(clock, moment)]).toEqual([8 * minute, true]);
});

test('a thing that is told seldom is told again after a minute, whatever the time is set to', async () => {
  const { clock, advance, set } = settable();
  const told: number[] = [];
  const tell = seldom(clock, (_what, times) => told.push(times));
  tell('a');
  set(-30 * minute);
  tell('a');
  await advance(minute);
  tell('a');
  expect(told).toEqual([1, 2]);
});

test('the machine’s steady clock goes on, and is no time of day', async () => {
  const before = systemClock.steady();
  await systemClock.wait(5);
  expect(systemClock.steady()).toBeGreaterThan(before);
  expect(systemClock.steady()).toBeLessThan(systemClock.now() / 2);
});
