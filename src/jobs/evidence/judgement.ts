import type { RecordView } from '../../api/reading/recordView.ts';
import { isSamePlace, type Report } from '../../api/reading/reports.ts';
import { usualClass } from '../../api/reading/stateWords.ts';
import type { Appears } from '../../operations/proofs.ts';
import { namesItself, type Work } from '../../operations/work.ts';
import type { Claim } from '../../store/jobs/claims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import type { StateAnswer } from '../../store/tables/stateAnswers.ts';
import { cameSince, isAsBefore, stoodBefore } from './baseline.ts';
import { atWork } from './evidence.ts';
import { makingOf } from './madeBefore.ts';
import { settles } from './settles.ts';
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
  /** The new snapshot that is the job's own, as its database shows it. */
  made?: MadeSnapshot | undefined;
  /** A sentence on new snapshots of which nobody knows whose they are, and whether this job's may be among them. */
  ofOther?: Readonly<{ says: string; mayBeOurs: boolean }> | undefined;
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

/** A new snapshot, and how it stands by a state of its own: it is there where it shows none. */
export type MadeSnapshot = Readonly<{
  id: string;
  shown: RecordView | undefined;
  outcome: 'failed' | 'partial' | 'busy' | 'done';
}>;

/** The result of one look for a job's proof. */
export type LookResult = Readonly<{
  verdict: Judgement;
  /** What the verdict rests on, where a row decided (rows.ts). */
  basis?: Evidence['basis'];
  /** `undefined` where the record that the job is to make is not there yet. */
  seen: Evidence | undefined;
  /** The new record that is the job's own. */
  claimed?: string;
  /** What the verdict rests on, and shows no other job's work. */
  claims?: readonly Claim[];
  /** Whether the records show that the service accepted the call. */
  arrived: boolean;
  /** What the look teaches: a word that its record left, one in which it rests, and what somebody said of one. */
  left?: LeftWord | undefined;
  rests?: RecordView | undefined;
  said?: StateAnswer | undefined;
}>;

export const waiting: Judgement = { type: 'waiting' };
export const untoldResult = 'The records do not say whether it worked.';
export const untoldWork = 'I cannot tell whose work it was.';
export const newWord = 'a state that I have not seen at this service before';

/** Whether records stay in a word of this meaning while nothing is done to them. */
export function rests(meaning: StateMeaning): boolean {
  return meaning === 'resting' || meaning === 'usual';
}

/** Whether the record is in a state that it will leave by itself. */
export function isPassing({ seen, meaning }: Sighting): boolean {
  return seen.stateClass === 'busy' || meaning === 'passing';
}

/** Whether a record stands in an unknown word in which no others rest: it may be at work. */
export function isInOpenWord({ seen, learned }: Sighting): boolean {
  return seen.stateClass === 'unknown' && (learned === 'doubtful' || learned === 'passing');
}

/**
 * Whether it is a copy of whose making nothing was seen, where no such record ever was at work, or whose report of that gave
 * its place to another one: its state says nothing of the copying.
 */
export function isUnseenCopy({ isInstant }: Pick<Appears, 'isInstant'>, look: Sighting): boolean {
  return !isInstant && !wasMade(look) && (look.seen.wasBusy !== undefined || !look.showsWork);
}

/** Whether the record has been in its state for at least so many milliseconds. */
export function hasStood(seen: Evidence, milliseconds: number): boolean {
  return seen.seenAt - seen.since >= milliseconds;
}

/**
 * Whether a bare word beside the state, such as `jobStatus: "P"`, may say that work goes on, for all that is known. One
 * that says "well" of a record, such as `activity: "OPEN"`, may be a step where work was seen.
 */
export function mayGoOn(
  { outcome, isPlace, kind, endedAt, word = '' }: Report,
  seen: Pick<Evidence, 'wasBusy'> | undefined,
): boolean {
  const isBare = outcome === 'unknown' && isPlace && kind === undefined && endedAt === undefined;
  return isBare && (usualClass(word) !== 'ok' || seen?.wasBusy !== undefined);
}

/** Whether a report, or a word beside the state, says that work goes on on the record, or may say so. */
export function goesOn(report: Report, seen?: Pick<Evidence, 'wasBusy'>): boolean {
  return report.outcome === 'busy' || mayGoOn(report, seen);
}

/**
 * Whether a report of a record, or a word beside its state, says that work goes on there, or may say so, as one that took the
 * place of another since the call may; or whether its state is blank, and was not before the call.
 */
export function isWorkedOn(record: RecordView | undefined, before?: Before): boolean {
  const isBlank = record?.state === undefined && before?.state !== undefined;
  const isStep = (one: Report) => before !== undefined && mayGoOn(one, { wasBusy: '' }) && !stoodBefore(before, one);
  return record !== undefined && (isBlank || record.reports.some(one => goesOn(one) || isStep(one)));
}

/** Whether a report names this very work, or the person who asked: one that names neither may be of anybody's work. */
export function isNamed({ kind, by }: Pick<Report, 'kind' | 'by'>, work: Work): boolean {
  return by !== undefined || (kind !== undefined && namesItself(kind, work));
}

/** A failure in the words of a report on a record. */
export function wordsOf({ error, word, told = word }: Report, whose = "The record's own"): string {
  return error ?? `${whose} report of it says ${told ?? 'that it failed'}.`;
}

/** What the record's own report says of the end of its work: one sentence. */
export function saysOf({ kind, word, told = word }: Report): string {
  // The entry of a log tells both in one text.
  if (kind !== undefined && kind === told) return `The record's own report says ${told}.`;
  return `The record's own report of ${kind ?? 'the job'} says ${told ?? 'that it is done'}.`;
}

/** What a job's own report says in a word that nobody knows, '' where it says none. A bare word may be a step of the work. */
export function unknownWord({ report, seen }: Pick<Sighting, 'report' | 'seen'>): string {
  const isUnknown = report?.outcome === 'unknown' && report.word !== undefined && !mayGoOn(report, seen);
  return isUnknown && report.kind !== undefined ? `${saysOf(report)} I do not know what that means.` : '';
}

/** The name by which a person knows the record; its identifier where it shows none. */
export function seenName(seen: Evidence): string {
  return seen.name ?? seen.id;
}

/**
 * Whether what was shown is of this job, as far as is known: its words name the work, or the job had a minute to have its
 * turn. Until then it may be of a colleague's work.
 */
export function hadItsTurn(look: Sighting): boolean {
  const { seen, work } = look;
  return namesItself(`${seen.wasBusy ?? ''} ${seen.error ?? ''}`, work) || isTurnOver(look);
}

/** Whether the job had a minute to have its turn. */
export const isTurnOver = ({ seen, sentAt }: Pick<Sighting, 'seen' | 'sentAt'>) => seen.seenAt - sentAt >= settles.turn;

/**
 * Whether work on the record, whosever it is, began while a request still had its turn, and goes on or has just ended. What
 * that leaves may be of a request that nobody answered, however late it comes.
 */
export function beganInTime({ began }: Evidence, sentAt: number): boolean {
  return began !== undefined && began - sentAt <= settles.turn;
}

/** Whether a later report may have taken the place of the one that alone told of the work, which may go on. */
function isReplaced({ seen, before, record, report, sentAt, ahead }: Sighting): boolean {
  if (report || seen.wasBusy === undefined || !seen.wasBusy.startsWith(atWork)) return false;
  // What is from before the work, or from the making of its record, is no later report.
  const making = record && makingOf(record);
  const from = Math.max(sentAt + ahead, making?.isZoned ? making.at : 0);
  const isLater = ({ beganAt, endedAt = beganAt, isZoned }: Report) =>
    !isZoned || endedAt === undefined || endedAt > from;
  const takes = ({ identity }: Report) => seen.report !== undefined && isSamePlace(identity, seen.report.identity);
  return record?.reports.some(one => (cameSince(before, one) && isLater(one)) || takes(one)) === true;
}

/** Whether a new record was seen at work, and the work is seen to be over. */
export function wasMade(look: Sighting): boolean {
  return look.seen.wasBusy !== undefined && !isReplaced(look);
}

/** Says that the record was busy with what may be this job, and no longer is; `undefined` if it was never seen busy. */
export function returned(look: Sighting): string | undefined {
  const { seen, before, record, meaning, learned } = look;
  const { wasBusy, state, stateClass } = seen;
  if (wasBusy === undefined || wasBusy === state || meaning === 'doubtful') return undefined;
  // A failed state is judged as a failure; where it is that of other work, the job may go on in it.
  if (stateClass === 'failed' || !hadItsTurn(look) || isReplaced(look)) return undefined;
  // It may have been at other work before, in a word in which such records do not rest, and be at that still.
  const isTold = stateClass === 'ok' || record?.reports.some(({ outcome }) => outcome === 'busy');
  if (learned === 'passing' || (learned === 'doubtful' && isTold)) return undefined;
  // A word in a place that was empty before the call may be one more step of the work.
  if (record?.reports.some(one => mayGoOn(one, seen) && cameSince(before, one))) return undefined;
  // A state that is not shown, and was before the call, is none of rest.
  if (state === undefined) return before?.state === undefined ? `It was ${wasBusy}, and is so no more.` : undefined;
  return `It was ${wasBusy} and is ${state}${before && record && isAsBefore(before, record) ? ' again' : ''}.`;
}
