import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { StateClass } from '../../api/reading/stateWords.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { isCheck, speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import type { Overlap } from '../../store/jobs/claims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { hiddenWork, isAsBefore, stoodBefore } from './baseline.ts';
import { evidenceOf } from './evidence.ts';
import { workOfOthers } from './jobReport.ts';
import { goesOn, hasStood, isWorkedOn, namesOtherWork, rests, type Sighting } from './judgement.ts';
import { agreesWithLogin } from './login.ts';
import { reportsName } from './newRecords/likeness.ts';
import { type Asking, ask, askWords } from './reading.ts';
import { settles } from './settles.ts';
import type { StateMeaning } from './words/stateMeaning.ts';
import { type LeftWord, mostLearnedFrom, type Worded } from './words/stateVocabulary.ts';

/** One look for one job. `left` is the word that it saw its record leave in a list: this counts as learned. */
export type Case = JobRequest & Asking & Readonly<{ job: JobIn<'running'>; left?: LeftWord | undefined }>;

/** The baseline of a record that was not there before the call. */
export const nothing: Before = { snapshots: [], times: {}, counters: {}, reports: {} };

/** The record's baseline, whether its state is a passing one of this job, and the word of the job's report for that. */
type Look = Readonly<{ before: Before | undefined; isPassing: boolean; busyWord?: string | undefined }>;

/** Makes the evidence of this look. */
export function seenOf(here: Case, record: RecordView, { before, isPassing, busyWord }: Look): Evidence {
  const last = here.job.evidence;
  const { now } = here.reading;
  // A word that nobody knows may be that of a failure.
  const isWork = isPassing && (record.state?.class === 'busy' || meaningInWords(here, record) === 'passing');
  const { kind = wordOfNext(last, record, before, { isWork, now }), ...by } = othersWork(here, record, before);
  const otherWork = kind ?? (isPassing ? undefined : otherWorkOn(here, record, before));
  const isBeside = isWorkedOn(record, before);
  const isLong = last !== undefined && now - last.since >= settles.long;
  // A word to which the record moved on ends what it was at, though it may be one that passes.
  const isOver = last?.state !== record.state?.word || (!isPassing && !isBeside);
  const isOutlived = last?.isErrorOutlived || (last?.isErrorAmid && isLong && isOver);
  const reached = reachedBefore(here, record, before);
  const noted = {
    ...{ isPassing, isBeside, isOutlived, busyWord, reached, otherWork, ...by, errorBefore: before?.error },
    mayHaveBegun: mayHaveBegun(here, record, before),
  };
  return evidenceOf(record, last, now, noted);
}

/** Whether work that may be that of a request in doubt is seen: nothing says that it is other work, or a colleague's. */
function mayHaveBegun(here: Case, record: RecordView, before: Before | undefined): boolean {
  const { job, operation } = here;
  if (job.noAnswer === null || !before || mayBeOfColleague(here, record, before)) return false;
  const isMoved = isWorkedOn(record) || !isAsBefore(before, record);
  return isMoved && (record.state === undefined || stateSpeaksOf(record.state.word, operation.work) !== 'no');
}

/**
 * The state that the job was to lead to, in which the record stood since the call, and which it has left; of a conversion,
 * that it says so and has not failed.
 */
function reachedBefore(here: Case, record: RecordView, before: Before | undefined) {
  const { job, proof, reading } = here;
  const last = job.evidence;
  const { id, state } = record;
  if (proof.type === 'converts')
    return record.isPhysical && !before?.isPhysical && state?.class !== 'failed' ? 'physical' : undefined;
  if (proof.type !== 'reaches' || last?.id !== id.text || last.state === state?.word) return undefined;
  const isWanted = proof.classes.some(name => name === last.stateClass) && last.state !== before?.state;
  if (!isWanted || reading.now - last.since < settles.soon) return undefined;
  const was = last.state && last.stateClass ? { word: last.state, class: last.stateClass } : undefined;
  const meaning = meaningInWords(here, { id, state: was });
  return meaning === 'doubtful' || meaning === 'passing' ? undefined : last.state;
}

/** The work of somebody else that reports tell of. Only where it decides, other records are asked whether they name us. */
function othersWork(here: Case, { reports }: RecordView, before: Before | undefined) {
  const { job, operation } = here;
  const { login, evidence } = job;
  const asked = { work: operation.work, login, inDoubt: job.noAnswer !== null, seen: evidence?.report };
  const plainly = workOfOthers(asked, before, reports);
  if (reports.length === 0 || login === null || asked.seen !== undefined || asked.inDoubt) return plainly;
  const told = workOfOthers({ ...asked, namesUs: true }, before, reports);
  if (told.doneBy === undefined && told.sameBy === undefined) return plainly;
  return ask(here, 'listed', mostLearnedFrom).some(one => reportsName(one, login) === true) ? told : plainly;
}

/**
 * The word that a record left by itself since the look before. It rests in the word that it showed before the call, and may
 * have rested in the one that it left as it failed.
 */
function leftWord(here: Case, { id, state }: RecordView, error: string | undefined, before: Before | undefined) {
  const { evidence: last, sentAt } = here.job;
  if (here.isWhole || id.noun === 'snapshot' || last?.state === undefined) return here.left;
  const isLeft = last.id === id.text && ![state?.word, before?.state].includes(last.state) && last.seenAt >= sentAt;
  return isLeft && (error === undefined || error === last.error)
    ? { record: { id, state }, word: last.state }
    : undefined;
}

/**
 * The word to which a record moved that had come to rest since the call, with a new error or in the word that it showed
 * before: two pieces of work were done.
 */
function wordOfNext(
  last: Evidence | undefined,
  { id, state, error }: RecordView,
  before: Before | undefined,
  { isWork, now }: Readonly<{ isWork: boolean; now: number }>,
) {
  if (last?.id !== id.text || last.isBusy || last.state === state?.word) return undefined;
  const isNew = last.error !== undefined && last.error !== before?.error && last.error === error;
  // Services write the facts of one end one after the other.
  const hadFailed = isNew && hasStood(last, settles.long);
  // A list that is late may show for a moment that a record came back.
  const cameBack = last.wasBusy !== undefined && last.state === before?.state && isWork;
  const isSure = cameBack && now - last.since >= settles.soon;
  return hadFailed || isSure ? state?.word : undefined;
}

/**
 * The passing word in which a record is, or was before the call, where it is none of the job's, or the kind of work that a
 * report told of. Of other jobs of Dolly's more is known than a word.
 */
export function otherWorkOn(
  here: Case,
  { id, state, reports }: RecordView,
  before: Before | undefined,
): string | undefined {
  const was = before?.state !== undefined && before.stateClass && { word: before.state, class: before.stateClass };
  const means = (one: RecordView['state']) => (one ? meaningInWords(here, { id, state: one }) : 'unseen');
  // An unknown word that the record left for the one in which most of them rest was work, too.
  const isLeft = was && was.class === 'unknown' && means(was) === 'doubtful' && means(state) === 'usual';
  const passing = [state, was || undefined].find(one => means(one) === 'passing') ?? (isLeft ? was : undefined);
  // A word of work beside the state that stands there as it stood before the call, or names other work.
  const isOther = (one: Report) => stoodBefore(before, one) || namesOtherWork(one, here.operation.work);
  const beside = reports.find(one => goesOn(one) && isOther(one) && (one.kind === undefined || !isCheck(one.kind)));
  const found = passing?.word ?? beside?.kind ?? beside?.word ?? hiddenWork(before, reports);
  return found !== undefined && overlapsOn(here).length === 0 ? found : undefined;
}

/** Collects the facts of one look for the pure rules of judgement. */
export function sightingOf(
  here: Case,
  facts: Pick<
    Sighting,
    'seen' | 'record' | 'before' | 'report' | 'ofOther' | 'mayHaveFailed' | 'mayBeAnother' | 'isWorkedOn' | 'isDenied'
  >,
): Sighting {
  const { operation, job, proof } = here;
  const { record, before, seen } = facts;
  const left = record && leftWord(here, record, seen.error, before);
  const after = { ...here, left };
  return {
    ...{ work: operation.work, left },
    isWorkedOn: isWorkedOn(record, before),
    ...facts,
    meaning: record ? meaningOf(after, record, before) : 'unseen',
    learned: record ? meaningInWords(after, record) : 'unseen',
    showsWanted: record !== undefined && proof.type === 'reaches' && hasSeen(after, record, proof.classes),
    showsWork: record !== undefined && hasSeen(after, record, ['busy']),
    inDoubt: job.noAnswer !== null,
    isShared: isShared(here, seen),
    sentAt: job.sentAt,
    ahead: job.baseline?.ahead ?? 0,
  };
}

/**
 * Whether a failure that a record shows may be of another job's work on it. A job that was proved did not fail, and one
 * whose work the words of the failure do not speak of has no part in it where they speak of this job's.
 */
function isShared(here: Case, { stateClass, state, error }: Evidence): boolean {
  if (stateClass !== 'failed' && error === undefined) return false;
  const all = [...othersAround(here), ...othersInside(here)];
  // The failure of a job that was over stood there before this one was sent.
  const wasOver = ({ endedAt }: Overlap) => endedAt !== null && endedAt < here.job.sentAt;
  const others = all.filter(other => !other.isProved && !wasOver(other));
  const said = `${state ?? ''} ${error ?? ''}`;
  const speaks = speaksOf(said, here.operation.work);
  return others.some(other => {
    const work = writeOperation(other.operation)?.work;
    return speaks !== 'yes' || work === undefined || speaksOf(said, work) === 'yes';
  });
}

/**
 * The meaning of a record's state. A record that is as before the call is in its usual state, unless it was busy then.
 */
export function meaningOf(here: Case, record: RecordView, before: Before | undefined): StateMeaning {
  const isBack = before !== undefined && isAsBefore(before, record) && record.state?.class !== 'busy';
  return isBack && record.state ? 'usual' : meaningInWords(here, record);
}

/** What the record's state word means in the records of this service. */
export function meaningInWords(here: Case, { id, state }: Worded): StateMeaning {
  return askWords(here, 'meaning', { left: here.left, id, state });
}

function hasSeen(here: Case, { id, state }: Worded, classes: readonly StateClass[]): boolean {
  return askWords(here, 'seen', { left: here.left, id, state, classes });
}

/**
 * Whether the record is in a passing state that can be of this job: its word speaks of no other work, and no job of
 * Dolly's that was sent before explains it. While the sending is in doubt, the word must speak of this very work, and no
 * job that the service has accepted may explain it.
 */
export function isOfJob(here: Case, record: RecordView, before?: Before): boolean {
  const { job, operation } = here;
  const { state } = record;
  if (!state || (before && isAsBefore(before, record))) return false;
  const meaning = meaningOf(here, record, before);
  const passes = state.class === 'busy' || meaning === 'passing';
  // A word in which no other record rests may be one that passes.
  const mayPass = before !== undefined && !rests(meaning) && (state.class === 'unknown' || state.class === 'ok');
  if (!passes && !mayPass) return false;
  // Other work by whose name a service may call this one does not say that a request in doubt arrived.
  const work = job.noAnswer !== null ? { ...operation.work, alsoCalled: [] } : operation.work;
  const speaks = stateSpeaksOf(state.word, work);
  if (speaks === 'no' || (job.noAnswer !== null && (speaks === 'open' || mayBeOfColleague(here, record, before))))
    return false;
  if (!before) return true;
  const others = othersAround(here);
  const comesFirst = (other: Overlap) => other.sentAt <= job.sentAt || (job.noAnswer !== null && !other.inDoubt);
  return !others.some(other => other.endedAt === null && comesFirst(other) && mayExplain(other, state.word, speaks));
}

/**
 * Whether a state may be of somebody else's work: a report tells of the same work for them, or reports name people, and none
 * the person of this job, whose own report would.
 */
function mayBeOfColleague({ job, operation }: Case, { reports }: RecordView, before: Before | undefined): boolean {
  const { login } = job;
  const named = reports.flatMap(({ by }) => by ?? []);
  const isUnnamed = login !== null && named.length > 0 && named.every(by => agreesWithLogin(by, login) === false);
  return (
    isUnnamed || workOfOthers({ work: operation.work, login, inDoubt: true }, before, reports).doneBy !== undefined
  );
}

/**
 * The other jobs whose work may show where this one's does: those on its target, and those on the record around it, where
 * the target is a part of one.
 */
export function othersAround(here: Case): readonly Overlap[] {
  const { job, target } = here;
  const holder = target.noun === 'snapshot' ? job.baseline?.holder : undefined;
  const own = overlapsOn(here);
  if (holder === undefined || holder === job.target) return own;
  return [...own, ...ask(here, 'overlaps', { id: `${job.id} around`, sentAt: job.sentAt, target: holder })];
}

/** The other jobs on the same record that were under way at any time since this one was sent. */
export function overlapsOn(here: Case): readonly Overlap[] {
  const { id, sentAt, target } = here.job;
  return ask(here, 'overlaps', { id, sentAt, target });
}

/** The other jobs on the snapshots that the record had before the call: a failure of theirs may show in the record. */
function othersInside(here: Case): readonly Overlap[] {
  const { job } = here;
  const snapshots = job.baseline?.target?.snapshots ?? [];
  const asked = snapshots.map(target => ({ id: target, sentAt: job.sentAt, target }));
  return [...ask(here, 'overlapsOfAll', asked).values()].flat().filter(({ id }) => id !== job.id);
}

/** Whether another job's work explains a state. An operation that this release does not know may explain any. */
function mayExplain({ operation }: Overlap, word: string, speaks: 'yes' | 'open'): boolean {
  const work = writeOperation(operation)?.work;
  return work === undefined || stateSpeaksOf(word, work) === speaks;
}
