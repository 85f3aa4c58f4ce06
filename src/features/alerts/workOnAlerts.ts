import { doubled } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { Failure, isSignedOut } from '../../ground/failure.ts';
import { type Loop, together } from '../../ground/loop.ts';
import { hasLeft } from '../../jobs/approval/people/hasSay.ts';
import { mayUseAccount } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { FactReader, Judge, Parts } from '../../jobs/parts.ts';
import { workOnQueue } from '../../jobs/workOnQueue.ts';
import type { ThingWorker } from '../../jobs/workOnThings.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import {
  type Incident,
  type IncidentBeginning,
  incidents,
  type KeptSight,
  type Subscription,
  type SubscriptionStep,
  subscriptions,
} from '../../store/tables/alerts/alertRows.ts';
import type { HeldWatcher } from '../../store/tables/alerts/sights.ts';
import type { Owner } from '../../store/vault.ts';
import { dayThreadIn } from '../schedules/dayThread.ts';
import { type AlertNotice, named, turningId } from './alertNotice.ts';
import { beginIncident, gatherIncidents } from './incidents/gatherIncidents.ts';
import { workOnIncidents } from './incidents/workOnIncidents.ts';
import { lookAround } from './lookAround.ts';
import { kindOrder, servicePlace, signInPlace } from './troubleKinds.ts';
import { allPages, itemOf, itemsStanding, sightsAtOnce } from './whatStands.ts';

/** The time between two looks of the same watcher, in milliseconds. */
export const lookRhythm = 5 * minute;
/** The longest pause after looks that failed, in milliseconds. */
const longestPause = 15 * minute;
/** Looks in a row that fail before the service counts as away: a quarter of an hour with their pauses. */
const manyFailures = 3;
/** The time before the look before in which the end of a job still explains what is seen, in milliseconds. */
const slack = 10 * minute;

/** Looks for what changed, and tells the channels that want to know. */
export type AlertWatcher = FactReader &
  Parts<'things' | 'account' | 'alerts' | 'sights' | 'outbox' | 'isUninstalled' | 'meter'>;

/**
 * Looks at the lists for the channels that want alerts, once a rhythm for all channels that look with the same sign-in,
 * and tells them what changed.
 */
export function workOnAlerts(worker: ThingWorker, parts: AlertWatcher): Loop {
  return together([workOnLooks(parts), workOnIncidents(worker, parts)]);
}

function workOnLooks(parts: AlertWatcher): Loop {
  const queue = parts.sights.queue();
  return workOnQueue(parts, {
    name: 'watcher',
    queue,
    ...{ maxAtOnce: 10, groupsAtOnce: 2 },
    groupOf: ({ id }) => id,
    shared: () => undefined,
    async step({ due, row }) {
      const watcher = { ...row, due };
      const dueAt = await takeLook(parts, watcher).catch(async (error: unknown) => {
        await tellFailure(parts, watcher, error);
        throw error;
      });
      if (dueAt !== undefined) await queue.rest(due, dueAt, { now: parts.clock.now() });
    },
    pauseAfter: (_, tries) => pauseOfLook(tries),
  });
}

/** The pause after a look that failed, where `tries` failed before it. Milliseconds. */
export function pauseOfLook(tries: number): number {
  return doubled(tries, lookRhythm, longestPause);
}

/** After many looks in a row that failed, the service is away: an incident of each channel. */
async function tellFailure(parts: AlertWatcher, watcher: HeldWatcher, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || watcher.due.tries + 1 < manyFailures) return;
  const at = parts.clock.now();
  const served = (await servedBy(parts, watcher)).filter(({ state }) => state === 'on');
  const open = await parts.things.list(incidents, { team: watcher.team, subject: watcher.id });
  const isTold = (channel: string) => open.some(one => one.channel === channel && one.place === servicePlace);
  // The first of these looks failed so long ago.
  const since = at - (pauseOfLook(0) + pauseOfLook(1));
  const place = { record: servicePlace, place: servicePlace, name: null };
  const item = { ...place, kind: 'away', words: error.message, since } as const;
  const begun = served.filter(({ channel }) => !isTold(channel)).map(one => beginOne(one, item, { watcher, at }));
  if (begun.length > 0 && (await parts.alerts.tell({ begun }, at))) countBegun(parts, begun);
}

/** Begins the incident of trouble that no record is in. */
function beginOne(
  subscription: Subscription,
  item: Parameters<typeof itemOf>[0],
  { watcher, at }: Readonly<{ watcher: HeldWatcher; at: number }>,
): IncidentBeginning {
  const begins = { family: 'failures', place: item.place, items: [itemOf(item)] } as const;
  return beginIncident(subscription, begins, { watcher, names: new Map(), opened: new Map(), at });
}

function countBegun({ meter }: Parts<'meter'>, begun: readonly IncidentBeginning[]): void {
  for (const { as } of begun) for (const kind of kindOrder) if (as.counts[kind]) meter.count('incidents', { kind });
}

/** The channels that this watcher looks for, in one order. */
async function servedBy({ things }: Parts<'things'>, { id, team }: HeldWatcher): Promise<readonly Subscription[]> {
  const served = await things.list(subscriptions, { team, subject: id });
  return served.toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
}

/** Takes a look. Gives the time of the next one where none is written yet. */
async function takeLook(parts: AlertWatcher, watcher: HeldWatcher): Promise<number | undefined> {
  const { alerts, sights, jobs, things, clock } = parts;
  const at = clock.now();
  const all = await servedBy(parts, watcher);
  if (all.length === 0) {
    while (!(await sights.close(watcher)));
    return undefined;
  }
  const { served, blind } = await whoIsServed(parts, watcher, all);
  const session =
    served.length > 0 ? await parts.records.session({ team: watcher.team, person: watcher.person }) : undefined;
  const dueAt = at + lookRhythm;
  const leaveBlind = async () => {
    const why = isAccount(watcher) ? 'account refused' : 'signed out';
    const lost = goBlind([...blind, ...served.map(one => [one, why] as const)], watcher, at);
    if (await alerts.finish(watcher, { login: undefined, dueAt, ...lost }, at)) countBegun(parts, lost.begun);
    return undefined;
  };
  if (!session) return leaveBlind();
  const login = session.credential.username;
  // Another user of the service may see other records, and would miss those of the one before.
  const isFirst = watcher.lookedAt === null || watcher.login !== login;
  const look = { at, turn: watcher.turn + 1, isFirst };
  const dealings = await jobs.dealingsSince(watcher.team, Math.min(watcher.lookedAt ?? at, at) - slack);
  let names: ReadonlyMap<string, string> | undefined;
  try {
    names = await lookAround(parts, { watcher, look, dealings });
  } catch (error) {
    if (isSignedOut(error)) return leaveBlind();
    throw error;
  }
  if (!names) return undefined;
  const news = await allPages(after => parts.sights.withNews(watcher, after, sightsAtOnce));
  const open = await things.list(incidents, { team: watcher.team, subject: watcher.id });
  const kept = await keptSights(parts, watcher, open);
  const opened = await daysIn(parts, news.length > 0 ? served : [], at);
  const facts = { watcher, subscriptions: served, news, open, kept, names, opened, dealings, at };
  const gathered = await gatherIncidents(facts);
  const lost = goBlind(blind, watcher, at);
  const begun = [...gathered.begun, ...lost.begun];
  const seen = await seeFirst(parts, watcher, served);
  const steps = [...served.flatMap(seeAgain), ...seen, ...lost.subscriptions];
  const done = { login, dueAt, begun, changed: gathered.changed, subscriptions: steps };
  const told = await alerts.finish(watcher, done, at);
  if (told) countBegun(parts, begun);
  // A person changed something at the same moment: what was seen is still to be told.
  return told ? undefined : clock.now();
}

/** The messages that opened the day in channels, by channel. */
async function daysIn(parts: Parts<'things' | 'outbox'>, served: readonly Subscription[], at: number) {
  const opened = served.map(async one => [one.channel, (await dayThreadIn(parts, one, { now: at }))?.id] as const);
  return new Map(await Promise.all(opened));
}

/** The sights of the records that incidents name and that still stood. */
async function keptSights({ sights }: Parts<'sights'>, watcher: HeldWatcher, open: readonly Incident[]) {
  const standing = open.flatMap(({ items }) => items.filter(({ endedAt }) => endedAt === null));
  const records = [...new Set(standing.map(({ record }) => record))];
  const kept = new Map<string, KeptSight>();
  for (let from = 0; from < records.length; from += sightsAtOnce)
    for (const sight of await sights.of(watcher.id, records.slice(from, from + sightsAtOnce)))
      kept.set(sight.record, sight);
  return kept;
}

/** The channels that have their first look: the message that alerts are on says what stands already. */
async function seeFirst(
  { sights }: Parts<'sights'>,
  watcher: HeldWatcher,
  served: readonly Subscription[],
): Promise<readonly ChannelStep[]> {
  const fresh = served.filter(({ sinceTurn, state }) => sinceTurn === watcher.turn + 1 && state === 'on');
  const all = fresh.length === 0 ? [] : await allPages(after => sights.page(watcher.id, after, sightsAtOnce));
  return fresh.map((one): ChannelStep => {
    const { person: by, kinds, called, since } = one;
    const about = { by, kinds: [...kinds], isAccount: isAccount(watcher), called: [...called] };
    const data: AlertNotice = { what: 'on', ...about, existing: named(itemsStanding(all, kinds)) };
    return [one, { changes: {}, drawn: [{ notice: turningId(one, 'on', since), data }] }];
  });
}

/** A step of a channel of the look. */
type ChannelStep = readonly [Subscription, SubscriptionStep];

/**
 * The channels that this watcher may look for now. Not those whose subscriber has left the workspace; and the service
 * account looks only for those who approve.
 * @throws {Failure} `busy` where Slack does not tell
 */
async function whoIsServed(parts: Judge & Parts<'account'>, watcher: HeldWatcher, all: readonly Subscription[]) {
  const faults = new Map<string, BlindReason | undefined>();
  for (const person of new Set(all.map(one => one.person)))
    faults.set(person, await faultOf(parts, watcher, { team: watcher.team, person }));
  const served = all.filter(({ person }) => faults.get(person) === undefined);
  const blind = all.flatMap(one => {
    const why = faults.get(one.person);
    return why === undefined ? [] : [[one, why] as const];
  });
  return { served, blind };
}

async function faultOf(
  parts: Judge & Parts<'account'>,
  watcher: HeldWatcher,
  owner: Owner,
): Promise<BlindReason | undefined> {
  if (await hasLeft(parts, owner, 'lately')) return 'left';
  if (!isAccount(watcher)) return undefined;
  const may = await mayUseAccount(parts, owner);
  if (may === undefined) throw new Failure('busy', 'Slack cannot tell me at the moment who the approvers are.');
  return may ? undefined : 'no approver';
}

/** Why nobody can look for a channel, after the name of whoever turned alerts on, or of the service account. */
const blindWords = {
  left: 'turned alerts on here, but is no longer a member of this workspace',
  'no approver':
    'turned alerts on here, but is no longer an approver: I look with the service account only for approvers',
  'signed out': 'is not signed in, and I look with this sign-in',
  'account refused': 'the service refuses its sign-in',
} as const;
type BlindReason = keyof typeof blindWords;

/** The channels for which nobody can look from now on, each with an incident that says so. */
function goBlind(all: readonly (readonly [Subscription, BlindReason])[], watcher: HeldWatcher, at: number) {
  const fresh = all.filter(([{ state }]) => state !== 'blind');
  const begun = fresh.map(([one, why]) => {
    const whose =
      why === 'account refused'
        ? { record: signInPlace, name: 'The service account' }
        : { record: one.person, name: null };
    const item = { ...whose, kind: 'signIn', place: signInPlace, words: blindWords[why], since: at } as const;
    return beginOne(one, item, { watcher, at });
  });
  const steps = fresh.map(([one, why]): ChannelStep => {
    const { team, channel, person } = one;
    const trail = { at, team, actor: 'dolly', person, channel, event: 'alerts blind', detail: why };
    return [one, { changes: { state: 'blind', reason: why }, trail }];
  });
  return { begun, subscriptions: steps };
}

/** The step of a channel for which somebody looks for the first time since it was blind. */
function seeAgain(subscription: Subscription): ChannelStep[] {
  return subscription.state === 'blind' ? [[subscription, { changes: { state: 'on', reason: null } }]] : [];
}
