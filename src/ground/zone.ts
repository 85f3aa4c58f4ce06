import { distance } from 'fastest-levenshtein';
import { isSlip, isSwap } from './closest.ts';
import { day, minute, second } from './durations.ts';

/* Time zones by their names in the IANA database, such as `Europe/Berlin`. */

/** A zone that was read, or one sentence that says what to type. */
type ReadZone = Readonly<{ zone: string }> | Readonly<{ fault: string }>;

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
  // An older name of a zone, such as Asia/Calcutta, or a fixed distance from UTC, such as Etc/GMT-2.
  if (text.length <= longestZone && /^[A-Za-z]+\/[A-Za-z\d/_+-]+$/.test(text) && isZone(text)) return { zone: text };
  const [region, city] = parted(lower.replaceAll(/\s+/g, '_'));
  // Only a name that was surely meant is named: of EST, IST or MST nobody knows where. The letters of a region show no city.
  const isMeant = (zone: string) => {
    const [itsRegion, itsCity] = parted(zone.toLowerCase());
    if (itsCity === city || (region === '' && isSlip(itsCity, city))) return true;
    return itsRegion === region && itsCity.length > 4 && (isSwap(itsCity, city) || distance(itsCity, city) === 1);
  };
  const near = known.find(isMeant);
  const isShort = /^[a-z]{1,5}$/.test(lower);
  const other = isShort
    ? 'Type the region and the city, as in zone=Region/City.'
    : 'Type one such as zone=Europe/Berlin.';
  const hint = near === undefined ? other : `Did you mean zone=${near}?`;
  return { fault: `I do not know the time zone “${text.slice(0, 60)}”. ${hint}` };
}

/** The region and the city of a zone; no region where only one name is there. */
function parted(zone: string): readonly [string, string] {
  const at = zone.lastIndexOf('/');
  return [zone.slice(0, Math.max(0, at)), zone.slice(at + 1)];
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

/** Whether this machine knows a zone by that name. */
export function isZone(text: string): boolean {
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
    return Math.round((localTime(zone, at) - at) / minute);
  } catch {
    return 0;
  }
}

/**
 * The moment at which the clocks of a zone show a local time, written as if it were UTC, or the first moment after it where
 * none shows it. A time that they show twice is meant as it comes `first` or `last`. Milliseconds since the epoch.
 */
export function momentOf(zone: string, local: number, meant: 'first' | 'last' = 'first'): number {
  // No clock is more than a day away from UTC, and none is changed twice within two days.
  const offsets = [local - day, local + day].map(moment => localTime(zone, moment) - moment);
  const [earliest, latest] = [local - Math.max(...offsets), local - Math.min(...offsets)];
  const inOrder = meant === 'first' ? [earliest, latest] : [latest, earliest];
  const shown = inOrder.find(moment => localTime(zone, moment) === local);
  if (shown !== undefined) return shown;
  let [before, after] = [earliest, latest];
  while (after - before > second) {
    const middle = Math.floor((before + after) / 2 / second) * second;
    if (localTime(zone, middle) < local) before = middle;
    else after = middle;
  }
  return after;
}

/** Formats of the zones that were asked for: making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at a moment, to the second, as if it were UTC. @throws RangeError for an unknown zone */
export function localTime(zone: string, moment: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  // Sweden writes 2026-11-22 02:00:00.
  const [year = 0, month = 1, ...rest] = format.format(moment).split(/\D+/).map(Number);
  const [day, hour, minutes, seconds] = rest;
  return Date.UTC(year, month - 1, day, hour, minutes, seconds);
}
