import type { Transaction } from 'kysely';
import type { Schema, Store, SubscriptionRow } from '../database.ts';
import { Overtaken, unlessOvertaken } from '../overtaken.ts';
import { addDue, hasten, setDue } from '../queue.ts';
import type { Owner } from '../vault.ts';
import {
  type Alert,
  alertRow,
  eyesId,
  readAlert,
  readSubscription,
  type Subscription,
  subscriptionId,
} from './alertRows.ts';
import { inTrail, type NewEntry, type Told } from './audit.ts';
import { addNotices, type NewNotice, removeNotices, tellAnew } from './notices.ts';
import { eyesKind, type HeldEyes } from './sights.ts';

/** A change of an alert, whose message is drawn anew from `data`. */
export type AlertChange = Readonly<{
  alert: Alert;
  changes: Partial<Pick<Alert, 'items' | 'counts' | 'snoozedUntil' | 'snoozedBy' | 'takenBy' | 'endedAt'>>;
  data: unknown;
}>;

/** A change of a subscription. */
export type SubscriptionChange = Readonly<{
  subscription: Subscription;
  changes: Partial<Pick<Subscription, 'state' | 'reason' | 'remindAt'>>;
  trail?: NewEntry;
  /** A message about it that is over. */
  closed?: Readonly<{ id: string; outcome: string }>;
}>;

/** The end of a look. All of it is written in one transaction, or nothing. */
export type LookStep = Readonly<{
  /** The user of the service who looked; `undefined` where nobody could look, so that the turn does not count. */
  login: string | undefined;
  dueAt: number;
  alerts?: readonly Alert[];
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
  /** Deletes some of the alerts from before `time`, with their messages. Gives their number; 0 where none is left. */
  sweep(time: number): Promise<number>;
};

/** The rest of a change by a person: its entry in the trail, and what is told. */
export type SubscriptionStep = Readonly<{ now: number; trail: NewEntry; notices?: readonly NewNotice[] }>;

/** `outcome` is what messages say that nobody looks after any more. */
type ClosingStep = SubscriptionStep & Readonly<{ outcome: string }>;

const sweptAtOnce = 200;

/** Keeps alerts in the store. `told` is called with their entries in the trail. */
export function alertsIn(store: Store, told?: Told): Alerts {
  /** Does all of a change, or nothing where some of it was overtaken. */
  const wholly = async (work: Parameters<typeof inTrail<void>>[2]): Promise<boolean> => {
    const done = await unlessOvertaken(() => inTrail(store, told, work).then(() => true));
    return done === true;
  };
  return {
    ...readingOfAlerts(store),
    subscribe: (wish, seen, { now, trail, outcome, notices = [] }) =>
      wholly(async (changes, note) => {
        const sinceTurn = await openEyes(changes, wish, seen, now);
        await writeSubscription(changes, { wish, seen, now, sinceTurn });
        if (seen && seen.eyes !== eyesId(wish.looks)) await closeAlerts(changes, seen, { outcome, now });
        await addNotices(changes, notices);
        await note(trail);
      }),
    unsubscribe: (seen, { now, trail, outcome, notices = [] }) =>
      wholly(async (changes, note) => {
        await changeSubscription(changes, {
          subscription: seen,
          changes: { state: 'off', reason: null, remindAt: null },
        });
        await closeAlerts(changes, seen, { outcome, now });
        await addNotices(changes, notices);
        await note(trail);
      }),
    finish: (eyes, step, now) =>
      wholly(async (changes, note) => {
        const { login, dueAt, alerts = [], changed = [] } = step;
        const seen = login === undefined ? { turn: eyes.turn } : { login, turn: eyes.turn + 1, lookedAt: now };
        await changes.updateTable('eyes').set(seen).where('id', '=', eyes.id).execute();
        if (!(await setDue(changes, eyes.due, { dueAt, now, taken: eyes.due }))) throw new Overtaken();
        for (const alert of alerts) await changes.insertInto('alerts').values(alertRow(alert)).execute();
        for (const change of changed) await changeAlert(changes, change, now);
        await tellChannels(changes, note, step, now);
      }),
    tellBlind: (step, now) => wholly((changes, note) => tellChannels(changes, note, step, now)),
    change: (change, { now, trail, notices = [] }) =>
      wholly(async (changes, note) => {
        await changeAlert(changes, change, now);
        await addNotices(changes, notices);
        await note(trail);
      }),
    async sweep(time) {
      const some = store.selectFrom('alerts').select('id').where('at', '<', time).limit(sweptAtOnce);
      return store.transaction().execute(async changes => {
        const swept = await changes.deleteFrom('alerts').where('id', 'in', some).returning('id').execute();
        const ids = swept.map(({ id }) => id);
        await removeNotices(changes, ids);
        return ids.length;
      });
    },
  };
}

function readingOfAlerts(store: Store): Pick<Alerts, 'subscriptionOf' | 'servedBy' | 'find' | 'open'> {
  return {
    async subscriptionOf(team, channel) {
      const row = await store
        .selectFrom('subscriptions')
        .selectAll()
        .where('team', '=', team)
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row && readSubscription(row);
    },
    async servedBy(eyes) {
      const rows = await store
        .selectFrom('subscriptions')
        .selectAll()
        .where('eyes', '=', eyes)
        .where('state', '!=', 'off')
        .orderBy('channel')
        .execute();
      return rows.map(readSubscription);
    },
    async find(id) {
      const row = await store.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readAlert(row);
    },
    async open(eyes) {
      const rows = await store
        .selectFrom('alerts')
        .selectAll()
        .where('eyes', '=', eyes)
        .where(({ or, eb }) => or([eb('endedAt', 'is', null), eb('snoozedUntil', 'is not', null)]))
        .orderBy('at')
        .execute();
      return rows.map(readAlert);
    },
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
    .selectFrom('subscriptions')
    .select('id')
    .where('eyes', '=', id)
    .where('state', '!=', 'off')
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

async function tellChannels(
  changes: Transaction<Schema>,
  note: (entry: NewEntry) => Promise<unknown>,
  { subscriptions = [], notices = [] }: ChannelNews,
  now: number,
): Promise<void> {
  for (const change of subscriptions) {
    await changeSubscription(changes, change);
    if (change.closed) await closeMessages(changes, [change.closed.id], { outcome: change.closed.outcome, now });
    if (change.trail) await note(change.trail);
  }
  await addNotices(changes, notices);
}

async function writeSubscription(
  changes: Transaction<Schema>,
  {
    wish,
    seen,
    now,
    sinceTurn,
  }: Readonly<{
    wish: NewSubscription;
    seen: Subscription | undefined;
    now: number;
    sinceTurn: number;
  }>,
): Promise<void> {
  const { looks, kinds, ...rest } = wish;
  const id = subscriptionId(wish.team, wish.channel);
  const isSame = seen?.state === 'on' && seen.eyes === eyesId(looks);
  const row: SubscriptionRow = {
    ...rest,
    id,
    eyes: eyesId(looks),
    kinds: JSON.stringify(kinds),
    state: 'on',
    reason: null,
    since: now,
    // Another choice of kinds misses nothing.
    sinceTurn: isSame ? seen.sinceTurn : sinceTurn,
    revision: (seen?.revision ?? 0) + 1,
  };
  const { numInsertedOrUpdatedRows: written } = seen
    ? await changes
        .updateTable('subscriptions')
        .set(row)
        .where('id', '=', id)
        .where('revision', '=', seen.revision)
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => ({ numInsertedOrUpdatedRows: numUpdatedRows }))
    : await changes
        .insertInto('subscriptions')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst();
  if (written !== 1n) throw new Overtaken();
}

async function changeSubscription(
  changes: Transaction<Schema>,
  { subscription: { id, revision }, changes: set }: Omit<SubscriptionChange, 'trail' | 'closed'>,
): Promise<void> {
  const { numUpdatedRows } = await changes
    .updateTable('subscriptions')
    .set({ ...set, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Overtaken();
}

async function changeAlert(
  changes: Transaction<Schema>,
  { alert: { id, revision }, changes: { items, counts, ...set }, data }: AlertChange,
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await changes
    .updateTable('alerts')
    .set({
      ...set,
      ...(items ? { items: JSON.stringify(items) } : {}),
      ...(counts ? { counts: JSON.stringify(counts) } : {}),
      revision: revision + 1,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Overtaken();
  const ended = set.endedAt === undefined ? {} : { outcome: set.endedAt === null ? null : 'ended' };
  await changes
    .updateTable('notices')
    .set(eb => ({ ...ended, data: JSON.stringify(data), revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await tellAnew(changes, [id], now);
}

/** Ends the alerts of a channel that nobody looks after any more; their messages say so. */
async function closeAlerts(
  changes: Transaction<Schema>,
  { team, channel, eyes }: Subscription,
  { outcome, now }: Readonly<{ outcome: string; now: number }>,
): Promise<void> {
  const closed = await changes
    .updateTable('alerts')
    .set(eb => ({ endedAt: now, revision: eb('revision', '+', 1) }))
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('eyes', '=', eyes)
    .where('endedAt', 'is', null)
    .returning('id')
    .execute();
  await closeMessages(
    changes,
    closed.map(({ id }) => id),
    { outcome, now },
  );
}

/** Closes messages: they say how it ended, and lose their buttons. */
async function closeMessages(
  changes: Transaction<Schema>,
  ids: readonly string[],
  { outcome, now }: Readonly<{ outcome: string; now: number }>,
): Promise<void> {
  if (ids.length === 0) return;
  await changes
    .updateTable('notices')
    .set(eb => ({ outcome, revision: eb('revision', '+', 1) }))
    .where('id', 'in', ids)
    .where('outcome', 'is', null)
    .execute();
  await tellAnew(changes, ids, now);
}
