import type { RowOf } from '../../columns.ts';
import { accountOwner } from '../../serviceOwner.ts';
import type { Owner } from '../../vault.ts';
import type {
  Baseline,
  Decision,
  Evidence,
  Fact,
  Impact,
  JobValues,
  Labels,
  Posting,
  Posts,
  ShownMarks,
  Steps,
  Terms,
} from './data.ts';
import type { JobRow, plainOfJobs } from './jobRow.ts';

/** The states of a job that has not been sent yet: an `awaiting` job waits for approval, an `approved` one has it. */
export const unsent = ['new', 'awaiting', 'approved'] as const;
/**
 * The states of a job that has not ended: `sending` is written before the call; a `running` job was accepted, or is in
 * doubt, and waits for its proof.
 */
export const open = [...unsent, 'sending', 'running'] as const;
/**
 * The states of a job that has ended. In `void`, something that the approval rests on changed before the sending. A
 * `finished` job came to an end without a sign of its success. `finished` and `unconfirmed` jobs can be looked at
 * again.
 */
export const ends = [
  'denied',
  'void',
  'succeeded',
  'finished',
  'failed',
  'unconfirmed',
  'withdrawn',
  'expired',
] as const;
const states = [...open, ...ends] as const;

/** The state of a job. Only the state machine says which state follows on which. */
export type JobState = (typeof states)[number];
/** The reason for which nothing is done about a job at the moment. */
export type Hold = 'sign-in' | 'busy';

/** The approval that a job needs, or needed. Times are milliseconds since the epoch. */
export type Approval = Readonly<
  Pick<JobRow, 'reminders' | 'cardPlace' | 'cardTs' | 'emergency'> & {
    terms: Terms;
    /** The target as the approvers see it. `digest` covers these facts and the request. */
    facts: readonly Fact[];
    digest: string;
    /** All decisions, in order. */
    decisions: readonly Decision[];
    /** The time from which on nobody can approve it, and an approval is too old to act on. */
    expiresAt: number;
  }
>;

/** Another sign-in than its person’s with which a job runs. */
export type RunsAs = 'service';

/**
 * How a process took a job for its next step: by the job’s own row or by that of a look, and the fence of that row then.
 * Each taking raises it, and so does whoever else changes the job.
 */
export type JobTaking = Readonly<{ by: 'job' | 'look'; fence: number }>;

/** The fields of every job, whatever its state. Times are milliseconds since the epoch. */
type Common = Readonly<
  RowOf<typeof plainOfJobs> & {
    values: JobValues;
    labels: Labels;
    /** The loss by a restore, read before it was approved and again before it was sent. */
    impact: Impact | undefined;
    /** The places of the other messages, and the post whose answer may be lost. */
    posts: Posts;
    posting: Posting | undefined;
    /** The steps of a plan; `undefined` for any other job. */
    steps: Steps | undefined;
    /**
     * The records that it does harm to, as whoever asked was shown them. Absent where nothing was shown, in what an earlier
     * release took, and once it was sent.
     */
    asShown?: ShownMarks | undefined;
    /** `service` where it runs with the service account’s sign-in, in place of its person’s. */
    runsAs: RunsAs | null;
    /** `failures` where it has no message before something about it goes wrong. */
    tells: 'failures' | null;
    /** Stands in the hands of the loop that took it: the steps that rest on it count until somebody else has the job. */
    taken?: JobTaking | undefined;
  }
>;

type Open = Readonly<{ endedAt: null }>;
type Ended = Readonly<{ endedAt: number; reason: string; hold: null }>;

/** A job that the service has not accepted. */
type NotSent = Readonly<{
  sentAt: null;
  noAnswer: string | null;
  claimed: null;
  evidence: undefined;
}>;

/** A job that the service accepted, or may have accepted. */
type Sent = Readonly<{
  sentAt: number;
  /** One sentence on the call, while nobody knows if the service accepted it. */
  noAnswer: string | null;
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: string | null;
  evidence: Evidence | undefined;
}>;

/** A job that waits for its proof. */
type Proving = Sent & Compared & Readonly<{ deadlineAt: number }>;

type Compared = Readonly<{
  /** `undefined` where the person may not read the list: then nothing counts as new. A plan has none. */
  baseline: Baseline | undefined;
}>;

/** A job that is to be sent; `tries` counts the failed attempts. */
type Sendable = Readonly<{ hold: Hold | null; reason: string | null; tries: number }>;

type InState<State extends JobState, What> = State extends JobState
  ? Common & What & Readonly<{ state: State }>
  : never;
type Approved = Readonly<{ approval: Approval; login: string }>;
type MayHaveApproval = Readonly<{ approval: Approval | undefined }>;

/** A job: what it has depends on its state. */
export type Job =
  | InState<'new', NotSent & Open & Sendable & { approval: undefined }>
  | InState<'awaiting', NotSent & Open & Approved & { hold: null; reason: null }>
  | InState<'approved', NotSent & Open & Sendable & Approved>
  | InState<'denied' | 'void', NotSent & Ended & Approved>
  | InState<'sending', Proving & Open & MayHaveApproval & { hold: null; reason: null; tries: number }>
  | InState<'running', Proving & Open & MayHaveApproval & { hold: Hold | null; reason: string | null; looks: number }>
  | InState<'succeeded' | 'finished', Sent & Ended & MayHaveApproval>
  | InState<'unconfirmed', Sent & Compared & Ended & MayHaveApproval>
  | InState<'failed', (Sent | NotSent) & Ended & MayHaveApproval>
  | InState<'withdrawn' | 'expired', NotSent & Ended & MayHaveApproval>;

/** A job in one of these states. */
export type JobIn<State extends JobState> = Extract<Job, { state: State }>;
/** A job that the service accepted, and that is followed. */
export type RunningJob = JobIn<'running'>;
/** A job that has ended. */
export type EndedJob = Exclude<Job, Open>;

/**
 * A row that this release cannot read as a job: another version of Dolly wrote it, as in any rolling upgrade. It
 * belongs to that release, and nothing of it may be changed here.
 */
export type Unreadable = Pick<Common, 'id' | 'team' | 'person' | 'operation' | 'target' | 'channel' | 'createdAt'> &
  /** `why`: the reason why it cannot be read, for the log; it quotes nothing that the row holds. */
  Readonly<{ state: 'unreadable'; why: string }>;

/** Whether a job has not been sent yet. */
export function isUnsent(job: Job | Unreadable): job is JobIn<(typeof unsent)[number]> {
  return unsent.some(state => state === job.state);
}

/** What a request takes on the environment of its new record, by that environment's identifier. */
export type Takes = Readonly<{ on: string; port: number | null; name: string | null; path: string | null }>;

/** A person's request, before it is stored as a job. */
export type NewJob = Pick<Common, 'id' | 'team' | 'person' | 'channel' | 'purpose' | 'createdAt'> &
  Pick<Common, 'operation' | 'values' | 'labels' | 'target' | 'targetName'> &
  Partial<Pick<Common, 'schedule' | 'rhythm' | 'zone' | 'tells' | 'thread' | 'execution'>> &
  Readonly<{
    /** New for each form: a form that is submitted twice makes one job. */
    requestKey: string;
    steps?: Steps | undefined;
    takes?: Takes | undefined;
    asShown?: ShownMarks | undefined;
    /** `null` where it is left out: a job that a person asks for never runs with another sign-in. */
    runsAs?: RunsAs | null | undefined;
  }>;

/**
 * A job that a plan begins as its step, with the approval of that step, if the plan has one. One with `steps` of its own is
 * the batch of those that wait for approval.
 */
export type NewStep = NewJob &
  Readonly<{ plan: string; step: number; login: string | null; approval: Approval | undefined }>;

/** The fields of a job that a step may change, beside its state. */
export type JobChange = Readonly<
  Partial<
    Pick<JobRow, 'targetName' | 'login' | 'dueAt' | 'lockedUntil' | 'reason' | 'sentAt' | 'deadlineAt' | 'endedAt'> &
      Pick<
        JobRow,
        'thread' | 'place' | 'messageTs' | 'replyTs' | 'shown' | 'tellAt' | 'tellTries' | 'tellLockedUntil'
      > &
      Approval & {
        posting: Posting | null;
        hold: Hold | null;
        noAnswer: string | null;
        baseline: Baseline | null;
        evidence: Evidence;
        impact: Impact;
        /** The names of what is chosen, as the records show them now. */
        labels: Labels;
        claimed: string;
        /** `looks` counts the looks at a running job, `tries` the failed attempts to send one: they share a column. */
        looks: number;
        tries: number;
        /** The step that a plan is at. */
        step: number;
      }
  >
>;

/** Gives the owner of the sign-in with which a job or a schedule runs: its requests are sent, its records read with it. */
export function runnerOf({ team, person, runsAs }: Owner & Readonly<{ runsAs: 'owner' | 'service' | null }>): Owner {
  return runsAs === 'service' ? accountOwner(team) : { team, person };
}

export function hasEnded(job: Job): job is EndedJob {
  return job.endedAt !== null;
}

/** Whether a job in this state has ended. */
export function isEnd(state: JobState): boolean {
  return ends.some(one => one === state);
}

/** Whether a text is a state that this release knows. */
export function isState(text: string): text is JobState {
  return states.some(state => state === text);
}

/** Makes the part of an entry of the trail that is about a job. The actor is the bot itself, unless it is replaced. */
export function about(job: Job) {
  const { id, team, person, operation, target, targetName, channel, login } = job;
  return { actor: 'dolly', job: id, team, person, operation, target, targetName, channel, login };
}

type WithSteps = Readonly<{ steps: Steps; step: number }>;
/** A job with steps. */
export type Plan<State extends JobState = JobState> = JobIn<State> & WithSteps;

export function isPlan<Given extends Job>(job: Given): job is Given & WithSteps {
  return job.steps !== undefined && job.step !== null;
}
