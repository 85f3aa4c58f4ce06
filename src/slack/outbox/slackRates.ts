/** A rate limit: `burst` at once, and then one each `every` milliseconds. */
type Rate = Readonly<{ burst: number; every: number }>;

/**
 * Slack's limits: a message a second in a channel, and 50 changes of messages a minute in a team (its tier 3), both
 * with short bursts above that.
 */
export const rates = { posts: { burst: 10, every: 1_000 }, updates: { burst: 20, every: 1_200 } } as const;

/** A rate limiter with a limit for each key: a channel, or a team. Times are those of the steady clock. */
type Pace = Readonly<{
  /** Whether a key may be used now. */
  isFree(key: string, now: number, isSpare?: boolean): boolean;
  /** Uses one slot. */
  useSlot(key: string, now: number): void;
  /** Blocks a key before `until`, because Slack said so. */
  rest(key: string, until: number): void;
  /** The blocked keys. */
  busy(now: number, isSpare?: boolean): readonly string[];
  /** The keys among them that Slack itself blocked. */
  resting(now: number): readonly string[];
  /** Whether Slack itself blocked a key. */
  isResting(key: string, now: number): boolean;
  /** When the first blocked key is free again; `undefined` if there is none. */
  nextFree(now: number, isSpare?: boolean): number | undefined;
}>;

/** The limiters of what Slack limits apart: new messages in each channel, and changes of messages in each team. */
export type Paces = Readonly<Record<keyof typeof rates, Pace>>;

/**
 * Creates a limiter for a rate. It remembers only recently used keys. Of `sharers` processes that tell people of the same
 * jobs, each takes an equal part of the rate: whichever of them may send takes the next job, so together they use all of
 * it. What is `spare` leaves half of the burst to the rest.
 */
export function pace(rate: Rate, sharers: () => number = () => 1): Pace {
  /** When each key has its whole burst again. */
  const full = new Map<string, number>();
  /** When each of Slack's own pauses ends. */
  const rests = new Map<string, number>();
  const share = () => {
    const count = sharers();
    return { burst: Math.max(1, Math.floor(rate.burst / count)), every: rate.every * count };
  };
  /** The time that a burst saves after its first slot, in milliseconds. */
  const head = () => (share().burst - 1) * share().every;
  const kept = () => Math.floor(share().burst / 2) * share().every;
  const freeAt = (key: string, isSpare = false) => (full.get(key) ?? 0) - head() + (isSpare ? kept() : 0);
  const tired = (now: number, isSpare = false) => {
    for (const [key, at] of full)
      if (at <= now) {
        full.delete(key);
        rests.delete(key);
      }
    return [...full.keys()].filter(key => freeAt(key, isSpare) > now);
  };
  const isResting = (key: string, now: number) => freeAt(key) > now && (rests.get(key) ?? 0) > now;
  return {
    busy: tired,
    isFree: (key, now, isSpare = false) => !full.has(key) || freeAt(key, isSpare) <= now,
    useSlot: (key, now) => void full.set(key, Math.max(full.get(key) ?? 0, now) + share().every),
    resting: now => tired(now).filter(key => isResting(key, now)),
    isResting,
    rest(key, until) {
      rests.set(key, until);
      full.set(key, Math.max(full.get(key) ?? 0, until + head()));
    },
    nextFree(now, isSpare = false) {
      const times = tired(now, isSpare).map(key => freeAt(key, isSpare));
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  };
}
