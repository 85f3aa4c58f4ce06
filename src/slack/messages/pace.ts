/** So many at once, and then one each `every` milliseconds. */
export type Rate = Readonly<{ burst: number; every: number }>;

/**
 * What Slack takes: a message a second in a channel, and 50 changes of messages a minute in a team (its tier 3), both
 * with some more at times.
 */
export const rates = { posts: { burst: 10, every: 1_000 }, updates: { burst: 20, every: 1_200 } } as const;

/** When something may be done again, apart for each key: a channel, or a team. Times are those of the steady clock. */
export type Pace = {
  isFree(key: string, now: number): boolean;
  /** Uses one of what may be done. */
  use(key: string, now: number): void;
  /** Nothing may be done before `until`: Slack said so. */
  rest(key: string, until: number): void;
  /** The keys for which nothing may be done now. */
  busy(now: number): readonly string[];
  /** Those of them for which Slack itself said so. */
  resting(now: number): readonly string[];
  /** When the first of those may go on; `undefined` where there are none. */
  nextFree(now: number): number | undefined;
};

/** Keeps to a rate, and remembers only the keys that used it lately. */
export function pace({ burst, every }: Rate): Pace {
  /** When as much as ever may be done again. */
  const full = new Map<string, number>();
  /** Until when Slack wants to be left alone. */
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
