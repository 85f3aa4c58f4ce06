import {
  anyText,
  initially,
  int,
  key,
  maybeInt,
  maybeText,
  maybeTime,
  type RowOf,
  table,
  tableWith,
  time,
  uniqueText,
} from '../../columns.ts';

/** The columns that a job shows as its row has them, whatever its state. */
export const plainOfJobs = table({
  id: key,
  team: anyText,
  person: anyText,
  /** The name of the operation. */
  operation: anyText,
  target: anyText,
  /** The target's name, as people know it; it may be improved once the records were read. */
  targetName: maybeText,
  createdAt: time,
  /** The time of the job's next step. */
  dueAt: maybeTime,
  lockedUntil: initially(time, 0),
  /** The channel in which the person asked, and the thread there, by its first message's ts. */
  channel: anyText,
  thread: maybeText,
  /** The channel of the job's message: the one above, or a direct message. */
  place: maybeText,
  messageTs: maybeText,
  replyTs: maybeText,
  /** Counts the changes that readers should see; `shown` is the last revision that Slack took. */
  revision: initially(int, 1),
  shown: initially(int, 0),
  tellAt: maybeTime,
  tellTries: initially(int, 0),
  /** The person's reason for the request, in their words, for those who decide. */
  purpose: maybeText,
  /** The user of the service that the job runs as; `null` before the first check. */
  login: maybeText,
  /** The plan that the job is a step of. */
  plan: maybeText,
  /** The index of the step that the job is; of a plan, the index of the step that it is at. */
  step: maybeInt,
  /** The schedule that the job is a run of, and its times as they were then: JSON, and a time zone. */
  schedule: maybeText,
  rhythm: maybeText,
  zone: maybeText,
  /** The execution of a workflow’s step for which the job was made (execution.ts). */
  execution: maybeText,
});

export const jobsTable = table({
  ...plainOfJobs.columns,
  /** New for each form: a form that is submitted twice makes one job. */
  requestKey: uniqueText,
  /** JSON: the checked values by field name. */
  inputs: anyText,
  /** JSON: the names of the identifiers among the values, at the time when they were chosen. */
  labels: anyText,
  state: anyText,
  /** One sentence on why the job is as it is. */
  reason: maybeText,
  /** The reason for which nothing is done about the job at the moment: `sign-in` or `busy`. */
  hold: maybeText,
  /** One sentence on the call, while nobody knows whether the service accepted it. */
  noAnswer: maybeText,
  /** JSON: the records before the call. */
  baseline: maybeText,
  /** JSON: the records at the last look. */
  evidence: maybeText,
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: maybeText,
  sentAt: maybeTime,
  endedAt: maybeTime,
  deadlineAt: maybeTime,
  looks: initially(int, 0),
  /** Counts who took it for its next step, and who else changed it: an earlier holder’s word counts no more. */
  fence: initially(int, 0),
  tellLockedUntil: initially(time, 0),
  /** The process that took the job for its message last. What an earlier one still notes of it counts no more. */
  tellHolder: maybeText,
  /** JSON: the post under way, whose answer may be lost. */
  posting: maybeText,
  /** JSON: the policy's terms at the time when the job began to wait for approval; `null` where it never did. */
  terms: maybeText,
  /** JSON: the facts that an approver sees of the target. `digest` covers them and the request. */
  facts: maybeText,
  digest: maybeText,
  /** JSON: all decisions, in order. */
  decisions: initially(anyText, '[]'),
  /** The time from which on nobody can approve it, and an approval is too old to act on. */
  expiresAt: maybeTime,
  /** The number of the approvers' reminders that fell due. */
  reminders: initially(int, 0),
  /** The channel of the approval's own card; `null` where the job's message has the buttons. */
  cardPlace: maybeText,
  /** The card there, once it is posted. */
  cardTs: maybeText,
  /** The reason for running it without approval, in the words of the person who broke the glass. */
  emergency: maybeText,
  /** JSON: all messages but the job's own, the card of its approval and the reply at its end, with their places. */
  posts: initially(anyText, '[]'),
  /** JSON: the steps of a plan; `null` for any other job. */
  steps: maybeText,
  /** JSON: the loss by a restore, read before it was approved and again before it was sent. */
  impact: maybeText,
  /** `service` where it runs with the sign-in of the service account; `null` where it runs with the person’s own. */
  runsAs: maybeText,
  /**
   * The environment on which its new record will stand, and what that takes there: no form fills it in again. `null` where it
   * makes none there, or nothing of the kind.
   */
  takesOn: maybeText,
  takesPort: maybeInt,
  takesName: maybeText,
  takesPath: maybeText,
  /** What its form was filled in with as free there: one open job alone may have it (adding.ts). `null` from its end on. */
  freePort: maybeInt,
  freeName: maybeText,
  /** `failures` where its readers hear of it only if it does not go well; `null` where they hear of all. */
  tells: maybeText,
});
export type JobRow = RowOf<typeof jobsTable>;

/** The next look at a running job of which the last look showed nothing new (looks.ts). */
export const looksTable = table({
  job: key,
  team: anyText,
  person: anyText,
  dueAt: time,
  /** The time from which it may be taken: `dueAt`, or the end of its lock. */
  freeAt: time,
  /** The number of looks so far. */
  looks: int,
  /** Counts who took it: an earlier holder’s word counts no more. */
  fence: int,
});
export type LookRow = RowOf<typeof looksTable>;
/** A look that was taken, and whether its job still is in this queue. */
export type TakenLook = LookRow & Readonly<{ isHere: number }>;

/**
 * What shows the work of one job alone: a record that it made, where `sign` is empty, or a sign on a record, such as a time
 * that moved. `name` and `madeAt` tell the record from others that have its identifier later.
 */
export const claimsTable = tableWith('primary key (record, sign)', {
  record: anyText,
  sign: anyText,
  job: anyText,
  name: maybeText,
  madeAt: maybeTime,
});
export type ClaimRow = RowOf<typeof claimsTable>;
