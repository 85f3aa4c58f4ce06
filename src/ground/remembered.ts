import { LRUCache } from 'lru-cache';
import { ageOf, type Clock, type Moment, thisMoment } from './clock.ts';
import { minute } from './durations.ts';
import { within } from './within.ts';

/** Asks at most once in so many milliseconds: whoever wants an answer meanwhile has the same one. */
export function askedAtMostEach<T>(clock: Clock, milliseconds: number, ask: () => T): () => T {
  let last: { at: number; answer: T } | undefined;
  return () => {
    if (!last || clock.steady() - last.at >= milliseconds) last = { at: clock.steady(), answer: ask() };
    return last.answer;
  };
}

/** Remembers what `make` gives for each object, as long as that object lives. */
export function memoByObject<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new WeakMap<Key, { is: T }>();
  return key => {
    const known = made.get(key);
    if (known) return known.is;
    const is = make(key);
    made.set(key, { is });
    return is;
  };
}

/** The lifetimes and limits of remembered readings. Times are milliseconds. */
export type Memory = Readonly<{
  /** The age from which a key is read again. From half of it on it is read beside, and nobody waits. */
  fresh: number;
  /** The age up to which a reading is used where no newer one can be had. */
  kept: number;
  /** The longest wait for a reading. One that comes later serves the next caller. */
  patience: number;
  /** The pause after a failed reading, in which the key is not read again. */
  pause: number;
  /** The maximum number of readings that are kept. The least recently used go first. */
  most: number;
}>;

/** Max readings a minute that nobody waits for: whoever is asked has limits, too. */
const maxBeside = 60;

/**
 * Makes a function that reads by key and remembers. Simultaneous callers share one reading. It gives `undefined` where
 * no reading can be had. With `now` it reads anew in any case, even in a pause, and gives nothing older; a caller may have
 * another `patience` for that.
 * @param failed receives the error of each reading that fails
 */
export function remembered<T>(
  clock: Clock,
  { fresh, kept, patience, pause, most }: Memory,
  read: (key: string) => Promise<T>,
  failed: (error: unknown) => void,
): (key: string, anew?: 'now', patience?: number) => Promise<T | undefined> {
  type Reading = { at: Moment; done: Promise<{ value: T } | undefined> };
  type Entry = { last?: { value: T; at: Moment }; failedAt?: number; pending?: Reading | undefined };
  const entries = new LRUCache<string, Entry>({ max: most });

  async function ask(key: string, entry: Entry, at: Moment, wait: number): Promise<{ value: T } | undefined> {
    const reading = read(key).then(value => {
      // An earlier reading may end later.
      if (!entry.last || entry.last.at.steady <= at.steady) entry.last = { value, at };
      delete entry.failedAt;
      return { value };
    });
    try {
      const done = await within(clock, wait, reading);
      if (!done) throw new Error(`there was no answer in ${wait} ms`);
      return done;
    } catch (error) {
      entry.failedAt = clock.steady();
      failed(error);
      return undefined;
    }
  }

  function begin(key: string, entry: Entry, wait = patience): Reading {
    const at = thisMoment(clock);
    const reading: Reading = {
      at,
      done: ask(key, entry, at, wait).finally(() => {
        if (entry.pending === reading) entry.pending = undefined;
      }),
    };
    entry.pending = reading;
    return reading;
  }

  let beside = { since: Number.NEGATIVE_INFINITY, many: 0 };
  const beginBeside = (key: string, entry: Entry): void => {
    const now = clock.steady();
    if (now - beside.since >= minute) beside = { since: now, many: 0 };
    if (entry.pending || beside.many >= maxBeside) return;
    beside.many += 1;
    begin(key, entry);
  };

  return async (key, anew, wait) => {
    const known = entries.get(key);
    const entry = known ?? {};
    if (!known) entries.set(key, entry);
    if (anew) {
      // An earlier reading may have been answered before the latest change.
      const isNow = wait === undefined && entry.pending?.at.steady === clock.steady();
      const reading = isNow && entry.pending ? entry.pending : begin(key, entry, wait);
      return (await reading.done)?.value;
    }
    const age = () => (entry.last ? ageOf(clock, entry.last.at) : Number.POSITIVE_INFINITY);
    const before = age();
    if (before < fresh / 2) return entry.last?.value;
    const isPaused = entry.failedAt !== undefined && clock.steady() - entry.failedAt < pause;
    if (before >= fresh && !isPaused) await (entry.pending ?? begin(key, entry)).done;
    else if (!isPaused) beginBeside(key, entry);
    return age() < kept ? entry.last?.value : undefined;
  };
}
