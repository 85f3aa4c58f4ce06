import { z } from 'zod';
import type { Kind, Thing } from '../../things/kind.ts';
import type { SightRow } from '../../things/rows.ts';
import type { NewThing, ThingChanges } from '../../things/things.ts';

/** The kinds of trouble that alerts tell of, in the order in which a message has them. */
export const alertKinds = ['failed', 'late', 'never', 'lost', 'vanished', 'lease', 'disabled'] as const;
export type AlertKind = (typeof alertKinds)[number];

export const AlertKinds = z.array(z.enum(alertKinds));

/**
 * One kind of trouble of a record. It is `doubtful` while it was seen once and needs a second look, and `over` while its
 * changes of the last hour are still remembered. Times are milliseconds since the epoch.
 */
export const Trouble = z.object({
  state: z.enum(['doubtful', 'stands', 'over']),
  since: z.number(),
  /** The service’s own words about it. */
  words: z.string().nullable(),
  /** The operation that mends it. */
  mend: z.string().nullish(),
  /** The turn whose message told it; `null` for one that was there before anybody wanted alerts. */
  told: z.number().nullable(),
  /** The turn that told its end. */
  ended: z.number().nullable(),
  /** The times at which it came or went within the last hour. */
  changes: z.array(z.number()),
  /** The time until which nothing more is told of it, since it came and went too often. */
  heldUntil: z.number().nullable(),
});
export type Trouble = Readonly<z.infer<typeof Trouble>>;

export const Troubles = z.partialRecord(z.enum(alertKinds), Trouble);
export type Troubles = Readonly<Partial<Record<AlertKind, Trouble>>>;

/** How a record looked to the same watcher when it last changed. */
export type KeptSight = Readonly<Omit<SightRow, 'watcher' | 'troubles'> & { troubles: Troubles }>;

const SubscriptionBody = z.object({
  channel: z.string(),
  /** The watcher with which Dolly looks for it. */
  watcher: z.string(),
  /** The kinds of alerts that it wants; those that only another release knows are left out. */
  kinds: z
    .array(z.string())
    .transform(kinds => alertKinds.filter(kind => kinds.includes(kind)))
    .readonly(),
  /** One sentence on why it is as it is. */
  reason: z.string().nullable(),
  /** The time, and the turn of the watcher, from which on it hears of changes. */
  since: z.number(),
  sinceTurn: z.number(),
  /** The time zone of its mornings, and the time of its next reminder. */
  zone: z.string().nullable(),
  remindAt: z.number().nullable(),
});
type SubscriptionBody = z.infer<typeof SubscriptionBody>;
type SubscriptionState = 'on' | 'blind' | 'off';

/** A channel that wants alerts. It is `blind` while nobody’s sign-in is there with which to look for it. */
export type Subscription = Thing<SubscriptionState, SubscriptionBody>;

/** A channel has one subscription at most. */
export const subscriptions: Kind<SubscriptionState, SubscriptionBody> = {
  name: 'subscription',
  body: SubscriptionBody,
  states: [
    ['on', ['blind', 'off']],
    ['blind', ['on', 'off']],
    ['off', ['on']],
  ],
  over: ['off'],
  found: ({ channel, watcher }) => ({ channel, subject: watcher }),
  about: ({ channel }) => ({ channel }),
};

/** A record of which a message tells. */
export const AlertItem = z.object({
  record: z.string(),
  name: z.string().nullable(),
  kind: z.enum(alertKinds),
  since: z.number(),
  words: z.string().nullable(),
  mend: z.string().nullish(),
  /** Whether it comes and goes, so that nothing more is told of it for a while. */
  isFlapping: z.boolean().default(false),
  endedAt: z.number().nullable(),
  /** Whether it ended because the record is gone. */
  isGone: z.boolean().default(false),
});
export type AlertItem = Readonly<z.infer<typeof AlertItem>>;

/** The numbers of records that a message tells of, by kind: in all, and those that still stand. */
export const AlertCounts = z.partialRecord(z.enum(alertKinds), z.object({ all: z.number(), left: z.number() }));
export type AlertCounts = Readonly<Partial<Record<AlertKind, Readonly<{ all: number; left: number }>>>>;

const AlertBody = z.object({
  channel: z.string(),
  watcher: z.string(),
  /** The turn of the watcher that it tells of. */
  turn: z.number(),
  at: z.number(),
  /** The records that it tells of, up to a number. */
  items: z.array(AlertItem).readonly(),
  /** How many it tells of in all and how many of them still stand, by kind. */
  counts: AlertCounts,
  /** The time until which the channel hears nothing of them, and the person who wanted that. */
  snoozedUntil: z.number().nullable(),
  snoozedBy: z.string().nullable(),
  /** The person who looks after them. */
  takenBy: z.string().nullable(),
});
type AlertBody = z.infer<typeof AlertBody>;
type AlertState = 'open' | 'ended';

/**
 * A message to a channel that tells what changed for the worse at one look. Its id is that of its notice. `endedAt` is the
 * time at which none of its records stood any more; a snoozed one stays open until its snooze is over.
 */
export type Alert = Thing<AlertState, AlertBody>;
export type NewAlert = NewThing<AlertState, AlertBody>;
export type AlertChanges = ThingChanges<AlertState, AlertBody>;

export const alerts: Kind<AlertState, AlertBody> = {
  name: 'alert',
  body: AlertBody,
  states: [
    ['open', ['ended']],
    ['ended', ['open']],
  ],
  over: ['ended'],
  found: ({ channel, watcher }) => ({ channel, subject: watcher }),
  about: ({ channel }) => ({ channel }),
};

/** The id of a channel’s subscription: it has one at most. */
export function subscriptionId(team: string, channel: string): string {
  return `${team} ${channel}`;
}

/** The id of the watcher of a sign-in. */
export function watcherId({ team, person }: Readonly<{ team: string; person: string }>): string {
  return `${team} ${person}`;
}

/** Reads a row; troubles of a kind that only another release knows are left out. */
export function readSight({ troubles, watcher: _, ...row }: SightRow): KeptSight {
  return { ...row, troubles: Troubles.safeParse(JSON.parse(troubles)).data ?? {} };
}
