import type { Report } from '../../api/reading/reports.ts';
import { asClause } from '../../ground/wording.ts';
import { isCheck, mayReport, speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import { stoodBefore } from './baseline.ts';
import { atWork, isSameError } from './evidence.ts';
import { beganInTime, goesOn, returned } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { delayOf } from './madeBefore.ts';
import { maybeLate } from './others.ts';
import { ownChange } from './ownSigns.ts';
import { atDeadline, type Caveats } from './rows.ts';
import { untoldWork } from './sentences.ts';
import { settles } from './settles.ts';
import { askedIn, isNamed, whoseReport } from './whose.ts';

/* What speaks against it that a failure, or a sign of the work, is of the very job that is judged. */

/**
 * What speaks against it that a failure is of this job. A job of Dolly's that is under way, or work that goes on, may still show
 * whose it is; a record that rests in a failed state shows no more.
 */
function untold(look: Sighting, by: string | undefined) {
  const { seen, isShared, mayBeAnother, isWorkedOn, learned, meaning } = look;
  if (by === undefined) return undefined;
  const isAtWork = isWorkedOn === true || learned === 'passing' || meaning === 'doubtful';
  if (!isShared && mayBeAnother === undefined && !isAtWork) return by;
  return { by, stands: seen.stateClass === 'failed' && !isWorkedOn ? settles.unknown : atDeadline };
}

/** The same, where the words of the failure, or the state from which the record came to it, do not speak of this work. */
function untoldUnlessNamed(look: Sighting, by: string | undefined) {
  const { wasBusy, state, error = '', isErrorOutlived } = look.seen;
  // A word in which the record rests now was none of its work, of work that only reports told of several may go on, and work
  // that went on after an error did not end with it.
  const isOfState = wasBusy !== undefined && wasBusy !== state && !wasBusy.startsWith(atWork) && !isErrorOutlived;
  const isNamedHere = speaksOf(isOfState ? `${wasBusy} ${error}` : error, look.work) === 'yes';
  return isNamedHere ? undefined : untold(look, by);
}

const cannotTell = 'and I cannot tell which of them failed.';

/** What speaks against it that a failure which the record shows is of this job. */
export const caveatsOnFailure: Caveats = {
  'it may be another record': look => untold(look, look.mayBeAnother),
  'another job was under way': look =>
    untold(look, look.isShared ? `Another job was under way there, ${cannotTell}` : undefined),
  'it had been as wished': look => {
    const { reached } = look.seen;
    return untold(look, reached && `It was ${reached} before, and I cannot tell whose work failed after that.`);
  },
  'another error came before': look => {
    const { formerError, error = '', stateClass } = look.seen;
    if (formerError === undefined || isSameError(formerError, error) || stateClass === 'failed') return undefined;
    const former = `It showed another one before: ${asClause(formerError)}.`;
    return untold(look, `${former} I cannot tell which of them is of this job.`);
  },
  'somebody else did the same': look => {
    const { doneBy, sameBy } = look.seen;
    return untold(look, (doneBy ?? sameBy) && `Work by ${doneBy ?? sameBy} was under way there, ${cannotTell}`);
  },
  'other work was under way': look => {
    const { otherWork } = look.seen;
    return untoldUnlessNamed(look, otherWork && `Other work was under way there (${otherWork}), ${cannotTell}`);
  },
  'work went on after it': look =>
    untoldUnlessNamed(
      look,
      look.seen.isErrorOutlived ? 'Work went on there after it, and I cannot tell whose it is.' : undefined,
    ),
  'work goes on': look => {
    const isOn = (one: Report) => one.outcome === 'busy' && !stoodBefore(look.before, one) && !isCheck(one.kind ?? '');
    const goes = look.record?.reports.some(isOn) ? 'Work goes on there, and I cannot tell whose it is.' : undefined;
    return untoldUnlessNamed(look, goes);
  },
};

/** What speaks against it that the failure which the job's own report tells of is of this job. */
export const caveatsOnReport: Caveats = {
  'a sign of the work stands beside the report': look => {
    const { report, record, before, work } = look;
    const own = before && record && ownChange('work', look, before, record);
    if (!own || own.mayBeBackup || (report && isNamed(report, work))) return undefined;
    return `${own.by} I cannot tell whose failure it is.`;
  },
};

/** Whether a report of other work tells of a failure since the call in the words that the record shows. */
export function isOfOtherWork({ before, record, seen: { error = '' }, work }: Sighting): boolean {
  const tells = ({ kind = '', error: told = '' }: Report) => isSameError(told, error) && speaksOf(kind, work) === 'no';
  return record?.reports.some(one => one.outcome === 'failed' && !stoodBefore(before, one) && tells(one)) === true;
}

/** Says that a failure stands beside a sign of the work, or came after it, and that no other work explains it. */
function failureBeside({ before, seen, isShared, work }: Sighting): string | undefined {
  if (seen.error === undefined || seen.error === before?.error || isShared) return undefined;
  // Other work explains it, unless that may be of this kind, too: it may have left the sign then.
  if (seen.otherWork !== undefined && stateSpeaksOf(seen.otherWork, work) === 'no') return undefined;
  return `It shows a failure, too: ${asClause(seen.error)}. I cannot tell which of them is of this job.`;
}

/** What speaks against a state: nobody knows who brought it, where a call in doubt may have failed. */
export const caveatsOnState: Caveats = {
  'a failure stands beside the state': look => (look.inDoubt ? failureBeside(look) : undefined),
};

/** What speaks against a sign of the work, beside which a failure stands, or after which one came. */
export const caveatsBeside: Caveats = {
  'it has failed since': ({ seen: { stateClass, state, reached } }) =>
    stateClass === 'failed' && reached !== undefined
      ? `Its state is ${state}. It was ${reached} before, and I cannot tell whose work failed after that.`
      : undefined,
  'a failure stands beside the sign': failureBeside,
};

/** What speaks against a new snapshot: it may be of whoever did not fail. */
export const caveatsOnSnapshot: Caveats = {
  'a report of nobody knows whom says that it failed': look => {
    const { record, before, report, work } = look;
    const isOpen = (one: Report) =>
      one.outcome === 'failed' &&
      mayReport(one.kind ?? '', work) &&
      whoseReport(one, askedIn(look), before) !== 'another';
    return !report && record?.reports.some(isOpen)
      ? 'A report that names no work says that it failed: I cannot tell whose it is.'
      : undefined;
  },
};

/** What speaks against a time or a counter of the work. */
export const caveatsOnSign: Caveats = {
  ...caveatsOnSnapshot,
  'an earlier job may be late with it': ({ mayBeLate }) => (mayBeLate ? maybeLate : undefined),
  'it may be of a backup': (look, { mayBeBackup }) =>
    mayBeBackup
      ? { by: 'That may be of a backup: I cannot tell.', stands: returned(look) ? settles.long : atDeadline }
      : undefined,
  'it may be a step of work that goes on': ({ before, record, seen, work, ahead }, { movedTo = 0 }) => {
    // What went on before the call may soon be over.
    const isRecent = seen.seenAt - (movedTo - ahead) < settles.long;
    const isOn = (one: Report) =>
      goesOn(one, seen) && speaksOf(one.kind ?? '', work) !== 'no' && (isRecent || !stoodBefore(before, one));
    return record?.reports.some(isOn) ? { by: '', stands: atDeadline } : undefined;
  },
  ...caveatsBeside,
  'it came late': ({ seen, inDoubt, sentAt, ahead }, { movedTo, isZoned = true }) => {
    if (!inDoubt || movedTo === undefined || seen.wasBusy !== undefined || beganInTime(seen, sentAt)) return undefined;
    return delayOf({ at: movedTo, isZoned }, sentAt + ahead) > settles.turn
      ? `That is well after my request, which nobody answered. ${untoldWork}`
      : undefined;
  },
};
