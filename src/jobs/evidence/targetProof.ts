import type { RecordView } from '../../api/reading/recordView.ts';
import type { Appears, Changes, Converts, Proof, Reaches } from '../../operations/proofs.ts';
import { isSignOf, namesItself, type Work } from '../../operations/work.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { isAsBefore } from './baseline.ts';
import { atWork } from './evidence.ts';
import {
  hasStood,
  isPassing,
  type Judgement,
  newWord,
  rests,
  type Sighting,
  saysOf,
  seenName,
  settles,
  untoldResult,
  waiting,
  wordsOf,
} from './judgement.ts';
import { ownSignsOf } from './ownSigns.ts';

/** Judges a job by its target's own record. */
export function judgeTarget(proof: Exclude<Proof, Appears>, look: Sighting): Judgement {
  const { seen, record, before, report } = look;
  if (proof.type === 'gone') return judgeGone(look);
  if (record === undefined) {
    // The absence of a record that was never seen tells nothing.
    if (!before) return waiting;
    return proof.type === 'converts'
      ? {
          type: 'finished',
          by: `${seenName(seen)} is no longer among the clones under this identifier. ${untoldResult}`,
        }
      : { type: 'failed', reason: `The record of ${seenName(seen)} is gone.` };
  }
  const failure = failureOf(look);
  if (failure !== undefined && !isUntold(look)) return { type: 'failed', reason: failure };
  // Where a report says that this work is done, it is other work that the record is at.
  const isTold = report?.outcome === 'done' && report.kind !== undefined;
  if (report?.outcome === 'busy' || (!isTold && isPassing(look))) return waiting;
  const verdict = judgeSign(proof, look, record);
  if (verdict.type === 'proved') return verdict;
  // A new error is a failure where nothing shows that the work was done.
  const error = failure ?? newError(look);
  if (error !== undefined && isUntold(look)) return { type: 'waiting', atLast: ofWhat(look, error) };
  return error !== undefined && hasStood(seen, settles.soon) ? { type: 'failed', reason: error } : verdict;
}

function judgeSign(proof: Reaches | Changes | Converts, look: Sighting, record: RecordView): Judgement {
  switch (proof.type) {
    case 'reaches':
      return judgeReaches(proof, look);
    case 'changes':
      return judgeChanges(proof, look, record);
    case 'converts':
      return judgeConverts(look, record);
  }
}

/** Judges a deletion whose target is not there. */
function judgeAbsent(look: Sighting): Judgement {
  const { before, seen, report, inDoubt } = look;
  if (before) return { type: 'proved', by: `${seenName(seen)} is gone from the service's records.` };
  // The absence of a record that was never seen tells nothing.
  if (report?.outcome === 'failed') return { type: 'failed', reason: wordsOf(report) };
  if (report?.outcome === 'done') return { type: 'proved', by: saysOf(report) };
  // A part that was never shown stands in a record whose new error may be of its deletion.
  if (report !== undefined || seen.error === undefined || inDoubt) return waiting;
  return isUntold(look)
    ? { type: 'waiting', atLast: ofWhat(look, seen.error) }
    : { type: 'failed', reason: seen.error };
}

function judgeGone(look: Sighting): Judgement {
  const { seen, report } = look;
  if (seen.gone) return judgeAbsent(look);
  const failure = failureOf(look);
  if (failure !== undefined && !isUntold(look)) return { type: 'failed', reason: failure };
  const contradiction = `${seenName(seen)} is still in the service's records.`;
  if (report?.outcome === 'busy' || isPassing(look)) return { type: 'waiting', contradiction };
  if (look.mayBeAnother !== undefined) return stillThere(look, look.mayBeAnother);
  if (seen.isBusy) return { type: 'waiting', contradiction };
  // A record that was to be deleted shows a new error only if the deletion failed, whatever its state is called.
  const error = failure ?? newError(look);
  if (error !== undefined && isUntold(look)) return { type: 'waiting', contradiction, atLast: ofWhat(look, error) };
  if (error !== undefined) return { type: 'failed', reason: error };
  if (report?.outcome === 'done')
    return hasStood(seen, settles.long)
      ? { type: 'finished', by: `${saysOf(report)} ${contradiction}` }
      : { type: 'waiting', contradiction };
  const back = returned(look);
  return back && hasStood(seen, settles.long)
    ? { type: 'failed', reason: `${back} ${contradiction}` }
    : { type: 'waiting', contradiction };
}

function judgeReaches({ classes }: Reaches, look: Sighting): Judgement {
  const { before, seen, record, report } = look;
  const isWanted = classes.some(name => name === seen.stateClass);
  const isKnown = seen.stateClass !== undefined && seen.stateClass !== 'unknown';
  // Services call it a stop, too, where a database is disabled.
  const isStill = [...classes, seen.stateClass].every(name => name === 'stopped' || name === 'disabled');
  if (report?.outcome === 'done') {
    if (isWanted || !isKnown || isStill || isPassing(look))
      return { type: 'proved', by: `${seen.state === undefined ? '' : `${stateIn(look)}. `}${saysOf(report)}` };
    return finishedOnceItStood(look, `${saysOf(report)} Its state is ${seen.state}.`);
  }
  if (seen.state === undefined) return waiting;
  const isMoved =
    before === undefined || record === undefined || !isAsBefore(before, record) || seen.wasBusy !== undefined;
  const isBack = before !== undefined && record !== undefined && isAsBefore(before, record);
  // Where several states are accepted, one that was there before may be the very one to be left, in a word misread.
  if (isWanted && isMoved && isBack && seen.stateClass !== classes[0]) return judgeBack(look);
  if (isWanted) return isMoved ? judgeWantedState(look) : judgeSameState(classes, look);
  if (!isKnown && isMoved && before !== undefined && !isAsBefore(before, { state: record?.state }))
    return judgeUnknownState(classes, look);
  const back = returned(look);
  if (isStill && !isBack && before !== undefined) return finishedOnceItStood(look, `${stateIn(look)}. ${untoldResult}`);
  if (back && hasStood(seen, settles.long)) return { type: 'failed', reason: back };
  return { type: 'waiting', contradiction: `Its state still is ${seen.state}.` };
}

/** Judges a record that was at work and is as it was before the call. */
function judgeBack(look: Sighting): Judgement {
  return finishedOnceItStood(look, `${returned(look) ?? `${stateIn(look)}.`} ${untoldResult}`);
}

/** Ends a job with a sentence that leaves its result open, once the record has shown the same for long enough. */
function finishedOnceItStood({ seen }: Sighting, by: string): Judgement {
  return hasStood(seen, settles.long) ? { type: 'finished', by } : { type: 'waiting', atLast: by };
}

/** Judges a wanted state to which the record came after the call, as far as is known. */
function judgeWantedState(look: Sighting): Judgement {
  const { before, seen, meaning, sentAt } = look;
  if (rests(meaning)) {
    const counts = before !== undefined || seen.seenAt - sentAt >= settles.soon;
    return counts ? { type: 'proved', by: `${stateIn(look)}.` } : waiting;
  }
  const moment = seen.stateClass === 'ok' ? settles.long : settles.soon;
  return meaning === 'unseen' && hasStood(seen, moment)
    ? { type: 'proved', by: `${stateIn(look, `, ${newWord}`)}.` }
    : waiting;
}

/**
 * Judges a wanted state that was there before the call. It counts once it had time to change. It does not count where
 * several states are accepted, as after enabling: such a record may never show a change.
 */
function judgeSameState(classes: Reaches['classes'], { seen, meaning, inDoubt, sentAt }: Sighting): Judgement {
  const isSign = !inDoubt && classes.length === 1 && rests(meaning) && seen.seenAt - sentAt >= settles.soon;
  return isSign ? { type: 'proved', by: `Its state is ${seen.state}, as it was before.` } : waiting;
}

/** Judges a new state whose word is unknown, by what other records tell of that word. */
function judgeUnknownState(classes: Reaches['classes'], look: Sighting): Judgement {
  const { seen, meaning } = look;
  // A start leads to the state in which most records are; a stop leads to one in which some are.
  if (classes.some(name => name === 'ok') ? meaning === 'usual' : rests(meaning))
    return { type: 'proved', by: `${stateIn(look)}.` };
  if (meaning === 'resting') return { type: 'waiting', atLast: `${stateIn(look)}. ${untoldResult}` };
  if (!hasStood(seen, settles.unknown)) return waiting;
  const by = `${stateIn(look, `, ${newWord}`)}. ${untoldResult}`;
  return meaning === 'unseen' ? { type: 'finished', by } : { type: 'waiting', atLast: by };
}

/** Says which state the record shows, with a remark on it, and which it showed before the call. */
function stateIn({ seen, before }: Sighting, remark = ''): string {
  const was = before?.state && before.state !== seen.state ? `; it was ${before.state}` : '';
  return `Its state is ${seen.state}${remark}${was}`;
}

function judgeChanges({ makes, by: keys, orReturns }: Changes, look: Sighting, record: RecordView): Judgement {
  const { before, seen, report } = look;
  if (report?.outcome === 'done') return { type: 'proved', by: saysOf(report) };
  const back = returned(look);
  const own = before && look.ofOther === undefined ? ownChange(keys, look.work, before, record) : undefined;
  if (own) return { type: 'proved', ...own, by: back ? `${back} ${own.by}` : own.by };
  const showsSnapshots = (before?.snapshots.length ?? 0) > 0 || snapshotsOf(record).length > 0;
  if (makes === 'snapshot' && showsSnapshots) {
    // The claim settles which new snapshot belongs to this job; here only its absence is judged.
    if (look.ofOther !== undefined)
      return back && hasStood(seen, settles.long)
        ? { type: 'finished', by: `${back} ${look.ofOther}` }
        : { type: 'waiting', atLast: look.ofOther };
    if (!back) return waiting;
    const contradiction = `${back} It shows no new snapshot.`;
    return hasStood(seen, settles.long)
      ? { type: 'failed', reason: contradiction }
      : { type: 'waiting', contradiction };
  }
  if (!back) return waiting;
  if (!orReturns) return { type: 'waiting', contradiction: `${back} It shows no new time or counter of its own.` };
  const by = `${back} ${untoldResult}`;
  return hasStood(seen, settles.soon) ? { type: 'finished', by } : { type: 'waiting', atLast: by };
}

/** A time or a counter that is a sign of this very work and that moved since the call. */
function ownChange(
  by: Changes['by'],
  work: Work,
  before: Before,
  record: RecordView,
): { by: string; sign: string } | undefined {
  const { times, counters } = ownSignsOf(record, by);
  // Under the name of other work a key counts only where the record has none of this very work: a log backup is told by
  // lastBackupAt, unless lastLogBackupAt stands beside it. Few keys move, so all of them are read only then.
  const isOwn = (path: string) => namesItself(path, work);
  const hasOwn = () => [...Object.keys(times), ...Object.keys(counters)].some(isOwn);
  const isSign = (path: string) => by !== 'work' || (isSignOf(path, work) && (isOwn(path) || !hasOwn()));
  for (const [path, time] of Object.entries(times))
    if (time > (before.times[path] ?? 0) && isSign(path))
      return { by: `Its record shows a new time, ${path}: ${new Date(time).toISOString()}.`, sign: `${path} ${time}` };
  for (const [path, count] of Object.entries(counters)) {
    const was = before.counters[path] ?? 0;
    if (count > was && isSign(path))
      return { by: `Its record counts on: ${path} was ${was} and is ${count}.`, sign: `${path} ${count}` };
  }
  return undefined;
}

function judgeConverts(look: Sighting, record: RecordView): Judgement {
  const { before, seen, report } = look;
  if (record.isPhysical === true && before?.isPhysical !== true)
    return { type: 'proved', by: 'Its record says that it is physical.' };
  const back = returned(look);
  if (record.isPhysical === false) {
    const contradiction = 'Its record still says that it is virtual.';
    if (report?.outcome === 'done' && hasStood(seen, settles.long))
      return { type: 'finished', by: `${saysOf(report)} ${contradiction}` };
    if (back && !report && hasStood(seen, settles.long)) return { type: 'failed', reason: `${back} ${contradiction}` };
    return { type: 'waiting', contradiction };
  }
  if (report?.outcome === 'done') return { type: 'proved', by: saysOf(report) };
  const by = `${back} Its record does not say whether it is physical.`;
  return back && hasStood(seen, settles.soon) ? { type: 'finished', by } : waiting;
}

/** Ends a deletion where what stands under the identifier may be another record: that proves nothing. */
function stillThere(look: Sighting, mayBeAnother: string): Judgement {
  const { report } = look;
  return finishedOnceItStood(look, report?.outcome === 'done' ? `${saysOf(report)} ${mayBeAnother}` : mayBeAnother);
}

/** Whether a failure may be of another job, or of another record: a report of this very job leaves no doubt. */
function isUntold({ report, isShared, mayBeAnother }: Sighting): boolean {
  return (isShared || mayBeAnother !== undefined) && report?.outcome !== 'failed';
}

function ofWhat({ mayBeAnother }: Sighting, failure: string): string {
  const why = mayBeAnother ?? 'Another job was under way there, and I cannot tell which of them failed.';
  return `The record shows a failure: ${failure.replace(/\.$/, '')}. ${why}`;
}

/** A failure that the record did not show before the call. While the sending is in doubt, it may be of other work. */
function failureOf({ before, seen, report, inDoubt }: Sighting): string | undefined {
  if (report?.outcome === 'failed') return wordsOf(report);
  if (inDoubt && seen.wasBusy === undefined) return undefined;
  // A report of its own that says otherwise tells more than an error that may be of other work.
  if (report?.outcome === 'done' || report?.outcome === 'busy') return undefined;
  const isNew = before?.stateClass !== 'failed' || seen.wasBusy !== undefined || before.error !== seen.error;
  return seen.stateClass === 'failed' && isNew ? (seen.error ?? `Its state is ${seen.state}.`) : undefined;
}

/** An error that the record did not show before the call, and that no report of other work explains. */
function newError({ before, seen, record, report, inDoubt }: Sighting): string | undefined {
  if (!before || seen.error === undefined || seen.error === before.error) return undefined;
  if ((inDoubt && seen.wasBusy === undefined) || report?.outcome === 'done') return undefined;
  return record?.reports.some(({ error }) => error === seen.error) ? undefined : seen.error;
}

/** Says that the record was busy with what may be this job, and no longer is; `undefined` if it was never seen busy. */
function returned({ seen, before, record, meaning, report }: Sighting): string | undefined {
  if (seen.wasBusy === undefined || seen.wasBusy === seen.state || meaning === 'doubtful') return undefined;
  // A later report may have taken the place of the one that told of the work, which goes on.
  const isReplaced = !report && record?.reports.some(({ identity }) => before?.reports[identity] === undefined);
  if (isReplaced && seen.wasBusy.startsWith(atWork)) return undefined;
  if (seen.state === undefined) return `It was ${seen.wasBusy}, and is so no more.`;
  const again = before && record && isAsBefore(before, record) ? ' again' : '';
  return `It was ${seen.wasBusy} and is ${seen.state}${again}.`;
}
