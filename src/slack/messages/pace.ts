/** A rate limit: `burst` at once, and then one each `every` milliseconds. */
export type Rate = Readonly<{ burst: number; every: number }>;

/**
 * Slack's limits: a message a second in a channel, and 50 changes of messages a minute in a team (its tier 3), both
 * with short bursts above that.
 */
export const rates = { posts: { burst: 10, every: 1_000 }, updates: { burst: 20, every: 1_200 } } as const;

/** A rate limiter with a limit for each key: a channel, or a team. Times are those of the steady clock. */
export type Pace = {
  isFree(key: string, now: number): boolean;
  /** Uses one slot. */
  use(key: string, now: number): void;
  /** Blocks a key before `until`, because Slack said so. */
  rest(key: string, until: number): void;
  /** The blocked keys. */
  busy(now: number): readonly string[];
  /** The keys among them that Slack itself blocked. */
  resting(now: number): readonly string[];
  /** When the first blocked key is free again; `undefined` if there is none. */
  nextFree(now: number): number | undefined;
};

/** Creates a limiter for a rate. It remembers only recently used keys. */
export function pace({ burst, every }: Rate): Pace {
  /** When each key has its whole burst again. */
  const full = new Map<string, number>();
  /** When each of Slack's own pauses ends. */
  const rests = new Map<string, number>();
  const freeAt = (key: string) => (full.get(key) ?? 0) - (burst - 1) * every;
  const tired = (now: number) => {
    for (const [key, at] of full)
      if (at <= now) {
        full.delete(key);
        rests.delete(key);
      }
    return [...full.keys()].filter(key => freeAt(key) > now);
  };
  return {
    busy: tired,
    isFree: (key, now) => !tired(now).includes(key),
    use: (key, now) => void full.set(key, Math.max(full.get(key) ?? 0, now) + every),
    resting: now => tired(now).filter(key => (rests.get(key) ?? 0) > now),
    rest(key, until) {
      rests.set(key, until);
      full.set(key, Math.max(full.get(key) ?? 0, until + (burst - 1) * every));
    },
    nextFree(now) {
      const times = tired(now).map(freeAt);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  };
}
