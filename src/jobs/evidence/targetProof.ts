import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { Appears, Changes, Converts, Proof, Reaches } from '../../operations/proofs.ts';
import { namesItself, speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { isAsBefore, isNewSince, stoodBefore } from './baseline.ts';
import {
  asClause,
  doubtBesideFailure,
  doubtOn,
  doubtOnTime,
  isOfOtherWork,
  newError,
  untoldFailure,
  withFormerError,
} from './doubts.ts';
import {
  finishes,
  finishesInPart,
  finishesUntold,
  goesOn,
  hadItsTurn,
  hasStood,
  isInOpenWord,
  isNamed,
  isPassing,
  type Judgement,
  returned,
  type Sighting,
  saysOf,
  seenName,
  unknownWord,
  untoldReport,
  untoldResult,
  untoldWork,
  waiting,
  wordsOf,
} from './judgement.ts';
import { ownChange, ownKey } from './ownSigns.ts';
import { judgeReaches } from './reachesProof.ts';
import { settles } from './settles.ts';

/** Judges a job by its target's own record. */
export function judgeTarget(proof: Exclude<Proof, Appears>, look: Sighting): Judgement {
  const verdict = judge(proof, look);
  if (verdict.type !== 'waiting') return verdict;
  const mayGoOn = look.isWorkedOn || isInOpenWord(look);
  if (verdict.atLast !== undefined) return mayGoOn ? { ...verdict, goesOn: true } : verdict;
  const word = unknownWord(look);
  return word === '' || verdict.contradiction !== undefined ? verdict : { ...verdict, atLast: word, goesOn: true };
}

function judge(proof: Exclude<Proof, Appears>, look: Sighting): Judgement {
  const { seen, record, before, report } = look;
  if (proof.type === 'gone') return judgeGone(look);
  if (record === undefined) {
    // The absence of a record that was never seen tells nothing.
    if (!before) return waiting;
    if (proof.type !== 'converts') return { type: 'failed', reason: `The record of ${seenName(seen)} is gone.` };
    const by = `${seenName(seen)} is no longer among the clones under this identifier. ${untoldResult}`;
    return { type: 'finished', by };
  }
  const failure = failureOf(look);
  if (failure !== undefined && doubtOn(look) === undefined) return { type: 'failed', reason: failure };
  if (report?.outcome === 'failed')
    return finishes(seen, settles.long, `${asClause(wordsOf(report))}. ${doubtOn(look)}`);
  if (report?.outcome === 'partial') return finishesInPart(seen, report);
  // Where a report says that this work is done, it is other work that the record is at.
  const isTold = report?.outcome === 'done' && report.kind !== undefined;
  if (report?.outcome === 'busy') return waiting;
  const isAtWork = !isTold && isPassing(look);
  // The work that it was at before the call is other work.
  if (isAtWork && !(before && isAsBefore(before, record)) && !isDoneBeside(proof, look)) return waiting;
  const verdict = judgeSign(proof, look, record);
  if (isAtWork) return whileAtWork(verdict, look);
  if (verdict.type !== 'proved') return withFormerError(judgeError(look, verdict, failure), look);
  if (verdict.sign !== undefined && isStepOnly(proof, look)) return { type: 'waiting', atLast: verdict.by };
  // Of a state, nobody knows who brought it, where a call in doubt may have failed.
  const doubt = verdict.sign === undefined && !look.inDoubt ? undefined : doubtBesideFailure(look);
  return doubt === undefined ? verdict : finishes(seen, settles.long, `${verdict.by} ${doubt}`);
}

/** The verdict by a sign while the record is at work. Of a job in doubt nobody knows that it is not that work which goes on. */
function whileAtWork(verdict: Judgement, { inDoubt }: Sighting): Judgement {
  if (verdict.type !== 'proved' || verdict.sign === undefined) return waiting;
  return inDoubt ? { type: 'waiting', atLast: `${verdict.by} ${untoldWork}` } : verdict;
}

/** Judges a record that shows no sign of the work: a new error is a failure then. */
function judgeError(look: Sighting, verdict: Judgement, failure: string | undefined): Judgement {
  const { seen, before } = look;
  const error = failure ?? newError(look);
  const untold = error === undefined ? undefined : untoldFailure(look, error);
  if (untold) return untold;
  if (error !== undefined && hasStood(seen, momentOf(look, settles.soon)) && (error === failure || hadItsTurn(look)))
    return { type: 'failed', reason: error };
  // Whoever looks there should know of an error that is new, though nobody knows whether the call arrived.
  const shown = before?.error === seen.error ? undefined : seen.error;
  if (!look.inDoubt || shown === undefined || verdict.type !== 'waiting') return verdict;
  return { ...verdict, atLast: `The record shows a failure since: ${asClause(shown)}. I cannot tell whose it is.` };
}

/** The time for which an error must stand: one that came in the midst of work waits for the end of that. */
function momentOf({ seen, isWorkedOn }: Sighting, usual: number): number {
  return seen.isErrorAmid || isWorkedOn ? settles.unknown : usual;
}

/**
 * Whether the record shows a time of this very work that has passed, though it is at work: at other work, by its word, or
 * at what may be other work, since it was at that before, and is so still. A time that came with the work may be its beginning.
 */
function isDoneBeside(proof: Proof, look: Sighting): boolean {
  const { before, record, seen, work, report, ahead } = look;
  if (proof.type !== 'changes' || !before || !record || seen.state === undefined) return false;
  const { at: over, movedTo = 0, mayBeBackup } = ownChange(proof.by, look, before, record) ?? {};
  // Where a report of other work took the place of this job's, that work is in the state, and a later time is no beginning.
  const isReplaced = seen.report !== undefined && report === undefined && mayBeBackup === false;
  const isLater = ({ outcome, kind, beganAt }: Report) =>
    outcome === 'busy' && kind !== undefined && speaksOf(kind, work) === 'no' && (beganAt ?? movedTo) < movedTo;
  if (isReplaced && record.reports.some(isLater)) return seen.seenAt - (movedTo - ahead) >= settles.long;
  if (over === undefined) return false;
  const at = over - ahead;
  const speaks = stateSpeaksOf(seen.state, work);
  return speaks === 'no' || (speaks === 'open' && at > seen.since + settles.soon && seen.seenAt - at >= settles.long);
}

/**
 * Whether a time that moved may be a step of work that goes on, by a word beside the state: work that began since the call,
 * or work from before it that may soon be over. Words that name other work say nothing against it.
 */
function isStep({ by }: Changes, look: Sighting): boolean {
  const { before, record, seen, work, ahead } = look;
  const mayBeThis = ({ kind }: Report) => kind === undefined || speaksOf(kind, work) !== 'no';
  const goOn = record?.reports.filter(one => goesOn(one, seen) && mayBeThis(one)) ?? [];
  if (goOn.length === 0 || !before || !record) return false;
  const at = (ownChange(by, look, before, record)?.movedTo ?? 0) - ahead;
  return goOn.some(one => !stoodBefore(before, one) || seen.seenAt - at < settles.long);
}

/**
 * Whether a sign of the work may be a step of it: by a report of this very work that came since the call and may be the job's
 * own, or by a word beside the state, where the record does not show that the work is over.
 */
function isStepOnly(proof: Proof, look: Sighting): boolean {
  const { before, record, work } = look;
  if (proof.type !== 'changes' || !isStep(proof, look)) return false;
  const isThis = (one: Report) =>
    one.outcome === 'busy' && namesItself(one.kind ?? '', work) && isNewSince(before, one);
  return record?.reports.some(isThis) === true || !isDoneBeside(proof, look);
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
  const isOver = hadItsTurn(look) && hasStood(seen, momentOf(look, 0));
  return untoldFailure(look, seen.error) ?? (isOver ? { type: 'failed', reason: seen.error } : waiting);
}

function judgeGone(look: Sighting): Judgement {
  const { seen, report } = look;
  if (seen.gone) return judgeAbsent(look);
  const failure = failureOf(look);
  if (failure !== undefined && doubtOn(look) === undefined) return { type: 'failed', reason: failure };
  const contradiction = `${seenName(seen)} is still in the service's records.`;
  if (report?.outcome === 'partial') return finishesInPart(seen, report);
  if (report?.outcome === 'busy' || isPassing(look)) return { type: 'waiting', contradiction };
  if (look.mayBeAnother !== undefined) return stillThere(look, look.mayBeAnother);
  if (seen.isBusy) return { type: 'waiting', contradiction };
  // A record that was to be deleted shows a new error only if the deletion failed, whatever its state is called.
  const error = failure ?? newError(look);
  const untold = error === undefined ? undefined : untoldFailure(look, error, contradiction);
  if (untold) return untold;
  const isOver = error === failure || (hadItsTurn(look) && hasStood(seen, momentOf(look, 0)));
  if (error !== undefined && isOver) return { type: 'failed', reason: error };
  if (report?.outcome === 'done')
    return hasStood(seen, settles.long)
      ? { type: 'finished', by: `${saysOf(report)} ${contradiction}` }
      : { type: 'waiting', contradiction };
  const back = returned(look);
  // Other work there may stand before that of the deletion.
  if (back && look.isWorkedOn) return waiting;
  const isSure = back !== undefined && hasStood(seen, settles.long) && !look.isDenied;
  return isSure ? { type: 'failed', reason: `${back} ${contradiction}` } : { type: 'waiting', contradiction };
}

function judgeChanges(proof: Changes, look: Sighting, record: RecordView): Judgement {
  const { before, seen, report } = look;
  if (report?.outcome === 'done') return judgeDone(proof, look, record, report);
  const back = returned(look);
  const own = before && look.ofOther === undefined ? ownChange(proof.by, look, before, record) : undefined;
  if (!own) return judgeNoChange(proof, look, { record, back });
  const by = back ? `${back} ${own.by}` : own.by;
  const doubt = look.mayHaveFailed ? untoldReport : doubtOnTime(look, own);
  if (doubt !== undefined) return finishes(seen, settles.long, `${by} ${doubt}`);
  if (!own.mayBeBackup) return { type: 'proved', by, sign: own.sign };
  const told = `${by} That may be of a backup: I cannot tell.`;
  return back ? finishes(seen, settles.long, told) : { type: 'waiting', atLast: told };
}

/** Judges a report that tells of success. One that names neither the work nor the person needs what such work leaves. */
function judgeDone(proof: Changes, look: Sighting, record: RecordView, report: Report): Judgement {
  const { before, work, ofOther } = look;
  const isSure = isNamed(report, work) || !before || ofOther !== undefined;
  const missed = isSure || ownChange(proof.by, look, before, record) ? undefined : missedBy(proof, look, record);
  const says = saysOf(report);
  return missed === undefined ? { type: 'proved', by: says } : finishesUntold(look, `${says} ${missed}`);
}

/** Says which effect of the work such records show, and this one does not. */
function missedBy({ makes, by }: Changes, { before, work }: Sighting, record: RecordView): string | undefined {
  if (makes === 'snapshot' && (before?.snapshots.length ?? 0) + snapshotsOf(record).length > 0)
    return 'It shows no new snapshot.';
  const key = before && by === 'work' ? ownKey(work, before, record) : undefined;
  return key && `It shows no new ${key}.`;
}

/** Judges a record that shows no sign of this very work, but maybe a snapshot. `back` says that it was busy and is not. */
function judgeNoChange(
  proof: Changes,
  look: Sighting,
  { record, back }: Readonly<{ record: RecordView; back: string | undefined }>,
): Judgement {
  const { seen, ofOther } = look;
  // What is there or has moved is not missing, though nobody knows whose it is.
  if (proof.makes === 'snapshot' && (ofOther?.mayBeOurs || (ofOther && back)))
    return finishes(seen, settles.long, [back ?? '', ofOther.says].join(' ').trim());
  if (ofOther) return { type: 'waiting', atLast: ofOther.says };
  if (!back) return waiting;
  // The claim settles which new snapshot belongs to this job; here only its absence is judged.
  const missed = missedBy(proof, look, record);
  const word = unknownWord(look);
  if (missed !== undefined) return fails(seen, `${back} ${missed} ${word}`.trim());
  return proof.orReturns
    ? finishes(seen, settles.soon, `${back} ${word || untoldResult}`)
    : { type: 'waiting', contradiction: `${back} It shows no new time or counter of its own.` };
}

/** Failed once the record has had time to show the effect. */
function fails(seen: Evidence, contradiction: string): Judgement {
  return hasStood(seen, settles.long) ? { type: 'failed', reason: contradiction } : { type: 'waiting', contradiction };
}

function judgeConverts(look: Sighting, record: RecordView): Judgement {
  const { before, seen, report } = look;
  if (record.isPhysical === true && before?.isPhysical !== true)
    return { type: 'proved', by: 'Its record says that it is physical.', sign: 'physical' };
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
function stillThere({ seen, report }: Sighting, mayBeAnother: string): Judgement {
  return finishes(seen, settles.long, report?.outcome === 'done' ? `${saysOf(report)} ${mayBeAnother}` : mayBeAnother);
}

/** A failure that the record did not show before the call. While the sending is in doubt, it may be of other work. */
function failureOf(look: Sighting): string | undefined {
  const { before, seen, report, inDoubt } = look;
  if (report?.outcome === 'failed') return wordsOf(report);
  if (inDoubt && seen.wasBusy === undefined) return undefined;
  // A report of its own that says otherwise tells more than an error that may be of other work.
  if (report && report.outcome !== 'unknown') return undefined;
  if (isOfOtherWork(look)) return undefined;
  const isNew = before?.stateClass !== 'failed' || seen.wasBusy !== undefined || before.error !== seen.error;
  return seen.stateClass === 'failed' && isNew ? (seen.error ?? `Its state is ${seen.state}.`) : undefined;
}
