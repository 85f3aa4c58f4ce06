import { Cron } from 'croner';
import { z } from 'zod';
import { cronFault, localCron, withEachHour } from './cronLine.ts';
import { minute } from './durations.ts';
import { localTime, momentOf } from './zone.ts';

/*
 * The calendar of schedules. A rhythm is told in the local time of a zone, since people think so. Croner finds the local
 * times, as if no clock were ever changed; here they become moments. A time that a change of daylight saving leaves out
 * runs at the first moment after it, and a time that it repeats runs once. Croner alone leaves out such a time where a
 * line has several hours.
 */

/** The days of the week as they are typed and stored, from Monday on. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The intervals within a day, in minutes: those that meet the same local times each day. */
export const intervals = [15, 30, 60, 120, 180, 240, 360, 480, 720] as const;

/** The shortest time between two runs. */
const shortest = 15 * minute;
/** Runs that are compared to find the shortest time between two of them. */
const compared = 100;

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** A rhythm as it is stored. Times of the day are local, `HH:MM`. */
export const Rhythm = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), at: Time }),
  z.object({ every: z.literal('week'), days: z.array(z.enum(weekdays)).min(1), at: Time }),
  /** On this day of each month, or on the last day of a shorter one. */
  z.object({ every: z.literal('month'), on: z.int().min(1).max(31), at: Time }),
  /** Each so many minutes through the day; one of the runs is at `at`. */
  z.object({ every: z.literal('minutes'), minutes: z.literal(intervals), at: Time }),
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  z.object({ every: z.literal('cron'), cron: z.string() }),
]);
export type Rhythm = z.infer<typeof Rhythm>;

/** A rhythm in a time zone of the IANA database, such as `Europe/Berlin`. */
export type Calendar = Readonly<{ rhythm: Rhythm; zone: string }>;

/** The next times of a calendar after `after`, `many` at most, in milliseconds since the epoch. */
export function nextRuns(calendar: Calendar, after: number, many = 3): readonly number[] {
  const times: number[] = [];
  for (let time = nextRun(calendar, after); time !== undefined && times.length < many; time = nextRun(calendar, time))
    times.push(time);
  return times;
}

/** Gives the first time of a calendar after `after`, in milliseconds since the epoch; `undefined` if none comes. */
export function nextRun({ rhythm, zone }: Calendar, after: number): number | undefined {
  const line = withEachHour(cronOf(rhythm));
  // What runs in each hour runs in both passes of an hour that is repeated.
  if (line.split(' ')[1] === '*') return timeAfter(new Cron(line, { timezone: zone, mode: '5-part' }), after);
  const cron = localCron(line);
  for (let local = localTime(zone, after); ; ) {
    const next = timeAfter(cron, local);
    if (next === undefined) return undefined;
    local = next;
    const moment = isItsDay(rhythm, local) ? momentOf(zone, local) : after;
    if (moment > after) return moment;
  }
}

function timeAfter(cron: Cron, after: number): number | undefined {
  return cron.nextRun(new Date(after))?.getTime();
}

/** Says why a calendar cannot be used; `undefined` where it can. */
export function calendarFault(calendar: Calendar, now: number): string | undefined {
  const { rhythm } = calendar;
  if (rhythm.every !== 'cron') return undefined;
  const fault = cronFault(rhythm.cron);
  if (fault !== undefined) return fault;
  const times: number[] = [];
  // A change of daylight saving brings two times nearer to each other, which is no fault.
  const cron = localCron(rhythm.cron);
  for (let time = timeAfter(cron, now); time !== undefined && times.length < compared; ) {
    times.push(time);
    time = timeAfter(cron, time);
  }
  if (times.length === 0) return `“${rhythm.cron}” never runs.`;
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  return gaps.some(gap => gap < shortest) ? 'A schedule can run at most every 15 minutes.' : undefined;
}

function cronOf(rhythm: Rhythm): string {
  if (rhythm.every === 'cron') return rhythm.cron;
  const [hours = 0, minutes = 0] = rhythm.at.split(':').map(Number);
  switch (rhythm.every) {
    case 'day':
      return `${minutes} ${hours} * * *`;
    case 'week':
      return `${minutes} ${hours} * * ${rhythm.days.join(',')}`;
    case 'month':
      // A short month has no such day: isItsDay chooses its last one.
      return `${minutes} ${hours} ${rhythm.on > 28 ? `28-${rhythm.on}` : rhythm.on} * *`;
    case 'minutes':
      return timesThroughDay(rhythm.minutes, hours * 60 + minutes);
  }
}

/** Writes the times of an interval as lists of minutes and hours; each interval divides a day. */
function timesThroughDay(interval: number, from: number): string {
  if (interval < 60) {
    const minutes = Array.from({ length: 60 / interval }, (_, index) => (from + index * interval) % 60);
    return `${minutes.toSorted((a, b) => a - b).join(',')} * * * *`;
  }
  if (interval === 60) return `${from % 60} * * * *`;
  const step = interval / 60;
  const hours = Array.from({ length: 24 / step }, (_, index) => (Math.floor(from / 60) + index * step) % 24);
  return `${from % 60} ${hours.toSorted((a, b) => a - b).join(',')} * * *`;
}

function isItsDay(rhythm: Rhythm, local: number): boolean {
  if (rhythm.every !== 'month' || rhythm.on <= 28) return true;
  const date = new Date(local);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(rhythm.on, last);
}
