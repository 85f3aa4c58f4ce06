import { isToCome } from '../../../ground/clock.ts';
import { day, hour, minute } from '../../../ground/durations.ts';
import type { Incident, IncidentChanges, IncidentStep, NewIncident } from '../../../store/tables/alerts/alertRows.ts';
import { noticeOfIncident } from '../alertNotice.ts';
import { kindOrder, troubles } from '../troubleKinds.ts';

/* What is common to all that happens to an incident: by a look, by a person, and as time goes by. */

/** Trouble joins an incident within so long of its last, and of its first, in milliseconds. */
const joinTime = { last: hour, first: 12 * hour } as const;
/** The times after the first call at which people are called again, in milliseconds; after that, in the morning. */
const callTimes = [15 * minute, 30 * minute, hour] as const;
/** The time in which whoever is asked whether they are still on it may answer, in milliseconds. */
const answerTime = 30 * minute;
/** The longest snooze; a later end was set before a clock was set back. In milliseconds. */
const longestSnooze = 8 * day;
/** The time for which somebody who takes an incident is on it, in milliseconds. */
export const takenFor = 4 * hour;

/** The number of records whose trouble still stands. */
export function leftIn({ counts }: Pick<Incident, 'counts'>): number {
  return kindOrder.reduce((sum, kind) => sum + (counts[kind]?.left ?? 0), 0);
}

/** The time of the call after the first one of now. */
export function firstCallAt(now: number): number {
  return now + callTimes[0];
}

/** The time of the call after `calls` of them, the last of which is of now; `null`: in the morning. */
export function nextCallAt(calls: number, now: number): number | null {
  const next = callTimes[calls - 1];
  return next === undefined ? null : now + next - (callTimes[calls - 2] ?? 0);
}

/** Whether somebody is called at any hour for what still stands. */
export function isRinging({ counts, items }: Pick<Incident, 'counts' | 'items'>): boolean {
  return kindOrder.some(kind => {
    const open = items.filter(item => item.kind === kind && item.endedAt === null);
    const isAllQuiet = open.length === (counts[kind]?.left ?? 0) && open.every(({ isQuiet }) => isQuiet);
    return troubles[kind].rings && !isAllQuiet;
  });
}

/** Whether nothing is told of what an incident names at the moment. */
export function isSnoozed({ snoozedUntil }: Pick<Incident, 'snoozedUntil'>, at: number): boolean {
  return snoozedUntil !== null && isToCome(snoozedUntil, at, longestSnooze);
}

/** The time until which more of the same may join an incident. */
export function joinEnd({ at, lastAt }: Pick<Incident, 'at' | 'lastAt'>): number {
  return Math.min(lastAt + joinTime.last, at + joinTime.first);
}

/** The time until which one of which nothing stands stays open: more may join it, and a snooze covers what comes again. */
export function overEnd(incident: Pick<Incident, 'at' | 'lastAt' | 'snoozedUntil'>): number {
  return Math.max(joinEnd(incident), incident.snoozedUntil ?? 0);
}

/** The time at which something follows for an incident by itself; `null` where nothing does. */
export function dueTimeOfIncident(incident: NewIncident): number | null {
  const { state, snoozedUntil, takenBy, takenUntil, askedAt, callAt } = incident;
  if (state === 'ended') return null;
  if (leftIn(incident) === 0) return overEnd(incident);
  if (snoozedUntil !== null) return snoozedUntil;
  if (takenBy !== null) return askedAt === null ? takenUntil : askedAt + answerTime;
  return callAt;
}

/** A step of an incident: its message says so, and it is due when something follows. */
export function incidentStep(
  incident: Incident,
  set: IncidentChanges,
  more: Pick<IncidentStep, 'notices' | 'trail'> = {},
): IncidentStep {
  const next = { ...incident, ...set };
  const state = next.state === 'ended' ? 'ended' : next.takenBy === null ? 'open' : 'taken';
  const outcome = state === 'ended' || leftIn(next) === 0 ? 'ended' : null;
  const dueAt = dueTimeOfIncident({ ...next, state });
  const drawn = [{ notice: incident.id, data: noticeOfIncident(next), outcome }];
  return { changes: { ...set, state, plannedAt: dueAt }, dueAt, drawn, ...more };
}
