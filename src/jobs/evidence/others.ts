import type { RecordView } from '../../api/reading/recordView.ts';
import { isSummary, type Report } from '../../api/reading/reports.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { isCheck, namesItself, speaksOf, stateSpeaksOf, type Work } from '../../operations/work.ts';
import type { Overlap } from '../../store/jobs/recordClaims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { hiddenWork, isAsBefore, stoodBefore } from './baseline.ts';
import { type Case, meaningInWords, meaningOf } from './case.ts';
import { goesOn, hasStood, rests } from './goingOn.ts';
import { agreesWithLogin } from './login.ts';
import { ask } from './reading.ts';
import { settles } from './settles.ts';
import { askedBy, brokenBy, namesPerson, speaks, traceOf } from './whose.ts';

/* Who else was, or is, at work on the record: other jobs of Dolly's, a colleague, or the service itself. */

/**
 * The work of somebody else that new reports tell of: its kind, who did what is or may be the same work, and who is at that. A
 * report of the same work counts only where the job had a report of its own, or is in doubt: a service may do all work in one
 * name.
 */
export function othersWork({ job, operation: { work } }: Case, { reports }: RecordView, before: Before | undefined) {
  const { login, evidence } = job;
  const inDoubt = job.noAnswer !== null;
  const own = evidence?.report?.isPlace === false ? evidence.report.identity : undefined;
  const isOthers = (one: Report) =>
    one.by === undefined
      ? own !== undefined && own !== one.identity && !isSummary(one)
      : namesPerson(traceOf(one), login) === false;
  const others = reports.filter(one => isOthers(one) && !stoodBefore(before, one));
  const kindOf = (speak: 'yes' | 'no') => others.find(one => speaks(traceOf(one), work) === speak)?.kind;
  if (!evidence?.report && !inDoubt) return { kind: kindOf('no') };
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
 * The word to which a record moved that had come to rest since the call, with a new error or in the word that it showed
 * before: two pieces of work were done.
 */
export function wordOfNext(here: Case, record: RecordView, before: Before | undefined) {
  const last = here.job.evidence;
  const { id, state, error } = record;
  if (last?.id !== id.text || last.isBusy || last.state === state?.word) return undefined;
  const isNew = last.error !== undefined && last.error !== before?.error && last.error === error;
  // A word that nobody knows may be that of a failure, and a list that is late may show that a record came back.
  const isWork = meaningOf(here, record, before) === 'passing';
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
  const isLeft = means(was) === 'doubtful' && means(state) === 'usual';
  const passing = [state, was].find(one => means(one) === 'passing') ?? (isLeft ? was : undefined);
  // A word of work beside the state that stands there as it stood before the call, or names other work.
  const isOther = (one: Report) =>
    stoodBefore(before, one) ||
    (one.isPlace && stateSpeaksOf(one.kind ?? one.word ?? '', here.operation.work) === 'no');
  const beside = reports.find(one => goesOn(one) && isOther(one) && !isCheck(one.kind ?? ''));
  const found = passing?.word ?? beside?.kind ?? beside?.word ?? hiddenWork(before, reports);
  return overlapsOn(here).length === 0 ? found : undefined;
}

/**
 * Whether a failure that a record shows may be of another job's work on it. A job that was proved did not fail, the failure of one
 * that was over stood there before this one was sent, and one whose work the words of the failure do not speak of has no part in
 * it where they speak of this job's.
 */
export function sharesFailure(here: Case, { stateClass, state = '', error }: Evidence): boolean {
  if (stateClass !== 'failed' && error === undefined) return false;
  const isSpokenOf = (work: Work) => speaksOf(`${state} ${error ?? ''}`, work) === 'yes';
  const isOurs = isSpokenOf(here.operation.work);
  return [...othersAround(here), ...othersInside(here)].some(({ isProved, endedAt, operation }) => {
    const work = writeOperation(operation)?.work;
    const isOver = isProved || (endedAt !== null && endedAt < here.job.sentAt);
    return !isOver && (!isOurs || work === undefined || isSpokenOf(work));
  });
}

/**
 * Whether the record is in a passing state that can be of this job: its word speaks of no other work, and no job of
 * Dolly's that was sent before explains it. While the sending is in doubt, the word must speak of this very work, and no
 * job that the service has accepted may explain it.
 */
export function isOfJob(here: Case, record: RecordView, before?: Before): boolean {
  const { job, operation } = here;
  const { state } = record;
  if (!state) return false;
  const meaning = meaningOf(here, record, before);
  // A word in which no other record rests may be one that passes.
  const mayPass = before !== undefined && !rests(meaning) && (state.class === 'unknown' || state.class === 'ok');
  if (meaning !== 'passing' && !mayPass) return false;
  const inDoubt = job.noAnswer !== null;
  // Other work by whose name a service may call this one does not say that a request in doubt arrived.
  const work = inDoubt ? { ...operation.work, alsoCalled: [] } : operation.work;
  const trace = { words: state.word, isState: true, isOld: before !== undefined && isAsBefore(before, record) };
  const speak = speaks(trace, work);
  if (speak === 'no' || brokenBy(trace, { ...askedBy(here), work })) return false;
  if (inDoubt && (speak === 'open' || mayBeOfColleague(here, record))) return false;
  return !before || !othersAround(here).some(other => comesFirst(other, here) && mayExplain(other, state.word, speak));
}

/** Whether another job is under way that the service got before this one, or that alone it got for sure. */
function comesFirst({ endedAt, sentAt, inDoubt }: Overlap, { job }: Case): boolean {
  return endedAt === null && (sentAt <= job.sentAt || (job.noAnswer !== null && !inDoubt));
}

/** Whether a state may be of somebody else's work: reports name people, and none the person of this job, whose own would. */
export function mayBeOfColleague({ job: { login } }: Case, { reports }: RecordView): boolean {
  const named = reports.flatMap(({ by }) => by ?? []);
  return named.length > 0 && named.every(by => agreesWithLogin(by, login) === false);
}

/**
 * The other jobs whose work may show where this one's does: those on its target, and those on the record around it, where
 * the target is a part of one.
 */
export function othersAround(here: Case): readonly Overlap[] {
  const { job, target } = here;
  const holder = target.noun === 'snapshot' ? job.baseline?.holder : undefined;
  const own = overlapsOn(here);
  if (holder === undefined) return own;
  return [...own, ...ask(here, 'overlaps', { id: `${job.id} around`, sentAt: job.sentAt, target: holder })];
}

/** The other jobs on the same record that were under way at any time since this one was sent. */
function overlapsOn(here: Case): readonly Overlap[] {
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

/**
 * Whether a sign of this job's work is left to another job: one of the same work on the same record that is under way,
 * and that the service has accepted, while nobody knows whether it got this one.
 */
export function leavesSigns(here: Case): boolean {
  return (
    here.job.noAnswer !== null && overlappingWork(here).some(({ endedAt, inDoubt }) => endedAt === null && !inDoubt)
  );
}

/** The numbers of other jobs of the same work on the same record: under way without a result, or maybe late with it. */
export function rivalsFor(here: Case): Readonly<{ late: number; open: number }> {
  const others = overlappingWork(here);
  const late = others.filter(({ isLate }) => isLate).length;
  return { late, open: others.filter(({ endedAt, claimed }) => endedAt === null && claimed === null).length };
}

/** Says that a sign may be of an earlier job. */
export const maybeLate =
  'An earlier job of this kind is unconfirmed and may have made it late: I cannot tell whose it is.';

/** The other jobs on the same record that did the same work at the same time. One that this release does not know may do any. */
function overlappingWork(here: Case): readonly Overlap[] {
  return overlapsOn(here).filter(other => {
    const work = writeOperation(other.operation)?.work;
    return work === undefined || work.name === here.operation.work.name;
  });
}
