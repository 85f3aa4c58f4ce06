import type { RecordView } from '../../api/reading/recordView.ts';
import { isSamePlace, type Report } from '../../api/reading/reports.ts';
import { usualClass } from '../../api/reading/stateWords.ts';
import type { Appears } from '../../operations/proofs.ts';
import { namesItself } from '../../operations/work.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { cameSince, isAsBefore, stoodBefore } from './baseline.ts';
import { atWork } from './evidence.ts';
import type { Sighting } from './judgement.ts';
import { makingOf } from './madeBefore.ts';
import { settles } from './settles.ts';
import type { StateMeaning } from './words/stateMeaning.ts';

/* Whether work goes on on a record, or is over, as one look shows it. */

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
 * Whether it is a copy of whose making nothing was seen, where no such record ever was at work: its state says nothing of the
 * copying.
 */
export function isUnseenCopy({ isInstant }: Pick<Appears, 'isInstant'>, look: Sighting): boolean {
  return !isInstant && !wasMade(look) && !look.showsWork;
}

/** Whether the record has been in its state for at least so many milliseconds. */
export function hasStood(seen: Evidence, milliseconds: number): boolean {
  return seen.seenAt - seen.since >= milliseconds;
}

/**
 * Whether a bare word beside the state, such as `jobStatus: "P"`, may say that work goes on, for all that is known. One
 * that says "well" of a record, such as `activity: "OPEN"`, may be a step where work was seen.
 */
export function mayTellOfWork(
  { outcome, isPlace, kind, word = '' }: Report,
  seen: Pick<Evidence, 'wasBusy'> | undefined,
): boolean {
  const isBare = outcome === 'unknown' && isPlace && kind === undefined;
  return isBare && (usualClass(word) !== 'ok' || seen?.wasBusy !== undefined);
}

/** Whether a report, or a word beside the state, says that work goes on on the record, or may say so. */
export function goesOn(report: Report, seen?: Pick<Evidence, 'wasBusy'>): boolean {
  return report.outcome === 'busy' || mayTellOfWork(report, seen);
}

/**
 * Whether a report of a record, or a word beside its state, says that work goes on there, or may say so, as one that took the
 * place of another since the call may.
 */
export function isWorkedOn(record: RecordView | undefined, before?: Before): boolean {
  const isStep = (one: Report) =>
    before !== undefined && mayTellOfWork(one, { wasBusy: '' }) && !stoodBefore(before, one);
  return record?.reports.some(one => goesOn(one) || isStep(one)) === true;
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
const isTurnOver = ({ seen, sentAt }: Pick<Sighting, 'seen' | 'sentAt'>) => seen.seenAt - sentAt >= settles.turn;

/**
 * Whether work on the record, whosever it is, began while a request still had its turn, and goes on or has just ended. What
 * that leaves may be of a request that nobody answered, however late it comes.
 */
export function beganInTime({ began }: Evidence, sentAt: number): boolean {
  return began !== undefined && began - sentAt <= settles.turn;
}

/** Whether a later report may have taken the place of the one that alone told of the work, which may go on. */
function isReplaced({ seen, record, report, sentAt, ahead }: Sighting): boolean {
  if (report || !seen.wasBusy?.startsWith(atWork)) return false;
  // What is from before the work, or from the making of its record, is no later report.
  const making = record && makingOf(record);
  const from = Math.max(sentAt + ahead, making?.isZoned ? making.at : 0);
  const isLater = ({ beganAt, endedAt = beganAt, isZoned }: Report) =>
    !isZoned || endedAt === undefined || endedAt > from;
  const takes = ({ identity }: Report) => seen.report !== undefined && isSamePlace(identity, seen.report.identity);
  return record?.reports.some(one => isLater(one) || takes(one)) === true;
}

/** Whether a new record was seen at work, and the work is seen to be over. */
export function wasMade(look: Sighting): boolean {
  return look.seen.wasBusy !== undefined && !isReplaced(look);
}

/** Says that the record was busy with what may be this job, and no longer is; `undefined` if it was never seen busy. */
export function returned(look: Sighting): string | undefined {
  const { seen, before, record, learned, meaning } = look;
  const { wasBusy, state, stateClass } = seen;
  if (wasBusy === undefined || wasBusy === state || learned === 'passing' || meaning === 'doubtful') return undefined;
  // A failed state is judged as a failure; where it is that of other work, the job may go on in it.
  if (stateClass === 'failed' || !hadItsTurn(look) || isReplaced(look)) return undefined;
  // A word in a place that was empty before the call may be one more step of the work.
  if (record?.reports.some(one => mayTellOfWork(one, seen) && cameSince(before, one))) return undefined;
  // A state that is not shown, and was before the call, is none of rest.
  if (state === undefined) return before?.state === undefined ? `It was ${wasBusy}, and no longer is.` : undefined;
  return `It was ${wasBusy} and is ${state}${before && record && isAsBefore(before, record) ? ' again' : ''}.`;
}
