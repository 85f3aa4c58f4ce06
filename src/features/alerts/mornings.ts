import { nextRun } from '../../ground/calendar.ts';
import { zoneOrUtc } from '../../ground/zone.ts';

/** The time of a morning at which a channel is reminded of what still stands, in its subscriber’s time zone. */
const morning = '09:00';

/** The next morning after a moment, in milliseconds since the epoch. */
export function nextMorning(zone: string | null, after: number): number | null {
  return nextRun({ rhythm: { every: 'day', at: morning }, zone: zoneOrUtc(zone ?? undefined) }, after) ?? null;
}
