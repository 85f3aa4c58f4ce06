import { actorOf } from '../../jobs/actor.ts';
import { hasSayIn, whyNoColleague } from '../../jobs/approval/people/hasSay.ts';
import { mayUseAccount } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { notSignedIn } from '../../records/records.ts';
import { isGroupId, isPersonId } from '../../slack/blocks/mentionPeople.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
import {
  type AlertKind,
  type Incident,
  type Subscription,
  subscriptionId,
  subscriptions,
  watcherId,
} from '../../store/tables/alerts/alertRows.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import type { Owner } from '../../store/vault.ts';
import { type AlertNotice, turningId } from './alertNotice.ts';
import { incidentStep } from './incidents/incidentStep.ts';
import { keptOff } from './incidents/nextOfIncident.ts';
import { nextMorning } from './nextOfSubscription.ts';

/* The acts of people on the alerts of a channel. Of two acts at once, one counts first, and the other one finds what it left. */

/** A person who acts, and the channel in which they do. */
export type AlertAct = Owner & Readonly<{ channel: string }>;

/** What came of an act. */
export type AlertOutcome =
  | Readonly<{ type: 'on'; kinds: readonly AlertKind[]; isAccount: boolean; isNew: boolean }>
  | Readonly<{ type: 'off' | 'tested' }>
  | Readonly<{ type: 'called'; called: readonly string[] }>
  | Readonly<{ type: 'changed'; incident: Incident }>
  | Readonly<{ type: 'refused'; sentence: string }>;

/** Tries of an act whose row changes at the same moment. */
const tries = 5;
const crowded: AlertOutcome = {
  type: 'refused',
  sentence: 'Somebody else is changing this right now. Please try again.',
};

const notYours: AlertOutcome = {
  type: 'refused',
  sentence: 'Only the person who turned them on and approvers can change or test the alerts of this channel.',
};

/**
 * Whether a person may change the alerts of a channel. Those for which a person's sign-in is missing wait for anybody's;
 * what the service account looks for stays with those who approve.
 */
async function mayChange(parts: Alerter, act: AlertAct, { state, person, watcher }: Subscription): Promise<boolean> {
  if (state === 'off') return true;
  const isAccounts = watcher === watcherId(accountOwner(act.team));
  return (state === 'blind' && !isAccounts) || hasSayIn(parts, act, person);
}

/** Sets which alerts a channel hears, and acts on them. */
export type Alerter = Judge & Parts<'credentials' | 'account' | 'alerts' | 'things' | 'meter' | 'clock'>;

/** The subscription of a channel, also one that was turned off. */
export function subscriptionOf(
  { things }: Parts<'things'>,
  { team, channel }: Readonly<{ team: string; channel: string }>,
): Promise<Subscription | undefined> {
  return things.find(subscriptions, subscriptionId(team, channel));
}

/**
 * Turns alerts of these kinds on in a channel, or changes them. They are looked for with the service account where the
 * person is an approver, else with the person’s own sign-in.
 * @throws {Failure} `signed-out`
 */
export async function turnAlertsOn(parts: Alerter, act: AlertAct, kinds: readonly AlertKind[]): Promise<AlertOutcome> {
  const { team, person } = act;
  const isAccount = parts.account !== undefined && (await mayUseAccount(parts, { team, person })) === true;
  if (!isAccount && !(await parts.credentials.find({ team, person }))) throw notSignedIn();
  const looks = isAccount ? accountOwner(team) : { team, person };
  for (let count = 0; count < tries; count++) {
    const seen = await subscriptionOf(parts, act);
    const isSame =
      seen?.state === 'on' && seen.person === person && seen.watcher === watcherId(looks) && isEqual(seen.kinds, kinds);
    if (isSame) return { type: 'on', kinds, isAccount, isNew: false };
    if (seen && !(await mayChange(parts, act, seen))) return notYours;
    if (await subscribe(parts, act, { seen, kinds, looks, isAccount }))
      return { type: 'on', kinds, isAccount, isNew: true };
  }
  return crowded;
}

type AlertsWish = Readonly<{
  seen: Subscription | undefined;
  kinds: readonly AlertKind[];
  looks: Owner;
  isAccount: boolean;
}>;

async function subscribe(
  parts: Alerter,
  act: AlertAct,
  { seen, kinds, looks, isAccount }: AlertsWish,
): Promise<boolean> {
  const { team, person, channel } = act;
  const now = parts.clock.now();
  const zone = (await parts.people.zoneOf({ team, person })) ?? null;
  const by = await actorOf(parts, act, channel);
  const detail = `${kinds.join(', ')}; ${isAccount ? 'with the service account' : 'with their own sign-in'}`;
  // Whoever turns them on is called, until somebody chooses others.
  const called = seen?.called ?? [person];
  const wish = { team, channel, person, kinds, zone, called, plannedAt: nextMorning(zone, now), looks };
  return parts.alerts.subscribe(wish, seen, {
    ...{ now, handOver: incidentStep },
    trail: { ...by, at: now, team, person, event: 'alerts on', detail },
    notices: [notice(act, now, { what: 'on', by: person, kinds: [...kinds], isAccount, called: [...called] })],
  });
}

function isEqual(one: readonly AlertKind[], other: readonly AlertKind[]): boolean {
  return one.length === other.length && one.every(kind => other.includes(kind));
}

/** A message to the channel about its alerts. Whoever turned them on gets what the channel does not take. */
function notice({ team, channel, person }: AlertAct, now: number, data: AlertNotice): NewNotice {
  const id = turningId({ team, channel }, data.what, now);
  return { id, subject: id, team, kind: 'alert', createdAt: now, data, isNews: true, to: { channel, person } };
}

/** Says that a channel hears no alerts. */
export const alertsAreOff = 'Alerts are off in this channel.';
const areOff: AlertOutcome = { type: 'refused', sentence: alertsAreOff };

/** Acts on the alerts of a channel for a person who may; anew where they are changed before that is written. */
async function onAlerts(
  parts: Alerter,
  act: AlertAct,
  write: (seen: Subscription) => Promise<AlertOutcome | undefined>,
): Promise<AlertOutcome> {
  for (let count = 0; count < tries; count++) {
    const seen = await subscriptionOf(parts, act);
    if (!seen || seen.state === 'off') return areOff;
    if (!(await mayChange(parts, act, seen))) return notYours;
    const done = await write(seen);
    if (done) return done;
  }
  return crowded;
}

/**
 * Sends a sample to where the alerts of a channel go.
 * @throws {Failure} `signed-out`, or `forbidden` where that was done as often as it may be
 */
export async function testAlerts(parts: Alerter, act: AlertAct): Promise<AlertOutcome> {
  const { team, person, channel } = act;
  if (!(await parts.credentials.has({ team, person }))) throw notSignedIn();
  return onAlerts(parts, act, async seen => {
    const now = parts.clock.now();
    const trail = { ...(await actorOf(parts, act, channel)), event: 'alerts tested', detail: seen.called.join(' ') };
    const sample: AlertNotice = { what: 'test', by: person, kinds: [...seen.kinds], called: [...seen.called] };
    const step = { changes: {}, trail, notices: [notice(seen, now, sample)] };
    return (await parts.things.apply(subscriptions, seen, step, { now })) && { type: 'tested' };
  });
}

/** Max people, and max groups, that a channel calls. */
export const maxCalled = 10;

/** Chooses whom the alerts of a channel call: members of the workspace and its groups. */
export function chooseCalled(parts: Alerter, act: AlertAct, chosen: readonly string[]): Promise<AlertOutcome> {
  const called = [...new Set(chosen)];
  return onAlerts(parts, act, async seen => {
    const fault = await faultOfCalled(parts, act.team, called);
    if (fault !== undefined) return { type: 'refused', sentence: `${fault} Nothing was changed.` };
    const by = await actorOf(parts, act, act.channel);
    const step = { changes: { called }, trail: { ...by, event: 'alerts call', detail: called.join(' ') } };
    const done = await parts.things.apply(subscriptions, seen, step, { now: parts.clock.now() });
    return done && { type: 'called', called };
  });
}

/** Says why some people and groups cannot be called; `undefined` where all can. A form that was forged may name anything. */
async function faultOfCalled(parts: Alerter, team: string, called: readonly string[]): Promise<string | undefined> {
  // Whether a group is there, Slack does not tell on all plans.
  const people = called.filter(id => !isGroupId(id));
  if (people.length > maxCalled || called.length - people.length > maxCalled)
    return `I can notify at most ${maxCalled} people and ${maxCalled} groups.`;
  for (const person of people) {
    const why = isPersonId(person) ? await whyNoColleague(parts, { team, person }) : 'This names nobody.';
    if (why !== undefined) return `${person}: ${why}`;
  }
  return undefined;
}

/** Turns the alerts of a channel off. */
export function turnAlertsOff(parts: Alerter, act: AlertAct): Promise<AlertOutcome> {
  const { team, person, channel } = act;
  return onAlerts(parts, act, async seen => {
    const now = parts.clock.now();
    const by = await actorOf(parts, act, channel);
    const done = await parts.alerts.unsubscribe(seen, {
      now,
      outcome: 'Alerts were turned off.',
      keptUntil: now + keptOff,
      trail: { ...by, at: now, team, person: seen.person, event: 'alerts off' },
      notices: [notice(act, now, { what: 'off', by: person })],
    });
    return done ? { type: 'off' } : undefined;
  });
}

/**
 * Takes the alerts of a channel over for which nobody can look.
 * @throws {Failure} `signed-out`
 */
export async function takeAlertsOver(parts: Alerter, act: AlertAct): Promise<AlertOutcome> {
  const seen = await subscriptionOf(parts, act);
  if (seen?.state !== 'blind')
    return { type: 'refused', sentence: 'That no longer applies: somebody looks for this channel, or alerts are off.' };
  return turnAlertsOn(parts, act, seen.kinds);
}
