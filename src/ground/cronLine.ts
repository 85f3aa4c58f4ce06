import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { day } from './durations.ts';

/* Lines of cron with five fields. Croner reads them; what it does not tell about them stands here. */

type Field = Readonly<{ name: string; from: number; to: number; most?: number; words?: readonly string[] }>;

/**
 * The fields of a line in their order, each with its first and its last value, the words for its values, and the greatest
 * number that is taken where that is another one: the first value once more.
 */
const fields: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  {
    ...{ name: 'month', from: 1, to: 12 },
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', from: 0, to: 6, most: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/** A line of a clock that is never changed, which shows UTC. @throws Error where it is no line */
export function localCron(line: string): Cron {
  return new Cron(line, { utcOffset: 0, mode: '5-part' });
}

const eachHour = new LRUCache<string, boolean>({ max: 1_000 });

/** A line with `*` for its hours where these are all hours, however they are written; any other line as it is. */
export function withEachHour(line: string): string {
  const [minutes = '', hours = '', ...days] = line.split(' ');
  if (/^\d*$/.test(hours)) return line;
  const isEach =
    eachHour.get(hours) ?? localCron(`0 ${hours} * * *`).nextRuns(24, new Date(-1_000)).every(isOnFirstDay);
  eachHour.set(hours, isEach);
  return isEach ? [minutes, '*', ...days].join(' ') : line;
}

function isOnFirstDay(time: Date): boolean {
  return time.getTime() < day;
}

/** Says why a line cannot be read; `undefined` where it can. Croner also reads nicknames and single dates. */
export function cronFault(line: string): string | undefined {
  const parts = line.split(' ');
  if (parts.length !== fields.length)
    return `“${line}” is not a cron line. Write five fields: minute, hour, day of the month, month, day of the week.`;
  const faults = fields.flatMap((field, at) => {
    const isRead = (text: string) => canBeRead(fields.map((_, other) => (other === at ? text : '*')).join(' '));
    const [text = ''] = parts.slice(at);
    const wrong = isRead(text) ? undefined : (text.split(',').find(one => !isRead(one)) ?? text);
    return wrong === undefined ? [] : [reasonAgainst(wrong, field)];
  });
  return faults[0] === undefined ? undefined : `I cannot use “${line}”: ${faults[0]}`;
}

function canBeRead(line: string): boolean {
  try {
    localCron(line);
    return true;
  } catch {
    return false;
  }
}

/** Says why a part of a field cannot be read. */
function reasonAgainst(part: string, field: Field): string {
  const { name, from, to, most = to } = field;
  const [, first = '', last, step] = /^([a-z\d]+)(?:-([a-z\d]+))?(?:\/(\d+))?$/i.exec(part) ?? [];
  const values = [first, last ?? first].map(text => valueIn(text, field));
  const [start = Number.NaN, end = Number.NaN] = values;
  if (start > end && start <= most && end >= from)
    return `${part} goes backwards in the field for the ${name}. Write ${inTurn({ first, start, end, step }, field)}.`;
  const beyond = values.find(value => value < from || value > most);
  if (beyond !== undefined) return `${beyond} is not a valid ${name}. It goes from ${from} to ${most}.`;
  if (step !== undefined && Number(step) > 0 && last === undefined)
    return `a step must follow * or a range. Write ${first}-${to}/${step} for the ${name}.`;
  return `“${part}” is not a valid ${name}.`;
}

/** The value of a number or a word; NaN where it is none. */
function valueIn(text: string, { from, words = [] }: Field): number {
  if (/^\d+$/.test(text)) return Number(text);
  const at = words.indexOf(text.toLowerCase());
  return at < 0 ? Number.NaN : from + at;
}

type CronRange = Readonly<{ first: string; start: number; end: number; step: string | undefined }>;

/** A range that goes on at the beginning of a field, as it is to be written. */
function inTurn({ first, start, end, step }: CronRange, { from, to, words }: Field): string {
  const size = to - from + 1;
  const each = Number(step ?? 1) || 1;
  const write = (value: number) => (/^\d/.test(first) ? String(value) : (words?.[value - from] ?? String(value)));
  const values = Array.from({ length: Math.floor((end + size - start) / each) + 1 }, (_, at) => start + at * each);
  if (each > 1) return values.map(value => write(value > to ? value - size : value)).join(',');
  const span = (one: number, other: number) => (one === other ? write(one) : `${write(one)}-${write(other)}`);
  return start > to ? span(from, end) : `${span(start, to)},${span(from, end)}`;
}
