import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import { parseIdentifier } from '../api/identifiers.ts';
import type { RecordView } from '../api/recordView.ts';
import type { Appears, Changes, Proof, Reaches } from '../operations/proofs.ts';
import { type Baseline, type Before, type Evidence, snapshotsOf, wasThere } from './evidence.ts';

/**
 * What the records say of a job: it is proved (and by what), it failed (with the service's reason), or it is not over.
 * `expected` tells what a job whose time is over has missed, where the record contradicts it.
 */
export type Verdict =
  | { type: 'proved'; by: string }
  | { type: 'failed'; reason: string }
  | { type: 'waiting'; contradiction?: string };

/** How long a state of unknown meaning, or a record without one, must stand before it counts as one that stays. */
const settlesAfter = minutesToMilliseconds(2);
/** How long a state that was there before the call may be an old one still. */
const staleFor = secondsToMilliseconds(10);

/**
 * The records that may be the one that the proof waits for, the likeliest first: new since the baseline, of the right
 * vendor, and contradicting nothing that was asked for where they show it.
 */
export function candidates(
  proof: Appears,
  vendor: string | undefined,
  baseline: Baseline,
  records: readonly RecordView[],
): RecordView[] {
  const wasBefore = wasThere(baseline);
  return (
    records
      .filter(record => record.id.noun && proof.nouns.includes(record.id.noun) && record.vendor === vendor)
      .filter(record => !wasBefore(record))
      .map(record => ({
        record,
        likeness: likeness(proof, record),
        rank: record.id.noun ? proof.nouns.indexOf(record.id.noun) : 0,
      }))
      // A new live database can be there for other reasons, so it must show that it is the one.
      .filter(({ likeness, rank }) => likeness !== undefined && (rank === 0 || likeness > 0))
      .sort((a, b) => (b.likeness ?? 0) - (a.likeness ?? 0) || a.rank - b.rank || compareNumbers(a.record, b.record))
      .map(({ record }) => record)
  );
}

/** How many facts agree; `undefined` where one contradicts. */
function likeness(proof: Appears, record: RecordView): number | undefined {
  const { environment, port, names = [] } = proof.like;
  const source = proof.like.source === undefined ? undefined : parseIdentifier(proof.like.source);
  const shown: (boolean | undefined)[] = [
    // A clone of a clone may name the live database behind it: only like is compared with like.
    source && record.source?.id.noun === source.noun ? record.source?.id.number === source.number : undefined,
    record.environment && environment ? record.environment.id.text === environment : undefined,
    record.port !== undefined && port !== undefined ? record.port === port : undefined,
  ];
  if (shown.includes(false)) return undefined;
  // Last, since each job asks it of each record: most differ in one of the others.
  if (record.name !== undefined && names.length > 0) shown.push(namesAgree(names, record));
  return shown.includes(false) ? undefined : shown.filter(agrees => agrees).length;
}

/** Whether any plain value of the record is one of the names, in any case: which one a service shows is not specified. */
function namesAgree(names: readonly string[], record: RecordView): boolean {
  const wanted = names.map(name => name.toLowerCase());
  return record.values.some(({ value }) => wanted.includes(value.toLowerCase()));
}

/** What a new record that is the job's own says about the job. `others` are the records beside it. */
export function judgeNew({ copies }: Appears, seen: Evidence, others: readonly RecordView[]): Verdict {
  const proved: Verdict = {
    type: 'proved',
    by: `${nameOf(seen)} is there${seen.state ? `; its state is ${seen.state}` : '; its record shows no state'}.`,
  };
  const failed: Verdict = { type: 'failed', reason: seen.error ?? `Its state is ${seen.state}.` };
  switch (seen.stateClass) {
    case 'failed':
      return failed;
    case 'busy':
      return { type: 'waiting' };
    case 'ok':
      return proved;
    case 'stopped':
    case 'disabled':
      // What never ran and shows an error did not come to its end.
      return seen.error ? failed : proved;
    case undefined:
      if (seen.error) return failed;
      return stays(seen) && !copies ? proved : { type: 'waiting' };
    case 'unknown':
      if (!stays(seen)) return { type: 'waiting' };
      if (seen.error) return { type: 'failed', reason: seen.error };
      // Copying can go on for hours in a word that nobody knows, unless whole records stand in it, too.
      return copies && !isCommon(seen, others) ? { type: 'waiting' } : proved;
  }
}

/** What the target's own record says about a job. `sentAt` is milliseconds since the epoch. */
export function judgeTarget(
  proof: Exclude<Proof, Appears>,
  before: Before | undefined,
  seen: Evidence,
  record: RecordView | undefined,
  sentAt: number,
): Verdict {
  if (proof.type === 'gone') return judgeGone(before, seen);
  if (record === undefined) {
    // Of a record that was never seen, its absence tells nothing.
    if (!before) return { type: 'waiting' };
    return proof.type === 'converts'
      ? { type: 'proved', by: `${nameOf(seen)} no longer stands among the clones under this identifier.` }
      : { type: 'failed', reason: `The record of ${nameOf(seen)} is gone.` };
  }
  const failure = failureOf(before, seen);
  if (failure !== undefined) return { type: 'failed', reason: failure };
  if (seen.stateClass === 'busy') return { type: 'waiting' };
  switch (proof.type) {
    case 'reaches':
      return judgeReaches(proof, before, seen, sentAt);
    case 'changes':
      return judgeChanges(proof, before, seen, record);
    case 'converts':
      return judgeConverts(before, seen, record);
  }
}

function judgeGone(before: Before | undefined, seen: Evidence): Verdict {
  if (seen.gone)
    return before ? { type: 'proved', by: `${nameOf(seen)} is gone from the service's records.` } : { type: 'waiting' };
  // What was to be deleted shows no new error unless the deletion failed, whatever its state is called.
  const error = seen.error === before?.error ? undefined : seen.error;
  const failure = seen.stateClass === 'busy' ? undefined : (failureOf(before, seen) ?? error);
  if (failure !== undefined) return { type: 'failed', reason: failure };
  return { type: 'waiting', contradiction: `${nameOf(seen)} still stands in the service's records.` };
}

function judgeReaches(proof: Reaches, before: Before | undefined, seen: Evidence, sentAt: number): Verdict {
  const proved: Verdict = {
    type: 'proved',
    by: `Its state is ${seen.state}${before?.state && before.state !== seen.state ? `; it was ${before.state}` : ''}.`,
  };
  if (seen.state === undefined) return { type: 'waiting' };
  if (proof.classes.some(wanted => wanted === seen.stateClass)) {
    // A state that was there before the call is believed once it had time to change.
    const moved = before?.state !== seen.state || seen.wasBusy !== undefined;
    return moved || seen.seenAt - sentAt >= staleFor ? proved : { type: 'waiting' };
  }
  // A word that Dolly does not know, but another one than before, and one that stays.
  if (seen.stateClass === 'unknown' && before?.state !== undefined && before.state !== seen.state && stays(seen))
    return proved;
  return { type: 'waiting', contradiction: `Its state still is ${seen.state}.` };
}

function judgeChanges(proof: Changes, before: Before | undefined, seen: Evidence, record: RecordView): Verdict {
  const showsSnapshots = (before?.snapshots.length ?? 0) > 0 || snapshotsOf(record).length > 0;
  const isBack = seen.wasBusy !== undefined;
  if (proof.by.includes('snapshot') && showsSnapshots) {
    // Which new snapshot is this job's is settled where it is claimed; here its absence is judged.
    return {
      type: 'waiting',
      ...(isBack ? { contradiction: `It was ${seen.wasBusy}, but shows no new snapshot.` } : {}),
    };
  }
  if (isBack) return { type: 'proved', by: `It was ${seen.wasBusy} and is ${seen.state ?? 'back'} again.` };
  const all = Object.entries(record.times).filter(([path, time]) => time > (before?.times[path] ?? 0));
  // `lastLogBackupAt` says more than `updatedAt`.
  const later = all.find(([path]) => !/updat|modif|chang/i.test(path)) ?? all[0];
  if (proof.by.includes('values') && before !== undefined && later) {
    return { type: 'proved', by: `Its record shows a new time, ${later[0]}: ${new Date(later[1]).toISOString()}.` };
  }
  return { type: 'waiting' };
}

function judgeConverts(before: Before | undefined, seen: Evidence, record: RecordView): Verdict {
  if (record.isPhysical === true && before?.isPhysical !== true)
    return { type: 'proved', by: 'Its record says that it is physical.' };
  if (record.isPhysical === undefined && seen.wasBusy !== undefined) {
    return {
      type: 'proved',
      by: `It was ${seen.wasBusy} and is ${seen.state ?? 'back'} again. Its record does not say whether it is physical.`,
    };
  }
  return {
    type: 'waiting',
    ...(record.isPhysical === false ? { contradiction: 'Its record still says that it is virtual.' } : {}),
  };
}

/** A failure that the record did not show before the call. */
function failureOf(before: Before | undefined, seen: Evidence): string | undefined {
  const isNew = before?.stateClass !== 'failed' || seen.wasBusy !== undefined || before.error !== seen.error;
  if (seen.stateClass === 'failed' && isNew) return seen.error ?? `Its state is ${seen.state}.`;
  const isWorse = seen.error !== undefined && seen.error !== before?.error;
  return isWorse && (seen.state === undefined || seen.wasBusy !== undefined) ? seen.error : undefined;
}

/** Whether a state of unknown meaning, or none, has stood for long enough to be one to stay in. */
function stays(seen: Evidence): boolean {
  return seen.seenAt - seen.since >= settlesAfter;
}

/** Whether other records show the same state. */
function isCommon(seen: Evidence, others: readonly RecordView[]): boolean {
  return others.some(other => other.id.text !== seen.id && other.state?.word === seen.state);
}

function nameOf(seen: Evidence): string {
  return seen.name ?? seen.id;
}

function compareNumbers(a: RecordView, b: RecordView): number {
  const [left, right] = [BigInt(a.id.number), BigInt(b.id.number)];
  return left < right ? -1 : left > right ? 1 : 0;
}
