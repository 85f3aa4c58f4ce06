import {
  anyText,
  initially,
  int,
  key,
  maybeBytes,
  maybeText,
  maybeTime,
  oneOf,
  type RowOf,
  table,
  tableWith,
  time,
  uniqueText,
} from '../columns.ts';

/** One line of the trail of who did what (audit.ts). */
export const auditTable = table({
  /** Sorts by time. */
  id: key,
  at: time,
  team: anyText,
  /** The Slack user who did it, or `dolly`. */
  actor: anyText,
  /** The Slack user whose job or sign-in it is about. */
  person: maybeText,
  /** The user of the service that the actor is signed in as. */
  login: maybeText,
  event: anyText,
  operation: maybeText,
  target: maybeText,
  targetName: maybeText,
  job: maybeText,
  channel: maybeText,
  /** The answer, or the reason. */
  detail: maybeText,
  /** All words of the entry in lower case, for searches. */
  text: anyText,
});

/**
 * A block of the index of the trail: the grams of the entries whose ids are above `lower`, up to `last`. The blocks lie
 * next to each other (auditIndex.ts).
 */
export const auditBlocksTable = table({
  last: key,
  lower: uniqueText,
  /** The times of the block's oldest and newest entries. */
  oldest: maybeTime,
  newest: maybeTime,
  /** Counts the entries that were added after the block was made. Each one empties it. */
  late: initially(int, 0),
  /** A Bloom filter: the bits of all grams in the block's entries; `null` where the block is to be indexed. */
  grams: maybeBytes,
});
export type AuditBlockRow = RowOf<typeof auditBlocksTable>;

export const credentialsTable = tableWith('primary key (team, person)', {
  team: anyText,
  person: anyText,
  username: anyText,
  token: anyText,
  createdAt: time,
});
export type CredentialRow = RowOf<typeof credentialsTable>;

export const linksTable = table({
  /** SHA-256 of the link's secret. */
  id: key,
  team: anyText,
  person: anyText,
  /** Where the sign-in was asked for. */
  channel: anyText,
  thread: maybeText,
  /** The command to go on with after the sign-in. */
  intent: maybeText,
  expiresAt: time,
  tries: initially(int, 0),
});
export type LinkRow = RowOf<typeof linksTable>;

/** A message to Dolly that was heard (heard.ts): Slack may tell of it again. */
export const heardTable = table({
  /** The same however often Slack tells of the message. */
  id: key,
  team: anyText,
  /** `mention` or `direct`. */
  kind: anyText,
  heardAt: time,
});
export type HeardRow = RowOf<typeof heardTable>;

/** The App Home of a person who has opened it (homes.ts). */
export const homesTable = tableWith('primary key (team, person)', {
  team: anyText,
  person: anyText,
  /** The time when it was last opened, or a page of it turned. */
  openedAt: time,
  /** JSON: the page at which each of its lists stands. */
  pages: anyText,
  /** Counts the requests to publish it again for reasons that no other table shows. */
  asked: int,
  /**
   * The version of its data when it was last published, and a digest of it; empty where it must be published anyway.
   */
  seen: anyText,
  digest: anyText,
  /** The time before which it is not published again. */
  nextAt: time,
  lockedUntil: time,
  /** Counts who took it: an earlier holder’s word counts no more. */
  fence: int,
  tries: int,
  /** How far the person is with the first steps. */
  steps: oneOf<FirstSteps>(),
});
export type HomeRow = RowOf<typeof homesTable>;

/** The first steps in a Home: they stand there, with the approvals looked at or not, or they are over for good. */
export type FirstSteps = 'open' | 'seen' | 'over';

export const triesTable = tableWith('primary key (about, id)', {
  /** One try has two rows: one about the person, one about the user name. */
  id: anyText,
  /** SHA-256 of the person, or of the person and the user name, that the row is about. */
  about: anyText,
  triedAt: time,
});

/** The counts that were learned of one state word in one kind of records. */
export const wordsTable = tableWith('primary key (service, team, kind, word)', {
  /** The address of the service. */
  service: anyText,
  /** The workspace that learned it. */
  team: anyText,
  kind: anyText,
  word: anyText,
  /** The most records that were in it at one time while nothing of Dolly's was under way on them. */
  stood: int,
  /** The number of times that a record was seen in it again after a while. */
  rested: int,
  /** The number of times that a record passed through it and left it by itself. */
  passed: int,
  seenAt: time,
});
export type WordRow = RowOf<typeof wordsTable>;

/** What a person said of a record that stood in a state word (stateAnswers.ts). */
export const stateAnswersTable = tableWith('primary key (service, team, kind, word, person, job)', {
  /** The address of the service. */
  service: anyText,
  team: anyText,
  /** The kind of records that share their words. */
  kind: anyText,
  word: anyText,
  /** Who said it, with the user of the service as whom they are signed in. */
  person: anyText,
  login: anyText,
  /** The job about which they were asked, and its record; empty where the doctor asked. */
  job: anyText,
  record: anyText,
  /** `ready`, `working` or `failed`; `asked` notes the job whose message asks. */
  says: anyText,
  /** 1 where somebody said it who approves: then it holds for the workspace. */
  approves: int,
  at: time,
});
export type StateAnswerRow = RowOf<typeof stateAnswersTable>;

/** A form's values under a name (presets.ts). */
export const presetsTable = tableWith('unique (team, scope, holder, operation, likeness)', {
  /** That of the form that saved it: a form that is submitted twice saves one preset. */
  id: key,
  team: anyText,
  /** The people who have it: `me`, `channel` or `workspace`. */
  scope: anyText,
  /** The person or the channel that has it; empty for the workspace. */
  holder: anyText,
  operation: anyText,
  /** The looks of its name: of two names that look the same, a holder has one. */
  likeness: anyText,
  name: anyText,
  /** The person who saved it. */
  person: anyText,
  /** JSON: the texts by field name. */
  inputs: anyText,
  /** JSON: the names of the identifiers among the texts, at the time when it was saved. */
  labels: anyText,
  /** Counts its changes: somebody who changes it must have seen the last one. */
  revision: initially(int, 1),
  createdAt: time,
  usedAt: time,
});
export type PresetRow = RowOf<typeof presetsTable>;

/** A field without which a service refused an operation (requiredFields.ts). */
export const requiredFieldsTable = tableWith('primary key (service, operation, vendor, field)', {
  /** The address of the service. */
  service: anyText,
  operation: anyText,
  /** The vendor of the operation's target; empty where it has none. */
  vendor: anyText,
  field: anyText,
  /** The time of the latest such refusal. */
  seenAt: time,
});
export type RequiredFieldRow = RowOf<typeof requiredFieldsTable>;

/** A workspace that refused Slack's newer blocks (olderWorkspaces.ts). */
export const olderWorkspacesTable = table({
  team: key,
  /** JSON: the time at which it refused each kind of block. */
  kinds: anyText,
});

/** The app as it is installed in a workspace, or for an organisation (installations.ts). */
export const installationsTable = table({
  /** The workspace (T…), or the organisation (E…). */
  team: key,
  name: maybeText,
  /** Slack's ids of the app, of its bot, and of the bot as a user. */
  app: maybeText,
  bot: anyText,
  botUser: anyText,
  /** The person who installed it. */
  person: anyText,
  /** The bot token and the token that renews it, sealed; `null` once the app was uninstalled. */
  token: maybeText,
  /** The time at which the bot token ends; `null` where it does not. */
  expiresAt: maybeTime,
  createdAt: time,
  endedAt: maybeTime,
  /** The time until which one process renews the token. */
  lockedUntil: initially(time, 0),
});
export type InstallationRow = RowOf<typeof installationsTable>;

/** A state of an installation that was used: each works once (installations.ts). */
export const usedStatesTable = table({ id: key, expiresAt: time });
