import type { Transaction } from 'kysely';
import type { Schema, Store } from '../../database.ts';
import { Overtaken, unlessOvertaken } from '../../overtaken.ts';
import { addDue, hasten, setDue } from '../../queue.ts';
import { actOn, type StepEffects, thingsIn, writeStep } from '../../things/things.ts';
import type { Owner } from '../../vault.ts';
import { inTrail, type NewEntry, type Told } from '../audit/audit.ts';
import { addNotices, type NewNotice } from '../outbox.ts';
import {
  type Alert,
  type AlertChanges,
  type AlertCounts,
  type AlertItem,
  type AlertKind,
  alerts,
  type NewAlert,
  type Subscription,
  subscriptionId,
  subscriptions,
  watcherId,
} from './alertRows.ts';
import { type HeldWatcher, watcherKind } from './sights.ts';

/** A change of an alert, whose message is drawn anew from `data`. */
export type AlertChange = Readonly<{ alert: Alert; changes: AlertChanges; data: unknown }>;

/** A change of a subscription. */
export type SubscriptionChange = Readonly<{
  subscription: Subscription;
  changes: Partial<Pick<Subscription, 'state' | 'reason' | 'remindAt'>>;
  trail?: NewEntry;
  /** A message about it that is over. */
  closed?: Readonly<{ notice: string; outcome: string }>;
}>;

/** The end of a look. All of it is written in one transaction, or nothing. */
export type LookStep = Readonly<{
  /** The user of the service who looked; `undefined` where nobody could look, so that the turn does not count. */
  login: string | undefined;
  dueAt: number;
  alerts?: readonly NewAlert[];
  changed?: readonly AlertChange[];
}> &
  ChannelNews;

/** Changes of subscriptions, and the messages about them. */
type ChannelNews = Readonly<{ subscriptions?: readonly SubscriptionChange[]; notices?: readonly NewNotice[] }>;

/** A channel that is to get alerts from now on, or other ones. `looks` is the owner of the sign-in that looks for it. */
export type NewSubscription = Pick<Subscription, 'team' | 'channel' | 'person' | 'kinds' | 'zone' | 'remindAt'> &
  Readonly<{ looks: Owner }>;

/** The alerts that channels were told, and the channels that want them. */
export type Alerts = {
  /** The subscription of a channel, also one that was turned off. */
  subscriptionOf(team: string, channel: string): Promise<Subscription | undefined>;
  /** The subscriptions that this watcher looks for. */
  servedBy(watcher: string): Promise<Subscription[]>;
  /**
   * Subscribes a channel, or changes its subscription, unless that was changed since it was `seen`. It hears of changes
   * after the next look. What stood open, with another watcher or when it was turned off, goes on. Tells whether it was
   * done.
   */
  subscribe(
    wish: NewSubscription,
    seen: Subscription | undefined,
    step: SubscriptionStep & Redrawing,
  ): Promise<boolean>;
  /** Turns the alerts of a channel off, and closes its messages; `false` where it was changed meanwhile. */
  unsubscribe(seen: Subscription, step: ClosingStep): Promise<boolean>;
  find(id: string): Promise<Alert | undefined>;
  /** The alerts of this watcher that have not ended, or are snoozed. */
  open(watcher: string): Promise<Alert[]>;
  /** Writes the end of a look; `false` where another process has the watcher, or a person changed an alert meanwhile. */
  finish(watcher: HeldWatcher, step: LookStep, now: number): Promise<boolean>;
  /** Tells channels that nobody can look for them; `false` where a person changed one meanwhile. */
  tellBlind(step: ChannelNews, now: number): Promise<boolean>;
  /** Changes an alert as a person wants it; `false` where it was changed meanwhile. */
  change(change: AlertChange, step: SubscriptionStep): Promise<boolean>;
};

/** The rest of a change by a person: its entry in the trail, and what is told. */
export type SubscriptionStep = Readonly<{ now: number; trail: NewEntry; notices?: readonly NewNotice[] }>;

/** `outcome` is what messages say that nobody looks after any more. */
type ClosingStep = SubscriptionStep & Readonly<{ outcome: string }>;

/** What the message of an alert says from now on. */
type Redrawing = Readonly<{ draw(alert: Alert): unknown }>;

type Note = (entry: NewEntry) => Promise<unknown>;

/** Keeps alerts in the store. `told` is called with their entries in the trail. */
export function alertsIn(store: Store, told?: Told): Alerts {
  const things = thingsIn(store);
  /** Does all of a change, or nothing where some of it was overtaken. */
  const wholly = async (work: (changes: Transaction<Schema>, note: Note) => Promise<unknown>): Promise<boolean> => {
    const done = await unlessOvertaken(() => inTrail(store, told, work).then(() => true));
    return done === true;
  };
  return {
    subscriptionOf: (team, channel) => things.find(subscriptions, subscriptionId(team, channel)),
    async servedBy(watcher) {
      const served = await things.list(subscriptions, { subject: watcher });
      return served.toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
    },
    find: id => things.find(alerts, id),
    async open(watcher) {
      return (await things.list(alerts, { subject: watcher })).toSorted((one, other) => one.at - other.at);
    },
    subscribe: (wish, seen, step) =>
      wholly(async (changes, note) => {
        const sinceTurn = await openWatcher(changes, wish, seen, step.now);
        await writeSubscription(changes, note, { wish, seen, step, sinceTurn });
        await handOver(changes, note, seen, { ...step, watcher: watcherId(wish.looks) });
      }),
    unsubscribe: (seen, { now, trail, outcome, notices = [] }) =>
      wholly(async (changes, note) => {
        const off = { state: 'off', reason: null, remindAt: null, endedAt: now } as const;
        await writeStep(changes, note, {
          kind: subscriptions,
          thing: seen,
          step: { changes: off, notices, trail },
          now,
        });
        await closeAlerts(changes, note, seen, { now, outcome });
      }),
    finish: (watcher, step, now) =>
      wholly(async (changes, note) => {
        const { login, dueAt, alerts: begun = [], changed = [] } = step;
        const seen = login === undefined ? { turn: watcher.turn } : { login, turn: watcher.turn + 1, lookedAt: now };
        await changes.updateTable('watchers').set(seen).where('id', '=', watcher.id).execute();
        if (!(await setDue(changes, watcher.due, { dueAt, now, taken: watcher.due }))) throw new Overtaken();
        for (const as of begun) await actOn(changes, note, { kind: alerts, id: as.id, give: () => ({ as }), now });
        for (const change of changed) await changeAlert(changes, note, change, { now });
        await tellChannels(changes, note, step, now);
      }),
    tellBlind: (step, now) => wholly((changes, note) => tellChannels(changes, note, step, now)),
    change: (change, step) => wholly((changes, note) => changeAlert(changes, note, change, step)),
  };
}

/**
 * Makes sure that somebody looks with this watcher. One that serves no other channel begins anew, so that nothing is told
 * of the time in which nobody looked. Gives the turn that the channel hears nothing of.
 */
async function openWatcher(
  changes: Transaction<Schema>,
  { team, channel, looks }: NewSubscription,
  seen: Subscription | undefined,
  now: number,
): Promise<number> {
  const id = watcherId(looks);
  const own = subscriptionId(team, channel);
  const fresh = { login: null, lookedAt: null };
  const others = await changes
    .selectFrom('things')
    .select('id')
    .where('kind', '=', subscriptions.name)
    .where('subject', '=', id)
    .where('state', 'not in', subscriptions.over)
    .where('id', '!=', own)
    .limit(1)
    .execute();
  const isServing = others.length > 0 || (seen?.state === 'on' && seen.watcher === id);
  const { turn } = await changes
    .insertInto('watchers')
    .values({ id, ...looks, ...fresh, turn: 0 })
    .onConflict(conflict => conflict.column('id').doUpdateSet(isServing ? { id } : fresh))
    .returning('turn')
    .executeTakeFirstOrThrow();
  if (isServing) await hasten(changes, watcherKind, [id], now);
  // Of a look that is under way, nothing more is written.
  else await addDue(changes, [{ kind: watcherKind, id, team: looks.team, dueAt: now, now }]);
  return turn + 1;
}

/** Writes changes of subscriptions, and the messages about them. */
async function tellChannels(
  changes: Transaction<Schema>,
  note: Note,
  { subscriptions: changed = [], notices = [] }: ChannelNews,
  now: number,
): Promise<void> {
  for (const { subscription: thing, changes: set, trail, closed } of changed) {
    const step = { changes: set, trail, closed: closed ? [closed] : [] };
    await writeStep(changes, note, { kind: subscriptions, thing, step, now });
  }
  await addNotices(changes, notices);
}

type Subscribing = Readonly<{
  wish: NewSubscription;
  seen: Subscription | undefined;
  step: SubscriptionStep;
  sinceTurn: number;
}>;

async function writeSubscription(
  changes: Transaction<Schema>,
  note: Note,
  { wish, seen, step, sinceTurn }: Subscribing,
): Promise<void> {
  const { looks, team, channel, ...rest } = wish;
  const { now, trail, notices = [] } = step;
  const [id, watcher] = [subscriptionId(team, channel), watcherId(looks)];
  const isSame = seen?.state === 'on' && seen.watcher === watcher;
  const as = {
    state: 'on',
    ...{ ...rest, id, team, channel, watcher: watcher, reason: null, since: now, createdAt: now, endedAt: null },
    // Another choice of kinds misses nothing.
    ...{ sinceTurn: isSame ? seen.sinceTurn : sinceTurn, plannedAt: null, waitsFor: null },
  } as const;
  const give = (found: Subscription | undefined) =>
    found?.revision === seen?.revision ? { as, trail, notices } : undefined;
  if (!(await actOn(changes, note, { kind: subscriptions, id, give, now }))) throw new Overtaken();
}

/** Writes a change of an alert, and draws its message anew. */
async function changeAlert(
  changes: Transaction<Schema>,
  note: Note,
  { alert: thing, changes: set, data }: AlertChange,
  { now, ...effects }: Pick<StepEffects, 'trail' | 'notices'> & Readonly<{ now: number }>,
): Promise<void> {
  const { endedAt, snoozedUntil } = { ...thing, ...set };
  const state = endedAt !== null && snoozedUntil === null ? 'ended' : 'open';
  const outcome = endedAt === null ? null : 'ended';
  const drawn = [{ notice: thing.id, data, ...(set.endedAt === undefined ? {} : { outcome }) }];
  await writeStep(changes, note, { kind: alerts, thing, step: { changes: { ...set, state }, drawn, ...effects }, now });
}

/** Ends the alerts of a channel that nobody looks after any more; their messages say so. */
async function closeAlerts(
  changes: Transaction<Schema>,
  note: Note,
  { channel, team, watcher }: Subscription,
  { now, outcome }: Pick<ClosingStep, 'now' | 'outcome'>,
): Promise<void> {
  const open = await thingsIn(changes).list(alerts, { team, channel, subject: watcher });
  const ends = { changes: { state: 'ended', snoozedUntil: null, endedAt: now }, closed: [{ outcome }] } as const;
  for (const thing of open)
    await writeStep(changes, note, {
      kind: alerts,
      thing,
      step: thing.endedAt === null ? ends : { changes: ends.changes },
      now,
    });
}

/** The turn of an alert that another watcher told: it goes by what the sights show, not by the news of a turn. */
export const turnOfOthers = 0;

/**
 * Hands what stood open for a channel to the watcher that looks for it now: the alerts of the watcher before, or those
 * that ended when the channel was turned off. What they name goes on; nobody can follow the others.
 */
async function handOver(
  changes: Transaction<Schema>,
  note: Note,
  seen: Subscription | undefined,
  { watcher, draw, now }: SubscriptionStep & Redrawing & Readonly<{ watcher: string }>,
): Promise<void> {
  if (!seen || (seen.state !== 'off' && seen.watcher === watcher)) return;
  const { team, channel, watcher: subject, endedAt } = seen;
  const isOff = seen.state === 'off';
  const all = await thingsIn(changes).list(alerts, { team, channel, subject, withOver: isOff });
  for (const thing of isOff ? all.filter(one => one.endedAt === endedAt) : all) {
    const open = thing.items.filter(item => item.endedAt === null);
    if (open.length === 0) continue;
    const counted = Map.groupBy(thing.items, ({ kind }) => kind);
    const countOf = ([kind, of]: readonly [AlertKind, readonly AlertItem[]]) => {
      const left = of.filter(item => item.endedAt === null).length;
      return [kind, { all: of.length, left }] as const;
    };
    const counts: AlertCounts = Object.fromEntries([...counted].map(countOf));
    const own = { state: 'open', endedAt: null, watcher, turn: turnOfOthers, counts } as const;
    const drawn = [{ notice: thing.id, data: draw({ ...thing, ...own }), outcome: null }];
    await writeStep(changes, note, { kind: alerts, thing, step: { changes: own, drawn }, now });
  }
}
