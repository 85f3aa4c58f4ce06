import { day, hour } from '../../ground/durations.ts';
import { readAnyTime } from '../../ground/timeText.ts';
import { momentOf, zoneOrUtc } from '../../ground/zone.ts';

/** The time for which a clone is to be kept: so many milliseconds, until a moment, or without an end. */
export type KeepFor =
  | Readonly<{ type: 'for'; milliseconds: number }>
  | Readonly<{ type: 'until'; at: number }>
  | Readonly<{ type: 'none' }>;

/** The units of a time, with the words that people use for them. */
const units = [
  { letters: /^(h|hrs?|hours?)$/, milliseconds: hour },
  { letters: /^(d|days?)$/, milliseconds: day },
  { letters: /^(w|weeks?|wks?)$/, milliseconds: 7 * day },
] as const;

/** The words that mean no end. */
const endless = /^(none|no end|forever|never|unlimited)$/;

/** The sentence for a text that is no such time. */
export const keepForFault = 'Type a time such as 12h, 3d or 2w, a date such as 2026-12-24, or none.';

/**
 * Reads a time as people type it: `12h`, `3 days`, `2w`, `2026-12-24` (to the end of that day, in UTC; {@link inOwnZone}), a moment as
 * {@link writeMoment} writes it, or `none`; `undefined` for anything else.
 */
export function readKeepFor(text: string): KeepFor | undefined {
  const typed = text.trim().toLowerCase();
  if (endless.test(typed)) return { type: 'none' };
  const [, count, letters = ''] = /^([1-9]\d{0,3}) ?([a-z]+)$/.exec(typed) ?? [];
  const unit = units.find(one => one.letters.test(letters));
  if (count !== undefined && unit) return { type: 'for', milliseconds: Number(count) * unit.milliseconds };
  const [, date, time = '23:59'] = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d) ?(?:utc|z)?)?$/.exec(typed) ?? [];
  const at = readAnyTime(`${date}T${time}Z`)?.at;
  return at === undefined ? undefined : { type: 'until', at };
}

/**
 * A day, or a time of a day, that a person typed without a zone, as the moment that it is where they are; else the text. Of a
 * time that a change of daylight saving repeats it is the last one: nothing ends before what was typed.
 */
export function inOwnZone(text: string, zone: string | undefined): string {
  const keep = /utc|z$/i.test(text) ? undefined : readKeepFor(text);
  return keep?.type === 'until' ? writeMoment(momentOf(zoneOrUtc(zone), keep.at, 'last')) : text;
}

/** The end of a time that begins at `from`; `null` where it has none. Milliseconds since the epoch. */
export function endOfKeeping(keep: KeepFor, from: number): number | null {
  if (keep.type === 'none') return null;
  return keep.type === 'until' ? keep.at : from + keep.milliseconds;
}

/** Writes a moment so that {@link readKeepFor} reads it again: to the minute, in UTC; `no end` for none. */
export function writeMoment(at: number | null): string {
  return at === null ? 'no end' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Writes a moment likewise in one word, as buttons carry it and messages show it in each reader’s own time. */
export function writeMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Says for the trail how long a clone is kept: `until 2026-12-24 18:00 UTC`, or without an end. */
export function writeEnd(at: number | null): string {
  return at === null ? 'without an end' : `until ${writeMoment(at)}`;
}

/** Writes a duration in its largest whole unit: `2w`, `3d`, `12h`. Shorter times become whole minutes. */
export function writeDuration(milliseconds: number): string {
  const [unit = 'm', size = 60_000] = lengths.find(([, length]) => milliseconds % length === 0) ?? [];
  return `${Math.round(milliseconds / size)}${unit}`;
}

const lengths: readonly (readonly [string, number])[] = [
  ['w', 7 * day],
  ['d', day],
  ['h', hour],
];

/** The times that a form and the buttons of a warning offer. */
export const usualTimes: readonly Readonly<{ text: string; label: string }>[] = [
  { text: '12h', label: '12 hours' },
  { text: '1d', label: '1 day' },
  { text: '3d', label: '3 days' },
  { text: '1w', label: '1 week' },
  { text: '2w', label: '2 weeks' },
  { text: '4w', label: '4 weeks' },
  { text: '12w', label: '12 weeks' },
  { text: 'none', label: 'No end' },
];

/** The words for a time: those of the usual ones, else the text as it was typed. */
export function timeLabel(text: string): string {
  return usualTimes.find(time => time.text === text)?.label ?? text;
}
