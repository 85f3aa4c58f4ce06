import { closest } from './closest.ts';
import { minute } from './durations.ts';

/* Time zones by their names in the IANA database, such as `Europe/Berlin`. */

/** A zone that was read, or one sentence that says what to type. */
export type ReadZone = Readonly<{ zone: string }> | Readonly<{ fault: string }>;

/** Max characters of a zone's name that are read; the longest one has fewer than 40. */
const longestZone = 100;

/** Reads a zone as a person types it; a city alone is taken for a hint only. */
export function readZone(typed: string): ReadZone {
  const text = typed.trim();
  const lower = text.slice(0, longestZone).toLowerCase();
  if (text.length <= longestZone && isUtc(lower)) return { zone: 'UTC' };
  const known = text.length > longestZone ? [] : Intl.supportedValuesOf('timeZone');
  const exact = known.find(zone => zone.toLowerCase() === lower);
  if (exact !== undefined) return { zone: exact };
  // An older name of a zone, such as Asia/Calcutta.
  if (text.length <= longestZone && /^[A-Za-z]+\/[A-Za-z/_+-]+$/.test(text) && isZone(text)) return { zone: text };
  const city = (zone: string) => zone.split('/').at(-1)?.toLowerCase() ?? '';
  const spelled = lower.replaceAll(/\s+/g, '_');
  const [near] = [...known.filter(zone => city(zone) === spelled), ...closest(lower, known, zone => zone)];
  const hint = near === undefined ? 'Type one such as zone=Europe/Berlin.' : `Did you mean zone=${near}?`;
  return { fault: `“${text.slice(0, 60)}” is no time zone that I know. ${hint}` };
}

/** The zone that Slack tells of a person, or UTC where it tells none that this machine knows. */
export function zoneOrUtc(zone: string | undefined): string {
  return zone !== undefined && isZone(zone) && !isUtc(zone.toLowerCase()) ? zone : 'UTC';
}

/** Says a zone with its distance from UTC at a moment: “Europe/Berlin, UTC+1”. */
export function sayZone(zone: string, at: number): string {
  if (zone === 'UTC') return 'UTC';
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? 'UTC';
  return `${zone}, ${offset}`;
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

function isUtc(lower: string): boolean {
  return /^((etc\/)?(utc|gmt)|z)$/.test(lower);
}

/** The distance of a time zone from UTC at a moment, in minutes; 0 for a zone that this machine does not know. */
export function offsetIn(zone: string, at: number): number {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  } catch {
    return 0;
  }
}

/** The moment at which the clocks of a zone show this time of day, written as if it were UTC. Milliseconds since the epoch. */
export function momentOf(zone: string, shown: number): number {
  const near = shown - offsetIn(zone, shown) * minute;
  return shown - offsetIn(zone, near) * minute;
}
