import type { RecordView } from '../../api/reading/recordView.ts';
import { isSummary, type Report } from '../../api/reading/reports.ts';
import type { StateClass } from '../../api/reading/stateWords.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { isCheck, namesItself, speaksOf, stateSpeaksOf } from '../../operations/work.ts';
import type { Overlap } from '../../store/jobs/claims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { hiddenWork, isAsBefore, stoodBefore } from './baseline.ts';
import { evidenceOf } from './evidence.ts';
import { goesOn, hasStood, isWorkedOn, rests, type Sighting } from './judgement.ts';
import { agreesWithLogin, isAccountName } from './login.ts';
import { type Asking, ask, askWords } from './reading.ts';
import { settles } from './settles.ts';
import { namesPerson, speaks, traceOf } from './whose.ts';
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
  const isBeside = isWorkedOn(record, before);
  const wasLong = last?.isErrorAmid && now - last.since >= settles.long;
  const others = othersWork(here, record, before);
  const next = wordOfNext(here, record, before, isPassing);
  return evidenceOf(record, last, now, {
    ...{
      ...others,
      isPassing,
      isBeside,
      busyWord,
      errorBefore: before?.error,
      reached: reachedBefore(here, record, before),
    },
    otherWork: others.kind ?? next ?? (isPassing ? undefined : otherWorkOn(here, record, before)),
    // A word to which the record moved on ends what it was at, though it may be one that passes.
    isOutlived: last?.isErrorOutlived || (wasLong && (last.state !== record.state?.word || !(isPassing || isBeside))),
    mayHaveBegun: mayHaveBegun(here, record, before),
  });
}

/** Whether work that may be that of a request in doubt is seen: nothing says that it is other work, or a colleague's. */
function mayHaveBegun(here: Case, record: RecordView, before: Before | undefined): boolean {
  const { job, operation } = here;
  if (job.noAnswer === null || !before || mayBeOfColleague(here, record, before)) return false;
  const isMoved = isWorkedOn(record) || !isAsBefore(before, record);
  return isMoved && stateSpeaksOf(record.state?.word ?? '', operation.work) !== 'no';
}

/**
 * The state that the job was to lead to, in which the record stood since the call, and which it has left; of a conversion,
 * that it says so and has not failed.
 */
function reachedBefore(here: Case, { id, state, isPhysical }: RecordView, before: Before | undefined) {
  const { job, proof, reading } = here;
  const last = job.evidence;
  if (proof.type === 'converts')
    return isPhysical && !before?.isPhysical && state?.class !== 'failed' ? 'physical' : undefined;
  if (proof.type !== 'reaches' || last?.id !== id.text || last.state === undefined) return undefined;
  const { state: word, stateClass = 'unknown' } = last;
  const isWanted = proof.classes.some(name => name === stateClass) && word !== before?.state && word !== state?.word;
  if (!isWanted || reading.now - last.since < settles.soon) return undefined;
  const meaning = meaningInWords(here, { id, state: { word, class: stateClass } });
  return meaning === 'doubtful' || meaning === 'passing' ? undefined : word;
}

/**
 * The work of somebody else that new reports tell of: its kind, who did what is or may be the same work, and who is at that. A
 * report of the same work counts only where the job had a report of its own, is in doubt, or where the record names its person:
 * a service may do all work in one name.
 */
function othersWork(
  here: Case,
  { reports }: RecordView,
  before: Before | undefined,
  inDoubt = here.job.noAnswer !== null,
) {
  const {
    job,
    operation: { work },
  } = here;
  const { login, evidence } = job;
  const own = evidence?.report?.isPlace === false ? evidence.report.identity : undefined;
  const isOthers = (one: Report) =>
    one.by === undefined || isAccountName(one.by)
      ? own !== undefined && own !== one.identity && !isSummary(one)
      : login === null || agreesWithLogin(one.by, login) === false;
  const others = reports.filter(one => isOthers(one) && !stoodBefore(before, one));
  const kindOf = (speak: 'yes' | 'no') => others.find(one => speaks(traceOf(one), work) === speak)?.kind;
  const isNamed = ({ reports }: Pick<RecordView, 'reports'>) =>
    reports.some(one => namesPerson(traceOf(one), login) === true);
  // Other records are asked only where it decides.
  const counts = () => evidence?.report !== undefined || inDoubt || ask(here, 'listed', mostLearnedFrom).some(isNamed);
  if (others.length === 0 || !counts()) return { kind: kindOf('no') };
  const isThis = ({ kind = '' }: Report) => namesItself(kind, work);
  // Work of which no kind is told may be the same.
  const same = others.find(one =>
    one.outcome === 'done' ? one.kind === undefined || isThis(one) : inDoubt && isThis(one),
  );
  const going = others.find(one => one.outcome === 'busy' && isThis(one));
  const nameOf = (one: Report | undefined) => one && (one.by ?? 'somebody else');
  return { kind: kindOf('no') ?? kindOf('yes'), doneBy: nameOf(same), sameBy: nameOf(going) };
}

/**
 * The word that a record left by itself since the look before. It rests in the word that it showed before the call, and may
 * have rested in the one that it left as it failed.
 */
function leftWord({ job, left }: Case, { id, state, error }: RecordView, before: Before | undefined) {
  const { evidence: last, sentAt } = job;
  if (last?.id !== id.text || last.state === undefined || last.seenAt < sentAt) return left;
  const isLeft = last.state !== state?.word && last.state !== before?.state;
  return isLeft && (error === undefined || error === last.error) ? { record: { id, state }, word: last.state } : left;
}

/**
 * The word to which a record moved that had come to rest since the call, with a new error or in the word that it showed
 * before: two pieces of work were done.
 */
function wordOfNext(here: Case, record: RecordView, before: Before | undefined, isPassing: boolean) {
  const last = here.job.evidence;
  const { id, state, error } = record;
  if (last?.id !== id.text || last.isBusy || last.state === state?.word) return undefined;
  const isNew = last.error !== undefined && last.error !== before?.error && last.error === error;
  // A word that nobody knows may be that of a failure, and a list that is late may show that a record came back.
  const isWork = isPassing && meaningOf(here, record, before) === 'passing';
  const cameBack = isWork && last.wasBusy !== undefined && last.state === before?.state;
  const isSure = cameBack && here.reading.now - last.since >= settles.soon;
  return isSure || (isNew && hasStood(last, settles.long)) ? state?.word : undefined;
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
  const was = before?.state === undefined ? undefined : { word: before.state, class: before.stateClass ?? 'unknown' };
  const means = (one: RecordView['state']) => (one ? meaningInWords(here, { id, state: one }) : 'unseen');
  // An unknown word that the record left for the one in which most of them rest was work, too.
  const isLeft = was?.class === 'unknown' && means(was) === 'doubtful' && means(state) === 'usual';
  const passing = [state, was].find(one => means(one) === 'passing') ?? (isLeft ? was : undefined);
  // A word of work beside the state that stands there as it stood before the call, or names other work.
  const isOther = (one: Report) =>
    stoodBefore(before, one) ||
    (one.isPlace && stateSpeaksOf(one.kind ?? one.word ?? '', here.operation.work) === 'no');
  const beside = reports.find(one => goesOn(one) && isOther(one) && !isCheck(one.kind ?? ''));
  const found = passing?.word ?? beside?.kind ?? beside?.word ?? hiddenWork(before, reports);
  return found !== undefined && overlapsOn(here).length === 0 ? found : undefined;
}

/** Collects the facts of one look for the pure rules of judgement. */
export function sightingOf(
  here: Case,
  facts: Pick<
    Sighting,
    | 'seen'
    | 'record'
    | 'before'
    | 'report'
    | 'ofOther'
    | 'made'
    | 'mayBeAnother'
    | 'isWorkedOn'
    | 'isDenied'
    | 'mayBeLate'
  >,
): Sighting {
  const { operation, job, proof } = here;
  const { record, before, seen } = facts;
  const left = record && leftWord(here, record, before);
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
    login: job.login,
    isShared: isShared(here, seen),
    sentAt: job.sentAt,
    ahead: job.baseline?.ahead ?? 0,
  };
}

/**
 * Whether a failure that a record shows may be of another job's work on it. A job that was proved did not fail, the failure of one
 * that was over stood there before this one was sent, and one whose work the words of the failure do not speak of has no part in
 * it where they speak of this job's.
 */
function isShared(here: Case, { stateClass, state, error }: Evidence): boolean {
  if (stateClass !== 'failed' && error === undefined) return false;
  const said = `${state ?? ''} ${error ?? ''}`;
  const isOurs = speaksOf(said, here.operation.work) === 'yes';
  return [...othersAround(here), ...othersInside(here)].some(({ isProved, endedAt, operation }) => {
    const work = writeOperation(operation)?.work;
    const isOver = isProved || (endedAt !== null && endedAt < here.job.sentAt);
    return !isOver && (!isOurs || work === undefined || speaksOf(said, work) === 'yes');
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
  // A word in which no other record rests may be one that passes.
  const mayPass = before !== undefined && !rests(meaning) && (state.class === 'unknown' || state.class === 'ok');
  if (state.class !== 'busy' && meaning !== 'passing' && !mayPass) return false;
  const inDoubt = job.noAnswer !== null;
  // Other work by whose name a service may call this one does not say that a request in doubt arrived.
  const speak = stateSpeaksOf(state.word, inDoubt ? { ...operation.work, alsoCalled: [] } : operation.work);
  if (speak === 'no' || (inDoubt && (speak === 'open' || mayBeOfColleague(here, record, before)))) return false;
  return !before || !othersAround(here).some(other => comesFirst(other, here) && mayExplain(other, state.word, speak));
}

/** Whether another job is under way that the service got before this one, or that alone it got for sure. */
function comesFirst({ endedAt, sentAt, inDoubt }: Overlap, { job }: Case): boolean {
  return endedAt === null && (sentAt <= job.sentAt || (job.noAnswer !== null && !inDoubt));
}

/**
 * Whether a state may be of somebody else's work: a report tells of the same work for them, or reports name people, and none
 * the person of this job, whose own report would.
 */
function mayBeOfColleague(here: Case, record: RecordView, before: Before | undefined): boolean {
  const { login } = here.job;
  const named = record.reports.flatMap(({ by }) => by ?? []);
  const isUnnamed = login !== null && named.length > 0 && named.every(by => agreesWithLogin(by, login) === false);
  return isUnnamed || othersWork(here, record, before, true).doneBy !== undefined;
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
