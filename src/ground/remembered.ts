import { LRUCache } from 'lru-cache';
import { ageOf, type Clock, type Moment, thisMoment } from './clock.ts';

/** What work gives, or `undefined` where it takes longer than `most` milliseconds. @throws what the work throws */
export async function within<T>(clock: Clock, most: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, clock.wait(most, done.signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}

/** How long what was read is good for. Times are milliseconds. */
export type Memory = Readonly<{
  /** Read again where it is as old as this. */
  fresh: number;
  /** Used up to this age where no newer reading is to be had. */
  kept: number;
  /** A reading that takes longer is given up by those who wait; if it comes after all, it serves the next. */
  patience: number;
  /** After a failure nobody asks again for so long. */
  pause: number;
  /** So many readings are kept; those that nobody asked for in the longest time go first. */
  most: number;
}>;

/**
 * Reads by key and remembers; those who ask at the same time share one reading. Gives `undefined` where there is none.
 * With `now` it reads anew in any case, and gives nothing that was read before.
 * @param failed is told of each reading that fails
 */
export function remembered<T>(
  clock: Clock,
  { fresh, kept, patience, pause, most }: Memory,
  read: (key: string) => Promise<T>,
  failed: (error: unknown) => void,
): (key: string, anew?: 'now') => Promise<T | undefined> {
  type Reading = { at: Moment; done: Promise<{ value: T } | undefined> };
  type Entry = { last?: { value: T; at: Moment }; failedAt?: number; pending?: Reading | undefined };
  const entries = new LRUCache<string, Entry>({ max: most });

  async function ask(key: string, entry: Entry, at: Moment): Promise<{ value: T } | undefined> {
    const reading = read(key).then(value => {
      // What was asked for earlier may come later.
      if (!entry.last || entry.last.at.steady <= at.steady) entry.last = { value, at };
      delete entry.failedAt;
      return { value };
    });
    try {
      const done = await within(clock, patience, reading);
      if (!done) throw new Error(`there was no answer in ${patience} ms`);
      return done;
    } catch (error) {
      entry.failedAt = clock.steady();
      failed(error);
      return undefined;
    }
  }

  function begin(key: string, entry: Entry): Reading {
    const at = thisMoment(clock);
    const reading: Reading = {
      at,
      done: ask(key, entry, at).finally(() => {
        if (entry.pending === reading) entry.pending = undefined;
      }),
    };
    entry.pending = reading;
    return reading;
  }

  return async (key, anew) => {
    const entry = entries.get(key) ?? {};
    entries.set(key, entry);
    if (anew) {
      // What was asked for earlier may have been answered before what was changed since.
      const reading = entry.pending?.at.steady === clock.steady() ? entry.pending : begin(key, entry);
      return (await reading.done)?.value;
    }
    const age = () => (entry.last ? ageOf(clock, entry.last.at) : Number.POSITIVE_INFINITY);
    const isPaused = entry.failedAt !== undefined && clock.steady() - entry.failedAt < pause;
    if (age() >= fresh && !isPaused) await (entry.pending ?? begin(key, entry)).done;
    return age() < kept ? entry.last?.value : undefined;
  };
}
