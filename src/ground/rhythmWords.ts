import { type Calendar, calendarFault, intervals, type Rhythm, type Weekday, weekdays } from './calendar.ts';

/* Rhythms as people type them, and as Dolly says them. */

/** The words of a rhythm as they stand in a command. */
export type RhythmWords = Readonly<Partial<Record<'every' | 'at' | 'on' | 'cron', string>>>;

/** A rhythm that was read, or one sentence that says what to type. */
type ReadRhythm = Readonly<{ rhythm: Rhythm }> | Readonly<{ fault: string }>;

/** The days of the week as people read them. */
export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const groups: Readonly<Record<string, readonly Weekday[]>> = {
  weekday: weekdays.slice(0, 5),
  weekdays: weekdays.slice(0, 5),
  weekend: weekdays.slice(5),
  weekends: weekdays.slice(5),
};

const usage = 'Type every=day, every=mon,wed, every=6h, every=month on=1, or cron="0 2 * * 1-5".';

/**
 * Reads a rhythm from its words: `every=day at=02:00`, `every=mon,wed at=2am`, `every=6h`, `every=month on=1 at=02:00`,
 * or `cron="0 2 * * 1-5"`. The zone is needed to see how often a cron line runs.
 */
export function readRhythm(words: RhythmWords, { zone, now }: Readonly<{ zone: string; now: number }>): ReadRhythm {
  const every = words.every?.trim().toLowerCase();
  if (words.cron !== undefined) {
    if (every !== undefined || words.at !== undefined || words.on !== undefined)
      return { fault: 'A cron line says everything by itself: leave out every=, at= and on=.' };
    const rhythm: Rhythm = { every: 'cron', cron: words.cron.trim().replaceAll(/\s+/g, ' ') };
    const fault = calendarFault({ rhythm, zone }, now);
    return fault === undefined ? { rhythm } : { fault };
  }
  if (every === undefined || every === '') return { fault: usage };
  const time = words.at === undefined ? undefined : readTime(words.at);
  if (words.at !== undefined && time === undefined)
    return { fault: `“${words.at}” is not a time of day. Type one such as at=02:00 or at=2am.` };
  return readEvery(every, time, words.on);
}

function readEvery(every: string, time: string | undefined, on: string | undefined): ReadRhythm {
  const minutes = readInterval(every);
  if (minutes !== undefined) {
    const interval = intervals.find(known => known === minutes);
    if (on !== undefined) return { fault: 'on= names a day of the month: use it only with every=month.' };
    return interval === undefined
      ? { fault: 'Choose an interval that divides a day: 15m, 30m, 1h, 2h, 3h, 4h, 6h, 8h or 12h.' }
      : { rhythm: { every: 'minutes', minutes: interval, at: time ?? '00:00' } };
  }
  const isMonth = /^(month|monthly)$/.test(every);
  if (on !== undefined && !isMonth) return { fault: 'on= names a day of the month: use it only with every=month.' };
  const day = isMonth ? readDay(on ?? '') : undefined;
  if (isMonth && day === undefined) return { fault: 'Say on which day of the month: on=1 to on=31, or on=last.' };
  const days = isMonth ? undefined : readDays(every);
  if (!isMonth && days === undefined) return { fault: `I do not know the rhythm “${every}”. ${usage}` };
  if (time === undefined) return { fault: 'Say at what time: at=02:00.' };
  if (day !== undefined) return { rhythm: { every: 'month', on: day, at: time } };
  return days === undefined || days.length === weekdays.length
    ? { rhythm: { every: 'day', at: time } }
    : { rhythm: { every: 'week', days: [...days], at: time } };
}

function readInterval(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,3}) ?(m|mins?|minutes?|h|hrs?|hours?)$/.exec(text) ?? [];
  if (text === 'hour' || text === 'hourly') return 60;
  return count === undefined ? undefined : Number(count) * (unit?.startsWith('h') ? 60 : 1);
}

/** Reads days: all of them for `day`; `undefined` where one is none. */
function readDays(text: string): readonly Weekday[] | undefined {
  if (/^(day|daily)$/.test(text)) return weekdays;
  const read = text
    .split(/[,\s]+/)
    .filter(part => part !== '')
    .map(part => groups[part] ?? weekdays.filter(day => isNameOf(day, part)));
  const chosen = new Set(read.flat());
  return read.length === 0 || read.some(days => days.length === 0)
    ? undefined
    : weekdays.filter(day => chosen.has(day));
}

function isNameOf(day: Weekday, part: string): boolean {
  const name = dayNames[day].toLowerCase();
  return part.length >= 3 && (name.startsWith(part) || part === `${name}s`);
}

function readDay(text: string): number | undefined {
  if (text.trim().toLowerCase() === 'last') return 31;
  const day = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return day >= 1 && day <= 31 ? day : undefined;
}

/** Reads a time of the day: `2:00`, `02:00`, `2am`, `2:30 pm`. */
function readTime(text: string): string | undefined {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?::(\d\d))? ?([ap]m)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (hours === undefined || (half === undefined && !text.includes(':'))) return undefined;
  const hour = Number(hours);
  if (Number(minutes) > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
  const through = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return `${String(through).padStart(2, '0')}:${minutes}`;
}

/** Says a rhythm: “every Monday and Wednesday at 02:00”. */
export function sayRhythm(rhythm: Rhythm): string {
  switch (rhythm.every) {
    case 'day':
      return `every day at ${rhythm.at}`;
    case 'week':
      return `every ${sayDays(rhythm.days)} at ${rhythm.at}`;
    case 'month':
      return `${rhythm.on === 31 ? 'on the last day' : `on the ${ordinal(rhythm.on)}`} of every month at ${rhythm.at}`;
    case 'minutes':
      return `every ${sayInterval(rhythm.minutes)}${sayFirst(rhythm)}`;
    case 'cron':
      return `by the cron line ${rhythm.cron}`;
  }
}

/** Writes a calendar’s rhythm as words of a command that {@link readRhythm} reads again. */
export function writeRhythm(rhythm: Rhythm): RhythmWords {
  switch (rhythm.every) {
    case 'day':
      return { every: 'day', at: rhythm.at };
    case 'week':
      return { every: rhythm.days.join(','), at: rhythm.at };
    case 'month':
      return { every: 'month', on: String(rhythm.on), at: rhythm.at };
    case 'minutes':
      return { every: rhythm.minutes < 60 ? `${rhythm.minutes}m` : `${rhythm.minutes / 60}h`, at: rhythm.at };
    case 'cron':
      return { cron: rhythm.cron };
  }
}

/** Says a calendar with its zone: “every day at 02:00 (Europe/Berlin)”. */
export function sayCalendar({ rhythm, zone }: Calendar): string {
  return `${sayRhythm(rhythm)} (${zone})`;
}

function sayDays(days: readonly Weekday[]): string {
  if (days.join() === weekdays.slice(0, 5).join()) return 'weekday';
  return new Intl.ListFormat('en').format(weekdays.filter(day => days.includes(day)).map(day => dayNames[day]));
}

/** Says an interval behind “every”: “15 minutes”, “hour”, “2 hours”. */
export function sayInterval(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`;
  return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
}

/** Says the first time of a day, where it is not midnight. */
function sayFirst({ minutes, at }: Extract<Rhythm, { every: 'minutes' }>): string {
  const [hours = 0, past = 0] = at.split(':').map(Number);
  const first = (hours * 60 + past) % minutes;
  const two = (number: number) => String(number).padStart(2, '0');
  return first === 0 ? '' : `, from ${two(Math.floor(first / 60))}:${two(first % 60)}`;
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${number}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`;
}
