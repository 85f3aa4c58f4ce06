import type { Job } from '../store/jobs/rows/job.ts';

/* Whether bad news is news where it is to be told. Nobody is rung again for what is known there. */

/** Bad news about a record, for a channel, by our clock in milliseconds since the epoch. */
export type BadNews = Readonly<{
  team: string;
  channel: string;
  record: string;
  /** The identifier of its environment, where that is known. */
  environment?: string | undefined;
  /** The schedule whose run it is news of, where it is one of a run. */
  schedule?: string;
  at: number;
}>;

/**
 * How trouble with a record stands in a channel, the strongest first: its environment is in maintenance; somebody is on it;
 * somebody wants to hear no more of it; or it was told there lately. What stands in none of these ways is news.
 */
const waysToStand = ['in maintenance', 'taken', 'known', 'told'] as const;
export type KnownNews = Readonly<{
  is: (typeof waysToStand)[number];
  /** The message in that channel in whose thread there is more of it, by its timestamp. */
  thread?: string | undefined;
  /** Of maintenance: whether runs by the calendar are left out meanwhile. */
  withoutRuns?: boolean;
}>;

/** The strongest of what is known, with a thread where any of it has one. */
export function strongest(all: readonly KnownNews[]): KnownNews | undefined {
  const [first, ...others] = all.toSorted((one, other) => waysToStand.indexOf(one.is) - waysToStand.indexOf(other.is));
  return first && { ...first, thread: [first, ...others].find(({ thread }) => thread !== undefined)?.thread };
}

/** Whether a job ended as nobody wants it to. */
export function hasEndedBadly({ state, evidence }: Pick<Job, 'state' | 'evidence'>): boolean {
  const isWell = state === 'succeeded' || (state === 'finished' && evidence?.isInPart !== true);
  return state !== 'withdrawn' && !isWell;
}

/** The end of a run by the calendar as bad news; `undefined` of any other job. */
export function badNewsIn(job: Job): BadNews | undefined {
  const { team, channel, schedule, target, endedAt } = job;
  if (schedule === null || endedAt === null || !hasEndedBadly(job)) return undefined;
  return { team, channel, record: target, schedule, at: endedAt };
}
