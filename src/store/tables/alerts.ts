import type { Transaction } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { Overtaken, unlessOvertaken } from '../overtaken.ts';
import { addDue, hasten, setDue } from '../queue.ts';
import { actOn, type StepEffects, thingsIn, writeStep } from '../things/things.ts';
import type { Owner } from '../vault.ts';
import {
  type Alert,
  type AlertChanges,
  alerts,
  eyesId,
  type NewAlert,
  type Subscription,
  subscriptionId,
  subscriptions,
} from './alertRows.ts';
import { inTrail, type NewEntry, type Told } from './audit.ts';
import { addNotices, type NewNotice } from './notices.ts';
import { eyesKind, type HeldEyes } from './sights.ts';

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
  /** The subscriptions that these eyes look for. */
  servedBy(eyes: string): Promise<Subscription[]>;
  /**
   * Subscribes a channel, or changes its subscription, unless that was changed since it was `seen`. It hears of changes
   * after the next look. The messages of other eyes are closed. Tells whether it was done.
   */
  subscribe(wish: NewSubscription, seen: Subscription | undefined, step: ClosingStep): Promise<boolean>;
  /** Turns the alerts of a channel off, and closes its messages; `false` where it was changed meanwhile. */
  unsubscribe(seen: Subscription, step: ClosingStep): Promise<boolean>;
  find(id: string): Promise<Alert | undefined>;
  /** The alerts of these eyes that have not ended, or are snoozed. */
  open(eyes: string): Promise<Alert[]>;
  /** Writes the end of a look; `false` where another process has the eyes, or a person changed an alert meanwhile. */
  finish(eyes: HeldEyes, step: LookStep, now: number): Promise<boolean>;
  /** Tells channels that nobody can look for them; `false` where a person changed one meanwhile. */
  tellBlind(step: ChannelNews, now: number): Promise<boolean>;
  /** Changes an alert as a person wants it; `false` where it was changed meanwhile. */
  change(change: AlertChange, step: SubscriptionStep): Promise<boolean>;
};

/** The rest of a change by a person: its entry in the trail, and what is told. */
export type SubscriptionStep = Readonly<{ now: number; trail: NewEntry; notices?: readonly NewNotice[] }>;

/** `outcome` is what messages say that nobody looks after any more. */
type ClosingStep = SubscriptionStep & Readonly<{ outcome: string }>;

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
    async servedBy(eyes) {
      const served = await things.list(subscriptions, { subject: eyes });
      return served.toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
    },
    find: id => things.find(alerts, id),
    async open(eyes) {
      return (await things.list(alerts, { subject: eyes })).toSorted((one, other) => one.at - other.at);
    },
    subscribe: (wish, seen, step) =>
      wholly(async (changes, note) => {
        const sinceTurn = await openEyes(changes, wish, seen, step.now);
        await writeSubscription(changes, note, { wish, seen, step, sinceTurn });
        if (seen && seen.eyes !== eyesId(wish.looks)) await closeAlerts(changes, note, seen, step);
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
    finish: (eyes, step, now) =>
      wholly(async (changes, note) => {
        const { login, dueAt, alerts: begun = [], changed = [] } = step;
        const seen = login === undefined ? { turn: eyes.turn } : { login, turn: eyes.turn + 1, lookedAt: now };
        await changes.updateTable('eyes').set(seen).where('id', '=', eyes.id).execute();
        if (!(await setDue(changes, eyes.due, { dueAt, now, taken: eyes.due }))) throw new Overtaken();
        for (const as of begun) await actOn(changes, note, { kind: alerts, id: as.id, give: () => ({ as }), now });
        for (const change of changed) await changeAlert(changes, note, change, { now });
        await tellChannels(changes, note, step, now);
      }),
    tellBlind: (step, now) => wholly((changes, note) => tellChannels(changes, note, step, now)),
    change: (change, step) => wholly((changes, note) => changeAlert(changes, note, change, step)),
  };
}

/**
 * Makes sure that somebody looks with these eyes. Eyes that serve no other channel begin anew, so that nothing is told
 * of the time in which nobody looked. Gives the turn that the channel hears nothing of.
 */
async function openEyes(
  changes: Transaction<Schema>,
  { team, channel, looks }: NewSubscription,
  seen: Subscription | undefined,
  now: number,
): Promise<number> {
  const id = eyesId(looks);
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
  const isServing = others.length > 0 || (seen?.state === 'on' && seen.eyes === id);
  const { turn } = await changes
    .insertInto('eyes')
    .values({ id, ...looks, ...fresh, turn: 0 })
    .onConflict(conflict => conflict.column('id').doUpdateSet(isServing ? { id } : fresh))
    .returning('turn')
    .executeTakeFirstOrThrow();
  if (isServing) await hasten(changes, eyesKind, [id], now);
  // Of a look that is under way, nothing more is written.
  else await addDue(changes, [{ kind: eyesKind, id, team: looks.team, dueAt: now, now }]);
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
  step: ClosingStep;
  sinceTurn: number;
}>;

async function writeSubscription(
  changes: Transaction<Schema>,
  note: Note,
  { wish, seen, step, sinceTurn }: Subscribing,
): Promise<void> {
  const { looks, team, channel, ...rest } = wish;
  const { now, trail, notices = [] } = step;
  const [id, eyes] = [subscriptionId(team, channel), eyesId(looks)];
  const isSame = seen?.state === 'on' && seen.eyes === eyes;
  const as = {
    state: 'on',
    ...{ ...rest, id, team, channel, eyes, reason: null, since: now, createdAt: now, endedAt: null },
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
  { channel, team, eyes }: Subscription,
  { now, outcome }: Pick<ClosingStep, 'now' | 'outcome'>,
): Promise<void> {
  const open = await thingsIn(changes).list(alerts, { team, channel, subject: eyes });
  const ends = { changes: { state: 'ended', snoozedUntil: null, endedAt: now }, closed: [{ outcome }] } as const;
  for (const thing of open)
    await writeStep(changes, note, {
      kind: alerts,
      thing,
      step: thing.endedAt === null ? ends : { changes: ends.changes },
      now,
    });
}
