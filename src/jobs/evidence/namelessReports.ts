import type { Report } from '../../api/reading/reports.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { isNewSince } from './baseline.ts';
import { beganAfter } from './madeBefore.ts';
import { settles } from './settles.ts';

/* Reports that name neither their work nor a person: which of them may be of anybody's work. */

/** One look at reports, by the service's clock, in milliseconds since the epoch. */
export type ReportsSeen = Readonly<{
  /** Those that may be of the job, the likeliest first, and all that the record shows. */
  own: readonly Report[];
  reports: readonly Report[];
  before: Before | undefined;
  /** The report that the job was seen to have. */
  known: Evidence['report'];
  /** The report with a number alone that was seen while it was early. */
  early: string | undefined;
  /** Whether the record is the job's target: a new one has the reports of its making. */
  isOfTarget: boolean;
  /** Whether the record's state says that work goes on. */
  isAtWork: boolean;
  sentAt: number;
  now: number;
}>;

/** Whether the reports that may be of a job may be of anybody's as well. */
export function mayBeOfAnybody(look: ReportsSeen): boolean {
  return endBesideWork(look) !== undefined || areNumbers(look) || differAtOnce(look) || beganLater(look);
}

/** The report without a name that told of its end longer ago than services take to write one down, beside work that goes on. */
export function outlivedReport(look: ReportsSeen): string | undefined {
  const over = endBesideWork(look);
  const isLong = over?.isZoned && over.endedAt !== undefined && look.now - over.endedAt >= settles.long;
  return isLong ? over.identity : undefined;
}

/** The report with a number alone that is seen while it is early: another one in its place may be of anybody as well. */
export function earlyReport(look: ReportsSeen): string | undefined {
  return isEarly(look) ? numbersIn(look)[0]?.identity : undefined;
}

const isNameless = ({ kind, by }: Report) => kind === undefined && by === undefined;
const isOver = ({ outcome }: Report) => outcome !== 'busy' && outcome !== 'unknown';

/** Whether the job may still wait for its turn, while a colleague's work goes on. */
const isEarly = ({ sentAt, now }: ReportsSeen) => now - sentAt < settles.turn;

/** The report that tells of an end while the record is at work, where none tells of the work that goes on. */
function endBesideWork({ own, reports, known, isAtWork }: ReportsSeen): Report | undefined {
  if (!isAtWork || known?.isPlace === false || reports.some(({ outcome }) => outcome === 'busy')) return undefined;
  return own.find(one => isNameless(one) && isOver(one));
}

/** New reports that show a number and no time: several of them, one after the other, or one that tells of an end early. */
function areNumbers(look: ReportsSeen): boolean {
  const [first, next] = numbersIn(look);
  if (!first) return false;
  const isNext = look.early !== undefined && !look.reports.some(({ identity }) => identity === look.early);
  return next !== undefined || isNext || (isOver(first) && isEarly(look));
}

function numbersIn({ reports, before, isOfTarget }: ReportsSeen): readonly Report[] {
  const isNumber = (one: Report) =>
    isNameless(one) && !one.isPlace && one.beganAt === undefined && isNewSince(before, one);
  return isOfTarget ? reports.filter(isNumber) : [];
}

/** Reports of one kind without a person that began within the job's turn, and tell of different outcomes. */
function differAtOnce({ own, sentAt }: ReportsSeen): boolean {
  const [first, ...others] = own.filter(one => {
    const after = beganAfter(one, sentAt);
    return one.kind === own[0]?.kind && one.by === undefined && after !== undefined && after <= settles.turn;
  });
  return others.some(({ outcome, error }) => outcome !== first?.outcome || error !== first.error);
}

/** Reports that began well after the sending: several, or one while it is early, or one that came after the job's turn. */
function beganLater(look: ReportsSeen): boolean {
  const { own, known, sentAt } = look;
  const [first, next] = own;
  // A report that was known by its place may be any of those that came since, once it is gone.
  const isHeld = known && (!known.isPlace || own.some(({ identity }) => identity === known.identity));
  const after = first && isNameless(first) && !isHeld ? beganAfter(first, sentAt) : undefined;
  if (after === undefined) return false;
  return after > settles.soon && (next !== undefined || after > settles.turn || isEarly(look));
}
