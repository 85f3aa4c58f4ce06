import { isToCome } from '../../../ground/clock.ts';
import { day, minute } from '../../../ground/durations.ts';
import type { Incident, IncidentStep, Subscription } from '../../../store/tables/alerts/alertRows.ts';
import { type AlertNotice, named, replyTo } from '../alertNotice.ts';
import { isExcusable, kindOrder } from '../troubleKinds.ts';
import {
  dueTimeOfIncident,
  firstCallAt,
  incidentStep,
  isRinging,
  isSnoozed,
  leftIn,
  nextCallAt,
  overEnd,
  takenFor,
} from './incidentStep.ts';

/*
 * What follows for an incident by itself, as time goes by: people are called again, whoever took it is asked, a snooze
 * ends. Nothing here reads a clock or the store.
 */

/** The time for which what stood when alerts were turned off may go on when they are turned on anew, in milliseconds. */
export const keptOff = 7 * day;
/** The longest time between two calls: a later one was set before a clock was set back. In milliseconds. */
const longestPause = 30 * minute;

/** The longest time for which one of which nothing stands stays open, likewise. */
const longestOver = 8 * day;

/** What an incident’s next step hangs on: whom its channel calls, and the ends of maintenance by environment. */
export type IncidentSight = Readonly<{
  now: number;
  subscription: Subscription | undefined;
  maintained: ReadonlyMap<string, Readonly<{ until: number }>>;
}>;

/** The next step of an incident, or the time until which nothing follows. */
export function nextOfIncident(
  incident: Incident,
  { now, subscription, maintained }: IncidentSight,
): IncidentStep | Readonly<{ rest: number | null }> {
  if (!subscription || subscription.state === 'off') {
    const until = (subscription?.endedAt ?? 0) + keptOff;
    return now < until ? { rest: until } : endStep(now);
  }
  if (leftIn(incident) === 0)
    return isToCome(overEnd(incident), now, longestOver) ? { rest: overEnd(incident) } : endStep(now);
  if (incident.snoozedUntil !== null)
    return isSnoozed(incident, now) ? { rest: incident.snoozedUntil } : wakeStep(incident, now);
  const excusedUntil = excuseOf(incident, maintained);
  if (excusedUntil !== undefined && excusedUntil > now) return { rest: excusedUntil };
  if (incident.takenBy !== null) return nextOfTaken(incident, subscription, now);
  const { callAt } = incident;
  if (callAt === null || isToCome(callAt, now, longestPause)) return { rest: callAt };
  return isRinging(incident) ? callStep(incident, subscription, now) : incidentStep(incident, { callAt: null });
}

/** The time until which maintenance excuses all that still stands of an incident; `undefined` where it does not. */
export function excuseOf({ counts, items }: Incident, maintained: IncidentSight['maintained']): number | undefined {
  if (maintained.size === 0 || kindOrder.some(kind => !isExcusable(kind) && (counts[kind]?.left ?? 0) > 0))
    return undefined;
  const ends = openItems(items).map(({ place }) => maintained.get(place)?.until);
  const known = ends.filter(end => end !== undefined);
  return known.length > 0 && known.length === ends.length ? Math.min(...known) : undefined;
}

function endStep(now: number): IncidentStep {
  return { changes: { state: 'ended', endedAt: now, plannedAt: null }, dueAt: null, closed: [{ outcome: 'ended' }] };
}

const openItems = (items: Incident['items']) => items.filter(({ endedAt }) => endedAt === null);

/** A snooze is over, and something still stands: whoever wanted it hears so, and the others a while later. */
function wakeStep(incident: Incident, now: number): IncidentStep {
  const own = openItems(incident.items);
  const data: AlertNotice = { what: 'still', ...named(own, leftIn(incident) - own.length), by: incident.snoozedBy };
  const calls = isRinging(incident) && incident.takenBy === null ? { calls: 1, callAt: firstCallAt(now) } : {};
  const notices = [replyTo(incident, now, data)];
  return incidentStep(incident, { snoozedUntil: null, snoozedBy: null, ...calls }, { notices });
}

/**
 * Whoever took it is asked after a while whether they still are on it; without an answer it is everybody’s again. Where nobody
 * else would be called, that can wait for a day.
 */
function nextOfTaken(incident: Incident, subscription: Subscription, now: number) {
  const { id, askedAt, takenBy } = incident;
  const isAlone = askedAt === null && subscription.called.every(called => called === takenBy);
  const lasts = isAlone ? day : takenFor;
  const dueAt = (dueTimeOfIncident(incident) ?? now) + lasts - takenFor;
  if (isToCome(dueAt, now, lasts)) return { rest: dueAt };
  if (askedAt !== null) return callStep(incident, subscription, now);
  const asks = { what: 'taker', incident: id, person: takenBy ?? '' } as const;
  return incidentStep(incident, { askedAt: now }, { notices: [replyTo(incident, now, asks)] });
}

/** Calls people, or says that whoever took it does not answer. What waits for the morning calls nobody now. */
function callStep(incident: Incident, { called }: Subscription, now: number): IncidentStep {
  const { id, takenBy: after } = incident;
  const own = openItems(incident.items);
  const rings = isRinging(incident);
  const calls = after === null ? incident.calls + 1 : 1;
  const about = { what: 'call', incident: id, after, called: rings ? [...called] : [] } as const;
  return incidentStep(
    incident,
    {
      ...{ takenBy: null, takenAt: null, takenUntil: null, askedAt: null },
      ...{ calls, callAt: rings ? nextCallAt(calls, now) : null },
    },
    {
      notices: [replyTo(incident, now, { ...about, ...named(own, leftIn(incident) - own.length) })],
      trail: { event: after === null ? 'alert called again' : 'alert without its taker', detail: after },
    },
  );
}
