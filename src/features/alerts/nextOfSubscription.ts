import { nextRun } from '../../ground/calendar.ts';
import { isToCome } from '../../ground/clock.ts';
import { day } from '../../ground/durations.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import type { Incident, Subscription, SubscriptionStep } from '../../store/tables/alerts/alertRows.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import { morningOf } from '../schedules/dayThread.ts';
import { type AlertNotice, named } from './alertNotice.ts';
import { isSnoozed, leftIn } from './incidents/incidentStep.ts';
import { excuseOf, type IncidentSight } from './incidents/nextOfIncident.ts';

/** The time of a morning at which a channel is told what still stands, in its subscriber’s time zone. */
const morning = '09:00';

/** The next morning after a moment, in milliseconds since the epoch. */
export function nextMorning(zone: string | null, after: number): number | null {
  return nextRun({ rhythm: { every: 'day', at: morning }, zone: zoneOrUtc(zone ?? undefined) }, after) ?? null;
}

/** The incidents of a channel that are open, as far as they were read, and the message that opened the day there. */
type MorningSight = Partial<Pick<IncidentSight, 'maintained'>> &
  Readonly<{ now: number; open: readonly Incident[] | undefined; opened?: string | undefined }>;

/**
 * The next step of a channel with alerts: each morning one message calls people for what stands and nobody is on, but for
 * what calls them again by itself.
 */
export function nextOfSubscription(
  subscription: Subscription,
  { now, open, maintained = new Map(), opened: thread }: MorningSight,
): SubscriptionStep | Readonly<{ rest: number | null }> | 'look' {
  const { id, team, channel, person, zone, plannedAt, called } = subscription;
  if (subscription.state === 'off') return { rest: null };
  if (plannedAt !== null && isToCome(plannedAt, now, 2 * day)) return { rest: plannedAt };
  if (!open) return 'look';
  const next = nextMorning(zone, now);
  const waiting = open.filter(
    one => one.takenBy === null && one.callAt === null && !isSnoozed(one, now) && !excuseOf(one, maintained),
  );
  const items = waiting.flatMap(({ items: some }) => some.filter(({ endedAt }) => endedAt === null));
  const left = waiting.reduce((sum, one) => sum + leftIn(one), 0);
  const data: AlertNotice = { what: 'morning', ...named(items, left - items.length), called: [...called] };
  const about = { subject: morningOf(subscription), team, kind: 'alert', createdAt: now, isNews: true };
  const message = { ...about, id: `morning ${id} ${plannedAt}` };
  const isDue = plannedAt !== null && left > 0;
  const notices: readonly NewNotice[] = isDue
    ? [{ ...message, data, to: { channel, person, thread: thread ?? null } }]
    : [];
  return { changes: { plannedAt: next }, dueAt: next, notices };
}
