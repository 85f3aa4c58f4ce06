import { minute } from '../../ground/durations.ts';
import { readTime } from '../../ground/timeText.ts';
import { offsetIn } from '../../ground/zone.ts';

/* Moments in texts: Slack shows each in its reader’s own time zone. */

/** Max times of a text that become local: each makes the text longer. */
const maxTimes = 5;

const writtenTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| UTC(?:[+-]\d\d:\d\d)?)/g;

/**
 * A sentence in parts: its texts, and as numbers the times with their distance from UTC that Dolly or the service wrote
 * into it, in milliseconds since the epoch.
 */
export function partsByTime(text: string): readonly (string | number)[] {
  const times = [...text.matchAll(writtenTime)].slice(0, maxTimes).map(({ 0: written, index }) => ({ written, index }));
  let from = 0;
  const parts = times.flatMap(({ written, index }) => {
    const before = text.slice(from, index);
    from = index + written.length;
    return [before, readTime(written)?.at ?? written];
  });
  return [...parts, text.slice(from)].filter(part => part !== '');
}

/** Makes each time with its distance from UTC that Dolly or the service wrote into a sentence one of the reader's own time zone. */
export function localTimes(text: string): string {
  return partsByTime(text)
    .map(part => (typeof part === 'string' ? part : moment(part)))
    .join('');
}

/**
 * A moment as plain text in a time zone (`Europe/Berlin`): "2026-11-22 03:00 UTC+01:00". It is for places where Slack
 * shows no time of the reader's own; {@link localTimes} reads it.
 */
export function momentIn(zone: string | undefined, at: number): string {
  const offset = zone === undefined ? 0 : offsetIn(zone, at);
  const local = new Date(at + offset * minute).toISOString().slice(0, 16).replace('T', ' ');
  const pad = (part: number) => String(part).padStart(2, '0');
  const far = Math.abs(offset);
  const distance = offset === 0 ? '' : `${offset < 0 ? '-' : '+'}${pad(Math.floor(far / 60))}:${pad(far % 60)}`;
  return `${local} UTC${distance}`;
}

/** A moment after words of its sentence: “until today 9:00 AM”. On its own, Slack writes “Today”. */
export function momentAfter(words: string, at: number): string {
  return moment(at, `${words} {date_short_pretty} {time}`);
}

/**
 * A moment that Slack shows in each reader's own time zone; `at` is milliseconds since the epoch. Words before the first
 * of the marks belong to it, so that “today” is not written like the beginning of a sentence. Where nothing can be
 * shown in the reader’s own zone, UTC stands in its place.
 */
export function moment(at: number, format = '{date_short_pretty} {time}'): string {
  const [words = ''] = format.split('{', 1);
  return `<!date^${Math.floor(at / 1000)}^${format}|${words}${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC>`;
}
