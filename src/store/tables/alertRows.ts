import { z } from 'zod';
import type { AlertRow, SightRow, SubscriptionRow } from '../database.ts';

/** The kinds of trouble that alerts tell of, in the order in which a message has them. */
export const alertKinds = ['failed', 'late', 'vanished', 'lease', 'disabled'] as const;
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

/** How a record looked to the same eyes when it last changed. */
export type KeptSight = Readonly<Omit<SightRow, 'eyes' | 'troubles'> & { troubles: Troubles }>;

/** A channel that wants alerts. It is `blind` while nobody’s sign-in is there with which to look for it. */
export type Subscription = Readonly<
  Omit<SubscriptionRow, 'kinds' | 'state'> & { kinds: readonly AlertKind[]; state: 'on' | 'blind' | 'off' }
>;

/** A record of which a message tells. */
export const AlertItem = z.object({
  record: z.string(),
  name: z.string().nullable(),
  kind: z.enum(alertKinds),
  since: z.number(),
  words: z.string().nullable(),
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

/** A message to a channel that tells what changed for the worse. */
export type Alert = Readonly<Omit<AlertRow, 'items' | 'counts'> & { items: readonly AlertItem[]; counts: AlertCounts }>;

/** The id of a channel’s subscription: it has one at most. */
export function subscriptionId(team: string, channel: string): string {
  return `${team} ${channel}`;
}

/** The id of the eyes of a sign-in. */
export function eyesId({ team, person }: Readonly<{ team: string; person: string }>): string {
  return `${team} ${person}`;
}

/** Reads a row; troubles of a kind that only another release knows are left out. */
export function readSight({ troubles, eyes: _, ...row }: SightRow): KeptSight {
  return { ...row, troubles: Troubles.safeParse(JSON.parse(troubles)).data ?? {} };
}

/** Reads a row; kinds that only another release knows are left out. A state that it does not know counts as `off`. */
export function readSubscription(row: SubscriptionRow): Subscription {
  const kinds = z.array(z.string()).parse(JSON.parse(row.kinds));
  const state = (['on', 'blind'] as const).find(known => known === row.state) ?? 'off';
  return { ...row, state, kinds: alertKinds.filter(kind => kinds.includes(kind)) };
}

/** Reads a row of an alert. */
export function readAlert({ items, counts, ...row }: AlertRow): Alert {
  return {
    ...row,
    items: z.array(AlertItem).safeParse(JSON.parse(items)).data ?? [],
    counts: AlertCounts.safeParse(JSON.parse(counts)).data ?? {},
  };
}

/** The row of an alert. */
export function alertRow({ items, counts, ...alert }: Alert): AlertRow {
  return { ...alert, items: JSON.stringify(items), counts: JSON.stringify(counts) };
}
