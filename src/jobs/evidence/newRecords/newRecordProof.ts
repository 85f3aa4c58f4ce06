import type { Report } from '../../../api/reading/reports.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { namesItself, type Work } from '../../../operations/work.ts';
import {
  finishes,
  finishesInPart,
  goesOn,
  hasStood,
  isPassing,
  isUnseenCopy,
  type Judgement,
  newWord,
  type Sighting,
  saysOf,
  seenName,
  untoldResult,
  waiting,
  wasMade,
  wordsOf,
} from '../judgement.ts';
import { settles } from '../settles.ts';

/** The failure that a report on the source tells of what never came to be. */
export function failureAtSource(report: Report, work: Work, { like }: Pick<Appears, 'like'>): Judgement | undefined {
  // A report of "a clone" may be of a colleague's, where this job is a mount, unless it names who asked.
  const isTold = report.by !== undefined || report.kind === undefined || namesItself(report.kind, work);
  const [isVirtual, isPhysical] = [/virtual/i, /physical/i].map(word => word.test(report.kind ?? ''));
  if (like.isPhysical === true ? isVirtual && !isPhysical : like.isPhysical === false && isPhysical && !isVirtual)
    return undefined;
  if (report.outcome !== 'failed' || report.beganAt === undefined || !isTold) return undefined;
  return { type: 'failed', reason: wordsOf(report, "The source's") };
}

/** Judges a job by the new record that is its own. */
export function judgeNew({ isInstant }: Appears, look: Sighting): Judgement {
  const { seen, meaning, report } = look;
  const state = seen.state ?? '';
  const there = `${seenName(seen)} is there`;
  if (report?.outcome === 'failed') return { type: 'failed', reason: wordsOf(report) };
  if (seen.stateClass === 'failed') return { type: 'failed', reason: seen.error ?? `Its state is ${state}.` };
  if (report?.outcome === 'partial') return finishesInPart(seen, report);
  if (report?.outcome === 'busy' || isPassing(look)) return waiting;
  if (look.record?.reports.some(one => goesOn(one, seen))) return waiting;
  if (report?.outcome === 'done') return { type: 'proved', by: `${there}. ${saysOf(report)}` };
  // An error of a new record is about its making: nothing else was done to it yet.
  if (seen.error !== undefined)
    return seen.stateClass === 'unknown' && !hasStood(seen, settles.long)
      ? waiting
      : { type: 'failed', reason: seen.error };
  // That it is there says nothing of its making, however long it stands.
  if (seen.state === undefined) return waiting;
  switch (meaning) {
    case 'usual':
    case 'resting':
      return judgeResting({ isInstant }, look, `${there}; its state is ${state}.`);
    case 'unseen':
      return judgeUnseen(isInstant, look, `${there}; its state is ${state}, ${newWord}.`);
    case 'doubtful':
    case 'passing':
      return waiting;
  }
}

/** Judges a new record in a state in which records rest. */
function judgeResting(proof: Pick<Appears, 'isInstant'>, look: Sighting, by: string): Judgement {
  const { seen, meaning } = look;
  const told = `${by} ${untoldResult}`;
  // It may be made unseen, however long it stands.
  if (isUnseenCopy(proof, look))
    return cameLate(look) ? { type: 'finished', by: told } : { type: 'waiting', atLast: told };
  const isMade = wasMade(look);
  const isDown = seen.stateClass === 'stopped' || seen.stateClass === 'disabled';
  // A clone may be stopped by intent, or because it could not be started. And nobody knows why other records rest in an
  // unknown word.
  if (isDown || (seen.stateClass === 'unknown' && meaning !== 'usual'))
    return finishes(seen, isDown || isMade ? settles.long : settles.unknown, told);
  // A record may stand in its last state for a moment before the work begins.
  return isMade || hasStood(seen, proof.isInstant ? settles.soon : settles.long) ? { type: 'proved', by } : waiting;
}

/** Whether it came late, and stood for as long again: a service may show a copy only once it is done. */
function cameLate({ seen, sentAt }: Sighting): boolean {
  const after = seen.since - sentAt;
  return after >= settles.soon && hasStood(seen, Math.max(after, settles.unknown));
}

/** Judges a new record whose state is a word that no other record showed. */
function judgeUnseen(isInstant: boolean, { seen }: Sighting, by: string): Judgement {
  // A virtual clone is instant (spec §1).
  if (seen.stateClass === 'ok' && (seen.wasBusy !== undefined || isInstant))
    return hasStood(seen, isInstant ? settles.soon : settles.long) ? { type: 'proved', by } : waiting;
  return !isInstant || !hasStood(seen, settles.unknown) ? waiting : { type: 'finished', by: `${by} ${untoldResult}` };
}
