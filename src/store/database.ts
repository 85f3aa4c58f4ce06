import type { Kysely, KyselyConfig } from 'kysely';

/*
 * Columns are text and integers only, times milliseconds since the epoch (UTC), structures JSON as text, flags 0 or 1:
 * nothing here depends on which database keeps it. One column of an index that can be made anew has bytes.
 */

export type JobRow = {
  id: string;
  /** New for each form: a form that is submitted twice makes one job. */
  requestKey: string;
  team: string;
  person: string;
  /** The name of the operation. */
  operation: string;
  /** JSON: the checked values by field name. */
  inputs: string;
  /** JSON: the names of the identifiers among the values, at the time when they were chosen. */
  labels: string;
  target: string;
  /** The target's name, as people know it; it may be improved once the records were read. */
  targetName: string | null;
  state: string;
  /** One sentence on why the job is as it is. */
  reason: string | null;
  /** The reason for which nothing is done about the job at the moment: `sign-in` or `busy`. */
  hold: string | null;
  /** 1 while nobody knows whether the service accepted the call. */
  inDoubt: number;
  /** JSON: the records before the call. */
  baseline: string | null;
  /** JSON: the records at the last look. */
  evidence: string | null;
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: string | null;
  createdAt: number;
  sentAt: number | null;
  endedAt: number | null;
  /** The time of the job's next step. */
  dueAt: number | null;
  deadlineAt: number | null;
  looks: number;
  lockedUntil: number;
  /** Counts who took it for its next step, and who else changed it: an earlier holder’s word counts no more. */
  fence: number;
  /** The channel in which the person asked, and the thread there, by its first message's ts. */
  channel: string;
  thread: string | null;
  /** The channel of the job's message: the one above, or a direct message. */
  place: string | null;
  messageTs: string | null;
  replyTs: string | null;
  /** Counts the changes that readers should see; `shown` is the last revision that Slack took. */
  revision: number;
  shown: number;
  tellAt: number | null;
  tellTries: number;
  tellLockedUntil: number;
  /** The process that took the job for its message last. What an earlier one still notes of it counts no more. */
  tellHolder: string | null;
  /** JSON: the post under way, whose answer may be lost. */
  posting: string | null;
  /** The person's reason for the request, in their words, for those who decide. */
  purpose: string | null;
  /** The user of the service that the job runs as; `null` before the first check. */
  login: string | null;
  /** JSON: the policy's terms at the time when the job began to wait for approval; `null` where it never did. */
  terms: string | null;
  /** JSON: the facts that an approver sees of the target. `digest` covers them and the request. */
  facts: string | null;
  digest: string | null;
  /** JSON: all decisions, in order. */
  decisions: string;
  /** The time from which on nobody can approve it, and an approval is too old to act on. */
  expiresAt: number | null;
  /** The number of the approvers' reminders that fell due. */
  reminders: number;
  /** The channel of the approval's own card; `null` where the job's message has the buttons. */
  cardPlace: string | null;
  /** The card there, once it is posted. */
  cardTs: string | null;
  /** The reason for running it without approval, in the words of the person who broke the glass. */
  emergency: string | null;
  /** JSON: all messages but the job's own, the card of its approval and the reply at its end, with their places. */
  posts: string;
  /** JSON: the steps of a plan; `null` for any other job. */
  steps: string | null;
  /** The plan that the job is a step of. */
  plan: string | null;
  /** The index of the step that the job is; of a plan, the index of the step that it is at. */
  step: number | null;
  /** JSON: the loss by a restore, read before it was approved and again before it was sent. */
  impact: string | null;
  /** The schedule that the job is a run of, and its times as they were then: JSON, and a time zone. */
  schedule: string | null;
  rhythm: string | null;
  zone: string | null;
  /** `service` where it runs with the sign-in of the service account; `null` where it runs with the person’s own. */
  runsAs: string | null;
  /** `failures` where its readers hear of it only if it does not go well; `null` where they hear of all. */
  tells: string | null;
  /** The execution of a workflow’s step for which the job was made (execution.ts). */
  execution: string | null;
};

/** The next look at a running job of which the last look showed nothing new (looks.ts). */
export type LookRow = {
  job: string;
  team: string;
  person: string;
  dueAt: number;
  /** The time from which it may be taken: `dueAt`, or the end of its lock. */
  freeAt: number;
  /** The number of looks so far. */
  looks: number;
  /** Counts who took it: an earlier holder’s word counts no more. */
  fence: number;
};

/** One line of the trail of who did what (audit.ts). */
export type AuditRow = {
  /** Sorts by time. */
  id: string;
  at: number;
  team: string;
  /** The Slack user who did it, or `dolly`. */
  actor: string;
  /** The Slack user whose job or sign-in it is about. */
  person: string | null;
  /** The user of the service that the actor is signed in as. */
  login: string | null;
  event: string;
  operation: string | null;
  target: string | null;
  targetName: string | null;
  job: string | null;
  channel: string | null;
  /** The answer, or the reason. */
  detail: string | null;
};

/**
 * A block of the index of the trail: the grams of the entries whose ids are above `lower`, up to `last`. The blocks lie
 * next to each other (auditIndex.ts).
 */
export type AuditBlockRow = {
  last: string;
  lower: string;
  /** The times of the block's oldest and newest entries. */
  oldest: number | null;
  newest: number | null;
  /** Counts the entries that were added after the block was made. Each one empties it. */
  late: number;
  /** A Bloom filter: the bits of all grams in the block's entries; `null` where the block is to be indexed. */
  grams: Uint8Array | null;
};

export type CredentialRow = {
  team: string;
  person: string;
  username: string;
  token: string;
  createdAt: number;
};

export type LinkRow = {
  /** SHA-256 of the link's secret. */
  id: string;
  team: string;
  person: string;
  /** Where the sign-in was asked for. */
  channel: string;
  thread: string | null;
  /** The command to go on with after the sign-in. */
  intent: string | null;
  expiresAt: number;
  tries: number;
};

/** A message to Dolly that was heard (heard.ts): Slack may tell of it again. */
export type HeardRow = {
  /** The same however often Slack tells of the message. */
  id: string;
  team: string;
  /** `mention` or `direct`. */
  kind: string;
  heardAt: number;
};

/** The App Home of a person who has opened it (homes.ts). */
export type HomeRow = {
  team: string;
  person: string;
  /** The time when it was last opened, or a page of it turned. */
  openedAt: number;
  /** JSON: the page at which each of its lists stands. */
  pages: string;
  /** Counts the requests to publish it again for reasons that no other table shows. */
  asked: number;
  /**
   * The version of its data when it was last published, and a digest of it; empty where it must be published anyway.
   */
  seen: string;
  digest: string;
  /** The time before which it is not published again. */
  nextAt: number;
  lockedUntil: number;
  /** Counts who took it: an earlier holder’s word counts no more. */
  fence: number;
  tries: number;
  /** How far the person is with the first steps. */
  steps: FirstSteps;
};

/** The first steps in a Home: they stand there, with the approvals looked at or not, or they are over for good. */
export type FirstSteps = 'open' | 'seen' | 'over';

export type TryRow = {
  /** One try has two rows: one about the person, one about the user name. */
  id: string;
  /** SHA-256 of the person, or of the person and the user name, that the row is about. */
  about: string;
  triedAt: number;
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

/** The job that a new record proves; or another sign, such as a time that moved. */
export type ClaimRow = { record: string; job: string };

/** The counts that were learned of one state word in one kind of records. */
export type WordRow = {
  /** The address of the service. */
  service: string;
  kind: string;
  word: string;
  /** The most records that were in it at one time while nothing of Dolly's was under way on them. */
  stood: number;
  /** The number of times that a record was seen in it again after a while. */
  rested: number;
  /** The number of times that a record passed through it and left it by itself. */
  passed: number;
  seenAt: number;
};

/** A form's values under a name (presets.ts). */
export type PresetRow = {
  /** That of the form that saved it: a form that is submitted twice saves one preset. */
  id: string;
  team: string;
  /** The people who have it: `me`, `channel` or `workspace`. */
  scope: string;
  /** The person or the channel that has it; empty for the workspace. */
  holder: string;
  operation: string;
  /** The looks of its name: of two names that look the same, a holder has one. */
  likeness: string;
  name: string;
  /** The person who saved it. */
  person: string;
  /** JSON: the texts by field name. */
  inputs: string;
  /** JSON: the names of the identifiers among the texts, at the time when it was saved. */
  labels: string;
  /** Counts its changes: somebody who changes it must have seen the last one. */
  revision: number;
  createdAt: number;
  usedAt: number;
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
  /** JSON: what is wrong with it, by kind. */
  troubles: string;
  /** The turn whose news are not told yet; `null` where there are none. */
  news: number | null;
};

/** A field without which a service refused an operation (requiredFields.ts). */
export type RequiredFieldRow = {
  /** The address of the service. */
  service: string;
  operation: string;
  /** The vendor of the operation's target; empty where it has none. */
  vendor: string;
  field: string;
  /** The time of the latest such refusal. */
  seenAt: number;
};

/** A workspace that refused Slack's newer blocks (olderWorkspaces.ts). */
export type OlderWorkspaceRow = {
  team: string;
  /** JSON: the time at which it refused each kind of block. */
  kinds: string;
};

/** The app as it is installed in a workspace, or for an organisation (installations.ts). */
export type InstallationRow = {
  /** The workspace (T…), or the organisation (E…). */
  team: string;
  name: string | null;
  /** Slack's ids of the app, of its bot, and of the bot as a user. */
  app: string | null;
  bot: string;
  botUser: string;
  /** The person who installed it. */
  person: string;
  /** The bot token and the token that renews it, sealed; `null` once the app was uninstalled. */
  token: string | null;
  /** The time at which the bot token ends; `null` where it does not. */
  expiresAt: number | null;
  createdAt: number;
  endedAt: number | null;
  /** The time until which one process renews the token. */
  lockedUntil: number;
};

/** A state of an installation that was used: each works once (installations.ts). */
export type UsedStateRow = {
  id: string;
  expiresAt: number;
};

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

export type Schema = {
  due: DueRow;
  things: ThingRow;
  installations: InstallationRow;
  usedStates: UsedStateRow;
  words: WordRow;
  requiredFields: RequiredFieldRow;
  olderWorkspaces: OlderWorkspaceRow;
  jobs: JobRow;
  looks: LookRow;
  claims: ClaimRow;
  /** `text` holds all words of the entry in lower case, for searches. */
  audit: AuditRow & { text: string };
  auditBlocks: AuditBlockRow;
  credentials: CredentialRow;
  links: LinkRow;
  homes: HomeRow;
  tries: TryRow;
  inbox: InteractionRow;
  heard: HeardRow;
  presets: PresetRow;
  outbox: NoticeRow;
  watchers: WatcherRow;
  sights: SightRow;
};

export type Store = Kysely<Schema>;

/** Raised when the store cannot be opened; its message says what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** Called after each statement with its first word, such as `select`, and its duration in milliseconds. */
export type Ran = (statement: string, milliseconds: number) => void;

/** The option of Kysely that calls `ran`; empty without `ran`. */
export function logged(ran: Ran | undefined): Pick<KyselyConfig, 'log'> {
  if (!ran) return {};
  return {
    log: ({ query, queryDurationMillis }) => ran(/^\w+/.exec(query.sql)?.[0].toLowerCase() ?? '', queryDurationMillis),
  };
}
