import type { RecordView } from '../../api/reading/recordView.ts';
import { isNumbered, isSummary, type Report } from '../../api/reading/reports.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { mayReport, namesItself, type Work } from '../../operations/work.ts';
import { type Claim, rounding } from '../../store/jobs/recordClaims.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { cameSince } from './baseline.ts';
import type { Case } from './case.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { beganAfter } from './madeBefore.ts';
import { othersAround } from './others.ts';
import { mayBeBackup } from './ownSigns.ts';
import { isReadAlike } from './readers.ts';
import { ask } from './reading.ts';
import { settles } from './settles.ts';
import { type AskedWork, askedBy, whoseReport } from './whose.ts';

/* Which report of a record, if any, is of the very job that is looked at. */

/** The work of a job that a report may be about. */
export type RequestedWork = AskedWork &
  Readonly<{
    /** The records that the work is done on, or makes. */
    records: readonly string[];
    /** Whether nobody knows if the service got it. */
    inDoubt: boolean;
    /** The other jobs that Dolly sent for the same record: what one of them explains better is no report of this one. */
    others: readonly OtherWork[];
  }>;

/**
 * Another job; `work` is `undefined` where only another release knows it. `inDoubt` is about its sending, and one that
 * `hasReport` of its own explains no other.
 */
export type OtherWork = Readonly<{
  work: Work | undefined;
  sentAt: number;
  inDoubt: boolean;
  hasReport: boolean;
}>;

/** The record's own report of this job, and the claim on it that is still to be written. */
export type FoundReport = Readonly<{
  report?: Report | undefined;
  claims: readonly Claim[];
}>;

export const noReport: FoundReport = { claims: [] };

/** The record's own report of this job, if it has one that no other job of Dolly's has. */
export function reportOf(here: Case, before: Before | undefined, record: RecordView): FoundReport {
  const { reports } = record;
  if (reports.length === 0) return noReport;
  const { job, target, proof } = here;
  const isOnTarget = record.id.text === target.text;
  const asked = askedOf(here, record);
  const own = possibleReports(here, before, record, asked);
  // Once a report was this job's, no other is.
  const known = job.evidence?.report;
  if (mayBeOfAnybody({ own, reports, before, sentAt: asked.sentAt })) return noReport;
  // Several reports of a list may have one place.
  const same = known && (known.isPlace ? own : reports).find(({ identity }) => identity === known.identity);
  if (same || (known && !known.isPlace)) return { report: same, claims: [] };
  // A new record is claimed itself, with all that it shows.
  if (proof.type === 'appears' && !isOnTarget) return { report: own[0], claims: [] };
  return freeReports(here, record, own)[0] ?? noReport;
}

/** Those of the reports that no other job of Dolly's has, each with the claim on it. */
function freeReports(here: Case, record: RecordView, some: readonly Report[]) {
  const on = claimOn(record);
  const wanted = some.map(({ identity }) => ({ ...on, sign: claimOfReport(identity) }));
  const claims = freeClaims(here, wanted);
  return some.flatMap(report => {
    const own = claims.filter(({ sign }) => sign === claimOfReport(report.identity));
    return own.length > 0 ? [{ report, claims: own }] : [];
  });
}

/** What was asked, and the other jobs of Dolly's that a report may be of, by the service's clock. */
function askedOf(here: Case, record: RecordView): RequestedWork {
  const { job, target } = here;
  // Reports have times of the service's clock.
  const { ahead = 0 } = job.baseline ?? {};
  const isOnTarget = record.id.text === target.text;
  const others = isOnTarget || target.noun === 'snapshot' ? othersAround(here) : [];
  const held = others.length > 0 ? ask(here, 'claims', [record.id.text]) : [];
  // A report that was known by its place may have a time or a number of its own by now, and be another one for that.
  const shown = new Set(record.reports.map(({ identity }) => claimOfReport(identity)));
  const isReport = (sign: string) =>
    sign.startsWith(claimOfReport('')) && (isNumbered(sign.slice(claimOfReport('').length)) || shown.has(sign));
  return {
    ...askedBy(here),
    records: [target.text, record.id.text],
    inDoubt: job.noAnswer !== null,
    others: others.map(other => ({
      ...{ work: writeOperation(other.operation)?.work, sentAt: other.sentAt + ahead, inDoubt: other.inDoubt },
      hasReport: held.some(claim => claim.job === other.id && isReport(claim.sign)),
    })),
  };
}

/** The reports that may be of this job: of one in doubt, those that show that it arrived. A sum of backups tells of none. */
function possibleReports(
  { job: { noAnswer }, operation: { work } }: Case,
  before: Before | undefined,
  { reports }: RecordView,
  asked: RequestedWork,
): readonly Report[] {
  return reportsOfJob(asked, before, reports).filter(
    one =>
      !(isSummary(one) && mayBeBackup(one.kind ?? '', work)) &&
      (noAnswer === null || whoseReport(one, asked) === 'mine'),
  );
}

/**
 * The reports that may be about this very job, those that name its work first: each is new since the baseline, began after the
 * sending where it says so, and contradicts neither the kind of work nor who asked.
 */
export function reportsOfJob(asked: RequestedWork, before: Before | undefined, reports: readonly Report[]): Report[] {
  return reports
    .filter(report => isNews(report, before) && whoseReport(report, asked) !== 'another')
    .filter(({ kind }) => kind === undefined || mayReport(kind, asked.work))
    .filter(report => !asked.others.some(other => explains(other, report, asked)))
    .toSorted((a, b) => rankOf(a, asked.work) - rankOf(b, asked.work));
}

/** Whether a report is news. Without a look before the call, or with one by other readers, only a time tells new from old. */
function isNews(report: Report, before: Before | undefined): boolean {
  const isKnown = before !== undefined && (isReadAlike(before) || !report.isPlace || report.identity in before.reports);
  return cameSince(before, report) && (isKnown || hasTime(report));
}

/** How surely the words of a report mean this work: a bare `jobStatus` does not say which work it is about. */
function rankOf({ kind }: Report, work: Work): number {
  if (kind === undefined) return 2;
  return namesItself(kind, work) ? 0 : 1;
}

function hasTime({ isZoned, beganAt, endedAt }: Report): boolean {
  return isZoned && (beganAt ?? endedAt) !== undefined;
}

/**
 * Whether another job explains a report better than the one that asks, or as well: then nobody can tell whose it is. Of
 * reports that show when they began, those after the later sending are of the later job. A job in doubt leaves whatever
 * a job explains as well that the service had accepted, and that was not over yet.
 */
function explains(other: OtherWork, report: Report, asked: RequestedWork): boolean {
  const { work = asked.work, sentAt, inDoubt } = other;
  const closer = rankOf(report, asked.work) - rankOf(report, work);
  if (other.hasReport || closer < 0) return false;
  if (!inDoubt && (closer > 0 || asked.inDoubt)) return true;
  const at = report.beganAt ?? report.endedAt ?? 0;
  return hasTime(report) ? sentAt >= asked.sentAt && at >= sentAt - rounding : !inDoubt;
}

/** The reports of a look: those that may be of the job, and all of the record. */
export type ReportsSeen = Readonly<{
  own: readonly Report[];
  reports: readonly Report[];
  before: Before | undefined;
  /** By the service's clock. */
  sentAt: number;
}>;

/** Whether the reports that may be of a job may be of anybody's as well, since they name neither their work nor a person. */
export function mayBeOfAnybody({ own, reports, before, sentAt }: ReportsSeen): boolean {
  // Several with numbers alone.
  const numbers = reports.filter(
    one => one.kind === undefined && one.by === undefined && one.beganAt === undefined && cameSince(before, one),
  );
  // Several that began with the job, and tell of different ends.
  const [one, ...others] = own.filter(
    report => report.kind === own[0]?.kind && (beganAfter(report, sentAt) ?? Number.POSITIVE_INFINITY) <= settles.turn,
  );
  return numbers.length > 1 || others.some(({ outcome, error }) => outcome !== one?.outcome || error !== one.error);
}

/** The report of a record that another one shows, too, by its number or its time: both tell of the same work. */
export function sharedReport(one: RecordView, { reports }: RecordView): Report | undefined {
  return reports.find(({ identity, isPlace }) => !isPlace && one.reports.some(other => other.identity === identity));
}

const claimOfReport = (report: string) => `report ${report}`;
