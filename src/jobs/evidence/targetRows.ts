import type { Changes, Converts, Gone } from '../../operations/proofs.ts';
import { stateSpeaksOf } from '../../operations/work.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import { isAsBefore } from './baseline.ts';
import {
  asClause,
  doubtsBeside,
  doubtsOnFailure,
  doubtsOnReport,
  doubtsOnSign,
  doubtsOnSnapshot,
  isFailureDoubted,
  isOfOtherWork,
} from './doubts.ts';
import {
  hadItsTurn,
  isNamed,
  isPassing,
  isTurnOver,
  returned,
  type Sighting,
  saysOf,
  seenName,
  untoldResult,
  wordsOf,
} from './judgement.ts';
import { type OwnChange, ownChange, ownKey } from './ownSigns.ts';
import { atDeadline, type Rows } from './rows.ts';
import { settles } from './settles.ts';

/* How a job that changes a record, or deletes it, is judged by that record, but for one that leads it to a state. */

const long = () => settles.long;

/** What the job's own report says of its end. */
const reportEnds: Rows = {
  'its report says that it failed': {
    failed: ({ report }) => (report?.outcome === 'failed' ? wordsOf(report) : undefined),
    doubts: doubtsOnReport,
  },
  'its report says that a part was done': {
    stands: long,
    inPart: ({ report }) => (report?.outcome === 'partial' ? saysOf(report) : undefined),
  },
};

export const reportRows: Rows = {
  ...reportEnds,
  'its report says that it goes on': {
    waiting: ({ report }) => (report?.outcome === 'busy' ? '' : undefined),
  },
};

/** For how long what a nameless report tells must stand: its job had its turn, and nothing goes on. */
export const untilItsTurn = (look: Sighting) => (look.isWorkedOn || !isTurnOver(look) ? atDeadline : settles.long);

/** A failed state that nothing explains but this job. */
export const failedState: Rows = {
  'its state says that it failed': { failed: look => (isFailureDoubted(look) ? undefined : failureOf(look)) },
};

export const atWork: Rows = {
  'the record is at work': { waiting: look => (isAtWork(look) ? '' : undefined) },
};

/** A new error, or a failed state, whoever brought it. */
export const failureRows: Rows = {
  'the record shows a failure': {
    failed: look => {
      const failure = failureOf(look) ?? newError(look);
      if (failure === undefined || !isFailureDoubted(look)) return hadItsTurn(look) ? failure : undefined;
      return `The record shows a failure: ${asClause(failure)}.`;
    },
    stands: ({ seen, isWorkedOn }) => (isWorkedOn || seen.isErrorAmid ? settles.unknown : 0),
    doubts: doubtsOnFailure,
  },
  // Whoever looks there should know of an error that is new, though nobody knows whether the call arrived.
  'the record shows a failure, and nobody answered the request': {
    finished: ({ seen: { error }, before, inDoubt }) =>
      inDoubt && error !== undefined && error !== before?.error
        ? `The record shows a failure since: ${asClause(error)}. I cannot tell whose it is.`
        : undefined,
    stands: () => atDeadline,
  },
};

/** Whether the record is at work that may be this job's. Where a report says that this is done, it is other work. */
export function isAtWork(look: Sighting): boolean {
  const isTold = look.report?.outcome === 'done' && look.report.kind !== undefined;
  return !isTold && isPassing(look);
}

/** The target of a change that is not there any more. */
export const vanished: Rows = {
  'the record is gone': {
    failed: ({ record, before, seen }) => (record || !before ? undefined : `The record of ${seenName(seen)} is gone.`),
  },
};

/** How a job ends that changes its target, such as a restore. */
export const changeRows: Rows<Changes> = {
  ...vanished,
  ...reportRows,
  ...failedState,
  'its new snapshot failed': {
    failed: look => {
      const { id, shown, outcome } = snapshotAtRest(look) ?? {};
      const isFailed = shown?.state?.class === 'failed' || outcome === 'failed';
      return isFailed ? (shown?.error ?? `${id} is ${shown?.state?.word}.`) : undefined;
    },
  },
  'a part of its new snapshot is there': {
    inPart: look => {
      const { id, shown, outcome } = snapshotAtRest(look) ?? {};
      return outcome === 'partial' ? `There is a new snapshot, ${id}, which is ${shown?.state?.word}.` : undefined;
    },
  },
  'its new snapshot is being made': { waiting: look => (snapshotAtRest(look)?.isBusy ? '' : undefined) },
  'its new snapshot is there': {
    proved: look => {
      const made = snapshotAtRest(look);
      return made && `There is a new snapshot, ${made.id}.`;
    },
    doubts: doubtsOnSnapshot,
  },
  'its report says that it is done': {
    proved: look => (look.report?.outcome === 'done' && !isAtWork(look) ? saysOf(look.report) : undefined),
    doubts: {
      'a report without a name, and nothing that such work leaves': look => {
        const by = look.report && isNamed(look.report, look.work) ? undefined : missedBy(look);
        return by && { by, stands: untilItsTurn(look) };
      },
    },
  },
  'a time or a counter of this work moved': {
    proved: (look, { by }) => {
      const own = look.ofOther === undefined && look.report?.outcome !== 'done' ? movedIn(look, by) : undefined;
      const back = own && returned(look);
      return own && { ...own, by: back ? `${back} ${own.by}` : own.by };
    },
    doubts: doubtsOnSign,
  },
  ...atWork,
  ...failureRows,
  'a new snapshot is of nobody knows whom': {
    stands: (look, { makes }) => (look.ofOther?.mayBeOurs || (makes && returned(look)) ? settles.long : atDeadline),
    finished: look => look.ofOther && [returned(look) ?? '', look.ofOther.says].join(' ').trim(),
  },
  'it came back without what such work leaves': {
    stands: long,
    failed: look => {
      const [back, missed] = [returned(look), missedBy(look)];
      return back && missed && `${back} ${missed}`;
    },
  },
  'it came back': {
    finished: (look, { orReturns }) => {
      const back = orReturns ? returned(look) : undefined;
      return back && `${back} ${untoldResult}`;
    },
  },
  'it came back without a sign': {
    waiting: look => {
      const back = returned(look);
      return back && `${back} It shows no new time or counter of its own.`;
    },
  },
};

/** How a conversion ends. */
export const conversionRows: Rows<Converts> = {
  'it is no longer among the clones': {
    finished: ({ record, before, seen }) =>
      record || !before
        ? undefined
        : `${seenName(seen)} is no longer among the clones under this identifier. ${untoldResult}`,
  },
  ...reportRows,
  ...failedState,
  'it is physical': {
    proved: look =>
      look.record?.isPhysical === true && look.before?.isPhysical !== true && mayCount(look)
        ? { by: 'Its record says that it is physical.', sign: 'physical' }
        : undefined,
    doubts: doubtsBeside,
  },
  ...atWork,
  ...failureRows,
  'it came back virtual': {
    stands: long,
    failed: look => {
      const back = returned(look);
      return back && !look.report && look.record?.isPhysical === false ? `${back} ${stillVirtual}` : undefined;
    },
  },
  'its report says that it is done, and it is virtual': {
    stands: long,
    finished: ({ report, record }) =>
      report?.outcome === 'done' && record?.isPhysical === false ? `${saysOf(report)} ${stillVirtual}` : undefined,
  },
  'it is virtual': {
    waiting: ({ record }) => (record?.isPhysical === false ? stillVirtual : undefined),
  },
  'its report says that it is done': {
    proved: ({ report }) => (report?.outcome === 'done' ? saysOf(report) : undefined),
  },
  'it came back': {
    finished: look => {
      const back = returned(look);
      return back && `${back} Its record does not say whether it is physical.`;
    },
  },
};

const stillVirtual = 'Its record still says that it is virtual.';

/** How a deletion ends. */
export const deletionRows: Rows<Gone> = {
  'the record is gone': {
    proved: ({ seen, before }) =>
      seen.gone && before ? `${seenName(seen)} is gone from the service's records.` : undefined,
  },
  ...reportEnds,
  'its report says that what was never shown is gone': {
    proved: ({ seen, report }) => (seen.gone && report?.outcome === 'done' ? saysOf(report) : undefined),
  },
  ...failedState,
  'the record is at work': {
    waiting: look => (look.report?.outcome === 'busy' || isPassing(look) ? stillThere(look) : undefined),
  },
  'another record may have its number': {
    stands: long,
    finished: ({ mayBeAnother, report }) =>
      mayBeAnother && (report?.outcome === 'done' ? `${saysOf(report)} ${mayBeAnother}` : mayBeAnother),
  },
  'the record may be at work': {
    waiting: look => (look.seen.isBusy ? stillThere(look) : undefined),
  },
  ...failureRows,
  'its report says that it is done, and it is there': {
    stands: long,
    finished: look => (look.report?.outcome === 'done' ? `${saysOf(look.report)} ${stillThere(look)}` : undefined),
  },
  // Other work there may stand before that of the deletion.
  'it came back, and work goes on around it': {
    waiting: look => (look.isWorkedOn && returned(look) ? '' : undefined),
  },
  // A list that is late shows for some time what is gone.
  'it came back': {
    failed: look => {
      const back = returned(look);
      return back && `${back} ${stillThere(look)}`;
    },
    stands: ({ isDenied }) => (isDenied ? atDeadline : settles.long),
  },
  'the record is there': {
    waiting: look => (look.seen.gone ? undefined : stillThere(look)),
  },
};

const stillThere = ({ seen }: Sighting) => `${seenName(seen)} is still in the service's records.`;

/** The time or the counter of this very work that moved, where it counts. */
function movedIn(look: Sighting, by: Changes['by']): OwnChange | undefined {
  const { before, record } = look;
  const own = before && record && ownChange(by, look, before, record);
  return own && (mayCount(look) || (!look.inDoubt && isOver(look, own))) ? own : undefined;
}

/** Whether a sign counts: the record is not at work, or is so still at what was there before the call, though nobody knows of a call in doubt. */
function mayCount(look: Sighting): boolean {
  const { before, record, inDoubt } = look;
  return !isAtWork(look) || (!inDoubt && before !== undefined && record !== undefined && isAsBefore(before, record));
}

/** Whether a time says that this work is over, though the record is at work: a time that came with the work may be its beginning. */
function isOver({ seen, work, ahead }: Sighting, { at: over }: OwnChange): boolean {
  if (over === undefined || seen.state === undefined) return false;
  const at = over - ahead;
  const speaks = stateSpeaksOf(seen.state, work);
  return speaks === 'no' || (speaks === 'open' && at > seen.since + settles.soon && seen.seenAt - at >= settles.long);
}

/** The job's new snapshot, where nothing says that the work on its database goes on or has failed. */
const snapshotAtRest = ({ made, seen, meaning }: Sighting) =>
  seen.stateClass === 'failed' || meaning === 'passing' ? undefined : made;

/** Says which effect of the work such records show, and this one does not. */
function missedBy(look: Sighting): string | undefined {
  const { before, record, work } = look;
  if (!before || !record || look.ofOther) return undefined;
  if (ownChange('work', look, before, record)) return undefined;
  if (work.name === 'backup' && before.snapshots.length + snapshotsOf(record).length > 0)
    return 'It shows no new snapshot.';
  const key = ownKey(work, before, record);
  return key && `It shows no new ${key}.`;
}

/** A failed state that the record did not show before the call. While the sending is in doubt, it may be of other work. */
function failureOf(look: Sighting): string | undefined {
  const { before, seen, report, inDoubt } = look;
  if (seen.stateClass !== 'failed' || (inDoubt && seen.wasBusy === undefined)) return undefined;
  // A report of its own that says otherwise tells more than an error that may be of other work.
  if ((report && report.outcome !== 'unknown') || isOfOtherWork(look)) return undefined;
  const isNew = before?.stateClass !== 'failed' || seen.wasBusy !== undefined || before.error !== seen.error;
  return isNew ? (seen.error ?? `Its state is ${seen.state}.`) : undefined;
}

/** An error that the record did not show before the call, and that no report explains. */
function newError({ before, seen, record, report, inDoubt }: Sighting): string | undefined {
  if (seen.error === undefined || seen.error === before?.error) return undefined;
  if ((inDoubt && seen.wasBusy === undefined) || report?.outcome === 'done') return undefined;
  return record?.reports.some(({ error }) => error === seen.error) ? undefined : seen.error;
}
