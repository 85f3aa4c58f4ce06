import { atLeast } from '../ground/clock.ts';
import { hour, minute, second } from '../ground/durations.ts';
import type { Evidence } from '../store/jobs/rows/data.ts';
import type { RunningJob } from '../store/jobs/rows/job.ts';
import { settles } from './evidence/settles.ts';

/** The time of a look, and `spread`: a factor around 1 by which this person's pauses differ from those of others. */
export type LookTime = Readonly<{ at: number; spread: number }>;

/**
 * Max pauses between two looks, by the age that jobs have at most (`upTo`), both in milliseconds. They grow with the
 * age: an end is told late only by a small part of the time that the work took. There are few of them, so that a
 * person's jobs fall due together.
 */
const pauses = [
  { upTo: 5 * minute, pause: 10 * second },
  { upTo: 20 * minute, pause: 30 * second },
  { upTo: hour, pause: minute },
  { upTo: Number.POSITIVE_INFINITY, pause: 2 * minute },
] as const;

/** Later times of looks are rounded up to this, in milliseconds, so that one step takes the jobs of several people. */
const grain = 500;

/** The job of which a look is to come next, and what the last look showed. */
type LastLook = Pick<RunningJob, 'sentAt' | 'looks'> &
  Readonly<{ evidence?: Pick<Evidence, 'since' | 'isBusy' | 'pending'> | undefined }>;

/**
 * The time of the next look, which comes later the older the job is. Where a record rests it comes when what the last look
 * showed has stood long enough to count.
 */
export function nextTime({ sentAt, looks, evidence }: LastLook, { at, spread }: LookTime, retryAfter = 0): number {
  const age = at - sentAt;
  const longest = pauses.find(({ upTo }) => age < upTo)?.pause ?? 0;
  const counts = evidence ? countsAt(evidence, at) : [];
  const pause = Math.min(1_000 * 1.5 ** looks * spread, longest * spread, ...counts.map(time => time - at));
  const wanted = at + Math.round(Math.max(pause, atLeast(retryAfter)));
  return pause < 10 * grain ? wanted : Math.ceil(wanted / grain) * grain;
}

/** The times after a look at which what it showed has stood long enough to count, and half-way to the end that it showed. */
export function countsAt(
  { since, isBusy = false, pending }: Pick<Evidence, 'since' | 'pending'> & Partial<Pick<Evidence, 'isBusy'>>,
  at: number,
): readonly number[] {
  const shown = isBusy ? [] : Object.values(settles).map(span => since + span);
  const ends = pending ? [settles.soon / 2, settles.soon].map(span => pending.since + span) : [];
  return [...shown, ...ends].filter(time => time > at);
}
