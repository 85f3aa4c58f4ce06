import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import type { Report } from '../../api/reading/reports.ts';
import { speaksOf, type Work } from '../../operations/work.ts';
import { type Before, standing } from './evidence.ts';

/** Services that write times in whole seconds may put a beginning before the sending. Milliseconds. */
const rounding = secondsToMilliseconds(2);

/** Whose work a report may be about. */
export type Asked = Readonly<{
  work: Work;
  /** The records that the work is done on, or makes. */
  records: readonly string[];
  /** The service's user in whose name it was asked. */
  login: string | null;
  /** When it was sent, in milliseconds since the epoch. */
  sentAt: number;
  /** When Dolly sent the same kind of work for the same record since: a report that begins after that is about that. */
  sentAgain: readonly number[];
}>;

/**
 * The reports that may be about this very job, the earliest first: each is new since the baseline, began after the sending
 * where it says so, and contradicts neither the kind of work nor who asked.
 */
export function ownReports(asked: Asked, before: Before | undefined, reports: readonly Report[]): Report[] {
  // Without a look before the call, only a time tells the new from the old.
  const isNew = (report: Report) => {
    const known = before?.reports[report.identity];
    if (known === undefined) return before !== undefined || hasTime(report);
    // A report without a number or a time of its own is known by its place, which the next one takes over.
    return report.isPlace && known !== standing(report) && !known.startsWith('["busy"');
  };
  return reports
    .filter(isNew)
    .filter(report => began(report, asked))
    .filter(({ kind }) => kind === undefined || speaksOf(kind, asked.work) !== 'no')
    .filter(({ by }) => by === undefined || asked.login === null || mayBe(by, asked.login))
    .filter(({ about }) => isAbout(about, asked.records))
    .toSorted((a, b) => (a.beganAt ?? 0) - (b.beganAt ?? 0));
}

function hasTime({ isZoned, beganAt, endedAt }: Report): boolean {
  return isZoned && (beganAt ?? endedAt) !== undefined;
}

function began(report: Report, { sentAt, sentAgain }: Asked): boolean {
  const at = report.beganAt ?? report.endedAt;
  if (at === undefined || !report.isZoned) return true;
  return at >= sentAt - rounding && !sentAgain.some(later => later > sentAt && at >= later - rounding);
}

/** Whether a name in a report may be the user who asked: display names hold the login as often as not. */
function mayBe(by: string, login: string): boolean {
  const [one, other] = [by.toLowerCase(), login.toLowerCase()];
  const isLogin = /^[\w.@-]+$/.test(one) && !/-\d+$/.test(one);
  return !isLogin || one.includes(other) || other.includes(one);
}

/** A report that names databases, and none of these, is about another. */
function isAbout(about: Report['about'], records: readonly string[]): boolean {
  const databases = about.filter(({ noun }) => noun === 'live' || noun === 'clone');
  return databases.length === 0 || databases.some(({ text }) => records.includes(text));
}
