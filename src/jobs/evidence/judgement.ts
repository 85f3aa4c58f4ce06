import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { Work } from '../../operations/work.ts';
import type { Claim } from '../../store/jobs/recordClaims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import type { StateAnswer } from '../../store/tables/stateAnswers.ts';
import type { StateMeaning } from './words/stateMeaning.ts';
import type { LeftWord } from './words/stateVocabulary.ts';

/**
 * The records' answer on a job:
 * - `proved`: they show a sign of this very job, said in `by`.
 * - `finished`: the work came to an end, and nothing shows whether it worked, or the record says that a part alone did.
 * - `failed`: the service says so, or the record came back without the effect that such records show.
 * An end with `isSaid` rests on somebody's word. What the others say must stand before it counts (standingEnd.ts).
 * - `waiting`: it is not over. `contradiction` is a sentence that speaks against it; `atLast` is the sentence with
 *   which it is `finished` if nothing else is seen in time, unless the record says even then that work goes on.
 */
export type Judgement =
  | { type: 'proved'; by: string; sign?: string; isSaid?: true }
  | { type: 'finished'; by: string; isInPart?: true; isSaid?: true }
  | { type: 'failed'; reason: string; isSaid?: true }
  | { type: 'waiting'; contradiction?: string; atLast?: string; goesOn?: true };

/** One look at the record that a job is about. Times are milliseconds since the epoch. */
export type Sighting = Readonly<{
  work: Work;
  seen: Evidence;
  /** `undefined` where the record is not there. */
  record: RecordView | undefined;
  before: Before | undefined;
  /** The meaning of the record's state: its usual one where it is as before the call, else that of its word (`learned`). */
  meaning: StateMeaning;
  /** The meaning of the record's state word in the records of this service. */
  learned: StateMeaning;
  /** Whether records like this show the state that the job is to lead to: some were seen in it. */
  showsWanted: boolean;
  /** Whether databases like this were ever seen at work: else nobody knows whether this one is. */
  showsWork: boolean;
  /** The record's own report of this very job. */
  report: Report | undefined;
  /** Whether nobody knows yet if the service accepted the call, and in whose name it was sent. */
  inDoubt: boolean;
  login?: string | null;
  /** The records that its work is done on, or makes. */
  records?: readonly string[];
  /** Whether a failure that the record itself shows may be of another job of Dolly's on it. */
  isShared: boolean;
  /** Says how the record differs from the target as it was, where that does not tell whether it is another one. */
  mayBeAnother?: string | undefined;
  /** Whether only a list shows the record, and the service says that there is none: the list may be late. */
  isDenied?: boolean | undefined;
  /** Whether a word beside the state, of the record or of the one around it, says that work goes on there, or may say so. */
  isWorkedOn?: boolean;
  /** The new snapshot that is the job's own. */
  made?: string | undefined;
  /** A sentence on new snapshots of which nobody knows whose they are. */
  ofOther?: string | undefined;
  /** Whether an earlier job of the same work, whose end nobody knows, may take effect late. */
  mayBeLate?: boolean;
  /** The word that the record left by itself since the look before. */
  left?: LeftWord | undefined;
  sentAt: number;
  /** Whether the time to look is over: what is seen now is told. */
  isLast?: boolean;
  /** How far the service's clock is ahead of ours. */
  ahead: number;
}>;

/** The result of one look for a job's proof. */
export type LookResult = Readonly<{
  judgement: Judgement;
  /** What the judgement rests on, where a row decided (rows.ts). */
  basis?: Evidence['basis'];
  /** `undefined` where the record that the job is to make is not there yet. */
  seen: Evidence | undefined;
  /** The new record that is the job's own. */
  claimed?: string;
  /** What the judgement rests on, and shows no other job's work. */
  claims?: readonly Claim[];
  /** Whether the records show that the service accepted the call. */
  arrived: boolean;
  /** What the look teaches: a word that its record left, one in which it rests, and what somebody said of one. */
  left?: LeftWord | undefined;
  rests?: RecordView | undefined;
  said?: StateAnswer | undefined;
}>;
export const waiting: Judgement = { type: 'waiting' };
