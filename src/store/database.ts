import type { Kysely, KyselyConfig } from 'kysely';

/*
 * Columns are text and integers only, times milliseconds since the epoch (UTC), structures JSON as text, flags 0 or 1:
 * nothing here depends on which database keeps it.
 */

export type JobRow = {
  id: string;
  /** Made anew with each form: a form that is submitted twice is one job. */
  requestKey: string;
  team: string;
  person: string;
  operation: string;
  /** JSON: the checked values by field name. */
  inputs: string;
  /** JSON: what the identifiers among the values were called when they were chosen. */
  labels: string;
  target: string;
  /** What people call the target; may be improved once the records were read. */
  targetName: string | null;
  state: string;
  /** One sentence on why the job is as it is. */
  reason: string | null;
  /** Why nothing is done about the job at the moment: `sign-in` or `busy`. */
  hold: string | null;
  /** 1 while nobody knows whether the service accepted the call. */
  inDoubt: number;
  /** JSON: what the records showed before the call. */
  baseline: string | null;
  /** JSON: what the records showed last. */
  evidence: string | null;
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: string | null;
  createdAt: number;
  sentAt: number | null;
  endedAt: number | null;
  /** When the job wants the next step. */
  dueAt: number | null;
  deadlineAt: number | null;
  looks: number;
  leaseUntil: number;
  /** Where the person asked. */
  channel: string;
  /** Where the message stands: that channel, or a direct message. */
  place: string | null;
  messageTs: string | null;
  replyTs: string | null;
  /** Counts what changed for a reader; `shown` is the last that Slack took. */
  revision: number;
  shown: number;
  tellAt: number | null;
  tellTries: number;
  tellLeaseUntil: number;
  /** JSON: the post under way, whose answer may be lost. */
  posting: string | null;
  /** Why the person asks for it, in their words, for those who decide. */
  purpose: string | null;
  /** The user of the service that it was asked as, and runs as. */
  login: string | null;
  /** JSON: what the policy asked for when it began to wait for approval; `null` where it did not. */
  terms: string | null;
  /** JSON: what an approver sees of the target; and a digest over that and over what is asked. */
  facts: string | null;
  digest: string | null;
  /** JSON: who decided what, in order. */
  decisions: string;
  /** When nobody can approve it any more, or an approval is too old to act on. */
  expiresAt: number | null;
  /** How often the approvers were to be reminded. */
  reminders: number;
  /** The channel of the approval's own card; `null` where the job's message has the buttons. */
  cardPlace: string | null;
  /** Why it ran without approval, in the words of the person who broke the glass. */
  emergency: string | null;
  /** JSON: where the messages stand that are neither the job's own nor the reply at its end, by part. */
  posts: string;
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
  /** What was answered, or why. */
  detail: string | null;
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
  channel: string;
  /** The command to go on with after the sign-in. */
  intent: string | null;
  expiresAt: number;
  tries: number;
};

/** The App Home of a person who has opened it (homes.ts). */
export type HomeRow = {
  team: string;
  person: string;
  /** When it was opened last, or a page of it was turned. */
  openedAt: number;
  /** JSON: the page at which each of its lists stands. */
  pages: string;
  /** Counts how often it was asked for, by whatever stands in no other table. */
  asked: number;
  /** What it was made from when it was published last, and a digest of it; empty where it must be published anyway. */
  seen: string;
  digest: string;
  /** It is not published before. */
  nextAt: number;
  leaseUntil: number;
  tries: number;
};

export type TryRow = {
  /** One try has two rows: one about the person, one about the user name. */
  id: string;
  /** SHA-256 of whom the row is about. */
  about: string;
  triedAt: number;
};

/** Something that was asked for without the form of a job, and is not answered yet (uses.ts). */
export type UseRow = {
  /** The same where Slack delivers the same thing again. */
  id: string;
  team: string;
  person: string;
  /** Where the person asked. */
  channel: string;
  /** Which command, button or form was used. */
  action: string;
  /** What it says, sealed. */
  value: string;
  createdAt: number;
  /** When it is done, or tried again. */
  dueAt: number;
  leaseUntil: number;
  tries: number;
};

/** Which job a new record is the proof of. */
export type ClaimRow = { record: string; job: string };

/** What was learned of one state word: how many records of the kind were seen so. */
export type WordRow = {
  /** Where the service is. */
  service: string;
  kind: string;
  word: string;
  /** How many records stood in it at one time while nothing of Dolly's was under way on them. */
  stood: number;
  /** How many were seen in it again later. */
  rested: number;
  /** How often a record entered it after a write and left it by itself. */
  passed: number;
  seenAt: number;
};

export type Schema = {
  words: WordRow;
  jobs: JobRow;
  claims: ClaimRow;
  /** `text` holds all its words in lower case, to be looked through. */
  audit: AuditRow & { text: string };
  credentials: CredentialRow;
  links: LinkRow;
  homes: HomeRow;
  tries: TryRow;
  uses: UseRow;
};

export type Store = Kysely<Schema>;

/** Raised when the store cannot be opened; its message says what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** Is told the first word of a statement, and how many milliseconds it took. */
export type Ran = (statement: string, milliseconds: number) => void;

/** What tells `ran`, as an option of Kysely. */
export function logged(ran: Ran | undefined): Pick<KyselyConfig, 'log'> {
  if (!ran) return {};
  return {
    log: ({ query, queryDurationMillis }) => ran(/^\w+/.exec(query.sql)?.[0].toLowerCase() ?? '', queryDurationMillis),
  };
}
