import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { stateSpeaksOf, works } from '../../operations/work.ts';
import { type Claim, type Overlap, rounding } from '../../store/jobs/claims.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { areAlike, type RequestedWork, reportsOfJob, showsArrival } from './jobReport.ts';
import { settles } from './judgement.ts';
import { distanceTo } from './madeBefore.ts';
import { isOfBackup } from './ownSigns.ts';
import { type Case, othersAround } from './sighting.ts';

/** The record's own report of this job, and the claim on it that is still to be written. */
export type FoundReport = Readonly<{
  report?: Report | undefined;
  claims: readonly Claim[];
  /** Whether one of several reports that may be of this job, and of others as well, says that it failed. */
  mayHaveFailed?: boolean;
}>;

/**
 * The record's own report of this job, if it has one that no other job of Dolly's has. `strangers` are the records that
 * somebody else made from this one: each explains a report.
 */
export async function reportOf(
  here: Case,
  before: Before | undefined,
  record: RecordView,
  strangers: readonly RecordView[] = [],
): Promise<FoundReport> {
  const { reports } = record;
  if (reports.length === 0) return noReport;
  const { parts, job, operation, target, proof } = here;
  // Reports have times of the service's clock.
  const ahead = job.baseline?.ahead ?? 0;
  const records = [target.text, record.id.text];
  const isOnTarget = record.id.text === target.text;
  const others = isOnTarget || target.noun === 'snapshot' ? await othersAround(here) : [];
  const held = others.length > 0 ? await parts.jobs.claimsOn([record.id.text]) : [];
  const hasReport = ({ id }: Overlap) => held.some(claim => claim.job === id && isReportSign(claim.sign));
  const asked = {
    ...{ work: operation.work, records, login: job.login, sentAt: job.sentAt + ahead },
    inDoubt: job.noAnswer !== null && isOnTarget,
    others: others.map(other => ({
      ...{ work: writeOperation(other.operation)?.work, sentAt: other.sentAt + ahead, inDoubt: other.inDoubt },
      ...{ endedAt: other.endedAt === null ? null : other.endedAt + ahead, hasReport: hasReport(other) },
    })),
  };
  const all = reportsOfJob(asked, before, reports);
  // The snapshots of a new record are those that it was made from, or with.
  const isMade = proof.type === 'appears' && !isOnTarget;
  const isBackup = ({ kind = works.backup.name, outcome }: Report) =>
    !isMade && before !== undefined && outcome === 'done' && isOfBackup(kind, operation.work, before, record);
  // Work that a report does not name is that which the state names beside it.
  const isOfState = ({ kind, outcome }: Report) =>
    kind === undefined &&
    outcome === 'busy' &&
    record.state !== undefined &&
    stateSpeaksOf(record.state.word, operation.work) === 'no';
  const possible = (job.noAnswer !== null ? all.filter(one => showsArrival(asked, one)) : all).filter(
    one => !isBackup(one) && !isOfState(one),
  );
  const own = strangers.reduce<readonly Report[]>(
    (left, stranger) => withoutMakingOf(stranger, left, record, asked),
    possible,
  );
  if (mayBeOfAnybody(here, own, ahead) || differ(withoutName(own, asked.sentAt))) return untold(own);
  // Once a report was this job's, no other is. A report that is known by its place may later get an identity.
  const known = job.evidence?.report;
  // Several reports of a list may have one place.
  const same = known && (known.isPlace ? own : reports).find(({ identity }) => identity === known.identity);
  if (same || (known && !known.isPlace)) return { report: same, claims: [] };
  if (proof.type === 'appears' && isOnTarget && own.length > 0) {
    // Without a new record there is no evidence that keeps it: the claim does.
    const claimed = (await parts.jobs.claimsOn([record.id.text]))
      .filter(claim => claim.job === job.id)
      .map(({ sign }) => sign);
    if (claimed.some(isReportSign))
      return { report: own.find(({ identity }) => claimed.includes(signOf(identity))), claims: [] };
  }
  // A new record is claimed itself, with all that it shows.
  if (isMade) return { report: own[0], claims: [] };
  const on = claimOn(record);
  const free = await freeClaims(
    parts,
    job,
    own.map(({ identity }) => ({ ...on, sign: signOf(identity) })),
  );
  const [first] = free;
  const left = own.filter(({ identity }) => free.some(({ sign }) => sign === signOf(identity)));
  const [report, next] = left;
  if (!first || !report) return noReport;
  return next && areAlike(report, next) ? untold(left) : { report, claims: [first] };
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

/** Whether not all reports tell the same outcome. */
function differ([first, ...others]: readonly Report[]): boolean {
  return others.some(({ outcome, error }) => outcome !== first?.outcome || error !== first.error);
}

/** The reports of the work that asks that name nobody, and began within the minute in which the job has its turn. */
function withoutName(own: readonly Report[], sentAt: number): readonly Report[] {
  return own.filter(
    ({ kind, by, beganAt }) =>
      kind === own[0]?.kind && by === undefined && beganAt !== undefined && beganAt - sentAt <= settles.turn,
  );
}

/**
 * Whether reports that name neither their work nor who asked may be of anybody's: they began well after the sending, and
 * are several, or the job may still wait for its turn.
 */
function mayBeOfAnybody({ parts, job }: Case, own: readonly Report[], ahead: number): boolean {
  const isLate = ({ beganAt, kind, by }: Report) =>
    kind === undefined && by === undefined && beganAt !== undefined && beganAt - job.sentAt - ahead > settles.soon;
  const [first, next] = own;
  const known = job.evidence?.report;
  // A report that was known by its place may be any of those that came since, once it is gone.
  const isHeld = known && (!known.isPlace || own.some(({ identity }) => identity === known.identity));
  if (!first || !isLate(first) || isHeld) return false;
  return next !== undefined || parts.clock.now() - job.sentAt < settles.turn;
}

const noReport: FoundReport = { claims: [] };
const untold = (candidates: readonly Report[]): FoundReport => ({
  claims: [],
  mayHaveFailed: candidates.some(({ outcome }) => outcome === 'failed'),
});
const signOf = (report: string) => `report ${report}`;
const isReportSign = (sign: string) => sign.startsWith(signOf(''));
