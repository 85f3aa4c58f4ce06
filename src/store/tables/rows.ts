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

/** The counts that were learned of one state word in one kind of records. */
export type WordRow = {
  /** The address of the service. */
  service: string;
  /** The workspace that learned it. */
  team: string;
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

/** What a person said of a record that stood in a state word (stateAnswers.ts). */
export type StateAnswerRow = {
  /** The address of the service. */
  service: string;
  team: string;
  /** The kind of records that share their words. */
  kind: string;
  word: string;
  /** Who said it, with the user of the service as whom they are signed in. */
  person: string;
  login: string;
  /** The job about which they were asked, and its record; empty where the doctor asked. */
  job: string;
  record: string;
  /** `ready`, `working` or `failed`; `asked` notes the job whose message asks. */
  says: string;
  /** 1 where somebody said it who approves: then it holds for the workspace. */
  approves: number;
  at: number;
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
