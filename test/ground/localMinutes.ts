import type { Rhythm } from '../../src/ground/calendar.ts';
import { day, minute } from '../../src/ground/durations.ts';

/*
 * Another way to the times of a rhythm, to compare the calendar with: each minute around a change of daylight saving is
 * asked for what the clocks show in it.
 */

/** Minutes one after the other: the moment, and what the clocks show in it, both in minutes (those as if it were UTC). */
export type LocalMinutes = readonly (readonly [moment: number, shown: number])[];

/** Gives the minutes from a day before a moment to a day after it. */
export function localMinutes(zone: string, around: number): LocalMinutes {
  const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const shown = (moment: number) => Date.parse(`${clock.format(moment * minute).replace(' ', 'T')}Z`) / minute;
  const count = (2 * day) / minute;
  const first = Math.floor(around / minute) - count / 2;
  return Array.from({ length: count }, (_, index) => [first + index, shown(first + index)] as const);
}

/** Gives the moments of those minutes at which a rhythm runs that has its times on each day, in milliseconds. */
export function runsIn(minutes: LocalMinutes, rhythm: Extract<Rhythm, { every: 'day' | 'minutes' }>): number[] {
  const [hours = 0, past = 0] = rhythm.at.split(':').map(Number);
  const interval = rhythm.every === 'day' ? 24 * 60 : rhythm.minutes;
  const isIts = (shown: number) => (shown - hours * 60 - past) % interval === 0;
  let latest = Number.NEGATIVE_INFINITY;
  return minutes.flatMap(([moment, shown]) => {
    const isNew = shown > latest;
    const leftOut = Array.from(
      { length: isNew && Number.isFinite(latest) ? shown - latest - 1 : 0 },
      (_, i) => shown - 1 - i,
    );
    latest = Math.max(latest, shown);
    // Up to an hour it counts time that passes: nothing is left out then, and nothing repeated.
    const runs = interval <= 60 ? isIts(shown) : isNew && [shown, ...leftOut].some(isIts);
    return runs ? [moment * minute] : [];
  });
}
