import type { Report } from '../../api/reading/reports.ts';
import { isCheck, speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import { stoodBefore } from './baseline.ts';
import { atWork, isSameError } from './evidence.ts';
import { beganInTime, finishes, isNamed, type Judgement, type Sighting, untoldWork } from './judgement.ts';
import { delayOf } from './madeBefore.ts';
import { type OwnChange, ownChange } from './ownSigns.ts';
import { settles } from './settles.ts';

/* What speaks against it that a failure, or a sign of the work, is of the very job that is judged. */

/** A failure as it stands in a sentence. */
export const asClause = (failure: string) => failure.replace(/\.$/, '');

/**
 * Says what speaks against it that a failure on the record is of this job; `undefined` where nothing does. A report of
 * this very job leaves no doubt, and neither do words that name its work.
 */
export function doubtOn(look: Sighting): string | undefined {
  const { report, isShared, mayBeAnother, seen, work } = look;
  if (report?.outcome === 'failed') return doubtOnReport(look, report);
  if (mayBeAnother !== undefined) return mayBeAnother;
  const { otherWork, doneBy, sameBy, wasBusy, reached, error = '', formerError, state, stateClass } = seen;
  const isFormer = formerError !== undefined && !isSameError(formerError, error);
  const former = isFormer ? `It showed another one before: ${asClause(formerError)}. ` : '';
  if (isShared) return `${former}Another job was under way there, and I cannot tell which of them failed.`;
  if (reached !== undefined) return `It was ${reached} before, and I cannot tell whose work failed after that.`;
  if (former !== '' && stateClass !== 'failed') return `${former}I cannot tell which of them is of this job.`;
  const same = doneBy ?? sameBy;
  if (same !== undefined) return `Work by ${same} was under way there, and I cannot tell which of them failed.`;
  // A word in which the record rests now was none of its work, of work that only reports told of several may go on, and work
  // that went on after an error did not end with it.
  const isOfState = wasBusy !== undefined && wasBusy !== state && !wasBusy.startsWith(atWork) && !seen.isErrorOutlived;
  const shown = isOfState ? `${wasBusy} ${error}` : error;
  if (speaksOf(shown, work) === 'yes') return undefined;
  if (otherWork !== undefined)
    return `Other work was under way there (${otherWork}), and I cannot tell which of them failed.`;
  if (seen.isErrorOutlived) return 'Work went on there after it, and I cannot tell whose it is.';
  return goesOnBeside(look) ? 'Work goes on there, and I cannot tell whose it is.' : undefined;
}

/** Whether a report, or a word beside the state, says of work that began since the call that it goes on. */
function goesOnBeside({ before, record }: Sighting): boolean {
  const isNew = (one: Report) => one.outcome === 'busy' && !stoodBefore(before, one) && !isCheck(one.kind ?? '');
  return record?.reports.some(isNew) === true;
}

/** Whether a report of other work tells of a failure since the call in the words that the record shows. */
export function isOfOtherWork({ before, record, seen: { error = '' }, work }: Sighting): boolean {
  const isNew = (one: Report) => one.outcome === 'failed' && !stoodBefore(before, one);
  const tells = ({ kind = '', error: told = '' }: Report) => isSameError(told, error) && speaksOf(kind, work) === 'no';
  return record?.reports.some(one => isNew(one) && tells(one)) === true;
}

/** A report that names neither this very work nor a person may be of other work, where the record shows a sign of this one. */
function doubtOnReport(look: Sighting, report: Report): string | undefined {
  const { before, record, work } = look;
  if (isNamed(report, work) || !before || !record) return undefined;
  const own = ownChange('work', look, before, record);
  return own && !own.mayBeBackup ? `${own.by} I cannot tell whose failure it is.` : undefined;
}

/** An error that the record did not show before the call, and that no report of other work explains. */
export function newError({ before, seen, record, report, inDoubt }: Sighting): string | undefined {
  if (!before || seen.error === undefined || seen.error === before.error) return undefined;
  if ((inDoubt && seen.wasBusy === undefined) || report?.outcome === 'done') return undefined;
  return record?.reports.some(({ error }) => error === seen.error) ? undefined : seen.error;
}

/**
 * The verdict on a failure that may be of other work: a job of Dolly's that is under way may still show whose it is, but a
 * record that rests in a failed state, and tells of no work beside it, shows no more.
 */
export function untoldFailure(look: Sighting, failure: string, contradiction?: string): Judgement | undefined {
  const doubt = doubtOn(look);
  if (doubt === undefined) return undefined;
  const by = `The record shows a failure: ${asClause(failure)}. ${doubt}`;
  // A record in a word that such records leave, or in which none rests, may show more, too.
  const isAtWork = look.isWorkedOn === true || look.learned === 'passing' || look.meaning === 'doubtful';
  const isOpen = look.isShared || look.mayBeAnother !== undefined || isAtWork;
  const verdict = finishes(look.seen, isOpen ? settles.unknown : settles.long, by);
  if (!isOpen || (look.seen.stateClass === 'failed' && !look.isWorkedOn)) return verdict;
  return { type: 'waiting', atLast: by, ...(contradiction === undefined ? {} : { contradiction }) };
}

/** Says that a failure stands beside a sign of the work, or came after it, and that no other work explains it. */
export function doubtBesideFailure(look: Sighting): string | undefined {
  const { before, seen, isShared, work } = look;
  if (seen.stateClass === 'failed' && seen.reached !== undefined) return `Its state is ${seen.state}. ${doubtOn(look)}`;
  if (seen.error === undefined || seen.error === before?.error || isShared) return undefined;
  // Other work explains it, unless that may be of this kind, too: it may have left the sign then.
  if (seen.otherWork !== undefined && stateSpeaksOf(seen.otherWork, work) === 'no') return undefined;
  return `It shows a failure, too: ${asClause(seen.error)}. I cannot tell which of them is of this job.`;
}

/** Says that a sign of the work came too late to be surely of a request that nobody answered; else `undefined`. */
export function doubtOnTime(
  { seen, inDoubt, sentAt, ahead }: Sighting,
  { movedTo, isZoned = true }: OwnChange,
): string | undefined {
  const isLate = movedTo !== undefined && delayOf({ at: movedTo, isZoned }, sentAt + ahead) > settles.turn;
  return inDoubt && seen.wasBusy === undefined && isLate && !beganInTime(seen, sentAt)
    ? `That is well after my request, which nobody answered. ${untoldWork}`
    : undefined;
}

/** Says of an error that is gone again that it was there: nobody knows whose it was. */
export function withFormerError(verdict: Judgement, { seen: { error, formerError }, before }: Sighting): Judgement {
  if (formerError === undefined || error !== before?.error) return verdict;
  const says = `It showed a failure meanwhile: ${asClause(formerError)}. I cannot tell whose it is.`;
  if (verdict.type === 'finished') return { ...verdict, by: `${verdict.by} ${says}` };
  return verdict.type === 'waiting' && verdict.atLast !== undefined
    ? { ...verdict, atLast: `${verdict.atLast} ${says}` }
    : verdict;
}
