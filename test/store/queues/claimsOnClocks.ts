import { expect } from 'vitest';
import { hour, minute, second } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import { type Claim, ids, skew, t, taken } from './claim.ts';
import type { Process } from './queue.ts';

/* A clock that goes wrong neither holds work up for long nor gives it to two. */

/** Takes what is due at the first of these times at which anything is, after the search that a loop makes then. */
async function firstFound(process: Process, times: readonly number[]): Promise<readonly string[]> {
  for (const now of times) {
    await process.search?.(now);
    // Most loops that wake by themselves take nothing before the time that this says.
    const next = process.asksFirst === false ? now : await process.nextTime();
    const found = next !== undefined && next <= now ? await process.take(now, 10) : [];
    if (found.length > 0) return ids(found);
  }
  return [];
}

export const claimsOnClocks = {
  async 'two processes whose clocks differ by less than a lock never both have a row'(queue, store) {
    const { one, other, held } = await taken(queue, store);
    for (const now of [t, t + lockTime / 2]) {
      if (now > t) await held.renew?.(now + lockTime);
      const ends = held.renew ? now + lockTime : t + lockTime;
      for (const theirs of [now - skew, Math.min(now + skew, ends - 1)]) {
        await other.search?.(theirs);
        await other.recall?.(theirs);
        await one.search?.(now);
        expect(await other.take(theirs, 10)).toEqual([]);
      }
    }
  },

  async 'a process that read its clock a minute ago takes no row that another one has meanwhile'(queue, store) {
    const { other } = await taken(queue, store, t + minute);
    expect(await other.take(t, 10)).toEqual([]);
  },

  async 'a lock by a clock an hour ahead holds nobody up for longer than a minute'(queue, store) {
    const { other } = await taken(queue, store, t + hour);
    expect(await firstFound(other, [t, t + minute])).toEqual(['row']);
  },

  async 'a lock by a clock an hour behind holds nobody up'(queue, store) {
    const { other } = await taken(queue, store, t - hour);
    expect(await firstFound(other, [t])).toEqual(['row']);
  },

  async 'a pause by a clock an hour ahead ends within a minute once its process notices'(queue, store) {
    const { one, held } = await taken(queue, store, t + hour);
    await held.rest(t + hour + 10 * second);
    await one.recall?.(t);
    expect(await firstFound(one, [t, t + minute])).toEqual(['row']);
  },

  async 'a pause by a clock an hour ahead ends within a minute though its process died'(queue, store) {
    const { held } = await taken(queue, store, t + hour);
    await held.rest(t + hour + 10 * second);
    expect(await firstFound(queue.begin(store), [t, t + minute])).toEqual(['row']);
  },

  async 'a pause by a clock an hour behind is over for the other processes, whose clocks are right'(queue, store) {
    const { one, other, held } = await taken(queue, store, t - hour);
    await held.rest(t - hour + 10 * second);
    await one.recall?.(t);
    expect(await firstFound(other, [t])).toEqual(['row']);
  },
} as const satisfies Record<string, Claim>;
