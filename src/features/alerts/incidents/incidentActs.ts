import { day, hour } from '../../../ground/durations.ts';
import { actorOf } from '../../../jobs/actor.ts';
import { whyNoColleague } from '../../../jobs/approval/people/hasSay.ts';
import { type Incident, type IncidentStep, incidents } from '../../../store/tables/alerts/alertRows.ts';
import type { AlertAct, Alerter, AlertOutcome } from '../alertActs.ts';
import { replyTo } from '../alertNotice.ts';
import { nextMorning } from '../nextOfSubscription.ts';
import { incidentStep, leftIn, takenFor } from './incidentStep.ts';

/* The acts of people on incidents. Whoever can read the channel may do them. */

/** The times for which an incident can be snoozed. */
export const snoozes = ['hour', 'tomorrow', 'week'] as const;
export type Snooze = (typeof snoozes)[number];

/** Says nothing more for a while of what an incident names now. */
export async function snoozeIncident(parts: Alerter, act: AlertAct, id: string, snooze: Snooze): Promise<AlertOutcome> {
  const zone = (await parts.people.zoneOf(act)) ?? null;
  return changeIncident(parts, act, id, (incident, now) => {
    const until = { hour: now + hour, tomorrow: nextMorning(zone, now) ?? now + day, week: now + 7 * day }[snooze];
    const set = { snoozedUntil: until, snoozedBy: act.person };
    return [incidentStep(incident, set), { event: 'alert snoozed', detail: `until ${new Date(until).toISOString()}` }];
  });
}

/** Says that a person is on it: for some hours nobody else is called for it. */
export async function takeIncident(parts: Alerter, act: AlertAct, id: string): Promise<AlertOutcome> {
  const taken = await changeIncident(parts, act, id, (incident, now) => [
    incidentStep(incident, takenBy(incident, act.person, now)),
    { event: 'alert taken', detail: incident.takenBy },
  ]);
  const { incident } = taken.type === 'changed' ? taken : {};
  if (incident && incident.takenAt === parts.clock.now())
    parts.meter.took('incidentTaken', {}, incident.takenAt - incident.at);
  return taken;
}

/** Hands an incident over to another member of the workspace, who is told by a post. */
export async function handOver(parts: Alerter, act: AlertAct, id: string, to: string): Promise<AlertOutcome> {
  const why = await whyNoColleague(parts, { team: act.team, person: to });
  if (why !== undefined) return { type: 'refused', sentence: `${why} Nothing was handed over.` };
  return changeIncident(parts, act, id, (incident, now) => [
    incidentStep(incident, takenBy(incident, to, now), {
      notices: [replyTo(incident, now, { what: 'handed', by: act.person, to })],
    }),
    { event: 'alert handed over', detail: to },
  ]);
}

function takenBy({ takenAt }: Incident, person: string, now: number) {
  return { takenBy: person, takenAt: takenAt ?? now, takenUntil: now + takenFor, askedAt: null };
}

/** Ends an incident by a person’s word, also one whose trouble still stands. */
export function closeIncident(parts: Alerter, act: AlertAct, id: string): Promise<AlertOutcome> {
  return changeIncident(parts, act, id, (incident, now) => [
    incidentStep(incident, { state: 'ended', endedAt: now, closedBy: act.person }),
    { event: 'alert closed', detail: `${leftIn(incident)} still stood` },
  ]);
}

type Done = readonly [step: IncidentStep, trail: Readonly<{ event: string; detail: string | null }>];

async function changeIncident(
  parts: Alerter,
  act: AlertAct,
  id: string,
  stepOf: (incident: Incident, now: number) => Done,
): Promise<AlertOutcome> {
  const { team, channel } = act;
  const now = parts.clock.now();
  const by = await actorOf(parts, act, channel);
  let why = 'I can’t find this alert; it may have been deleted.';
  const changed = await parts.things.act(
    incidents,
    id,
    incident => {
      // Whoever cannot read the channel has no say in what it hears.
      if (!incident || incident.team !== team || incident.channel !== channel) return undefined;
      why = 'This is over: no problem is left.';
      if (incident.state === 'ended' || leftIn(incident) === 0) return undefined;
      const [step, trail] = stepOf(incident, now);
      return { ...step, trail: { ...by, at: now, team, ...trail } };
    },
    now,
  );
  return changed ? { type: 'changed', incident: changed } : { type: 'refused', sentence: why };
}
