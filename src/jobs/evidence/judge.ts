import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { Appears, Changes, Converts, Proof, Reaches } from '../../operations/proofs.ts';
import { isSignOf, type Work } from '../../operations/work.ts';
import { type Before, type Evidence, isAsBefore, snapshotsOf } from './evidence.ts';
import type { Meaning } from './vocabulary.ts';

/**
 * What the records say of a job:
 * - `proved`: they show a sign of this very job, said in `by`.
 * - `finished`: it went its way and came back, and nothing shows how it ended.
 * - `failed`: the service says so, or the record came back without the effect that such records show.
 * - `waiting`: it is not over. `contradiction` tells what speaks against it; `atLast` how it ends if nothing else is seen.
 */
export type Verdict =
  | { type: 'proved'; by: string; sign?: string }
  | { type: 'finished'; by: string }
  | { type: 'failed'; reason: string }
  | { type: 'waiting'; contradiction?: string; atLast?: string };

/** One look at the record that a job is about. Times are milliseconds since the epoch. */
export type Look = Readonly<{
  work: Work;
  seen: Evidence;
  /** `undefined` where the record is not there. */
  record: RecordView | undefined;
  before: Before | undefined;
  /** What the record's state word means in the records of this service. */
  meaning: Meaning;
  /** The record's own report of this very job. */
  report: Report | undefined;
  /** Whether nobody knows yet if the service accepted the call. */
  inDoubt: boolean;
  sentAt: number;
}>;

/** How long a record must stand as it does before that counts, in milliseconds. */
const settles = {
  /** A known word: services write their facts one after the other. */
  soon: secondsToMilliseconds(10),
  /** A state that sounds right and that no other record shows. */
  unseen: minutesToMilliseconds(1),
  /** What contradicts the job, and what tells little. */
  long: minutesToMilliseconds(2),
  /** A word that nobody knows. */
  unknown: minutesToMilliseconds(5),
} as const;

const waiting: Verdict = { type: 'waiting' };
const untold = 'The records do not say whether it worked.';
const newWord = 'a state that I have not seen at this service before';

/** What a new record that is the job's own says about the job. */
export function judgeNew({ copies }: Appears, look: Look): Verdict {
  const { seen, meaning, report } = look;
  const state = seen.state ?? '';
  const there = `${nameOf(seen)} is there`;
  if (report?.outcome === 'failed') return { type: 'failed', reason: wordsOf(report) };
  if (seen.stateClass === 'failed') return { type: 'failed', reason: seen.error ?? `Its state is ${state}.` };
  const isWorkedOn = look.record?.reports.some(({ outcome }) => outcome === 'busy') === true;
  if (report?.outcome === 'busy' || isWorkedOn || isPassing(look)) return waiting;
  if (report?.outcome === 'done') return { type: 'proved', by: `${there}. ${saysOf(report)}` };
  // An error of a new record is about its making: nothing else was done to it yet.
  if (seen.error !== undefined)
    return seen.stateClass === 'unknown' && !stands(seen, settles.long)
      ? waiting
      : { type: 'failed', reason: seen.error };
  if (seen.state === undefined)
    return copies || !stands(seen, settles.long)
      ? waiting
      : { type: 'finished', by: `${there}; its record shows no state. ${untold}` };
  const wasMade = seen.wasBusy !== undefined;
  const isDown = seen.stateClass === 'stopped' || seen.stateClass === 'disabled';
  switch (meaning) {
    case 'usual':
    case 'resting': {
      const by = `${there}; its state is ${state}.`;
      // A clone may be left stopped when it is made, or because it could not be started; and who knows what others rest in.
      if (isDown || (seen.stateClass === 'unknown' && meaning !== 'usual'))
        return wasMade && stands(seen, settles.long)
          ? { type: 'finished', by: `${by} ${untold}` }
          : { type: 'waiting', atLast: `${by} ${untold}` };
      // A record may stand in its last state for a moment before the work begins.
      return wasMade || stands(seen, copies ? settles.unseen : settles.soon) ? { type: 'proved', by } : waiting;
    }
    case 'unseen': {
      const by = `${there}; its state is ${state}, ${newWord}.`;
      if (seen.stateClass === 'ok' && (wasMade || !copies))
        return stands(seen, copies ? settles.long : settles.unseen) ? { type: 'proved', by } : waiting;
      return copies || !stands(seen, settles.unknown) ? waiting : { type: 'finished', by: `${by} ${untold}` };
    }
    case 'doubtful':
    case 'passing':
      return waiting;
  }
}

/** What the target's own record says about a job. */
export function judgeTarget(proof: Exclude<Proof, Appears>, look: Look): Verdict {
  const { seen, record, before, report } = look;
  if (proof.type === 'gone') return judgeGone(look);
  if (record === undefined) {
    // Of a record that was never seen, its absence tells nothing.
    if (!before) return waiting;
    return proof.type === 'converts'
      ? { type: 'finished', by: `${nameOf(seen)} no longer stands among the clones under this identifier. ${untold}` }
      : { type: 'failed', reason: `The record of ${nameOf(seen)} is gone.` };
  }
  const failure = failureOf(look);
  if (failure !== undefined) return { type: 'failed', reason: failure };
  if (report?.outcome === 'busy' || isPassing(look)) return waiting;
  const verdict = judgeSign(proof, look, record);
  if (verdict.type === 'proved') return verdict;
  // An error that came since, where nothing shows that the work was done.
  const error = newError(look);
  return error !== undefined && stands(seen, settles.soon) ? { type: 'failed', reason: error } : verdict;
}

function judgeSign(proof: Reaches | Changes | Converts, look: Look, record: RecordView): Verdict {
  switch (proof.type) {
    case 'reaches':
      return judgeReaches(proof, look);
    case 'changes':
      return judgeChanges(proof, look, record);
    case 'converts':
      return judgeConverts(look, record);
  }
}

function judgeGone(look: Look): Verdict {
  const { before, seen, report } = look;
  if (seen.gone) {
    if (before) return { type: 'proved', by: `${nameOf(seen)} is gone from the service's records.` };
    // Of a record that was never seen, its absence tells nothing.
    if (report?.outcome === 'failed') return { type: 'failed', reason: wordsOf(report) };
    return report?.outcome === 'done' ? { type: 'proved', by: saysOf(report) } : waiting;
  }
  const failure = failureOf(look);
  if (failure !== undefined) return { type: 'failed', reason: failure };
  const contradiction = `${nameOf(seen)} still stands in the service's records.`;
  if (report?.outcome === 'busy' || isPassing(look) || seen.isBusy) return { type: 'waiting', contradiction };
  // What was to be deleted shows no new error unless the deletion failed, whatever its state is called.
  const error = newError(look);
  if (error !== undefined) return { type: 'failed', reason: error };
  if (report?.outcome === 'done')
    return stands(seen, settles.long)
      ? { type: 'finished', by: `${saysOf(report)} ${contradiction}` }
      : { type: 'waiting', contradiction };
  const back = returned(look);
  return back && stands(seen, settles.long)
    ? { type: 'failed', reason: `${back} ${contradiction}` }
    : { type: 'waiting', contradiction };
}

function judgeReaches({ classes }: Reaches, look: Look): Verdict {
  const { before, seen, record, meaning, report, inDoubt, sentAt } = look;
  const wanted = classes.some(name => name === seen.stateClass);
  const isKnown = seen.stateClass !== undefined && seen.stateClass !== 'unknown';
  const it = `Its state is ${seen.state}`;
  const was = before?.state && before.state !== seen.state ? `; it was ${before.state}` : '';
  if (report?.outcome === 'done') {
    if (wanted || !isKnown)
      return { type: 'proved', by: `${seen.state === undefined ? '' : `${it}${was}. `}${saysOf(report)}` };
    const atLast = `${saysOf(report)} ${it}.`;
    return stands(seen, settles.long) ? { type: 'finished', by: atLast } : { type: 'waiting', atLast };
  }
  if (seen.state === undefined) return waiting;
  const isMoved =
    before === undefined || record === undefined || !isAsBefore(before, record) || seen.wasBusy !== undefined;
  if (wanted && isMoved) {
    const known = before !== undefined || seen.seenAt - sentAt >= settles.soon;
    if (rests(meaning)) return known ? { type: 'proved', by: `${it}${was}.` } : waiting;
    const moment = seen.stateClass === 'ok' ? settles.unseen : settles.soon;
    if (meaning === 'unseen' && stands(seen, moment)) return { type: 'proved', by: `${it}, ${newWord}${was}.` };
    return waiting;
  }
  if (wanted) {
    // A state that was there before the call is believed once it had time to change; what was enabled may never show it.
    const isSign = !inDoubt && classes.length === 1 && rests(meaning) && seen.seenAt - sentAt >= settles.soon;
    return isSign ? { type: 'proved', by: `${it}, as it was before.` } : waiting;
  }
  if (!isKnown && isMoved && before !== undefined && !isAsBefore(before, { state: record?.state })) {
    // What starts comes to the state in which most are; what stops, to one in which some are.
    if (classes.some(name => name === 'ok') ? meaning === 'usual' : rests(meaning))
      return { type: 'proved', by: `${it}${was}.` };
    if (meaning === 'resting') return { type: 'waiting', atLast: `${it}${was}. ${untold}` };
    const by = `${it}, ${newWord}${was}. ${untold}`;
    if (!stands(seen, settles.unknown)) return waiting;
    return meaning === 'unseen' ? { type: 'finished', by } : { type: 'waiting', atLast: by };
  }
  const back = returned(look);
  if (back && stands(seen, settles.long)) return { type: 'failed', reason: back };
  return { type: 'waiting', contradiction: `Its state still is ${seen.state}.` };
}

function judgeChanges({ makes }: Changes, look: Look, record: RecordView): Verdict {
  const { before, seen, report } = look;
  if (report?.outcome === 'done') return { type: 'proved', by: saysOf(report) };
  const back = returned(look);
  const own = before && ownChange(look.work, before, record);
  if (own) return { type: 'proved', ...own, by: back ? `${back} ${own.by}` : own.by };
  const showsSnapshots = (before?.snapshots.length ?? 0) > 0 || snapshotsOf(record).length > 0;
  if (makes === 'snapshot' && showsSnapshots) {
    // Which new snapshot is this job's is settled where it is claimed; here its absence is judged.
    if (!back) return waiting;
    const contradiction = `${back} It shows no new snapshot.`;
    return stands(seen, settles.long) ? { type: 'failed', reason: contradiction } : { type: 'waiting', contradiction };
  }
  if (!back) return waiting;
  const by = `${back} ${untold}`;
  return stands(seen, settles.soon) ? { type: 'finished', by } : { type: 'waiting', atLast: by };
}

/** A time or a counter of this very work that moved since the call. */
function ownChange(work: Work, before: Before, record: RecordView): { by: string; sign: string } | undefined {
  for (const [path, time] of Object.entries(record.times))
    if (time > (before.times[path] ?? 0) && isSignOf(path, work))
      return { by: `Its record shows a new time, ${path}: ${new Date(time).toISOString()}.`, sign: `${path} ${time}` };
  for (const [path, count] of Object.entries(record.counters)) {
    const was = before.counters[path] ?? 0;
    if (count > was && isSignOf(path, work))
      return { by: `Its record counts on: ${path} was ${was} and is ${count}.`, sign: `${path} ${count}` };
  }
  return undefined;
}

function judgeConverts(look: Look, record: RecordView): Verdict {
  const { before, seen, report } = look;
  if (record.isPhysical === true && before?.isPhysical !== true)
    return { type: 'proved', by: 'Its record says that it is physical.' };
  const back = returned(look);
  if (record.isPhysical === false) {
    const contradiction = 'Its record still says that it is virtual.';
    if (report?.outcome === 'done' && stands(seen, settles.long))
      return { type: 'finished', by: `${saysOf(report)} ${contradiction}` };
    if (back && !report && stands(seen, settles.long)) return { type: 'failed', reason: `${back} ${contradiction}` };
    return { type: 'waiting', contradiction };
  }
  if (report?.outcome === 'done') return { type: 'proved', by: saysOf(report) };
  const by = `${back} Its record does not say whether it is physical.`;
  return back && stands(seen, settles.soon) ? { type: 'finished', by } : waiting;
}

/** A failure that the record did not show before the call. While the sending is in doubt, it may be of other work. */
function failureOf({ before, seen, report, inDoubt }: Look): string | undefined {
  if (report?.outcome === 'failed') return wordsOf(report);
  if (inDoubt && seen.wasBusy === undefined) return undefined;
  // A report of its own that says otherwise tells more than an error that may be of other work.
  if (report?.outcome === 'done' || report?.outcome === 'busy') return undefined;
  const isNew = before?.stateClass !== 'failed' || seen.wasBusy !== undefined || before.error !== seen.error;
  return seen.stateClass === 'failed' && isNew ? (seen.error ?? `Its state is ${seen.state}.`) : undefined;
}

/** An error that the record did not show before the call, and that no report of other work explains. */
function newError({ before, seen, record, report, inDoubt }: Look): string | undefined {
  if (!before || seen.error === undefined || seen.error === before.error) return undefined;
  if ((inDoubt && seen.wasBusy === undefined) || report?.outcome === 'done') return undefined;
  return record?.reports.some(({ error }) => error === seen.error) ? undefined : seen.error;
}

/** That the record was busy with what may be this job, and is so no more; `undefined` where it was not seen so. */
function returned({ seen, before, record, meaning }: Look): string | undefined {
  if (seen.wasBusy === undefined || seen.wasBusy === seen.state || meaning === 'doubtful') return undefined;
  if (seen.state === undefined) return `It was ${seen.wasBusy}, and is so no more.`;
  const again = before && record && isAsBefore(before, record) ? ' again' : '';
  return `It was ${seen.wasBusy} and is ${seen.state}${again}.`;
}

function rests(meaning: Meaning): boolean {
  return meaning === 'resting' || meaning === 'usual';
}

/** Whether the record is in a state that it will leave by itself. */
function isPassing({ seen, meaning }: Look): boolean {
  return seen.stateClass === 'busy' ? !rests(meaning) : meaning === 'passing';
}

/** Whether the record has stood in its state for so long. */
function stands(seen: Evidence, milliseconds: number): boolean {
  return seen.seenAt - seen.since >= milliseconds;
}

/** A failure in the words of the record's own report. */
function wordsOf({ error, word }: Report): string {
  return error ?? `The record's own report of it says ${word}.`;
}

function saysOf({ kind, word }: Report): string {
  return `The record's own report of ${kind ?? 'the job'} says ${word ?? 'that it is done'}.`;
}

function nameOf(seen: Evidence): string {
  return seen.name ?? seen.id;
}
