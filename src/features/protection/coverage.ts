import { z } from 'zod';
import { readBeside, type TimeBeside } from '../../api/reading/besideTimes.ts';
import { plainKey } from '../../api/reading/jsonTree.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isReported } from '../../api/reading/reportKeys.ts';
import { farthestZone } from '../../api/reading/times.ts';
import { maskPasswords } from '../../api/secrets/passwords.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { readTime, saysNever, type Time } from '../../ground/timeText.ts';
import { meaningIn } from '../../ground/wording.ts';
import { isSignOn, speaksOf, type Work, workOfTime, works } from '../../operations/work.ts';
import { isStillToCome, ownSnapshots, unfitAt } from '../../records/snapshots.ts';

/**
 * The latest backup of a database, as far as its record shows it. `at` is milliseconds since the epoch; with a `doubt`,
 * it may be as much earlier or later, since it stands there without its zone. `never` needs a list of snapshots that is
 * shown and empty, or a time that says so; `undated` are snapshots without their times; a record that shows nothing of backups
 * says nothing about them, which is `unseen`. `said` is the service's word for a
 * warning about this one, or `isOfLater` for a later one that did not go well. Reports are stored with it.
 */
export const Coverage = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('at'), at: z.number(), doubt: z.number().optional() },
    ...{ said: z.string().optional(), isOfLater: z.boolean().optional() },
  }),
  z.object({ type: z.enum(['never', 'undated', 'unseen']), said: z.string().optional() }),
]);
export type Coverage = Readonly<z.infer<typeof Coverage>>;

/** What a record shows of backups. It is read once, and a look at any time chooses from it: of fifty thousand, no more is kept. */
const backupsIn = memoByObject((record: RecordView) => {
  const [all, signs] = [ownSnapshots(record), signsOf(record, works.backup)];
  const times = timesOfWork(record, works.backup, signs);
  const snapshots = all.flatMap(({ time, local, shown, condition }) =>
    condition?.unfit ? [] : { time, local, shown, condition },
  );
  const lists = Object.entries(record.lists).filter(([key]) => ofBackups.test(key));
  // A number that nobody can read as a time, a count, or a report tells all the same that there was more than nothing.
  const isMore =
    signs.some(({ value }) => /[1-9]/.test(value) && !saysNever(value)) ||
    (all.length === 0 && lists.some(([, length]) => length > 0)) ||
    record.reports.some(({ kind, outcome }) => outcome === 'done' && kind !== undefined && isAbout(kind, works.backup));
  const isEmpty = all.length + times.length === 0 && lists.length > 0;
  return { snapshots, times, isNever: !isMore && (isEmpty || signs.some(({ value }) => saysNever(value))) };
});

/** Keys of a list that would hold the backups of a database. */
const ofBackups = /^(all|own|available|recent)?(snapshots?|backups?|restorepoints|recoverypoints)(list)?$/;

/**
 * The latest backup as it stands at the time `at`: a snapshot that can be used, a time of the record such as
 * `lastBackup`, or a report of a backup that succeeded. What is still to come is none.
 */
export function backupCoverage(record: RecordView, at: number): Coverage {
  const { snapshots, times, isNever } = backupsIn(record);
  const usable = snapshots.filter(one => unfitAt(one, at) === undefined);
  const taken = usable.flatMap(({ shown }) => (shown ? timeAt(shown) : []));
  const latest = latestOf([...taken, ...times], at);
  if (latest.type === 'at' || (usable.length === 0 && !isNever)) return latest;
  return { ...latest, type: usable.length > 0 ? 'undated' : 'never' };
}

/** The latest backup of the logs. A record seldom shows that there never was one, so that is never said. */
export function logsCoverage(record: RecordView, at: number): Coverage {
  return latestOf(logTimesIn(record), at);
}

const logTimesIn = memoByObject((record: RecordView) => timesOfWork(record, works.logs));

/**
 * Whether a backup is young enough in every zone that its time may be in: `false` where it is too old in each of them,
 * `undefined` where only the zone would tell, or where the record does not show it.
 */
export function isYoungInEveryZone(coverage: Coverage, most: number | undefined, at: number): boolean | undefined {
  if (most === undefined) return true;
  if (coverage.type !== 'at') return undefined;
  const { doubt = 0 } = coverage;
  if (at - (coverage.at + doubt) > most) return false;
  return at - (coverage.at - doubt) <= most ? true : undefined;
}

/** A time of work, with what stands beside it or is told with it. */
type TimeOfWork = TimeBeside & Readonly<{ at: number; doubt: number }>;

/**
 * The latest of the times that are past and count: the latest of which one is sure, and the latest that one can be. What is
 * said of one that came later is said beside it.
 */
function latestOf(all: readonly TimeOfWork[], now: number): Coverage {
  const times = all.filter(time => !isStillToCome(time, now)).toSorted((one, other) => other.at - one.at);
  const good = times.filter(({ counts }) => counts);
  const newest = times.find(one => one.counts || one.word !== undefined);
  const said = newest?.word === undefined ? undefined : maskPasswords(newest.word);
  if (good.length === 0) return { type: 'unseen', said };
  const least = Math.max(...good.map(({ at, doubt }) => at - doubt));
  const most = Math.max(...good.map(({ at, doubt }) => at + doubt));
  const doubt = least === most ? undefined : (most - least) / 2;
  return { type: 'at', at: (least + most) / 2, doubt, said, ...(newest?.counts ? {} : { isOfLater: true }) };
}

function timeAt({ at, isZoned }: Time, beside: TimeBeside = { counts: true }): TimeOfWork {
  return { at, doubt: isZoned ? 0 : farthestZone, ...beside };
}

/** The times of work on a record, from its keys and from its reports. The time of a key may be that of an attempt. */
function timesOfWork(record: RecordView, work: Work, signs = signsOf(record, work)): TimeOfWork[] {
  const own = signs.flatMap(sign => {
    const time = readTime(sign.value);
    return time ? timeAt(time, readBeside(record.values, sign, workOfTime(work))) : [];
  });
  const told = record.reports.flatMap(({ kind, outcome, word, told: text = word, endedAt, beganAt, isZoned }) => {
    const at = endedAt ?? beganAt;
    if (kind === undefined || at === undefined || !isAbout(kind, work)) return [];
    const isNews = text !== undefined && readOutcome(text) !== 'done';
    return timeAt({ at, isZoned }, { counts: outcome === 'done', word: isNews ? text : undefined });
  });
  return [...own, ...told];
}

/** The values of a record, outside of reports, under keys that are about the end of this work. */
function signsOf(record: RecordView, work: Work): RecordView['values'] {
  const isOpen = (path: string) => meaningIn(path) !== undefined || !isInReport(path);
  return record.values.filter(({ path }) => isOpen(path) && isSignOn(record, path, work) && isAbout(path, work));
}

/** Whether words speak of this work. Some services call a backup of logs a backup, but a plain backup has no logs. */
function isAbout(text: string, work: Work): boolean {
  return speaksOf(text, work) === 'yes' && (work.name !== works.logs.name || speaksOf(text, works.backup) === 'no');
}

/** Whether dotted keys lead through a report, which tells by itself how the work ended. */
function isInReport(path: string): boolean {
  const above = path.split('.').slice(0, -1);
  return isReported({ path: above.map(plainKey) });
}
