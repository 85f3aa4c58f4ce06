import { z } from 'zod';
import { hour } from '../../../ground/durations.ts';
import { defineKind, type ThingOf } from '../../things/kind.ts';
import type { SightRow } from '../../things/rows.ts';
import type { NewOf, StepEffects, StepOf } from '../../things/things.ts';

/** The kinds of trouble that alerts tell of, in the order in which a message has them. */
export const alertKinds = ['failed', 'late', 'never', 'lost', 'vanished', 'lease', 'disabled', 'runs', 'slow'] as const;
export type AlertKind = (typeof alertKinds)[number];

export const AlertKinds = z.array(z.enum(alertKinds));

/** The job of Dolly’s in which trouble began: its operation, and whoever asked for it. */
const DoneBy = z.object({ operation: z.string(), person: z.string(), schedule: z.string().nullable() });
export type DoneBy = Readonly<z.infer<typeof DoneBy>>;

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
  /** Whether it is told only, and nobody is called for it. */
  isQuiet: z.boolean().optional(),
  by: DoneBy.nullish(),
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
  /** The time zone of its mornings: `plannedAt` is the next one. */
  zone: z.string().nullable(),
  /** The people and the user groups whom it calls. */
  called: z.array(z.string()).readonly(),
});

export type SubscriptionStep = StepOf<typeof subscriptions>;

/** A channel that wants alerts. It is `blind` while nobody’s sign-in is there with which to look for it. */
export type Subscription = ThingOf<typeof subscriptions>;

/** A channel has one subscription at most. */
export const subscriptions = defineKind({
  name: 'subscription',
  body: SubscriptionBody,
  states: { on: ['blind', 'off'], blind: ['on', 'off'], off: ['on'] },
  over: ['off'],
  found: ({ channel, watcher }) => ({ channel, subject: watcher }),
  // Each rings those whom the channel calls.
  rates: {
    'alerts on': [
      { by: ['channel'], most: 6, within: hour },
      { by: ['actor'], most: 10, within: hour },
    ],
    'alerts tested': [
      { by: ['channel'], most: 2, within: hour },
      { by: ['actor'], most: 3, within: hour },
    ],
  },
  about: ({ channel }) => ({ channel }),
});

/** Kinds of trouble that join each other: old backups and the ends of leases never join failures. */
export const families = ['failures', 'backups', 'leases'] as const;

/**
 * All kinds of trouble that an incident may tell of; `away`: the service cannot be read; `signIn`: nobody’s sign-in is there
 * with which to look.
 */
export const troubleKinds = [...alertKinds, 'away', 'signIn'] as const;
export type TroubleKind = (typeof troubleKinds)[number];

/** A record in trouble, of which an incident tells. */
export const AlertItem = z.object({
  record: z.string(),
  name: z.string().nullable(),
  kind: z.enum(troubleKinds),
  /** The place that the record is at: the identifier of its environment, or its own. */
  place: z.string(),
  since: z.number(),
  words: z.string().nullable(),
  mend: z.string().nullish(),
  by: DoneBy.nullish(),
  /** Whether it comes and goes, so that nothing more is told of it for a while. */
  isFlapping: z.boolean().default(false),
  /** Whether it is told only, and nobody is called for it. */
  isQuiet: z.boolean().default(false),
  endedAt: z.number().nullable(),
  /** How it ended: mended, with its record, or out of sight. */
  end: z.enum(['over', 'gone', 'hidden']).nullable().default(null),
});
export type AlertItem = Readonly<z.infer<typeof AlertItem>>;

/** The numbers of records that an incident tells of, by kind: in all, and those that still stand. */
export const AlertCounts = z.partialRecord(z.enum(troubleKinds), z.object({ all: z.number(), left: z.number() }));
export type AlertCounts = Readonly<Partial<Record<TroubleKind, Readonly<{ all: number; left: number }>>>>;

/** Counts the records of an incident by kind. */
export function countByKind(items: readonly AlertItem[]): AlertCounts {
  const isLeft = ({ endedAt }: AlertItem) => endedAt === null;
  const kinds = [...Map.groupBy(items, ({ kind }) => kind)];
  return Object.fromEntries(kinds.map(([kind, of]) => [kind, { all: of.length, left: of.filter(isLeft).length }]));
}

const time = z.number().nullable();
const person = z.string().nullable();

const IncidentBody = z.object({
  channel: z.string(),
  watcher: z.string(),
  family: z.enum(families),
  /** The identifier of the environment or the record at which it is, `service` or `sign-in`; `null`: several places. */
  place: z.string().nullable(),
  placeName: z.string().nullable(),
  /** The times of its first and its last trouble. */
  at: z.number(),
  lastAt: z.number(),
  /** The records that it tells of, up to a number. */
  items: z.array(AlertItem).readonly(),
  /** How many it tells of in all and how many of them still stand, by kind. */
  counts: AlertCounts,
  /** The turns of the watcher of which it counts trouble that it does not name. */
  turns: z.array(z.number()).readonly(),
  /** The people and groups whom its message called. */
  called: z.array(z.string()).readonly(),
  /** The calls so far, and the time of the next one; `null`: in the morning. */
  calls: z.number(),
  callAt: time,
  /** The time until which nothing more is told of what it names, and the person who wanted that. */
  snoozedUntil: time,
  snoozedBy: person,
  /** The person who is on it, until when, and the time at which they were asked whether they still are. */
  takenBy: person,
  takenAt: time,
  takenUntil: time,
  askedAt: time,
  /** The person who closed it. */
  closedBy: person,
});

/**
 * Trouble at one place, as one channel hears of it: a message, whose id is that of the incident, and its thread. One of
 * which nothing stands any more is still open while more of the same may join it.
 */
export type Incident = ThingOf<typeof incidents>;
export type NewIncident = NewOf<typeof incidents>;
export type IncidentChanges = IncidentStep['changes'];
export type IncidentStep = StepOf<typeof incidents>;
export type IncidentBeginning = StepEffects & Readonly<{ as: NewIncident }>;

export const incidents = defineKind({
  name: 'incident',
  body: IncidentBody,
  states: { open: ['taken', 'ended'], taken: ['open', 'ended'], ended: [] },
  over: ['ended'],
  found: ({ channel, watcher }) => ({ channel, subject: watcher }),
  rates: { 'alert handed over': [{ by: ['actor'], most: 10, within: hour }] },
  about: ({ channel, place, placeName }) => ({ channel, target: place, targetName: placeName }),
});

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
