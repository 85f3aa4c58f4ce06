import { expect } from 'vitest';
import { minute, second } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import { type Claim, ids, lost, see, skew, t, taken } from './claim.ts';

/* A process keeps what it renews; what it has lost is no affair of its any more. */

export const claimsOnLosing = {
  async 'a process keeps a row for as long as it renews the lock'(queue, store) {
    const { other, held } = await taken(queue, store);
    if (!held.renew) throw new Error('the lock cannot be renewed');
    for (let now = t; now < t + minute; now += lockTime / 4) {
      expect(await other.take(now, 10)).toEqual([]);
      await held.renew(now + lockTime);
    }
    expect(await other.take(t + minute - lockTime / 4 + skew, 10)).toEqual([]);
    expect(ids(await other.take(t + minute - lockTime / 4 + lockTime, 10))).toEqual(['row']);
  },

  async 'a process that renews a row which another one has by now changes nothing of its lock'(queue, store) {
    const { late } = await lost(queue, store);
    const before = await see(queue, store);
    // A clock that is a little behind would make the lock shorter, and one that goes right longer.
    for (const until of [t + lockTime + second, t + 3 * lockTime]) {
      await late.renew?.(until);
      expect(await see(queue, store)).toEqual(before);
    }
  },

  async 'a process that lost a row to another one cannot set its next time'(queue, store) {
    const { late } = await lost(queue, store);
    const before = await see(queue, store);
    await late.rest(t + 2 * minute);
    expect(await see(queue, store)).toEqual(before);
  },

  async 'a process that lost a row to another one cannot put it off after a failure'(queue, store) {
    const { late } = await lost(queue, store);
    const before = await see(queue, store);
    await late.fail(t + lockTime + second);
    expect(await see(queue, store)).toEqual(before);
  },

  async 'a process that lost a row to another one cannot finish it, and of two steps one is written'(queue, store) {
    const { late, held } = await lost(queue, store);
    const before = await see(queue, store);
    await late.note?.(t + lockTime + second);
    if (late.note) expect(await see(queue, store)).toEqual(before);
    const steps = [await late.step?.(t + lockTime + second), await held.step?.(t + lockTime + second)];
    if (late.step) expect(steps.toSorted()).toEqual([false, true]);
  },
} as const satisfies Record<string, Claim>;
