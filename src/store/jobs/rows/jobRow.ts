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

/** The job that a new record proves; or another sign, such as a time that moved. */
export type ClaimRow = { record: string; job: string };
