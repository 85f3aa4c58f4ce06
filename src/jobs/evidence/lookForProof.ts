import { parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { Appears, Proof } from '../../operations/proofs.ts';
import { type Comparison, compareRecords, marksOf } from '../../records/sameRecord.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import type { RunningJob } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { cameSince } from './baseline.ts';
import { type Case, meaningOf, nothing } from './case.ts';
import { atWork, evidenceOf, evidenceOfAbsence, formerError } from './evidence.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { isWorkedOn } from './goingOn.ts';
import { noReport, reportOf } from './jobReport.ts';
import { type LookResult, type Sighting, waiting } from './judgement.ts';
import { lookForNewRecord } from './newRecords/newRecord.ts';
import { describeSnapshot, newSnapshot, partIn } from './newSnapshot.ts';
import { isOfJob, leavesSigns, otherWorkOn, rivalsFor } from './others.ts';
import { ask, askOr, askWords, type Reading } from './reading.ts';
import type { Ruling } from './rows.ts';
import { seenOf, sightingOf } from './sighting.ts';
import { letStand, type ShownEnd } from './standingEnd.ts';
import { judgeTarget } from './targetProof.ts';
import { settleDoubt } from './words/stateDoubt.ts';

/**
 * Looks for the proof that a `running` job waits for. An end is read from the record itself, not from a list.
 * @throws {NotReadYet} where more is to be read for that, and what a read threw that failed
 */
export function lookForProof(job: RunningJob, request: JobRequest, reading: Reading): LookResult {
  const { proof, target } = request;
  // Lists were compared with records only in the values that most operations need, not in keys of this operation alone.
  const isWhole = proof.type === 'changes' && proof.by !== 'work';
  const here = { ...request, reading, job, isWhole };
  const listed = lookAt(here);
  // The state words of other records may be all that is missing for a judgement.
  const { noun } = target;
  const hangs = listed.judgement.type === 'waiting' && listed.seen?.state !== undefined && !listed.seen.isBusy;
  if (hangs && noun && noun !== 'snapshot' && askWords(here, 'due', undefined))
    askOr(here, 'list', noun, () => undefined);
  const isEnough = isWhole || listed.judgement.type === 'waiting';
  const left = listed.look?.left;
  const found = isEnough ? listed : lookAt({ ...here, isWhole: true, left });
  // The word in which an operation leaves its record, where its own report says that it is done. A word by which the job was
  // proved would only confirm itself.
  const isDone = found.judgement.type === 'proved' && found.look?.report?.outcome === 'done';
  const rests = isDone ? found.look?.record : undefined;
  return { ...withWarning(letStand(job, found, reading.now)), left, rests };
}

/** Says the warning of a job's own report beside the sign that confirms the job, and keeps that a part alone was done. */
function withWarning(result: LookResult): LookResult {
  const { judgement, seen } = result;
  if (judgement.type === 'finished' && judgement.isInPart && seen)
    return { ...result, seen: { ...seen, isInPart: true } };
  const { word = '', told = word } = seen?.report ?? {};
  if (judgement.type !== 'proved' || readOutcome(told) !== 'warned' || judgement.by.includes(told)) return result;
  return { ...result, judgement: { ...judgement, by: `${judgement.by} The record's own report says ${told}.` } };
}

/** What one look shows as the end of a job, before that has stood. */
export function lookAt(here: Case): ShownEnd {
  const { proof } = here;
  return proof.type === 'appears' ? lookForNewRecord(here, proof) : lookAtTarget(here, proof);
}

/**
 * Where the work on a target shows: in its own record, or for a snapshot, which stands in its database's record, in that. `record`
 * is the target itself, and absent where another record has its number now; `before` is how it was.
 */
type WorkPlace = Readonly<{
  isPart: boolean;
  around: RecordView | undefined;
  record: RecordView | undefined;
  before: Before | undefined;
  isDenied?: boolean;
  compared?: Comparison | undefined;
}>;

function placeOf(here: Case): WorkPlace {
  const { target, isWhole, job } = here;
  const { baseline } = job;
  const isPart = target.noun === 'snapshot';
  const id = isPart ? parseIdentifier(baseline?.holder ?? job.target) : target;
  const { record, isDenied } = id?.noun ? ask(here, 'one', { id, isWhole }) : { record: undefined, isDenied: false };
  if (isPart) {
    // It may have been there as a mere identifier.
    const before = baseline?.part ?? (baseline?.target?.snapshots.includes(target.text) ? nothing : undefined);
    return { isPart, around: record, record: partIn(here, record, target), before };
  }
  const before = baseline?.target;
  const compared = record && before && compareRecords(before, marksOf(record));
  // The service may have given the number of a record that is gone to another one.
  const own = compared?.is === 'another' ? undefined : record;
  return { isPart, around: own, record: own, before, isDenied, compared };
}

/** Looks at the record of a job's target, which proves the job. */
function lookAtTarget(here: Case, proof: Exclude<Proof, Appears>): ShownEnd {
  const { job, target } = here;
  const place = placeOf(here);
  const { around, record, before, isPart } = place;
  const isOfState = around !== undefined && isOfJob(here, around, job.baseline?.target);
  const found = around ? reportOf(here, job.baseline?.target, around) : noReport;
  const { report } = found;
  const shown = seenAt(here, place, {
    isAtJob: isOfState || report?.outcome === 'busy',
    // The kind of work in a report is no state. A part has none of its own.
    busyWord: isOfState ? (isPart ? around.state?.word : undefined) : busyWordOf(report),
  });
  const seen = around ? { ...shown, report: report ? kept(report) : job.evidence?.report } : shown;
  const { made, ofOther } = record && !isPart ? newSnapshot(here, record, { report, seen }) : {};
  const look = sightingOf(here, {
    ...{ seen, record, before, report, ofOther, made: made?.record },
    ...{ isDenied: place.isDenied, mayBeAnother: differenceIn(record, place.compared) },
    isWorkedOn: isPart ? isBusyAround(here, around, report) : isWorkedOn(record, before),
    mayBeLate: proof.type === 'changes' && rivalsFor(here).late > 0,
  });
  const ruled = claimSign(here, judgeTarget(proof, look), look);
  const settled = isPart ? { judgement: ruled.judgement } : settleDoubt(here, ruled.judgement, look);
  const claims = [...found.claims, ...(made ? [made] : []), ...ruled.claims];
  const arrived = around !== undefined && (seen.wasBusy !== undefined || report !== undefined);
  const { judgement, doubt, said } = settled;
  const told = { judgement, basis: ruled.basis, said, claims, arrived, look };
  // A snapshot that was never seen must not be told as gone.
  if (isPart && !record && !before) return { ...told, seen: undefined };
  const snapshot = judgement.type === 'proved' && made ? parseIdentifier(made.record) : undefined;
  const described = snapshot && { snapshot: describeSnapshot(here, target, snapshot) };
  return { ...told, seen: { ...seen, ...(doubt && { doubt }), ...described }, ...(made && { claimed: made.record }) };
}

/** Says that a report tells of work under way: the kind of work in it is no state. */
function busyWordOf(report: Report | undefined): string | undefined {
  return report?.outcome === 'busy' ? `${atWork} (${report.kind ?? report.word})` : undefined;
}

type NotedAtJob = Readonly<{ isAtJob: boolean; busyWord: string | undefined }>;

/**
 * The evidence of a target. Of a snapshot, the error of its database stands for its own: it may be the reason why it is still
 * there.
 */
function seenAt(here: Case, { isPart, around, record, before }: WorkPlace, noted: NotedAtJob): Evidence {
  const { job, target, reading } = here;
  if (record && !isPart) return seenOf(here, record, { before, ...noted });
  const absent = evidenceOfAbsence(target.text, job.targetName, reading.now);
  if (!isPart) return absent;
  const was = job.baseline?.target;
  const error = record?.error ?? (around?.error === was?.error ? undefined : around?.error);
  const otherWork = around && !noted.isAtJob ? otherWorkOn(here, around, was) : undefined;
  if (record) return evidenceOf(record, job.evidence, reading.now, { ...noted, otherWork, error });
  const known = { formerError: formerError(job.evidence, error), otherWork: job.evidence?.otherWork ?? otherWork };
  return { ...absent, ...known, error };
}

/**
 * Whether the database around a snapshot is at work of whatever kind, which may hide the work on its part, as a report may
 * that took the place of the job's own.
 */
function isBusyAround(here: Case, around: RecordView | undefined, report: Report | undefined): boolean {
  const before = here.job.baseline?.target;
  if (!around) return false;
  const isHidden = !report && around.reports.some(one => cameSince(before, one));
  return isHidden || isWorkedOn(around, before) || meaningOf(here, around, before) === 'passing';
}

/** Says what is shown otherwise than before: the record may be another one, and may be the same. */
function differenceIn(record: RecordView | undefined, compared: Comparison | undefined): string | undefined {
  if (compared?.name === false)
    return `The record under its identifier is now called ${record?.name}, and may be a different one.`;
  if (compared?.madeAt === false)
    return 'The record under its identifier was made at another time, and may be a different one.';
  return undefined;
}

const kept = ({ identity, isPlace, word, told }: Report) => ({ identity, isPlace, word, told });

/** Claims the time or the counter that moved: it proves one job only, and waits where it is another one's. */
function claimSign(here: Case, ruling: Ruling, { record }: Sighting) {
  const { judgement } = ruling;
  if (judgement.type !== 'proved' || judgement.sign === undefined || !record) return { ...ruling, claims: [] };
  const claims = leavesSigns(here) ? [] : freeClaims(here, [claimOn(record, judgement.sign)]);
  return claims.length > 0 ? { ...ruling, claims } : { judgement: waiting, claims };
}
