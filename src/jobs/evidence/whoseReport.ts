import type { RecordView } from '../../api/reading/recordView.ts';
import { isNumbered, isSummary, type Report } from '../../api/reading/reports.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { stateSpeaksOf, works } from '../../operations/work.ts';
import { type Claim, type Overlap, rounding } from '../../store/jobs/claims.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { isUnderWay } from './baseline.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { areAlike, type RequestedWork, reportsOfJob, showsArrival } from './jobReport.ts';
import { distanceTo } from './madeBefore.ts';
import { earlyReport, mayBeOfAnybody, outlivedReport } from './namelessReports.ts';
import { isOfBackup, mayBeEither } from './ownSigns.ts';
import { ask } from './reading.ts';
import { type Case, othersAround } from './sighting.ts';

/** The record's own report of this job, and the claim on it that is still to be written. */
export type FoundReport = Readonly<{
  report?: Report | undefined;
  claims: readonly Claim[];
  /** Whether one of several reports that may be of this job, and of others as well, says that it failed. */
  mayHaveFailed?: boolean;
  /** A report without a name after whose end the record goes on with work. */
  outlived?: string | undefined;
  /** A report with a number alone that may be of anybody while the job may still wait for its turn. */
  early?: string | undefined;
}>;

/** What a record shows beside its reports: whether its state says that work goes on, and the records made from it. */
type Beside = Readonly<{
  isAtWork?: boolean;
  /** The records that somebody else made from this one: each explains a report. */
  strangers?: readonly RecordView[];
}>;

/** The record's own report of this job, if it has one that no other job of Dolly's has. */
export function reportOf(
  here: Case,
  before: Before | undefined,
  record: RecordView,
  { isAtWork = false, strangers = [] }: Beside = {},
): FoundReport {
  const { reports } = record;
  if (reports.length === 0) return noReport;
  const { reading, job, target, proof } = here;
  // Reports have times of the service's clock.
  const ahead = job.baseline?.ahead ?? 0;
  const isOnTarget = record.id.text === target.text;
  const asked = askedOf(here, record, ahead);
  const possible = possibleReports(here, before, record, asked);
  const own = strangers.reduce<readonly Report[]>(
    (left, stranger) => withoutMakingOf(stranger, left, record, asked),
    possible,
  );
  // Once a report was this job's, no other is. A report that is known by its place may later get an identity.
  const known = job.evidence?.report;
  const isOfTarget = proof.type !== 'appears' || isOnTarget;
  const times = { sentAt: asked.sentAt, now: reading.now + ahead };
  const look = { own, reports, before, known, isOfTarget, isAtWork, early: job.evidence?.early, ...times };
  if (mayBeOfAnybody(look)) return { ...untold(own), outlived: outlivedReport(look), early: earlyReport(look) };
  // Several reports of a list may have one place.
  const same = known && (known.isPlace ? own : reports).find(({ identity }) => identity === known.identity);
  if (same || (known && !known.isPlace)) return { report: same, claims: [] };
  if (possible.length === 0) return untold(sharedFailures(here, before, record, asked));
  const isUnseen = proof.type === 'appears' ? isOnTarget : !job.evidence;
  if (isUnseen && own.length > 0) {
    // Without a new record, or for a part that is not shown, there is no evidence that keeps it: the claim does.
    const claimed = ask(here, 'claims', [record.id.text])
      .filter(claim => claim.job === job.id)
      .map(({ sign }) => sign);
    if (claimed.some(isReportSign))
      return { report: own.find(({ identity }) => claimed.includes(signOf(identity))), claims: [] };
  }
  // A new record is claimed itself, with all that it shows.
  if (proof.type === 'appears' && !isOnTarget) return { report: own[0], claims: [] };
  const [first, next] = freeReports(here, record, own);
  if (!first) return noReport;
  return next && areAlike(first.report, next.report) ? untold([first.report, next.report]) : { ...first };
}

/**
 * The failures that may be of this job though nothing shows it: one that another job of Dolly's explains as well, or one of a
 * person in a place that was busy before.
 */
function sharedFailures(
  here: Case,
  before: Before | undefined,
  record: RecordView,
  asked: RequestedWork,
): readonly Report[] {
  const isOpen = ({ by, identity, outcome }: Report) =>
    outcome === 'failed' && (by !== undefined || !isUnderWay(before?.reports[identity] ?? ''));
  const shared = possibleReports(here, withoutBusy(before), record, { ...asked, others: [] }).filter(isOpen);
  // Most looks show none, and read no claims.
  return shared.length === 0 ? [] : freeReports(here, record, shared).map(({ report }) => report);
}

/** What stood there before, without the work that was under way: whoever asked tells it from what took its place. */
function withoutBusy(before: Before | undefined): Before | undefined {
  const isOver = (standing: string) => !isUnderWay(standing);
  const left = ([identity, all]: [string, string]) => [identity, all.split('\n').filter(isOver).join('\n')] as const;
  return before && { ...before, reports: Object.fromEntries(Object.entries(before.reports).map(left)) };
}

/** Those of the reports that no other job of Dolly's has, each with the claim on it. */
function freeReports(here: Case, record: RecordView, some: readonly Report[]) {
  const on = claimOn(record);
  const wanted = some.map(({ identity }) => ({ ...on, sign: signOf(identity) }));
  const claims = freeClaims(here, wanted);
  return some.flatMap(report => {
    const own = claims.filter(({ sign }) => sign === signOf(report.identity));
    return own.length > 0 ? [{ report, claims: own }] : [];
  });
}

/** What was asked, and the other jobs of Dolly's that a report may be of, by the service's clock. */
function askedOf(here: Case, record: RecordView, ahead: number): RequestedWork {
  const { job, operation, target } = here;
  const isOnTarget = record.id.text === target.text;
  const others = isOnTarget || target.noun === 'snapshot' ? othersAround(here) : [];
  const held = others.length > 0 ? ask(here, 'claims', [record.id.text]) : [];
  // A report that was known by its place may have a time or a number of its own by now, and be another one for that.
  const stands = new Set(record.reports.map(({ identity }) => identity));
  const isOwn = (report: string) => isNumbered(report) || stands.has(report);
  const hasReport = ({ id }: Overlap) =>
    held.some(({ job: holder, sign }) => holder === id && isReportSign(sign) && isOwn(reportIn(sign)));
  return {
    ...{ work: operation.work, login: job.login, sentAt: job.sentAt + ahead },
    records: [target.text, record.id.text],
    inDoubt: job.noAnswer !== null && isOnTarget,
    others: others.map(other => ({
      ...{ work: writeOperation(other.operation)?.work, sentAt: other.sentAt + ahead, inDoubt: other.inDoubt },
      ...{ endedAt: other.endedAt === null ? null : other.endedAt + ahead, hasReport: hasReport(other) },
    })),
  };
}

/** The reports that may be of this job, without those that tell of a backup, of other work, or of what work outlived. */
function possibleReports(
  { job, operation: { work }, proof, target }: Case,
  before: Before | undefined,
  record: RecordView,
  asked: RequestedWork,
): readonly Report[] {
  const all = reportsOfJob(asked, before, record.reports);
  // The snapshots of a new record are those that it was made from, or with.
  const stood = proof.type === 'appears' && record.id.text !== target.text ? undefined : before;
  const isBackup = ({ kind = works.backup.name, outcome }: Report) =>
    stood !== undefined && outcome === 'done' && isOfBackup(kind, work, stood, record);
  const isBackupPlace = (one: Report) =>
    stood !== undefined && isSummary(one) && mayBeEither(one.kind ?? '', work, stood);
  // Work that a report does not name is that which the state names beside it.
  const isOfState = ({ kind, outcome }: Report) =>
    kind === undefined &&
    outcome === 'busy' &&
    record.state !== undefined &&
    stateSpeaksOf(record.state.word, work) === 'no';
  const isOutlived = ({ identity }: Report) => identity === job.evidence?.outlived;
  const isOther = [isBackup, isBackupPlace, isOfState, isOutlived];
  return (job.noAnswer !== null ? all.filter(one => showsArrival(asked, one)) : all).filter(
    one => !isOther.some(is => is(one)),
  );
}

/** The report of a record that another one shows, too, by its number or its time: both tell of the same work. */
export function sharedReport(one: RecordView, { reports }: RecordView): Report | undefined {
  return reports.find(({ identity, isPlace }) => !isPlace && one.reports.some(other => other.identity === identity));
}

/**
 * Leaves out the report of the making of another record: the one that both show, else the nearest in time. Where none
 * shows a time, a job in doubt leaves the first.
 */
function withoutMakingOf(
  stranger: RecordView,
  own: readonly Report[],
  record: RecordView,
  { inDoubt }: Pick<RequestedWork, 'inDoubt'>,
): readonly Report[] {
  const shared = sharedReport(stranger, record);
  if (shared) return own.filter(report => report !== shared);
  const [nearest] = own.toSorted((a, b) => distanceTo(stranger, a) - distanceTo(stranger, b));
  const apart = nearest ? distanceTo(stranger, nearest) : 0;
  const isOfIt = apart <= rounding || (inDoubt && apart === Number.POSITIVE_INFINITY);
  return isOfIt ? own.filter(report => report !== nearest) : own;
}

export const noReport: FoundReport = { claims: [] };
const untold = (candidates: readonly Report[]): FoundReport => ({
  claims: [],
  mayHaveFailed: candidates.some(({ outcome }) => outcome === 'failed'),
});
const signOf = (report: string) => `report ${report}`;
const reportIn = (sign: string) => sign.slice(signOf('').length);
const isReportSign = (sign: string) => sign.startsWith(signOf(''));
