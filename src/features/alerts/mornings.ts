import { nextRun } from '../../ground/calendar.ts';
import { day, hour } from '../../ground/durations.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { type Alert, alertKinds, type Subscription } from '../../store/tables/alerts/alertRows.ts';
import type { AlertNotice } from './alertNotice.ts';

/** The time of a morning at which a channel is reminded of what still stands, in its subscriber’s time zone. */
const morning = '09:00';

/** The next morning after a moment, in milliseconds since the epoch. */
export function nextMorning(zone: string | null, after: number): number | null {
  return nextRun({ rhythm: { every: 'day', at: morning }, zone: zoneOrUtc(zone ?? undefined) }, after) ?? null;
}

/** Max records that the text of a reminder or of a reply names. */
export const maxNamed = 20;
/** An alert that is younger is no news in the morning, in milliseconds. */
const young = 4 * hour;

/** The morning’s message of a channel: what still stands and nobody looks after. */
export function reminderFor(subscription: Subscription, open: readonly Alert[], at: number) {
  const { id, team, channel, person, zone, remindAt } = subscription;
  // A time further ahead than that was set before a clock was set back.
  if (remindAt !== null && remindAt > at && remindAt <= at + 2 * day) return [];
  const change = { subscription, changes: { remindAt: nextMorning(zone, at) } };
  const told = open.filter(alert => alert.endedAt === null && at - alert.at >= young);
  const items = told.flatMap(({ items: some, takenBy }) =>
    some.filter(({ endedAt, kind }) => endedAt === null && kind !== 'vanished').map(item => ({ ...item, takenBy })),
  );
  if (remindAt === null || items.every(({ takenBy }) => takenBy !== null)) return [{ change, notices: [] }];
  const left = told.reduce(
    (sum, { counts }) =>
      sum + alertKinds.reduce((some, kind) => some + (kind === 'vanished' ? 0 : (counts[kind]?.left ?? 0)), 0),
    0,
  );
  const named = items.slice(0, maxNamed);
  const data: AlertNotice = { what: 'reminder', items: named, more: Math.max(0, left - named.length) };
  const message = { id: `reminder ${id} ${remindAt}`, subject: id, team, kind: 'alert', createdAt: at, isNews: true };
  return [{ change, notices: [{ ...message, data, to: { channel, person } }] }];
}
