import type { Report } from '../../api/reading/reports.ts';
import { asClause } from '../../ground/wording.ts';
import { speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import { stoodBefore } from './baseline.ts';
import { atWork } from './evidence.ts';
import { beganInTime, goesOn } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { delayOf } from './madeBefore.ts';
import { maybeLate } from './others.ts';
import { atDeadline, type Caveats } from './rows.ts';
import { untoldWork } from './sentences.ts';
import { settles } from './settles.ts';

/* What speaks against it that a failure, or a sign of the work, is of the very job that is judged. */

const cannotTell = 'and I cannot tell which of them failed.';

/** What speaks against it that a failure which the record shows is of this job. */
export const caveatsOnFailure: Caveats = {
  // Work that goes on may still show whose it is; a record that rests in a failed state shows no more.
  'another job was under way': ({ isShared, seen }) =>
    isShared
      ? {
          by: `Another job was under way there, ${cannotTell}`,
          stands: seen.stateClass === 'failed' ? settles.unknown : atDeadline,
        }
      : undefined,
  'another error came before': ({ seen: { formerError, error, stateClass } }) =>
    formerError === undefined || formerError === error || stateClass === 'failed'
      ? undefined
      : `It showed another one before: ${asClause(formerError)}. I cannot tell which of them belongs to this job.`,
  'somebody else did the same': ({ seen: { doneBy, sameBy } }) =>
    (doneBy ?? sameBy) && `Work by ${doneBy ?? sameBy} was under way there, ${cannotTell}`,
  'other work was under way': ({ seen: { otherWork, wasBusy, state, error = '' }, work }) => {
    // A word in which the record rests now was none of its work, and of work that only reports told of several may go on.
    const isOfState = wasBusy !== undefined && wasBusy !== state && !wasBusy.startsWith(atWork);
    const isNamedHere = speaksOf(isOfState ? `${wasBusy} ${error}` : error, work) === 'yes';
    return otherWork === undefined || isNamedHere
      ? undefined
      : `Other work was under way there (${otherWork}), ${cannotTell}`;
  },
};

/** Says that a failure stands beside a sign of the work, or came after it, and that no other work explains it. */
function failureBeside({ before, seen, work }: Sighting): string | undefined {
  const { error, state, stateClass } = seen;
  const hasFailed = stateClass === 'failed' && before?.stateClass !== 'failed';
  const failure = error !== before?.error ? error : undefined;
  if (!hasFailed && failure === undefined) return undefined;
  // Other work explains it, unless that may be of this kind, too: it may have left the sign then.
  if (seen.otherWork !== undefined && stateSpeaksOf(seen.otherWork, work) === 'no') return undefined;
  return `It shows a failure, too: ${asClause(failure ?? `its state is ${state}`)}. I cannot tell which of them belongs to this job.`;
}

/** What speaks against a state: nobody knows who brought it, where a call in doubt may have failed. */
export const caveatsOnState: Caveats = {
  'a failure stands beside the state': look => (look.inDoubt ? failureBeside(look) : undefined),
};

/** What speaks against a sign of the work, beside which a failure stands. */
export const caveatsBeside: Caveats = { 'a failure stands beside the sign': failureBeside };

/** What speaks against a time or a counter of the work. */
export const caveatsOnSign: Caveats = {
  'an earlier job may be late with it': ({ mayBeLate }) => (mayBeLate ? maybeLate : undefined),
  'it may be of a backup': (_, { mayBeBackup }) =>
    mayBeBackup ? { by: 'That may belong to a backup: I cannot tell.', stands: atDeadline } : undefined,
  'it may be a step of work that goes on': ({ before, record, seen, work }) => {
    const isOn = (one: Report) =>
      goesOn(one, seen) && !stoodBefore(before, one) && speaksOf(one.kind ?? '', work) !== 'no';
    return record?.reports.some(isOn) ? { by: '', stands: atDeadline } : undefined;
  },
  ...caveatsBeside,
  'it came late': ({ seen, inDoubt, sentAt, ahead }, { movedTo, isZoned = true }) => {
    if (!inDoubt || movedTo === undefined || beganInTime(seen, sentAt)) return undefined;
    return delayOf({ at: movedTo, isZoned }, sentAt + ahead) > settles.turn
      ? `That is well after my request, which got no answer. ${untoldWork}`
      : undefined;
  },
};
