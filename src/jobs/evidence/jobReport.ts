import type { RecordView } from '../../api/reading/recordView.ts';
import { isNumbered, isSummary, type Report } from '../../api/reading/reports.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { mayReport, namesItself, speaksOf, stateSpeaksOf, type Work, works } from '../../operations/work.ts';
import { type Claim, type HeldClaim, rounding } from '../../store/jobs/claims.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { cameSince } from './baseline.ts';
import type { Case } from './case.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { beganAfter, distanceTo } from './madeBefore.ts';
import { othersAround } from './others.ts';
import { isOfBackup, mayBeEither } from './ownSigns.ts';
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
  /** By the service's clock, in milliseconds since the epoch; `null` where it is under way. */
  endedAt: number | null;
  inDoubt: boolean;
  hasReport: boolean;
}>;

/** The record's own report of this job, and the claim on it that is still to be written. */
export type FoundReport = Readonly<{
  report?: Report | undefined;
  claims: readonly Claim[];
  /** A report without a name after whose end the record goes on with work: it is of other work. */
  outlived?: string | undefined;
}>;

export const noReport: FoundReport = { claims: [] };

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
  const { job, target, proof } = here;
  const isOnTarget = record.id.text === target.text;
  const asked = askedOf(here, record);
  const own = strangers.reduce(
    (left, stranger) => withoutMakingOf(stranger, left, record),
    possibleReports(here, before, record, asked),
  );
  // Once a report was this job's, no other is. A report that is known by its place may later get an identity.
  const known = job.evidence?.report;
  const isOfTarget = proof.type !== 'appears' || isOnTarget;
  const now = here.reading.now + (job.baseline?.ahead ?? 0);
  const look = { own, reports, before, known, isOfTarget, isAtWork, sentAt: asked.sentAt, now };
  if (mayBeOfAnybody(look)) return { ...noReport, outlived: outlivedReport(look) };
  // Several reports of a list may have one place.
  const same = known && (known.isPlace ? own : reports).find(({ identity }) => identity === known.identity);
  if (same || (known && !known.isPlace)) return { report: same, claims: [] };
  // A new record is claimed itself, with all that it shows.
  if (proof.type === 'appears' && !isOnTarget) return { report: own[0], claims: [] };
  const claimed = claimedReports(here, record, own);
  if (claimed.length > 0)
    return { report: own.find(({ identity }) => claimed.includes(claimOfReport(identity))), claims: [] };
  const [first, next] = freeReports(here, record, own);
  return first && !(next && areAlike(first.report, next.report)) ? first : noReport;
}

/** The reports that this job has claimed: without a new record, or for a part that is not shown, no evidence keeps its own. */
function claimedReports(here: Case, record: RecordView, own: readonly Report[]): readonly string[] {
  const { job, proof } = here;
  if (own.length === 0 || (proof.type !== 'appears' && job.evidence)) return [];
  const isOurs = (claim: HeldClaim) => claim.job === job.id && claim.sign.startsWith(claimOfReport(''));
  return ask(here, 'claims', [record.id.text])
    .filter(isOurs)
    .map(({ sign }) => sign);
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
    inDoubt: job.noAnswer !== null && isOnTarget,
    others: others.map(other => ({
      ...{ work: writeOperation(other.operation)?.work, sentAt: other.sentAt + ahead, inDoubt: other.inDoubt },
      endedAt: other.endedAt === null ? null : other.endedAt + ahead,
      hasReport: held.some(claim => claim.job === other.id && isReport(claim.sign)),
    })),
  };
}

/** The reports that may be of this job, without those that tell of a backup, or of other work. */
function possibleReports(
  { job, operation: { work }, proof, target }: Case,
  before: Before | undefined,
  record: RecordView,
  asked: RequestedWork,
): readonly Report[] {
  const all = reportsOfJob(asked, before, record.reports);
  // The snapshots of a new record are those that it was made from, or with.
  const stood = proof.type === 'appears' && record.id.text !== target.text ? undefined : before;
  const isBackup = (one: Report) =>
    stood !== undefined &&
    ((one.outcome === 'done' && isOfBackup(one.kind ?? works.backup.name, work, stood, record)) ||
      (isSummary(one) && mayBeEither(one.kind ?? '', work, stood)));
  // Work that a report does not name is that which the state names beside it.
  const isOfState = ({ kind, outcome }: Report) =>
    kind === undefined && outcome === 'busy' && stateSpeaksOf(record.state?.word ?? '', work) === 'no';
  const { evidence, noAnswer } = job;
  const isOpen = (one: Report) => one.identity !== evidence?.outlived && !isBackup(one) && !isOfState(one);
  return all.filter(one => isOpen(one) && (noAnswer === null || whoseReport(one, asked) === 'mine'));
}

/**
 * The reports that may be about this very job, those that name its work first, and of those the earliest: each is new
 * since the baseline, began after the sending where it says so, and contradicts neither the kind of work nor who asked.
 */
export function reportsOfJob(asked: RequestedWork, before: Before | undefined, reports: readonly Report[]): Report[] {
  // What began just before the sending, as far as clocks can be compared, comes after all that began since.
  const lateness = ({ beganAt = 0 }: Report) => (beganAt < asked.sentAt ? beganAt + 2 * rounding : beganAt);
  return reports
    .filter(report => isNews(report, before) && whoseReport(report, asked) !== 'another')
    .filter(({ kind }) => kind === undefined || mayReport(kind, asked.work))
    .filter(report => !asked.others.some(other => explains(other, report, asked)))
    .toSorted(
      (a, b) =>
        rankOf(a, asked.work) - rankOf(b, asked.work) ||
        // The next report takes over the place of one without a number.
        Number(a.isPlace) - Number(b.isPlace) ||
        lateness(a) - lateness(b),
    );
}

/** Whether a report is news. Without a look before the call, or with one by other readers, only a time tells new from old. */
function isNews(report: Report, before: Before | undefined): boolean {
  const isKnown = before !== undefined && (isReadAlike(before) || !report.isPlace || report.identity in before.reports);
  return cameSince(before, report) && (isKnown || hasTime(report));
}

/** How surely the words of a report mean this work: a bare `jobStatus` does not say which work it is about. */
function rankOf({ kind }: Report, work: Work): number {
  if (kind === undefined || speaksOf(kind, work) === 'open') return 2;
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
  const { work = asked.work, sentAt, endedAt, inDoubt } = other;
  if (other.hasReport || (report.kind !== undefined && !mayReport(report.kind, work))) return false;
  const closer = rankOf(report, asked.work) - rankOf(report, work);
  if (closer < 0) return false;
  const isTimed = hasTime(report);
  const at = report.beganAt ?? report.endedAt ?? 0;
  const isAfter = isTimed && at >= sentAt - rounding;
  const ran = endedAt === null || (isAfter && at <= endedAt);
  if (!inDoubt && (closer > 0 || asked.inDoubt) && ran) return true;
  return isTimed ? sentAt >= asked.sentAt && isAfter : !inDoubt;
}

/** Whether nothing tells two reports apart but their numbers: then nobody knows which of them is of a job. */
export function areAlike(one: Report, other: Report): boolean {
  return [one, other].every(({ kind, by, beganAt }) => kind === one.kind && by === undefined && beganAt === undefined);
}

/** The reports of a look: those that may be of the job, all of the record, and the one that the job was seen to have. */
export type ReportsSeen = Readonly<{
  own: readonly Report[];
  reports: readonly Report[];
  before: Before | undefined;
  known: NonNullable<Case['job']['evidence']>['report'];
  /** Whether the record is the job's target: a new one has the reports of its making. */
  isOfTarget: boolean;
  isAtWork: boolean;
  /** By the service's clock. */
  sentAt: number;
  now: number;
}>;

const isNameless = ({ kind, by }: Report) => kind === undefined && by === undefined;
const isOver = ({ outcome }: Report) => outcome !== 'busy' && outcome !== 'unknown';

/** The report that tells of an end while the record stays at work, of which none tells. */
function endBesideWork({ own, reports, known, isAtWork }: ReportsSeen): Report | undefined {
  if (!isAtWork || known?.isPlace === false || reports.some(({ outcome }) => outcome === 'busy')) return undefined;
  return own.find(one => isNameless(one) && isOver(one));
}

/** Such a report that told of its end longer ago than services take to write one down. */
export function outlivedReport(look: ReportsSeen): string | undefined {
  const { identity, endedAt, isZoned } = endBesideWork(look) ?? {};
  return isZoned && endedAt !== undefined && look.now - endedAt >= settles.long ? identity : undefined;
}

/** Whether the reports that may be of a job may be of anybody's as well, since they name neither their work nor a person. */
export function mayBeOfAnybody(look: ReportsSeen): boolean {
  const { own, reports, before, known, isOfTarget, sentAt, now } = look;
  const [first] = own;
  // Several with numbers alone, or one that is over while the job may wait for its turn.
  const numbers = reports.filter(
    one => isNameless(one) && !one.isPlace && one.beganAt === undefined && cameSince(before, one),
  );
  const isSoon = numbers.some(isOver) && now - sentAt < settles.turn;
  // Several that began with the job, and tell of different ends.
  const [one, ...others] = own.filter(report => {
    const after = report.by === undefined && report.kind === first?.kind ? beganAfter(report, sentAt) : undefined;
    return after !== undefined && after <= settles.turn;
  });
  const differ = others.some(({ outcome, error }) => outcome !== one?.outcome || error !== one.error);
  // One that began after the job's turn.
  const isHeld = known && (!known.isPlace || own.some(({ identity }) => identity === known.identity));
  const isLate = first && isNameless(first) && !isHeld && (beganAfter(first, sentAt) ?? 0) > settles.turn;
  const isAnyNumber = isOfTarget && (numbers.length > 1 || isSoon);
  return endBesideWork(look) !== undefined || isAnyNumber || differ || isLate === true;
}

/** The report of a record that another one shows, too, by its number or its time: both tell of the same work. */
export function sharedReport(one: RecordView, { reports }: RecordView): Report | undefined {
  return reports.find(({ identity, isPlace }) => !isPlace && one.reports.some(other => other.identity === identity));
}

/** Leaves out the report of the making of another record: the one that both show, else the nearest in time. */
function withoutMakingOf(stranger: RecordView, own: readonly Report[], record: RecordView): readonly Report[] {
  const [nearest] = own.toSorted((a, b) => distanceTo(stranger, a) - distanceTo(stranger, b));
  const near = nearest && distanceTo(stranger, nearest) <= rounding ? nearest : undefined;
  const making = sharedReport(stranger, record) ?? near;
  return own.filter(report => report !== making);
}

const claimOfReport = (report: string) => `report ${report}`;
