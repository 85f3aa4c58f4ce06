import { saysThatItRuns } from '../../api/reading/stateWords.ts';
import type { Reaches } from '../../operations/proofs.ts';
import { isAsBefore } from './baseline.ts';
import {
  finishes,
  finishesUntold,
  hasStood,
  isNamed,
  isPassing,
  type Judgement,
  newWord,
  rests,
  returned,
  type Sighting,
  saysOf,
  untoldResult,
  waiting,
} from './judgement.ts';
import { settles } from './settles.ts';

/** Judges a job whose target must reach a state of some classes. */
export function judgeReaches({ classes }: Reaches, look: Sighting): Judgement {
  const { before, seen, record, report } = look;
  const isWanted = classes.some(name => name === seen.stateClass);
  const isKnown = seen.stateClass !== undefined && seen.stateClass !== 'unknown';
  const isBack = before !== undefined && record !== undefined && isAsBefore(before, record);
  // Services call it a stop, too, where a database is disabled.
  const isStill = [...classes, seen.stateClass].every(name => name === 'stopped' || name === 'disabled');
  if (report?.outcome === 'done') {
    const isThere = [isWanted, !isKnown, isStill, isLeft(classes, look), isPassing(look)].includes(true);
    const says = saysOf(report);
    // A report that names neither the work nor the person may be of other work, where the state has not changed.
    const isSure = isNamed(report, look.work);
    if (isThere && (isSure || !isBack || seen.state === undefined))
      return { type: 'proved', by: seen.state === undefined ? says : `${stateIn(look)}. ${says}` };
    const by = `${says} Its state is ${seen.state}.`;
    return isSure ? finishes(seen, settles.long, by) : finishesUntold(look, by);
  }
  if (seen.state === undefined) return waiting;
  const isMoved = !isBack || seen.wasBusy !== undefined;
  // Where several states are accepted, one that was there before may be the very one to be left, in a word misread. Of a
  // record that was at other work then, nobody knows in which of them it rested.
  const mayBeFormer = seen.stateClass !== classes[0] && (isBack || before?.stateClass === 'busy');
  if (isWanted && isMoved && mayBeFormer) return judgeBack(look);
  if (isWanted) return isMoved ? judgeWantedState(look) : judgeSameState(classes, look);
  if (!isKnown && !isBack && before !== undefined) return judgeUnknownState(classes, look);
  return isStill && !isBack && before !== undefined ? judgeStill(look) : judgeOther(classes, look);
}

/**
 * Whether a record that was to be enabled left one word for a disabled database and came to another one: that is how the
 * service says that it is stopped, as it was before it was disabled.
 */
function isLeft(classes: Reaches['classes'], { before, seen }: Sighting): boolean {
  const isForEnabling = classes.includes('stopped') && !classes.includes('disabled');
  const isMoved = before?.state !== seen.state;
  return isForEnabling && isMoved && before?.stateClass === 'disabled' && seen.stateClass === 'disabled';
}

/** Judges a state that is none of those that were wanted. */
function judgeOther(classes: Reaches['classes'], look: Sighting): Judgement {
  const { before, seen } = look;
  if (isLeft(classes, look))
    return hasStood(seen, settles.long) ? { type: 'proved', by: `${stateIn(look)}.` } : waiting;
  const back = returned(look);
  if (back && !tellsOf(classes, look)) return finishes(seen, settles.long, `${back} ${untoldResult}`);
  if (back && hasStood(seen, settles.long)) return { type: 'failed', reason: back };
  const isFormer = before?.state === undefined || before.state === seen.state;
  const contradiction = isFormer ? `Its state still is ${seen.state}.` : `${stateIn(look)}.`;
  return { type: 'waiting', contradiction };
}

/**
 * Judges a stop's word where a record was to be disabled. Where none ever showed that it is disabled, this is how the
 * service says it.
 */
function judgeStill(look: Sighting): Judgement {
  const told = finishes(look.seen, settles.long, `${stateIn(look)}. ${untoldResult}`);
  return told.type === 'finished' && !look.showsWanted ? { type: 'proved', by: `${stateIn(look)}.` } : told;
}

/**
 * Whether a record that came back tells that it did not reach what was wanted. A service may show nowhere in its states
 * that a database is disabled, or that one which is well was stopped: then the same word is no failure.
 */
function tellsOf(classes: Reaches['classes'], { seen, showsWanted, before, record }: Sighting): boolean {
  // A word that was not there before may be how the service says what was wanted.
  if (before && record && !isAsBefore(before, record)) return false;
  const isOfRunning = classes.length > 1 && saysThatItRuns(seen.state ?? '');
  return showsWanted || !classes.some(name => name === 'disabled') || isOfRunning;
}

/** Judges a record that may be as it was before the call, or before the other work that went on then. */
function judgeBack(look: Sighting): Judgement {
  const isOther = look.before?.stateClass === 'busy' && look.seen.state !== look.before.state;
  const back = returned(look) ?? (isOther ? `${stateIn(look)}.` : undefined);
  return back ? finishes(look.seen, settles.long, `${back} ${untoldResult}`) : waiting;
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
 * Judges a wanted state that was there before the call. It counts once it had time to change, where records rest in its
 * word: else a colleague's work may have been under way before, and be so still. It does not count where several states are
 * accepted, as after enabling: such a record may never show a change.
 */
function judgeSameState(classes: Reaches['classes'], { seen, learned, inDoubt, sentAt }: Sighting): Judgement {
  const isSign = !inDoubt && classes.length === 1 && rests(learned) && seen.seenAt - sentAt >= settles.soon;
  return isSign ? { type: 'proved', by: `Its state is ${seen.state}, as it was before.` } : waiting;
}

/** Judges a new state whose word is unknown, by what other records tell of that word. */
function judgeUnknownState(classes: Reaches['classes'], look: Sighting): Judgement {
  const { seen, meaning, inDoubt } = look;
  // Whoever brought the record into a word that nobody knows, it does not say that the request arrived.
  if (inDoubt) return waiting;
  // A start leads to the state in which most records are; a stop leads to one in which some are.
  if (meaning === (classes.some(name => name === 'ok') ? 'usual' : 'resting'))
    return { type: 'proved', by: `${stateIn(look)}.` };
  if (rests(meaning)) return { type: 'waiting', atLast: `${stateIn(look)}. ${untoldResult}` };
  if (!hasStood(seen, settles.unknown)) return waiting;
  const by = `${stateIn(look, `, ${newWord}`)}. ${untoldResult}`;
  return meaning === 'unseen' ? { type: 'finished', by } : { type: 'waiting', atLast: by };
}

/** Says which state the record shows, with a remark on it, and which it showed before the call. */
function stateIn({ seen, before }: Sighting, remark = ''): string {
  const was = before?.state && before.state !== seen.state ? `; it was ${before.state}` : '';
  return `Its state is ${seen.state}${remark}${was}`;
}
