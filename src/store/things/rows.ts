import { anyText, int, key, maybeInt, maybeText, maybeTime, type RowOf, table, tableWith, time } from '../columns.ts';

/** A row of the queue: the time at which something is due, and who has it (dueQueue.ts). */
export const dueTable = tableWith('primary key (kind, id)', {
  /** What is due, such as `lease`. Of each kind an id stands here once. */
  kind: anyText,
  id: anyText,
  team: anyText,
  /** The time at which it is due; `null` while it waits for something else. */
  dueAt: maybeTime,
  /** The time at which that was written. A clock that went ahead wrote a later one than the present. */
  setAt: time,
  lockedUntil: time,
  /** Counts who took it, and what made it due anew: an earlier holder’s word counts no more. */
  fence: int,
  /** The tries that have failed since the last that went well. */
  tries: int,
});
export type DueRow = RowOf<typeof dueTable>;

/** A durable thing with a state (things/kind.ts). */
export const thingsTable = tableWith('primary key (kind, id)', {
  kind: anyText,
  id: anyText,
  team: anyText,
  /** Its owner. */
  person: anyText,
  /** Two parts by which things of a kind may be searched for: a channel, and what a thing is about. */
  channel: maybeText,
  subject: maybeText,
  state: anyText,
  revision: int,
  /** The time of what comes next, by its own plan. To be put off does not move it, so it tells how late a thing is. */
  plannedAt: maybeTime,
  /** What would make it due at once; `signInOf` and the key of another thing are such names. */
  waitsFor: maybeText,
  createdAt: time,
  endedAt: maybeTime,
  /** JSON: all else, in the shape of the kind. */
  body: anyText,
});
export type ThingRow = RowOf<typeof thingsTable>;

/** A message that is not about a job: to a person, to a channel, or into a thread (outbox.ts). */
export const outboxTable = table({
  /** The same for the same news, so that nobody is told twice. */
  id: key,
  /** The thing that it is about, such as a lease. */
  subject: anyText,
  team: anyText,
  kind: anyText,
  /** JSON: what it tells, in the shape of its kind. */
  data: anyText,
  /** How it ended: the message then says so, and has no buttons any more. */
  outcome: maybeText,
  /** One of the places: a person’s direct messages, a channel, or the thread of a job’s message. */
  person: maybeText,
  channel: maybeText,
  job: maybeText,
  /** A fourth place: the thread of another message of this table, by its id. */
  thread: maybeText,
  createdAt: time,
  revision: int,
  shown: int,
  /** The place of the message, once it is posted. */
  place: maybeText,
  ts: maybeText,
  /** The time at which Slack took it, by Dolly’s clock. */
  arrivedAt: maybeTime,
  /** JSON: the post under way, whose answer may be lost. */
  posting: maybeText,
  /** 1 where nothing follows on it: it never gets an outcome. */
  isNews: int,
});
export type NoticeRow = RowOf<typeof outboxTable>;

/** A request that was made without the form of a job, and is not answered yet (inbox.ts). */
export const inboxTable = table({
  /** The same each time that Slack delivers the same request. */
  id: key,
  team: anyText,
  person: anyText,
  /** The channel in which the person asked, and the thread there, by its first message's ts. */
  channel: anyText,
  thread: maybeText,
  /** The command, button or form that was used. */
  action: anyText,
  /** Its text, sealed. */
  value: anyText,
  createdAt: time,
});
export type InteractionRow = RowOf<typeof inboxTable>;

/** One sign-in whose readings serve all channels that look with it (sights.ts). */
export const watchersTable = table({
  /** The team and the person, or the service account. */
  id: key,
  team: anyText,
  person: anyText,
  /** The user of the service at the last look: another one may see other records. */
  login: maybeText,
  /** Counts the looks. */
  turn: int,
  /** The time of the last look; `null` before the first one, which tells nothing. */
  lookedAt: maybeTime,
});
export type WatcherRow = RowOf<typeof watchersTable>;

/** How a record looked to the same watcher when it last changed (sights.ts). */
export const sightsTable = tableWith('primary key (watcher, record)', {
  watcher: anyText,
  record: anyText,
  /** The name and the creation time by which it is recognised; `null` where no record showed them. */
  name: maybeText,
  madeAt: maybeTime,
  /** The time at which this watcher saw it first. */
  since: time,
  /** The time at which it was not there any more. */
  goneAt: maybeTime,
  /** The time at which it was first seen with a snapshot. */
  backedAt: maybeTime,
  /** The identifier of the environment that it was last shown on. */
  place: maybeText,
  /** JSON: what is wrong with it, by kind. */
  troubles: anyText,
  /** The turn whose news are not told yet; `null` where there are none. */
  news: maybeInt,
});
export type SightRow = RowOf<typeof sightsTable>;
