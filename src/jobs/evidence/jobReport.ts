import type { Report } from '../../api/reading/reports.ts';
import { second } from '../../ground/durations.ts';
import { mayReport, namesItself, type Work } from '../../operations/work.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { reportStanding } from './baseline.ts';
import { agreesWithLogin } from './login.ts';

/** Tolerance in milliseconds: services that write times in whole seconds may put a beginning before the sending. */
export const rounding = 2 * second;

/** The work of a job that a report may be about. */
export type RequestedWork = Readonly<{
  work: Work;
  /** The records that the work is done on, or makes. */
  records: readonly string[];
  /** The service's user in whose name it was asked. */
  login: string | null;
  /** The time of the sending by the service's clock, in milliseconds since the epoch. */
  sentAt: number;
  /**
   * The times at which Dolly sent the same kind of work for the same record: a report that begins after a later one of
   * them is about that one.
   */
  sentAgain: readonly number[];
}>;

/**
 * The reports that may be about this very job, those that name its work first, and of those the earliest: each is new since the baseline, began after the
 * sending where it says so, and contradicts neither the kind of work nor who asked.
 */
export function reportsOfJob(asked: RequestedWork, before: Before | undefined, reports: readonly Report[]): Report[] {
  // Without a look before the call, only a time tells the new from the old.
  const isNew = (report: Report) => {
    const known = before?.reports[report.identity];
    if (known === undefined) return before !== undefined || hasTime(report);
    // A report without a number or a time of its own is known by its place, which the next one takes over.
    return report.isPlace && known !== reportStanding(report) && !known.startsWith('["busy"');
  };
  return reports
    .filter(isNew)
    .filter(report => began(report, asked))
    .filter(({ kind }) => kind === undefined || mayReport(kind, asked.work))
    .filter(({ by }) => by === undefined || asked.login === null || agreesWithLogin(by, asked.login) !== false)
    .filter(({ about }) => isAbout(about, asked.records))
    .toSorted((a, b) => rankOf(a, asked.work) - rankOf(b, asked.work) || (a.beganAt ?? 0) - (b.beganAt ?? 0));
}

/** How surely the words of a report mean this work: a bare `jobStatus` does not say which work it is about. */
function rankOf({ kind }: Report, work: Work): number {
  if (kind === undefined) return 2;
  return namesItself(kind, work) ? 0 : 1;
}

function hasTime({ isZoned, beganAt, endedAt }: Report): boolean {
  return isZoned && (beganAt ?? endedAt) !== undefined;
}

function began(report: Report, { sentAt, sentAgain }: RequestedWork): boolean {
  const at = report.beganAt ?? report.endedAt;
  if (at === undefined || !report.isZoned) return true;
  return at >= sentAt - rounding && !sentAgain.some(later => later > sentAt && at >= later - rounding);
}

/** A report that names databases, and none of these, is about another. */
function isAbout(about: Report['about'], records: readonly string[]): boolean {
  const databases = about.filter(({ noun }) => noun === 'live' || noun === 'clone');
  return databases.length === 0 || databases.some(({ text }) => records.includes(text));
}
