import type { Claim } from '../../store/jobs/recordClaims.ts';
import type { Baseline, Decision, Evidence, Impact, Labels, Objection } from '../../store/jobs/rows/data.ts';
import type { Approval, JobIn, JobState } from '../../store/jobs/rows/job.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';

/*
 * The table of the state machine: the states between which each event leads, and the data that it carries. The effects
 * (effects.ts) say which fields change beside the state. Nothing else changes the state of a job.
 */

/**
 * The state that follows on each state in which an event may happen; in all other states the event changes nothing.
 * Where two states are listed, the event's effect chooses.
 */
export const transitions = {
  // Before anything is sent, the policy is asked.
  forbidden: { new: 'failed' },
  refused: { new: 'failed' },
  approvalNeeded: { new: 'awaiting' },
  // People decide.
  approved: { awaiting: ['awaiting', 'approved'] },
  glassBroken: { awaiting: 'approved' },
  denied: { awaiting: 'denied' },
  reminded: { awaiting: 'awaiting' },
  holderObjected: { awaiting: 'awaiting' },
  changedSince: { approved: 'void' },
  // Of the running jobs, only plans are withdrawn.
  withdrawn: { new: 'withdrawn', awaiting: 'withdrawn', approved: 'withdrawn', running: 'withdrawn' },
  expired: { new: 'expired', awaiting: 'expired', approved: 'expired' },
  // The service is called once.
  sent: { new: 'sending', approved: 'sending' },
  accepted: { sending: 'running' },
  inDoubt: { sending: 'running' },
  putOff: { new: 'new', approved: 'approved', sending: ['new', 'approved'] },
  signedOut: { new: 'new', approved: 'approved', sending: ['new', 'approved'], running: 'running' },
  signedIn: { new: 'new', approved: 'approved', running: 'running' },
  failed: { new: 'failed', approved: 'failed', sending: 'failed', running: 'failed' },
  // The records are looked at until they prove the end.
  deadlineExtended: { running: 'running' },
  noChange: { running: 'running' },
  seen: { running: 'running' },
  proved: { running: 'succeeded' },
  finished: { running: 'finished' },
  unconfirmed: { running: 'unconfirmed' },
  stoppedLooking: { running: 'unconfirmed' },
  lookedAgain: { running: 'running', finished: 'running', unconfirmed: 'running' },
  takenBack: { succeeded: 'running', finished: 'running', failed: 'running' },
  objected: { succeeded: 'succeeded', finished: 'finished', failed: 'failed', unconfirmed: 'unconfirmed' },
  answered: { running: 'running' },
  // A plan begins one step after the other.
  begun: { new: 'running', approved: 'running' },
  stepBegun: { running: 'running' },
  stepAwaited: { running: 'running' },
  planEnded: { running: ['succeeded', 'finished', 'failed', 'unconfirmed'] },
  wentOn: { finished: 'running', failed: 'running', unconfirmed: 'running' },
} as const satisfies Record<string, Partial<Record<JobState, JobState | readonly JobState[]>>>;

export type EventType = keyof typeof transitions;

/**
 * The result of a look: the record, the new record that is the job's own, and whether the call is known to be accepted.
 */
export type Sight = Readonly<{
  evidence?: Evidence | undefined;
  claimed?: string | undefined;
  /** What the result rests on, and shows no other job's work. */
  claims?: readonly Claim[] | undefined;
  arrived?: boolean;
}>;
/** An act of a person, who is named as in the trail. */
type Act = Readonly<{ by: Actor }>;

/** The data of each event. Times are milliseconds since the epoch; a `reason` is text for people. */
type Details = {
  forbidden: { reason: string; login: string };
  refused: { reason: string; login?: string };
  approvalNeeded: {
    approval: Pick<Approval, 'terms' | 'facts' | 'digest' | 'expiresAt' | 'cardPlace'>;
    login: string;
    targetName: string | null;
    /** The names of what is chosen, as the records show them. */
    labels: Labels;
    remindAt: number;
    impact?: Impact | undefined;
  };
  /** `decisions` are all decisions, as they count now, with this approval. */
  approved: Act & { decisions: readonly Decision[] };
  glassBroken: Act & { reason: string };
  denied: Act & { decisions: readonly Decision[]; reason: string };
  reminded: { nextAt: number };
  /** Somebody who holds what it deletes is against that. */
  holderObjected: Act;
  changedSince: { reason: string };
  /** `reason` says what stands, where something was done already. */
  withdrawn: Act & { reason?: string };
  expired: { reason: string };
  /**
   * `within` is the time that the proof may take, in milliseconds. `signedInAt` is the time of the sign-in that it is sent
   * with.
   */
  sent: {
    login: string;
    signedInAt: number;
    baseline: Baseline | undefined;
    targetName: string | null;
    within: number;
    impact?: Impact | undefined;
  };
  accepted: object;
  inDoubt: { reason: string };
  /** `isOurs` says that Dolly itself waits, which is no try that failed. */
  putOff: { reason: string; until: number; isOurs?: true };
  signedOut: { until: number };
  signedIn: object;
  failed: { reason: string } & Sight;
  deadlineExtended: { deadlineAt: number };
  noChange: { nextAt: number };
  seen: { reason: string | null; nextAt: number } & Sight;
  proved: { reason: string } & Sight;
  finished: { reason: string } & Sight;
  unconfirmed: { reason: string | null } & Sight;
  stoppedLooking: Act;
  lookedAgain: Act;
  /** What the end rested on is so no more: `reason` says what is seen instead. */
  takenBack: { reason: string };
  /** Somebody said that an end is not so, and what is. */
  objected: Act & { says: Objection['says'] };
  /** Somebody said what a state word means. */
  answered: Act & { word: string; says: string };
  begun: { login: string };
  stepBegun: { step: number };
  stepAwaited: { nextAt: number };
  planEnded: { state: 'succeeded' | 'finished' | 'failed' | 'unconfirmed'; reason: string; step: number };
  /** The person saw to the ends of so many jobs of the step that the plan is at, and to what it lacks. */
  wentOn: Act & { seenTo: number; step: number };
};

/** Something that happens to a job. */
export type JobEvent<Type extends EventType = EventType> = {
  [T in Type]: Readonly<{ type: T } & Details[T]>;
}[Type];

/** A job in a state in which this event may happen. */
export type JobFor<Type extends EventType> = JobIn<Extract<keyof (typeof transitions)[Type], JobState>>;
