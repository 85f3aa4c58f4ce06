import { expect } from 'vitest';
import { hour } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import type { Store } from '../../../src/store/database.ts';
import type { Held, Process, QueueCase } from './queue.ts';

/** What a queue promises. It is given the queue and an empty store. */
export type Claim = (queue: QueueCase, store: Store) => Promise<void>;

/** The time of day at which a claim begins. */
export const t = Date.UTC(2026, 10, 21, 9);
/** Processes whose clocks differ by so much still respect each other. */
export const skew = lockTime - 1;

export const ids = (held: readonly Held[]) => held.map(({ id }) => id).toSorted();

/** Takes the one row that must be due. */
export async function takeOne(process: Process, now: number): Promise<Held> {
  const [held, ...others] = await process.take(now, 10);
  expect(others).toEqual([]);
  if (!held) throw new Error('nothing was taken');
  return held;
}

/** Puts one row that is due for an hour, and lets a process take it. */
export async function taken(queue: QueueCase, store: Store, now = t) {
  await queue.put(store, [{ id: 'row', dueAt: now - hour }]);
  const [one, other] = [queue.begin(store), queue.begin(store)];
  return { one, other, held: await takeOne(one, now) };
}

/** Puts one row; one process takes it, falls silent, and another one takes it when the lock is over. */
export async function lost(queue: QueueCase, store: Store) {
  const { one, other, held: late } = await taken(queue, store);
  const held = await takeOne(other, t + lockTime);
  return { one, other, late, held };
}

export const see = (queue: QueueCase, store: Store) => queue.see(store, 'row');
