import { parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { Appears, Proof } from '../../operations/proofs.ts';
import { isCheck } from '../../operations/work.ts';
import { type Comparison, compareRecords, marksOf } from '../../records/sameRecord.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Claim } from '../../store/jobs/claims.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { isAsBefore, isNewSince } from './baseline.ts';
import { atWork, evidenceOf, evidenceOfAbsence, formerError } from './evidence.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { hasStood, isWorkedOn, type Judgement, type LookResult, type Sighting, waiting } from './judgement.ts';
import { lookForNewRecord } from './newRecords/newRecord.ts';
import { ask, askOr, askWords, type Reading } from './reading.ts';
import { leavesSigns, maybeLate, rivalsFor } from './rivals.ts';
import { settles } from './settles.ts';
import { type Case, isOfJob, meaningOf, nothing, otherWorkOn, seenOf, sightingOf } from './sighting.ts';
import { describeSnapshot, judgeMade, newSnapshot } from './snapshotOfJob.ts';
import { letStand, type ShownEnd } from './standingEnd.ts';
import { judgeTarget } from './targetProof.ts';
import { type FoundReport, noReport, reportOf } from './whoseReport.ts';
import { settleDoubt } from './words/stateDoubt.ts';

/**
 * Looks for the proof that a `running` job waits for. An end is read from the record itself, not from a list.
 * @throws {NotReadYet} where more is to be read for that, and what a read threw that failed
 */
export function lookForProof(job: JobIn<'running'>, request: JobRequest, reading: Reading): LookResult {
  const { proof, target } = request;
  // Lists were compared with records only in the values that most operations need, not in keys of this operation alone.
  const isWhole = proof.type === 'changes' && proof.by !== 'work';
  const here = { ...request, reading, job, isWhole };
  const listed = lookAt(here);
  // The state words of other records may be all that is missing for a verdict.
  const { noun } = target;
  const hangs = listed.verdict.type === 'waiting' && listed.seen?.state !== undefined && !listed.seen.isBusy;
  if (hangs && noun && noun !== 'snapshot' && askWords(here, 'due', undefined))
    askOr(here, 'list', noun, () => undefined);
  // A list that is late shows a record as it was: at work that is over, or at rest from before it.
  const last = job.evidence;
  const isTurned = last?.wasBusy !== undefined && listed.seen !== undefined && listed.seen.isBusy !== last.isBusy;
  const isEnough = isWhole || (listed.verdict.type === 'waiting' && !isTurned);
  const left = listed.look?.left;
  const found = isEnough ? listed : lookAt({ ...here, isWhole: true, left });
  // The word in which an operation leaves its record, where its own report says that it is done. A word by which the job was
  // proved would only confirm itself.
  const isDone = found.verdict.type === 'proved' && found.look?.report?.outcome === 'done';
  const rests = isDone && (isWhole || !isEnough) ? found.look?.record : undefined;
  return { ...withWarning(letStand(job, found, reading.now)), left, rests };
}

/** Says the warning of a job's own report beside the sign that confirms the job, and keeps that a part alone was done. */
function withWarning(result: LookResult): LookResult {
  const { verdict, seen } = result;
  if (verdict.type === 'finished' && verdict.isInPart && seen) return { ...result, seen: { ...seen, isInPart: true } };
  const { word = '', told = word } = seen?.report ?? {};
  if (verdict.type !== 'proved' || readOutcome(told) !== 'warned' || verdict.by.includes(told)) return result;
  return { ...result, verdict: { ...verdict, by: `${verdict.by} The record's own report says ${told}.` } };
}

/** What one look shows as the end of a job, before that has stood. */
export function lookAt(here: Case): ShownEnd {
  const { proof, target } = here;
  if (proof.type === 'appears') return lookForNewRecord(here, proof);
  return target.noun === 'snapshot' ? lookAtPart(here, proof) : lookAtTarget(here, proof);
}

/** Looks at a snapshot that is to be deleted: it stands in its database's record. */
function lookAtPart(here: Case, proof: Exclude<Proof, Appears>): ShownEnd {
  const { reading, job, target } = here;
  const { baseline } = job;
  const holder = parseIdentifier(baseline?.holder ?? job.target);
  const record = holder?.noun ? ask(here, 'one', { id: holder, isWhole: here.isWhole }).record : undefined;
  const isThere = record !== undefined && snapshotsOf(record).includes(target.text);
  const part = holder && isThere ? ask(here, 'part', { holder, id: target }) : undefined;
  const isPassingState = record !== undefined && isOfJob(here, record, baseline?.target);
  const found = record ? reportOf(here, baseline?.target, record, { isAtWork: isPassingState }) : noReport;
  const { report, claims } = found;
  const isBusy = isPassingState || report?.outcome === 'busy';
  // The snapshot may have been there as a mere identifier.
  const before = baseline?.part ?? (baseline?.target?.snapshots.includes(target.text) ? nothing : undefined);
  // The reason why a snapshot is still there may be an error of its database.
  const error = record?.error === baseline?.target?.error ? undefined : record?.error;
  const isOfReport = record?.reports.some(other => other.error === error && other.identity !== report?.identity);
  // Whoever was at work there before the call, and still is, may have failed as well.
  const isAsEver = record?.state?.class === 'busy' && baseline?.target && isAsBefore(baseline.target, record);
  const isOurs = !isOfReport && !isAsEver;
  const otherWork = record && !isBusy ? otherWorkOn(here, record, baseline?.target) : undefined;
  const busyWord = isPassingState ? record.state?.word : busyWordOf(report);
  const noted = { isPassing: isBusy, busyWord, otherWork };
  // The error of the database stands for that of the part, at this look as at the last one.
  const shownError = part?.error ?? (isOurs ? error : undefined);
  const known = part && evidenceOf(part, job.evidence, reading.now, { ...noted, error: shownError });
  const absent = evidenceOfAbsence(target.text, job.targetName, reading.now);
  const shown = known ?? { ...absent, otherWork: job.evidence?.otherWork ?? otherWork };
  const seen = {
    ...{ ...shown, error: shownError, formerError: formerError(job.evidence, shownError) },
    ...keptOf(found, job.evidence),
  };
  const facts = { seen, record: part, before, report, isWorkedOn: isBusyAround(here, record, report) };
  const look = sightingOf(here, facts);
  const verdict = judgeTarget(proof, look);
  const arrived = seen.wasBusy !== undefined || report !== undefined;
  // A snapshot that was never seen must not be told as gone.
  return { verdict, seen: part || before ? seen : undefined, claims, arrived, look };
}

/** Says that a report tells of work under way: the kind of work in it is no state. */
function busyWordOf(report: Report | undefined): string | undefined {
  return report?.outcome === 'busy' ? `${atWork} (${report.kind ?? report.word})` : undefined;
}

/**
 * Whether the database around a snapshot is at work of whatever kind, which may hide the work on its part, as a report may
 * that took the place of the job's own.
 */
function isBusyAround(here: Case, record: RecordView | undefined, report: Report | undefined): boolean {
  if (!record) return false;
  const { job } = here;
  const before = job.baseline?.target;
  // Where the state came back from work, that is over, though a check took the place of its report.
  const isOfState = job.evidence?.wasBusy?.startsWith(atWork) === false;
  const isHiding = (one: Report) => isNewSince(before, one) && !(isOfState && isCheck(one.kind ?? ''));
  const isHidden = !report && record.reports.some(isHiding);
  const { state } = record;
  const isStill = state !== undefined && state.word === job.evidence?.wasBusy;
  const isPassing = meaningOf(here, record, before) === 'passing';
  return isHidden || isStill || isPassing || isWorkedOn(record, before);
}

/** Looks at the record of a job's target, which proves the job. */
function lookAtTarget(here: Case, proof: Exclude<Proof, Appears>): ShownEnd {
  const { reading, job, target, isWhole } = here;
  const before = job.baseline?.target;
  const { record: found, isDenied } = target.noun ? ask(here, 'one', { id: target, isWhole }) : nowhere;
  // The service may have given the number of a record that is gone to another one.
  const compared = found && before && compareRecords(before, marksOf(found));
  const record = compared?.is === 'another' ? undefined : found;
  if (!record) {
    const seen = evidenceOfAbsence(target.text, job.targetName, reading.now);
    const look = sightingOf(here, { seen, record, before, report: undefined });
    return { verdict: judgeTarget(proof, look), seen, arrived: false, look };
  }
  const isPassingState = isOfJob(here, record, before);
  const reported = reportOf(here, before, record, { isAtWork: isPassingState });
  const { report, claims, mayHaveFailed = false } = reported;
  const isBusy = report?.outcome === 'busy';
  const isPassing = isBusy || isPassingState;
  const busyWord = isPassingState ? undefined : busyWordOf(report);
  const seen = seenOf(here, record, { before, isPassing, busyWord });
  const { made, ofOther } = newSnapshot(here, record, { report, mayHaveFailed, seen });
  const claimed = made?.record;
  const look = sightingOf(here, {
    seen: { ...seen, ...keptOf(reported, job.evidence) },
    ...{ record, before, report, ofOther, mayHaveFailed, isDenied },
    mayBeAnother: differenceIn(record, compared),
  });
  const shown = claimed !== undefined && isAtRest(look) ? judgeMade(here, claimed) : judgeTarget(proof, look);
  const judged = withSign(here, shown, look);
  const { verdict, doubt, said } = settleDoubt(here, judged.verdict, look);
  const snapshot = verdict.type === 'proved' && claimed !== undefined ? parseIdentifier(claimed) : undefined;
  const described = snapshot && { snapshot: describeSnapshot(here, target, snapshot) };
  return {
    verdict,
    seen: { ...look.seen, ...(doubt && { doubt }), ...described },
    ...(claimed === undefined ? {} : { claimed }),
    claims: [...claims, ...(made ? [made] : []), ...judged.claims],
    arrived: seen.wasBusy !== undefined || report !== undefined,
    look,
    said,
  };
}

const nowhere = { record: undefined, isDenied: false } as const;

/** Says what is shown otherwise than before: the record may be another one, and may be the same. */
function differenceIn(record: RecordView, compared: Comparison | undefined): string | undefined {
  if (compared?.name === false)
    return `The record under its identifier is called ${record.name} now, and may be another one.`;
  if (compared?.madeAt === false)
    return 'The record under its identifier was made at another time, and may be another one.';
  return undefined;
}

/** The reports that were found at this look or before, as they are kept. */
function keptOf({ report, outlived, early }: FoundReport, last: Evidence | undefined) {
  return {
    report: report ? kept(report) : last?.report,
    outlived: outlived ?? last?.outlived,
    early: last?.early ?? early,
  };
}

const kept = ({ identity, isPlace, word, told }: Report) => ({ identity, isPlace, word, told });

/** Whether nothing says that the work goes on or has failed, so that what it made counts. */
function isAtRest({ seen, meaning, report }: Sighting): boolean {
  const isOpen = report === undefined || report.outcome === 'done' || report.outcome === 'unknown';
  return seen.stateClass !== 'failed' && meaning !== 'passing' && isOpen;
}

type Judged = Readonly<{ verdict: Judgement; claims: readonly Claim[] }>;

/** A time or a counter that moved proves one job only. */
function withSign(here: Case, verdict: Judgement, look: Sighting): Judged {
  if (verdict.type !== 'proved' || verdict.sign === undefined || !look.record) return { verdict, claims: [] };
  if (leavesSigns(here)) return { verdict: waiting, claims: [] };
  if (rivalsFor(here).late > 0) {
    const by = `${verdict.by} ${maybeLate}`;
    const isOver = isAtRest(look) && hasStood(look.seen, settles.long);
    return { verdict: isOver ? { type: 'finished', by } : { type: 'waiting', atLast: by }, claims: [] };
  }
  const claims = freeClaims(here, [claimOn(look.record, verdict.sign)]);
  return { verdict: claims.length > 0 ? verdict : waiting, claims };
}
