import type { Report } from '../../api/reading/reports.ts';
import { keysOf } from '../../ground/keys.ts';
import { isCheck, meansSeveral, namesItself, speaksOf, stateSpeaksOf, type Work } from '../../operations/work.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { stoodBefore } from './baseline.ts';
import type { Case } from './case.ts';
import type { Sighting } from './judgement.ts';
import { agreesWithLogin, isAccountName } from './login.ts';
import { beganAfter, isBefore, type ShownTime } from './madeBefore.ts';
import { settles } from './settles.ts';

/*
 * Whose work is it? A report, a word beside the state, a snapshot and a new record are traces of somebody's work. Here stand what
 * a trace of the job's own work cannot be, and what a report comes to: it is this job's, another's, or open.
 */

/** What a record shows that somebody's work left, or leaves. */
export type Trace = Readonly<{
  /** The words that may name its work. In those of a state, or of what stands beside one, a past form names none. */
  words?: string | undefined;
  isState?: boolean;
  /** The people whom it names. */
  by?: readonly string[];
  /** When it began, by the service's clock. */
  at?: ShownTime | undefined;
  /** The records that it mentions. */
  about?: Report['about'];
  /** Whether it stood there before the call as it stands now. */
  isOld?: boolean;
}>;

/**
 * What is asked for: its work, whose login it has, when it was sent, and the time of the look, both by the service's clock, and
 * the records that it is done on.
 */
export type AskedWork = Readonly<{
  work: Work;
  login: string | null;
  sentAt: number;
  now: number;
  records?: readonly string[];
}>;

type Constraint = (trace: Trace, asked: AskedWork) => boolean;

/** What a trace of the job's own work cannot be, by name. */
export const constraints = {
  'it stood there before the request': ({ isOld = false }) => isOld,
  'it names other work': (trace, { work }) => speaks(trace, work) === 'no',
  'it is a check by the service': ({ words }) => words !== undefined && isCheck(words),
  'it names somebody else': (trace, { login }) => namesPerson(trace, login) === false,
  'it is about another database': ({ about = [] }, { records }) => {
    const databases = about.filter(({ noun }) => noun === 'live' || noun === 'clone');
    return records !== undefined && databases.length > 0 && !databases.some(({ text }) => records.includes(text));
  },
  'it began before the request': ({ at }, { sentAt, now }) => at !== undefined && isBefore(at, sentAt, now),
} as const satisfies Readonly<Record<string, Constraint>>;

/** The first of the constraints that a trace breaks, by its name: it is of another's work then. */
export function brokenBy(trace: Trace, asked: AskedWork): keyof typeof constraints | undefined {
  return keysOf(constraints).find(name => constraints[name](trace, asked));
}

/** What the words of a trace speak of. */
export function speaks({ words = '', isState = false }: Trace, work: Work): ReturnType<typeof speaksOf> {
  return (isState ? stateSpeaksOf : speaksOf)(words, work);
}

/** Whether a trace names this login (`true`), or other people alone (`false`). Accounts of a host or a database ask for nothing. */
export function namesPerson({ by = [] }: Trace, login: string | null): boolean | undefined {
  if (login === null) return undefined;
  const told = by.filter(name => !isAccountName(name)).flatMap(name => agreesWithLogin(name, login) ?? []);
  return told.length === 0 ? undefined : told.includes(true);
}

/** A report as a trace of its work. A bare word beside the state, such as MOUNTED, is read as a state is. */
export function traceOf({ kind, by, beganAt, endedAt, isZoned, isPlace, about }: Report): Trace {
  const at = beganAt ?? endedAt;
  const began = at === undefined ? undefined : { at, isZoned };
  return { words: kind, isState: isPlace, by: by === undefined ? [] : [by], at: began, about };
}

/** What a look at a job asks for. */
export function askedIn({ work, login = null, sentAt, ahead, seen, records = [] }: Sighting): AskedWork {
  return { work, login, sentAt: sentAt + ahead, now: seen.seenAt + ahead, ...(records.length > 0 && { records }) };
}

/** What a job asks for. */
export function askedBy({ job, operation: { work }, reading }: Case): AskedWork {
  const { ahead = 0 } = job.baseline ?? {};
  return { work, login: job.login, sentAt: job.sentAt + ahead, now: reading.now + ahead };
}

/** Whose work a report tells of: `another` breaks a constraint, and `mine` would show by itself that a call arrived. */
export function whoseReport(report: Report, asked: AskedWork, before?: Before): 'mine' | 'another' | 'open' {
  const trace = { ...traceOf(report), isOld: stoodBefore(before, report) };
  if (brokenBy(trace, asked) !== undefined) return 'another';
  return showsArrival(asked, report) ? 'mine' : 'open';
}

/**
 * Whether a report shows that the service got a call in doubt: it names the person, or this very work alone and not by a name of
 * which nobody knows whose it is, and began no later than what was sent waits for its turn.
 */
export function showsArrival(asked: Pick<AskedWork, 'work' | 'login' | 'sentAt'>, report: Report): boolean {
  const { kind = '', by } = report;
  if (namesPerson(traceOf(report), asked.login) === true) return true;
  const isLate = by === undefined && (beganAfter(report, asked.sentAt) ?? 0) > settles.turn;
  return !isLate && (by === undefined || asked.login !== null) && namesItself(kind, asked.work) && !meansSeveral(kind);
}

/** Whether a report names this very work, or the person who asked: one that names neither may be of anybody's work. */
export function isNamed({ kind, by }: Pick<Report, 'kind' | 'by'>, work: Work): boolean {
  return by !== undefined || (kind !== undefined && namesItself(kind, work));
}
