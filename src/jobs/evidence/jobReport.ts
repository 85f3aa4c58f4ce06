import { isSummary, type Report } from '../../api/reading/reports.ts';
import { mayReport, meansSeveral, namesItself, speaksOf, type Work } from '../../operations/work.ts';
import { rounding } from '../../store/jobs/claims.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { isUnderWay, stoodBefore } from './baseline.ts';
import { kindSpeaksOf } from './judgement.ts';
import { agreesWithLogin, isAccountName } from './login.ts';
import { beganAfter } from './madeBefore.ts';
import { isReadAlike } from './readers.ts';
import { settles } from './settles.ts';

/** The work of a job that a report may be about. */
export type RequestedWork = Readonly<{
  work: Work;
  /** The records that the work is done on, or makes. */
  records: readonly string[];
  /** The service's user in whose name it was asked. */
  login: string | null;
  /** The time of the sending by the service's clock, in milliseconds since the epoch. */
  sentAt: number;
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

/**
 * The reports that may be about this very job, those that name its work first, and of those the earliest: each is new
 * since the baseline, began after the sending where it says so, and contradicts neither the kind of work nor who asked.
 */
export function reportsOfJob(asked: RequestedWork, before: Before | undefined, reports: readonly Report[]): Report[] {
  // Without a look before the call, only a time tells the new from the old.
  const lateness = ({ beganAt = 0 }: Report) =>
    // What began just before the sending, as far as clocks can be compared, comes after all that began since.
    beganAt < asked.sentAt ? beganAt + 2 * rounding : beganAt;
  const isNew = (report: Report) => {
    const known = before?.reports[report.identity];
    if (known === undefined) return (before && (isReadAlike(before) || !report.isPlace)) || hasTime(report);
    // A report without a number or a time of its own is known by its place, which the next one takes over.
    return report.isPlace && !stoodBefore(before, report) && !isUnderWay(known);
  };
  return reports
    .filter(isNew)
    .filter(report => began(report, asked.sentAt))
    .filter(({ kind }) => kind === undefined || mayReport(kind, asked.work))
    .filter(report => !asked.others.some(other => explains(other, report, asked)))
    .filter(({ by }) => by === undefined || asked.login === null || agreesWithLogin(by, asked.login) !== false)
    .filter(({ about }) => isAbout(about, asked.records))
    .toSorted(
      (a, b) =>
        rankOf(a, asked.work) - rankOf(b, asked.work) ||
        // The next report takes over the place of one without a number.
        Number(a.isPlace) - Number(b.isPlace) ||
        lateness(a) - lateness(b),
    );
}

/**
 * Whether a report shows that the service got a call in doubt. That somebody is at work does not, nor does a name of which
 * nobody knows whose it is, nor other work by whose name a service may call this one (a backup for one of logs), nor work of
 * this kind that began long after the sending and names nobody.
 */
export function showsArrival(
  { work, login, sentAt }: Pick<RequestedWork, 'work' | 'login' | 'sentAt'>,
  report: Report,
): boolean {
  const { kind, by } = report;
  const isOurs = by !== undefined && login !== null && agreesWithLogin(by, login) === true;
  const isLate = (beganAfter(report, sentAt) ?? 0) > settles.turn;
  const isNamed = by === undefined ? !isLate : login !== null;
  return isOurs || (isNamed && kind !== undefined && namesItself(kind, work) && !meansSeveral(kind));
}

/** A job's work and its person, the report that it was seen to have, and whether reports are known to name this person. */
type AskedOf = Pick<RequestedWork, 'work' | 'login' | 'inDoubt'> &
  Readonly<{ seen?: Evidence['report']; namesUs?: boolean }>;

/**
 * The kind of work that somebody else does by a new report: an error that names no work may be of that. `doneBy` did what
 * is or may be the same work, which explains what this job might have left; where the service has accepted the job, once
 * that is over, and until then they are `sameBy`. A report of the same work counts only where the job had a report of its
 * own (`seen`), is in doubt, or where others name its person: a service may do all work in one name.
 */
export function workOfOthers(
  { work, login, inDoubt, seen, namesUs = false }: AskedOf,
  before: Before | undefined,
  reports: readonly Report[],
): Readonly<Partial<Record<'kind' | 'doneBy' | 'sameBy', string | undefined>>> {
  const own = seen?.isPlace === false ? seen.identity : undefined;
  const isOthers = (one: Report) => {
    const { by, identity } = one;
    return by === undefined || isAccountName(by)
      ? own !== undefined && own !== identity && !isSummary(one)
      : login === null || agreesWithLogin(by, login) === false;
  };
  const others = reports.filter(report => isOthers(report) && !stoodBefore(before, report));
  const other = others.find(report => kindSpeaksOf(report, work) === 'no');
  if (seen === undefined && !inDoubt && !namesUs) return { kind: other?.kind };
  // Work of which no kind is told may be the same.
  const same = others.find(({ kind, outcome }) =>
    kind === undefined ? outcome === 'done' : namesItself(kind, work) && (inDoubt || outcome === 'done'),
  );
  const alike = others.find(report => kindSpeaksOf(report, work) === 'yes');
  const going = others.find(({ kind, outcome }) => outcome === 'busy' && kind !== undefined && namesItself(kind, work));
  const nameOf = (report: Report | undefined) => report && (report.by ?? 'somebody else');
  return { kind: (other ?? alike)?.kind, doneBy: nameOf(same), sameBy: nameOf(going) };
}

/** Whether nothing tells two reports apart but their numbers: then nobody knows which of them is of a job. */
export function areAlike(one: Report, other: Report): boolean {
  return [one, other].every(({ kind, by, beganAt }) => kind === one.kind && by === undefined && beganAt === undefined);
}

/** How surely the words of a report mean this work: a bare `jobStatus` does not say which work it is about. */
function rankOf({ kind }: Report, work: Work): number {
  if (kind === undefined || speaksOf(kind, work) === 'open') return 2;
  return namesItself(kind, work) ? 0 : 1;
}

function hasTime({ isZoned, beganAt, endedAt }: Report): boolean {
  return isZoned && (beganAt ?? endedAt) !== undefined;
}

/** Whether a report began after a sending, as far as it tells. */
function began({ beganAt, endedAt, isZoned }: Report, sentAt: number): boolean {
  const at = beganAt ?? endedAt;
  return at === undefined || !isZoned || at >= sentAt - rounding;
}

/**
 * Whether another job explains a report better than the one that asks, or as well: then nobody can tell whose it is. Of
 * reports that show when they began, those after the later sending are of the later job. A job in doubt leaves whatever
 * a job explains as well that the service had accepted, and that was not over yet.
 */
function explains(other: OtherWork, report: Report, asked: RequestedWork): boolean {
  const { work = asked.work } = other;
  if (other.hasReport || (report.kind !== undefined && !mayReport(report.kind, work))) return false;
  const closer = rankOf(report, asked.work) - rankOf(report, work);
  if (closer < 0) return false;
  const isTimed = hasTime(report);
  const at = report.beganAt ?? report.endedAt ?? 0;
  const ran = other.endedAt === null || (isTimed && began(report, other.sentAt) && at <= other.endedAt);
  if (!other.inDoubt && (closer > 0 || asked.inDoubt) && ran) return true;
  return isTimed ? other.sentAt >= asked.sentAt && began(report, other.sentAt) : !other.inDoubt;
}

/** A report that names databases, and none of these, is about another. */
function isAbout(about: Report['about'], records: readonly string[]): boolean {
  const databases = about.filter(({ noun }) => noun === 'live' || noun === 'clone');
  return databases.length === 0 || databases.some(({ text }) => records.includes(text));
}
