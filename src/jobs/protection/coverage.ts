import { plainKey } from '../../api/reading/jsonTree.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isReported } from '../../api/reading/reportKeys.ts';
import { usualClass } from '../../api/reading/stateWords.ts';
import { timeOf } from '../../api/reading/times.ts';
import { isSignOf, speaksOf, type Work, works } from '../../operations/work.ts';
import { ownSnapshots } from '../../records/snapshots.ts';

/**
 * The latest backup of a database, as far as its record shows it. `at` is milliseconds since the epoch. `never` needs a
 * list of snapshots that is shown and empty; `undated` are snapshots without their times; a record that shows nothing of
 * backups says nothing about them, which is `unseen`.
 */
export type Coverage =
  | Readonly<{ type: 'at'; at: number }>
  | Readonly<{ type: 'never' }>
  | Readonly<{ type: 'undated' }>
  | Readonly<{ type: 'unseen' }>;

/** The latest backup: a snapshot, a time of the record such as `lastBackup`, or a report of a backup that succeeded. */
export function backupCoverage(record: RecordView): Coverage {
  const snapshots = ownSnapshots(record);
  const taken = snapshots.flatMap(({ takenAt }) => takenAt ?? []);
  const known = [...taken, ...timesOfWork(record, works.backup)];
  if (known.length > 0) return { type: 'at', at: Math.max(...known) };
  if (snapshots.length > 0) return { type: 'undated' };
  return record.emptyLists.some(key => emptied.test(key)) ? { type: 'never' } : { type: 'unseen' };
}

/** Keys of a list that would hold the backups of a database. */
const emptied = /^(all|own|available|recent)?(snapshots?|backups?|restorepoints|recoverypoints)(list)?$/;

/** The latest backup of the logs. A record seldom shows that there never was one, so that is never said. */
export function logsCoverage(record: RecordView): Coverage {
  const known = timesOfWork(record, works.logs);
  return known.length > 0 ? { type: 'at', at: Math.max(...known) } : { type: 'unseen' };
}

/**
 * The times at which work on a record was done, from its keys and from its reports. Where a word beside says that the
 * work failed or is under way, the time of a key may be that of the attempt, so only reports count.
 */
function timesOfWork({ values, reports }: RecordView, work: Work): number[] {
  const about = values.filter(({ path }) => !isInReport(path) && isSignOf(wordsOf(path), work) && isAbout(path, work));
  const isDoubtful = about.some(({ value }) => ['failed', 'busy'].includes(usualClass(value)));
  const own = isDoubtful ? [] : about.flatMap(({ value }) => timeOf(value) ?? []);
  const done = reports.flatMap(({ kind, outcome, endedAt, beganAt }) =>
    kind !== undefined && outcome === 'done' && isAbout(kind, work) ? (endedAt ?? beganAt ?? []) : [],
  );
  return [...own, ...done];
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

/** The words of dotted keys, without those that say that it is a time: `backup.lastRunAt` speaks of a backup. */
function wordsOf(path: string): string {
  return path
    .split(/[.\s_-]|(?<=[a-z])(?=[A-Z])/)
    .filter(
      word =>
        !/^(last|latest|recent|time|at|on|date|run|when|completed|finished|ended|end|taken|timestamp)$/i.test(word),
    )
    .join('_');
}
