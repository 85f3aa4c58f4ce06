import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { hour, minute, second } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import type { Store } from '../../../src/store/database.ts';
import { isShared } from '../../../src/store/lock.ts';
import { type Claim, ids, t, taken, takeOne } from './claim.ts';
import type { DueRow, Held, Process } from './queue.ts';

/* What is due is given to one process at a time, and to nobody else. */

export const claimsOnTaking = {
  async 'due rows are taken once, the oldest first, up to the number that is asked for'(queue, store) {
    const rows = ['e', 'd', 'c', 'b', 'a'].map((id, index) => ({ id, dueAt: t - hour + index * second }));
    await queue.put(store, rows.toReversed());
    const process = queue.begin(store);
    const batches = [];
    for (let turn = 0; turn < 4; turn++) batches.push(ids(await process.take(t, 2)));
    expect(batches).toEqual([['d', 'e'], ['b', 'c'], ['a'], []]);
  },

  async 'rows that are taken at once come in the order of their times'(queue, store) {
    const rows = ['e', 'd', 'c', 'b', 'a'].map((id, index) => ({ id, dueAt: t - hour + index * second }));
    await queue.put(store, rows.toReversed());
    expect((await queue.begin(store).take(t, 5)).map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b', 'a']);
  },

  async 'a row that is not due is left alone until its time'(queue, store) {
    await queue.put(store, [{ id: 'row', dueAt: t + minute }]);
    const process = queue.begin(store);
    expect(await process.take(t, 10)).toEqual([]);
    expect(await process.take(t + minute - 1, 10)).toEqual([]);
    expect(ids(await process.take(t + minute, 10))).toEqual(['row']);
  },

  async 'only one of the processes that take a row at the same moment gets it'(queue, store) {
    const all = Array.from({ length: 4 }, () => queue.begin(store));
    for (let round = 0; round < 10; round++) {
      const rows = [1, 2, 3].map(index => ({ id: `row-${round}-${index}`, dueAt: t - hour }));
      await queue.put(store, rows);
      const got: Held[] = [];
      // What one puts off at once is not due for the others, however long ago they began to choose.
      const works = async (process: Process) => {
        for (let turn = 0; turn < 3; turn++) {
          const held = await process.take(t, 10);
          got.push(...held);
          for (const one of held) await one.rest(t + minute);
        }
      };
      await Promise.all(all.map(works));
      expect(ids(got)).toEqual(rows.map(({ id }) => id));
    }
    if (!isShared(store)) return;
    // The first one has taken the row, and its transaction is not over yet.
    await queue.put(store, [{ id: 'row', dueAt: t - hour }]);
    const { first, second } = await store.transaction().execute(async changes => {
      const first = await queue.begin(changes).take(t, 10);
      const second = queue.begin(store).take(t, 10);
      await Promise.race([second, sleep(20)]);
      return { first, second };
    });
    expect(ids([...first, ...(await second)])).toEqual(['row']);
  },

  async 'a row that one process puts off while another one chooses is given to nobody'(queue, store) {
    await queue.put(store, [{ id: 'row', dueAt: t - hour }]);
    const work = async (changes: Store) => {
      const held = await takeOne(queue.begin(changes), t);
      const late = queue.begin(store).take(t, 10);
      // Where several processes share the store, the other one comes to the row before this one commits.
      if (isShared(store)) await Promise.race([late, sleep(20)]);
      await held.rest(t + minute);
      return { late };
    };
    const { late } = await (isShared(store) ? store.transaction().execute(work) : work(store));
    expect(await late).toEqual([]);
    expect(await queue.begin(store).take(t, 10)).toEqual([]);
  },

  async 'a lock ends at its time, and another process can take the row'(queue, store) {
    const { one, other } = await taken(queue, store);
    expect(await other.take(t, 10)).toEqual([]);
    expect(await one.take(t + lockTime - 1, 10)).toEqual([]);
    expect(await other.take(t + lockTime - 1, 10)).toEqual([]);
    expect(ids(await other.take(t + lockTime, 10))).toEqual(['row']);
  },

  async 'the next time of a queue is that of the next row that nobody has taken'(queue, store) {
    const process = queue.begin(store);
    expect(await process.nextTime(t)).toBeUndefined();
    await queue.put(store, [
      { id: 'row', dueAt: t + second },
      { id: 'other', dueAt: t + minute },
    ]);
    expect(await process.nextTime(t)).toBe(t + second);
    const held = await takeOne(process, t + second);
    expect(await process.nextTime(t + second)).toBe(t + minute);
    await held.rest(t + minute + 10 * second);
    await takeOne(process, t + minute);
    expect(await process.nextTime(t + minute)).toBe(t + minute + 10 * second);
    await takeOne(process, t + minute + 10 * second);
    expect(await process.nextTime(t + minute + 10 * second)).toBeUndefined();
  },

  async 'a thousand rows in the hands of slow work do not keep another person’s row waiting'(queue, store) {
    await queue.put(store, crowd());
    const process = queue.begin(store);
    const { max } = queue;
    let isTaken = false;
    // Whoever has the rows renews the locks, so that nothing is free a second time.
    for (let turn = 0; turn < Math.ceil(1_001 / max) && !isTaken; turn++)
      isTaken = ids(await process.take(t, max)).includes('other');
    expect(isTaken).toBe(true);
  },

  async 'a thousand rows that fail do not keep another person’s row waiting'(queue, store) {
    await queue.put(store, crowd());
    const process = queue.begin(store);
    const { max } = queue;
    let isTaken = false;
    for (let turn = 0, now = t; turn < 2 * Math.ceil(1_001 / max) && !isTaken; turn++, now += second) {
      const held = await process.take(now, max);
      isTaken = ids(held).includes('other');
      await Promise.all(held.map(one => one.fail(now)));
    }
    expect(isTaken).toBe(true);
  },
} as const satisfies Record<string, Claim>;

/** A thousand rows of one person that are due for long, and one of another person’s that became due just now. */
function crowd(): readonly DueRow[] {
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ id: `row-${index}`, team: 'T1', person: 'U1', isUrgent: true },
    dueAt: t - hour + index,
  }));
  return [...many, { id: 'other', team: 'T2', person: 'U2', dueAt: t - 3 * second }];
}
