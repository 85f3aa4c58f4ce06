import type { Transaction } from 'kysely';
import type { Schema, Store } from '../../database.ts';
import { addDue, hasten, setDue } from '../../dueQueue.ts';
import { Overtaken, unlessOvertaken } from '../../overtaken.ts';
import { equals, insertOrSet } from '../../statementParts.ts';
import { actOn, type Note, thingsIn, writeStep } from '../../things/things.ts';
import type { Owner } from '../../vault.ts';
import { inTrail, type NewEntry, type Told } from '../audit/audit.ts';
import type { NewNotice } from '../outboxRows.ts';
import {
  countByKind,
  type Incident,
  type IncidentBeginning,
  type IncidentStep,
  incidents,
  type Subscription,
  type SubscriptionStep,
  subscriptionId,
  subscriptions,
  watcherId,
} from './alertRows.ts';
import { type HeldWatcher, watcherKind } from './sights.ts';

/** What a look means for channels and incidents. All of it is written in one transaction, or nothing. */
export type Findings = Readonly<{
  begun?: readonly IncidentBeginning[];
  changed?: readonly (readonly [Incident, IncidentStep])[];
  subscriptions?: readonly (readonly [Subscription, SubscriptionStep])[];
}>;

/** The end of a look. */
type LookStep = Findings &
  Readonly<{
    /** The user of the service who looked; `undefined` where nobody could look, so that the turn does not count. */
    login: string | undefined;
    dueAt: number;
  }>;

/** A channel that is to get alerts from now on, or other ones. `looks` is the owner of the sign-in that looks for it. */
type NewSubscription = Pick<Subscription, 'team' | 'channel' | 'person' | 'kinds' | 'zone' | 'called' | 'plannedAt'> &
  Readonly<{ looks: Owner }>;

/** What is written of several things at once: all of it, or nothing. */
export type Alerts = Readonly<{
  /** Writes the end of a look; `false` where another process has the watcher, or a person changed something meanwhile. */
  finish(watcher: HeldWatcher, step: LookStep, now: number): Promise<boolean>;
  /** Writes what a look that failed means; `false` where somebody changed something meanwhile. */
  tell(findings: Findings, now: number): Promise<boolean>;
  /**
   * Subscribes a channel, or changes its subscription, unless that was changed since it was `seen`. It hears of changes
   * after the next look. What stood open, with another watcher or when it was turned off, goes on. Tells whether it was
   * done.
   */
  subscribe(wish: NewSubscription, seen: Subscription | undefined, step: ActStep & Redrawing): Promise<boolean>;
  /**
   * Turns the alerts of a channel off, and closes its messages with `outcome`; they end at `keptUntil`, unless alerts are
   * turned on anew. `false` where it was changed meanwhile.
   */
  unsubscribe(seen: Subscription, step: ActStep & Closing): Promise<boolean>;
}>;

/** The rest of an act of a person: its entry in the trail, and what is told. */
type ActStep = Readonly<{ now: number; trail: NewEntry; notices?: readonly NewNotice[] }>;

/** The step by which an incident goes on with another watcher. */
type Redrawing = Readonly<{ handOver(incident: Incident, set: Partial<Incident>): IncidentStep }>;

/** What the messages of a channel say when its alerts are turned off, and until when they are kept. */
type Closing = Readonly<{ outcome: string; keptUntil: number }>;

/** Keeps alerts in the store. `told` is called with their entries in the trail. */
export function alertsIn(store: Store, told?: Told): Alerts {
  /** Does all of a change, or nothing where some of it was overtaken. */
  const wholly = async (work: (changes: Transaction<Schema>, note: Note) => Promise<unknown>): Promise<boolean> => {
    const done = await unlessOvertaken(() => inTrail(store, told, work).then(() => true));
    return done === true;
  };
  return {
    subscribe: (wish, seen, step) =>
      wholly(async (changes, note) => {
        const sinceTurn = await openWatcher(changes, wish, seen, step.now);
        await writeSubscription(changes, note, { wish, seen, step, sinceTurn });
        await handOver(changes, note, seen, { ...step, watcher: watcherId(wish.looks) });
      }),
    unsubscribe: (seen, { now, trail, outcome, keptUntil: dueAt, notices = [] }) =>
      wholly(async (changes, note) => {
        const off = { state: 'off', reason: null, plannedAt: null, endedAt: now } as const;
        const step = { changes: off, dueAt: null, notices, trail };
        await writeStep(changes, note, { kind: subscriptions, thing: seen, step, now });
        for (const thing of await openOf(changes, seen)) {
          const closing = { changes: {}, dueAt, closed: [{ outcome }] };
          await writeStep(changes, note, { kind: incidents, thing, step: closing, now });
        }
      }),
    finish: (watcher, step, now) =>
      wholly(async (changes, note) => {
        const { login, dueAt } = step;
        const seen = login === undefined ? { turn: watcher.turn } : { login, turn: watcher.turn + 1, lookedAt: now };
        await changes.updateTable('watchers').set(seen).where('id', '=', watcher.id).execute();
        if (!(await setDue(changes, watcher.due, { dueAt, now, taken: watcher.due }))) throw new Overtaken();
        await writeFindings(changes, note, step, now);
      }),
    tell: (findings, now) => wholly((changes, note) => writeFindings(changes, note, findings, now)),
  };
}

async function writeFindings(
  changes: Transaction<Schema>,
  note: Note,
  { begun = [], changed = [], subscriptions: steps = [] }: Findings,
  now: number,
): Promise<void> {
  for (const beginning of begun) {
    const give = (found: Incident | undefined) => (found ? undefined : beginning);
    await actOn(changes, note, { kind: incidents, id: beginning.as.id, give, now });
  }
  for (const [thing, step] of changed) await writeStep(changes, note, { kind: incidents, thing, step, now });
  for (const [thing, step] of steps) await writeStep(changes, note, { kind: subscriptions, thing, step, now });
}

/** The incidents of a channel that have not ended. */
function openOf(changes: Transaction<Schema>, { team, channel }: Subscription): Promise<readonly Incident[]> {
  return thingsIn(changes).list(incidents, { team, channel });
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
    .where(equals({ kind: subscriptions.name, subject: id }))
    .where('state', 'not in', subscriptions.over)
    .where('id', '!=', own)
    .limit(1)
    .execute();
  const isServing = others.length > 0 || (seen?.state === 'on' && seen.watcher === id);
  const row = { id, ...looks, ...fresh, turn: 0 };
  const watcher = insertOrSet(changes, 'watchers', ['id'], row, isServing ? { id } : fresh);
  const { turn } = await watcher.returning('turn').executeTakeFirstOrThrow();
  if (isServing) await hasten(changes, watcherKind, [{ id }], now);
  // Of a look that is under way, nothing more is written.
  else await addDue(changes, [{ kind: watcherKind, id, team: looks.team, dueAt: now, now }]);
  return turn + 1;
}

type Subscribing = Readonly<{
  wish: NewSubscription;
  seen: Subscription | undefined;
  step: ActStep;
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
    ...{ sinceTurn: isSame ? seen.sinceTurn : sinceTurn, waitsFor: null },
  } as const;
  const give = (found: Subscription | undefined) =>
    found?.revision === seen?.revision ? { as, dueAt: wish.plannedAt, trail, notices } : undefined;
  if (!(await actOn(changes, note, { kind: subscriptions, id, give, now }))) throw new Overtaken();
}

/**
 * Hands what stands open in a channel to the watcher that looks for it now. What it names goes on by what the new sign-in
 * sees; nobody can follow the others.
 */
async function handOver(
  changes: Transaction<Schema>,
  note: Note,
  seen: Subscription | undefined,
  { watcher, handOver: step, now }: Redrawing & Readonly<{ watcher: string; now: number }>,
): Promise<void> {
  if (!seen || (seen.state !== 'off' && seen.watcher === watcher)) return;
  for (const thing of await openOf(changes, seen)) {
    const own = step(thing, { watcher, turns: [], counts: countByKind(thing.items) });
    await writeStep(changes, note, { kind: incidents, thing, step: own, now });
  }
}
