import { minute, second } from './durations.ts';
import { isZone, momentOf, offsetIn } from './zone.ts';

/*
 * The one reader of times that somebody else wrote. A time is a whole text of a form that is known, or a number that counts
 * from 1970 within a sane span; everything else is none, such as a name with a year in it.
 */

/**
 * A moment in milliseconds since the epoch. One that does not name its zone is read as UTC, so that it does not depend on this
 * machine, and may be hours off.
 */
export type Time = Readonly<{ at: number; isZoned: boolean }>;

/** Times before and after these stand for none: 0001-01-01, 1900-01-01, 1970-01-01, 9999-12-31. */
const [firstYear, lastYear] = [1990, 2099];
const [first, end] = [Date.UTC(firstYear), Date.UTC(lastYear + 1)];
/** The same of numbers, in milliseconds. Most fields that count anything else lie outside; 2,147,483,647 seconds stand for no end. */
const [firstCounted, lastCounted] = [Date.UTC(2000), 2_147_483_646 * second];
const longest = 80;

/** Reads a time of a service; `undefined` where the value is none. */
export function readTime(value: unknown): Time | undefined {
  const time = readAnyTime(value);
  return time && time.at >= first && time.at < end ? time : undefined;
}

/** Reads a time, however long ago: people may type such a one. */
export function readAnyTime(value: unknown): Time | undefined {
  if (typeof value === 'number') return value > 1e13 && value < 1e14 ? readText(String(value)) : counted(value);
  if (typeof value !== 'string' || value.length > longest) return undefined;
  const text = value.trim();
  return text === '' || !mayBegin.test(text) ? undefined : readText(text);
}

const mayBegin = /^(\d|\/date\(|(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/i;

/** How most times are written. What the table says of them as well takes twice as long. */
const usual = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z)?$/;

function readText(text: string): Time | undefined {
  const parts = usual.exec(text);
  if (parts) {
    const [, year, month, day, hour, past, rest, fraction, offset] = parts;
    return momentIn(byNumbers({ year, month, day }), { hour, minute: past, second: rest, fraction, offset });
  }
  if (/^\d+(\.\d+)?$/.test(text)) return readDigits(text);
  const plain = /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text;
  for (const { form, date } of forms) {
    const groups = form.exec(plain)?.groups;
    if (!groups) continue;
    const found = date(groups);
    return found && momentIn(found, groups);
  }
  const dotNet = /^\/date\((-?\d+)(?:[+-]\d{4})?\)\/$/i.exec(plain)?.[1];
  return dotNet === undefined ? undefined : counted(Number(dotNet));
}

type Groups = Readonly<Record<string, string | undefined>>;
type Day = Readonly<{ year: number; month: number; day: number }>;
/** A form of a date, and how its parts are read; where they cannot be told apart there is no day. */
type Form = Readonly<{ form: RegExp; date: (groups: Groups) => Day | undefined }>;
const formOf = (text: string, date: Form['date']): Form => ({ form: new RegExp(`^${text}$`, 'i'), date });

const { raw } = String;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = raw`(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]? )?';
const clock = raw`(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:[.,:](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])m)?`;
/** Letters that stand for a zone, or for several: IST is one of Ireland, of Israel and of India. */
const abbreviations =
  'z|utc?|gmt|wes?t|ces?t|mes?z|ees?t|bst|ist|msk|ak[sd]t|[ecmp][sd]t|hst|[jks]st|sgt|hkt|a[ecw][sd]t|nz[sd]t|brt|art|clt|wib|pkt|sast|[ewc]at';
/** A distance from UTC, a zone by its letters, and what stands behind them in brackets (RFC 9557, RFC 2822, Go). */
const zone = raw`(?: ?(?<offset>z|(?:utc|gmt)?[+-]\d\d?(?::?\d\d)?))?(?: (?<letters>${abbreviations}|[a-z]+/[a-z_/+-]+))?(?: ?\([a-z .]*\))?(?:\[(?<region>!?[a-z][a-z0-9_/+-]*)\])?(?:\[!?[a-z-]+=[a-z0-9-]+\])*(?: m=[+-][\d.]+)?`;
/** A time of the day behind a date that is read like words. */
const timeBehind = `(?:,? (?:at )?${clock}${zone})?`;

const byNumbers = (groups: Groups): Day => {
  return { year: Number(groups.year), month: Number(groups.month), day: Number(groups.day) };
};
const byName = ({ year = '', name = '', day }: Groups): Day => ({
  year: Number(year) + (year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900),
  month: months.indexOf(name.slice(0, 3).toLowerCase()) + 1,
  day: Number(day),
});

const forms: readonly Form[] = [
  // ISO 8601 with its many separators: RFC 3339, SQL, PostgreSQL, MySQL, Db2, Go, Java.
  formOf(raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[t _:-]${clock}${zone})?`, byNumbers),
  formOf(raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)t(?<hour>\d\d)${zone}`, byNumbers),
  // The same without separators, of which a number alone is read as digits.
  formOf(
    raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)t?(?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?${zone}`,
    byNumbers,
  ),
  formOf(raw`(?<year>\d{4})-?w(?<week>\d\d)-?(?<day>[1-7])(?:[t ]${clock}${zone})?`, ({ year, week, day }) =>
    dayOfWeek(Number(year), Number(week), Number(day)),
  ),
  formOf(raw`(?<year>\d{4})-(?<day>\d{3})t${clock}${zone}`, ({ year, day }) => dayOfYear(Number(year), Number(day))),
  // Year first, as in Japan, and in the logs of MySQL.
  formOf(raw`(?<year>\d{4})(?<mark>[/.]) ?(?<month>\d\d?)\k<mark> ?(?<day>\d\d?)(?:\.?,? ${clock}${zone})?`, byNumbers),
  formOf(raw`(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) {1,2}${clock}`, ({ year, ...groups }) =>
    byNumbers({ ...groups, year: `20${year}` }),
  ),
  // RFC 2822, RFC 850, Oracle, the logs of web servers.
  formOf(
    raw`${weekday}(?<day>\d\d?)\.?[ /-]${month}[ /-](?<year>\d{4}|\d\d)(?:(?:,? (?:at )?|:)${clock}${zone})?`,
    byName,
  ),
  // Java, SQL Server, the browser, the Unix command.
  formOf(raw`${weekday}${month} (?<day>\d\d?),? (?<year>\d{4})${timeBehind}`, byName),
  formOf(
    raw`${weekday}${month} (?<day>\d\d?) ${clock}(?: (?<letters>${abbreviations}))? (?<year>\d{4})(?: (?:${abbreviations}))?`,
    byName,
  ),
  // Of two numbers that may both be a month, nobody knows which one is.
  formOf(raw`(?<one>\d\d?)(?<mark>[/.-])(?<other>\d\d?)\k<mark>(?<year>\d{4})${timeBehind}`, ({ one, other, year }) => {
    const [first, second] = [Number(one), Number(other)];
    if (first <= 12 && second <= 12 && first !== second) return undefined;
    return { year: Number(year), month: Math.min(first, second), day: Math.max(first, second) };
  }),
];

/** What may come first in a date such as 03/04/2026. */
export const dayOrders = ['day-first', 'month-first'] as const;
export type DayOrder = (typeof dayOrders)[number];

/** Writes a date of which one part comes first as everybody reads it: 2026-04-03. Any other text stays as it is. */
export function writeInOrder(text: string, order: DayOrder): string {
  const [, first = '', , second = '', year, rest = ''] =
    /^\s*(\d\d?)([/.-])(\d\d?)\2(\d{4})(?:$|(?:,? +(?:at )?|, ?)(.*)$)/.exec(text) ?? [];
  if (year === undefined) return text;
  const [month, day] = order === 'day-first' ? [second, first] : [first, second];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest === '' ? '' : ` ${rest}`}`;
}

/** The least and the most of each number of a time that came as numbers: the last ones are nanoseconds. */
const [leasts, mosts] = [
  [firstYear, 1, 1],
  [lastYear, 12, 31, 23, 59, 60, 999_999_999],
];

/** Writes a time that came as numbers, such as [2026, 11, 1, 10, 0]; `undefined` for a list of anything else. */
export function writeNumbers(list: readonly unknown[]): string | undefined {
  const isWithin = (one: unknown, at: number) =>
    Number.isSafeInteger(one) && Number(one) >= (leasts[at] ?? 0) && Number(one) <= (mosts[at] ?? 0);
  if (![3, 5, 6, 7].includes(list.length) || !list.every(isWithin)) return undefined;
  const [year, month, day, hour, minutes, seconds = '00', nanos = '0'] = list.map(one => String(one).padStart(2, '0'));
  return `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minutes}:${seconds}.${nanos.padStart(9, '0')}`}`;
}

/** Whether a value is the beginning of some calendar, or a word, by which services say that something never was. */
export function saysNever(value: string): boolean {
  return never.test(value.trim());
}

const never =
  /^(never|(0000-00-00|0001-01-01|1601-01-01|1753-01-01|1899-12-30|1900-01-01|1970-01-01)(?!\d).*|0?1[-/.](0?1|jan)[-/.](0001|1900|1970)(?!\d).*|(\/date\()?-62135596800(000)?(\)\/)?)$/i;

/** Digits alone: a compact date with or without its time, or a number that counts from 1970. */
function readDigits(text: string): Time | undefined {
  const [, year, month, day, hour = '00', minutes = '00', seconds = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(text) ?? [];
  if (year === undefined) return text.length < 9 ? undefined : counted(Number(text));
  return momentIn(byNumbers({ year, month, day }), { hour, minute: minutes, second: seconds });
}

/** A number of seconds, milli-, micro- or nanoseconds since 1970: the spans of these do not touch. */
function counted(value: number): Time | undefined {
  const at = [value * second, value, value / 1e3, value / 1e6].find(one => one >= firstCounted && one <= lastCounted);
  return at === undefined ? undefined : { at: Math.floor(at), isZoned: true };
}

/** The moment at which the clock of a day shows a time, if there is such a day and such a time. */
function momentIn({ year, month, day }: Day, groups: Groups): Time | undefined {
  const { hour = '0', minute: minutes = '0', second: seconds = '0', fraction, half } = groups;
  const [shown, past, rest] = [Number(hour), Number(minutes), Number(seconds)];
  const hours = half === undefined ? shown : (shown % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && isLeap(year) ? 29 : (days[month] ?? 0));
  // 24:00:00 ends a day, and a leap second a minute.
  const isHour = half === undefined ? hours < 24 || (hours === 24 && past + rest === 0) : shown >= 1 && shown <= 12;
  if (!isDay || !isHour || past >= 60 || rest > (past === 59 ? 60 : 59) || year < 100) return undefined;
  const part = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * second);
  return inZone(Date.UTC(year, month - 1, day, hours, past, rest, part), groups);
}

const days = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function inZone(local: number, { offset, letters, region: written }: Groups): Time | undefined {
  const named = written?.replace('!', '') ?? (letters?.includes('/') ? letters : undefined);
  const region = named !== undefined && isZone(named) ? named : undefined;
  if (offset !== undefined) {
    const distance = distanceOf(offset);
    const at = local - distance * minute;
    // RFC 9557, 3.4: a zone that must be respected has to agree with the distance; Z says nothing of it.
    const mustAgree = region !== undefined && written?.startsWith('!') === true && !/^z$/i.test(offset);
    if (Math.abs(distance) > 18 * 60 || (mustAgree && offsetIn(region, at) !== distance)) return undefined;
    return { at, isZoned: true };
  }
  if (region !== undefined) return { at: momentOf(region, local), isZoned: true };
  // Of other letters nobody knows for sure: CST is a zone of America and of China.
  return { at: local, isZoned: letters !== undefined && /^(z|utc?|gmt)$/i.test(letters) };
}

/** Minutes ahead of UTC. */
function distanceOf(offset: string): number {
  if (offset.length === 1) return 0;
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d?):?(\d\d)?$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** ISO 8601: the first week of a year is that with 4 January in it, and begins on a Monday. */
function dayOfWeek(year: number, week: number, day: number): Day | undefined {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7);
  const found = dayOfYear(year, monday + (week - 1) * 7 + day - 1);
  return week >= 1 && week <= 53 ? found : undefined;
}

function dayOfYear(year: number, day: number): Day | undefined {
  const date = new Date(Date.UTC(year, 0, day));
  const found = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  return day > 366 || (day === 366 && found.year !== year) ? undefined : found;
}
