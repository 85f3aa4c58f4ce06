import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { saysPlainly } from '../../api/reading/stateWords.ts';
import { day } from '../../ground/durations.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { writeMinute } from '../../operations/requests/keepFor.ts';
import { speaksOf, works } from '../../operations/work.ts';
import { cut } from '../../slack/blocks/limits.ts';
import type { Dealing } from '../../store/jobs/dealings.ts';
import type { AlertKind, KeptSight } from '../../store/tables/alerts/alertRows.ts';
import type { Lease } from '../../store/tables/leases.ts';
import type { ProtectedDatabase } from '../protection/report.ts';
import { ageWords } from '../protection/statusWords.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Shown } from './newsOf.ts';
import { runTrouble, slowTrouble, type UsualTimes } from './workTroubles.ts';

/** All that says whether a record is in trouble. */
export type TroubleFacts = Readonly<{
  record: RecordView;
  /** Its protection, where it is a live database. */
  protection: ProtectedDatabase | undefined;
  /** How it was seen before. */
  before: Pick<KeptSight, 'since' | 'backedAt'> | undefined;
  lease: Lease | undefined;
  /** Whether a job of Dolly’s is under way on it: what it shows then may be over in a moment. */
  isBusy: boolean;
  /** Whether its environment is in maintenance. */
  isExcused: boolean;
  /** Whether its runs are excused: it is in maintenance, or was at the last one. */
  areRunsExcused: boolean;
  /** The jobs of Dolly’s that dealt with it since the look before. */
  dealings: readonly Dealing[];
  /** The schedules of jobs on it, and the usual times of jobs. */
  schedules: readonly Schedule[];
  usual: UsualTimes;
  /** The time before which nothing of what this look shows anew began; absent at the first look. */
  notBefore: number | undefined;
  /** The time of the look. */
  at: number;
}>;

/** The time before the end of a lease from which on it is at its end, in milliseconds. */
const nearEnd = day;

const no: Shown = { is: 'no' };
const unknown: Shown = { is: 'unknown' };

/** Says for each kind of trouble whether a record that is there is in it. A record that is there has not vanished. */
export function troublesOf(facts: TroubleFacts): Readonly<Record<AlertKind, Shown>> {
  const { lease, at, isBusy } = facts;
  const ofLease = leaseTrouble(lease, at);
  const all = {
    ...bareness(facts),
    failed: excused(failure(facts), facts.isExcused),
    late: excused(lateness(facts), facts.isExcused),
    disabled: excused(disabling(facts), facts.isExcused),
  };
  const seen = isBusy ? { failed: unknown, late: unknown, never: unknown, lost: unknown, disabled: unknown } : all;
  const ofWork = {
    runs: excused(runTrouble(facts.schedules, facts.record.id.text, at), facts.areRunsExcused),
    slow: slowTrouble(facts.dealings, facts.usual, at),
  };
  return { ...seen, ...ofWork, vanished: no, lease: ofLease };
}

/** Trouble that maintenance excuses does not begin. What began before it may end. */
function excused(shown: Shown, isExcused: boolean): Shown {
  return isExcused && shown.is !== 'no' ? unknown : shown;
}

/**
 * The time at which trouble began, by the record’s own reports, else by Dolly’s own jobs; `undefined` where neither
 * tells. A report of long ago is of other trouble.
 */
function beganAt(
  { record, dealings, notBefore = 0, at }: TroubleFacts,
  { isReport, isJob }: Readonly<{ isReport(report: Report): boolean; isJob(job: Dealing): boolean }>,
): number | undefined {
  const reported = record.reports.flatMap(report =>
    report.isZoned && isReport(report) ? (report.endedAt ?? report.beganAt ?? []) : [],
  );
  const noted = dealings.flatMap(job => (isJob(job) ? (job.endedAt ?? []) : []));
  const latest = (times: readonly number[]) =>
    times.filter(time => time >= notBefore && time <= at).toSorted((one, other) => other - one)[0];
  return latest(reported) ?? latest(noted);
}

function failure(facts: TroubleFacts): Shown {
  const { state, error } = facts.record;
  if (state === undefined || state.class === 'busy' || state.class === 'unknown') return unknown;
  if (state.class !== 'failed') return no;
  const isReport = ({ outcome }: Report) => outcome === 'failed';
  const since = beganAt(facts, { isReport, isJob: job => job.state === 'failed' });
  // A failure that two jobs may have met names neither.
  const [own, ...others] = facts.dealings.filter(job => job.state === 'failed');
  const isOwn = own !== undefined && others.length === 0 && own.evidence?.stateClass === 'failed';
  return {
    is: error !== undefined || saysPlainly(state.word, 'failed') ? 'yes' : 'maybe',
    words: cutWords(wordsOfState(state.word, error)),
    since,
    by: isOwn ? { operation: own.operation, person: own.person, schedule: own.schedule } : undefined,
    // A single failure of a run is told, and the third in a row calls people.
    isQuiet: facts.dealings.some(job => job.schedule !== null && job.state === 'failed'),
  };
}

/** The state of a record in trouble, with its error. */
export function wordsOfState(word: string, error: string | undefined): string {
  return error === undefined ? word : `${word}: ${error}`;
}

function disabling(facts: TroubleFacts): Shown {
  const { id, state } = facts.record;
  if (id.noun !== 'environment' && id.noun !== 'live') return no;
  if (state === undefined || ['busy', 'unknown', 'failed'].includes(state.class)) return unknown;
  if (state.class !== 'disabled') return no;
  const isReport = ({ kind, outcome }: Report) =>
    outcome === 'done' && kind !== undefined && speaksOf(kind, works.disable) === 'yes';
  const isJob = ({ operation }: Dealing) => {
    const known = jobOperation(operation);
    return known?.type === 'write' && known.work.name === works.disable.name;
  };
  const since = beganAt(facts, { isReport, isJob });
  const isAsked = facts.dealings.some(job => isJob(job) && job.state !== 'failed');
  return { is: saysPlainly(state.word, 'disabled') ? 'yes' : 'maybe', words: cutWords(state.word), since, isAsked };
}

function lateness({ protection, at }: TroubleFacts): Shown {
  if (!protection) return no;
  const { standing, backup, logs, lateBy, wanted } = protection;
  if (standing === 'protected') return no;
  if (standing !== 'late' && standing !== 'excused') return unknown;
  const mend = protection.mend ?? undefined;
  const [late, what, most] = lateBy.includes('backup')
    ? [backup, 'latest backup', wanted.backup]
    : [logs, 'latest backup of its logs', wanted.logs];
  if (late.type !== 'at' || most === undefined) return { is: 'yes', mend };
  const since = Math.min(at, late.at + (late.doubt ?? 0) + most);
  const said = late.said === undefined ? '' : `, the service says “${cutWords(late.said)}”`;
  return { is: 'yes', words: `${what} ${writeMinute(late.at)}, max age ${ageWords(most)}${said}`, since, mend };
}

/**
 * Whether a database was never backed up, or has lost all its backups: its own record shows an empty list. An answer may
 * be wrong once, so a second look has to show the same. A database may be younger than its first backup is wanted.
 */
function bareness({ protection, before, at }: TroubleFacts): Readonly<Record<'never' | 'lost', Shown>> {
  if (!protection) return { never: no, lost: no };
  const { backup, wanted } = protection;
  if (backup.type === 'unseen') return { never: unknown, lost: unknown };
  if (backup.type !== 'never') return { never: no, lost: no };
  const mend = protection.mend ?? undefined;
  const { since = at, backedAt = null } = before ?? {};
  if (backedAt !== null)
    return {
      never: no,
      lost: { is: 'maybe', words: `its record showed a snapshot ${writeMinute(backedAt)}, and shows none now`, mend },
    };
  if (wanted.backup === undefined || at - since <= wanted.backup) return { never: unknown, lost: no };
  const words = `its record shows no backup, max age ${ageWords(wanted.backup)}`;
  return { never: { is: 'maybe', words, since: since + wanted.backup, mend }, lost: no };
}

/** What happens to a clone whose time is up. */
const overWords: Readonly<Partial<Record<Lease['state'], string>>> = {
  ...{ asking: 'its owner is asked', stopping: 'it is stopped', stopped: 'it is stopped', deleting: 'it is deleted' },
};

function leaseTrouble(lease: Lease | undefined, at: number): Shown {
  if (!lease) return no;
  const { state, endsAt } = lease;
  const over = overWords[state];
  if (over !== undefined) return { is: 'yes', words: `its time is up, and ${over}`, since: endsAt ?? undefined };
  if (state !== 'kept' || endsAt === null || endsAt - at > nearEnd) return no;
  return { is: 'yes', words: `it is kept until ${writeMinute(endsAt)}` };
}

/** Max characters of the service’s own words that are kept. */
const longest = 300;

/** Cuts the service’s own words to the length in which they are kept. */
export function cutWords(text: string): string {
  return cut(text, longest);
}
