/** A row of the queue: the time at which something is due, and who has it (queue.ts). */
export type DueRow = {
  /** What is due, such as `lease`. Of each kind an id stands here once. */
  kind: string;
  id: string;
  team: string;
  /** The time at which it is due; `null` while it waits for something else. */
  dueAt: number | null;
  /** The time at which that was written. A clock that went ahead wrote a later one than the present. */
  setAt: number;
  lockedUntil: number;
  /** Counts who took it, and what made it due anew: an earlier holder’s word counts no more. */
  fence: number;
  /** The tries that have failed since the last that went well. */
  tries: number;
};

/** A durable thing with a state (things/kind.ts). */
export type ThingRow = {
  kind: string;
  id: string;
  team: string;
  person: string;
  /** Two parts by which things of a kind may be searched for: a channel, and what a thing is about. */
  channel: string | null;
  subject: string | null;
  state: string;
  revision: number;
  plannedAt: number | null;
  waitsFor: string | null;
  createdAt: number;
  endedAt: number | null;
  /** JSON: all else, in the shape of the kind. */
  body: string;
};

/** A message that is not about a job: to a person, to a channel, or into a thread (outbox.ts). */
export type NoticeRow = {
  /** The same for the same news, so that nobody is told twice. */
  id: string;
  /** The thing that it is about, such as a lease. */
  subject: string;
  team: string;
  kind: string;
  /** JSON: what it tells, in the shape of its kind. */
  data: string;
  /** How it ended: the message then says so, and has no buttons any more. */
  outcome: string | null;
  /** One of the places: a person’s direct messages, a channel, or the thread of a job’s message. */
  person: string | null;
  channel: string | null;
  job: string | null;
  /** A fourth place: the thread of another message of this table, by its id. */
  thread: string | null;
  createdAt: number;
  revision: number;
  shown: number;
  /** The place of the message, once it is posted. */
  place: string | null;
  ts: string | null;
  /** The time at which Slack took it, by Dolly’s clock. */
  arrivedAt: number | null;
  /** JSON: the post under way, whose answer may be lost. */
  posting: string | null;
  /** 1 where nothing follows on it: it never gets an outcome. */
  isNews: number;
};

/** A request that was made without the form of a job, and is not answered yet (inbox.ts). */
export type InteractionRow = {
  /** The same each time that Slack delivers the same request. */
  id: string;
  team: string;
  person: string;
  /** The channel in which the person asked, and the thread there, by its first message's ts. */
  channel: string;
  thread: string | null;
  /** The command, button or form that was used. */
  action: string;
  /** Its text, sealed. */
  value: string;
  createdAt: number;
};

/** One sign-in whose readings serve all channels that look with it (sights.ts). */
export type WatcherRow = {
  /** The team and the person, or the service account. */
  id: string;
  team: string;
  person: string;
  /** The user of the service at the last look: another one may see other records. */
  login: string | null;
  /** Counts the looks. */
  turn: number;
  /** The time of the last look; `null` before the first one, which tells nothing. */
  lookedAt: number | null;
};

/** How a record looked to the same watcher when it last changed (sights.ts). */
export type SightRow = {
  watcher: string;
  record: string;
  /** The name and the creation time by which it is recognised; `null` where no record showed them. */
  name: string | null;
  madeAt: number | null;
  /** The time at which this watcher saw it first. */
  since: number;
  /** The time at which it was not there any more. */
  goneAt: number | null;
  /** The time at which it was first seen with a snapshot. */
  backedAt: number | null;
  /** JSON: what is wrong with it, by kind. */
  troubles: string;
  /** The turn whose news are not told yet; `null` where there are none. */
  news: number | null;
};
