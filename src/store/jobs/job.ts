import type { Baseline, Decision, Evidence, Fact, JobValues, Labels, Posting, Posts, Terms } from './data.ts';

/** The states in which a job has not been sent yet: `awaiting` waits for approval, `approved` has it. */
export const unsent = ['new', 'awaiting', 'approved'] as const;
/**
 * The states in which a job still asks for something: `sending` is written before the call; a `running` job was accepted,
 * or is in doubt, and waits for its proof.
 */
export const open = [...unsent, 'sending', 'running'] as const;
/**
 * The states in which a job asks for nothing any more. `void` is an approval of what has changed since. A `finished` job
 * went its way without showing how it ended; that and an `unconfirmed` one can be looked at again.
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

/** The state of a job. The state machine alone says which state follows on which. */
export type JobState = (typeof states)[number];
/** Why nothing is done about a job for the moment. */
export type Hold = 'sign-in' | 'busy';

/** The approval that a job needs, or needed. Times are milliseconds since the epoch. */
export type Approval = Readonly<{
  terms: Terms;
  /** The target as the approvers see it, and a digest over that and over what is asked. */
  facts: readonly Fact[];
  digest: string;
  /** All decisions, in order. */
  decisions: readonly Decision[];
  /** When nobody can approve it any more, or an approval is too old to act on. */
  expiresAt: number;
  /** How often the approvers were to be reminded. */
  reminders: number;
  /** The channel of the approval's own card; `null` where the job's message has the buttons. */
  cardPlace: string | null;
  /** Why it ran without approval, in the words of the person who broke the glass. */
  emergency: string | null;
}>;

/** What every job has, in whatever state it is. Times are milliseconds since the epoch. */
type Common = Readonly<{
  id: string;
  team: string;
  person: string;
  /** The name of an operation that this release knows. */
  operation: string;
  values: JobValues;
  labels: Labels;
  /** The identifier of what the job is about, and its name as far as it is known. */
  target: string;
  targetName: string | null;
  /** The reason that the person gave, in their words, for those who decide. */
  purpose: string | null;
  /** The user of the service that it was asked as, and runs as; jobs of the first release do not say it. */
  login: string | null;
  createdAt: number;
  /** When the job wants the next step. */
  dueAt: number | null;
  lockedUntil: number;
  /** Where the person asked. */
  channel: string;
  /** Where the message stands: that channel, or a direct message. */
  place: string | null;
  messageTs: string | null;
  replyTs: string | null;
  /** Where the other messages stand, and the post whose answer may be lost. */
  posts: Posts;
  posting: Posting | undefined;
  /** Counts what changed for a reader; `shown` is the last revision that Slack took. */
  revision: number;
  shown: number;
  tellAt: number | null;
  tellTries: number;
}>;

type Open = Readonly<{ endedAt: null }>;
type Ended = Readonly<{ endedAt: number; reason: string; hold: null }>;

/** A job that the service has not accepted. */
type NotSent = Readonly<{ sentAt: null; inDoubt: boolean; claimed: null; evidence: undefined }>;

/** A job that the service accepted, or may have accepted. */
type Sent = Readonly<{
  sentAt: number;
  /** Whether nobody knows yet if the service accepted the call. */
  inDoubt: boolean;
  /** The new record that this job is proved by; no two jobs share one. */
  claimed: string | null;
  evidence: Evidence | undefined;
}>;

/** A job whose proof is waited for. */
type Proving = Sent &
  Readonly<{
    deadlineAt: number;
    /** `undefined` where the person may not read the list: then nothing counts as new. */
    baseline: Baseline | undefined;
  }>;

/** A job that is to be sent; `tries` counts how often that was in vain. */
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
  | InState<'succeeded' | 'finished' | 'unconfirmed', Sent & Ended & MayHaveApproval>
  | InState<'failed', (Sent | NotSent) & Ended & MayHaveApproval>
  | InState<'withdrawn' | 'expired', NotSent & Ended & MayHaveApproval>;

/** A job in one of these states. */
export type JobIn<State extends JobState> = Extract<Job, { state: State }>;
/** A job that asks for nothing any more. */
export type EndedJob = Exclude<Job, Open>;

/**
 * A row that this release cannot read as a job: another release of Dolly wrote it, as in any rolling upgrade. It belongs
 * to that release, and nothing of it may be changed here.
 */
export type Unreadable = Readonly<{
  state: 'unreadable';
  id: string;
  team: string;
  person: string;
  operation: string;
  target: string;
  channel: string;
  createdAt: number;
  /** Why it cannot be read, for the log; it quotes nothing that the row holds. */
  why: string;
}>;

/** What a person asks for, before it is stored. */
export type NewJob = Pick<
  Common,
  | 'id'
  | 'team'
  | 'person'
  | 'operation'
  | 'values'
  | 'labels'
  | 'target'
  | 'targetName'
  | 'channel'
  | 'purpose'
  | 'createdAt'
> &
  Readonly<{
    /** Made anew with each form: a form that is submitted twice is one job. */
    requestKey: string;
  }>;

/** What may be changed of a job beside its state. */
export type JobChange = Readonly<
  Partial<
    Pick<Common, 'targetName' | 'login' | 'dueAt' | 'lockedUntil'> &
      Pick<Common, 'place' | 'messageTs' | 'replyTs' | 'shown' | 'tellAt' | 'tellTries'> &
      Omit<Approval, 'cardPlace'> & {
        cardPlace: string | null;
        posting: Posting | null;
        tellLockedUntil: number;
        hold: Hold | null;
        reason: string | null;
        sentAt: number | null;
        deadlineAt: number | null;
        endedAt: number | null;
        inDoubt: boolean;
        baseline: Baseline | null;
        evidence: Evidence;
        claimed: string;
        /** How often it was looked at; before the sending, how often that was tried in vain. */
        looks: number;
        tries: number;
      }
  >
>;

/** Whether a job asks for nothing any more. */
export function hasEnded(job: Job): job is EndedJob {
  return job.endedAt !== null;
}

/** Whether a text is a state that this release knows. */
export function isState(text: string): text is JobState {
  return states.some(state => state === text);
}

/** The part of the trail's entries that is about a job; done by the bot itself, for the job's person, unless more is said. */
export function about(job: Job) {
  const { id, team, person, operation, target, targetName, channel, login } = job;
  return { actor: 'dolly', job: id, team, person, operation, target, targetName, channel, login };
}
