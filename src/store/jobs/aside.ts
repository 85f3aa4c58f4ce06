import { minute } from '../../ground/durations.ts';
import type { Unreadable } from './job.ts';

/**
 * The jobs of another release that this process leaves alone for a while. Their rows do not show it, so that the other
 * release may take them at any time.
 */
export type Aside = {
  /** The identifiers of the jobs that are left alone now. */
  ids(now: number): readonly string[];
  put(job: Unreadable, now: number): void;
};

/** The time after which such a job is looked at again: the other release may have ended it. Milliseconds. */
const restTime = minute;
/** Max jobs that are remembered: a statement of SQLite has room for 32,766 values. */
const max = 10_000;

/** Remembers the jobs that cannot be read here; `hear` is called once for each of them. */
export function asideFor(hear: (job: Unreadable) => void): Aside {
  const until = new Map<string, number>();
  return {
    ids: now => [...until].flatMap(([id, at]) => (at > now && at <= now + restTime ? [id] : [])),
    put(job, now) {
      if (!until.delete(job.id)) hear(job);
      until.set(job.id, now + restTime);
      const [oldest] = until.keys();
      if (until.size > max && oldest !== undefined) until.delete(oldest);
    },
  };
}
