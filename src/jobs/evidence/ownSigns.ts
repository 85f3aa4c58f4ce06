import { readBeside } from '../../api/reading/besideTimes.ts';
import { plainKey } from '../../api/reading/jsonTree.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isZoned, timeOf } from '../../api/reading/times.ts';
import type { Changes } from '../../operations/proofs.ts';
import { isOwnSignOn, isSignOn, namesItself, type Work, workOfTime, works } from '../../operations/work.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import { hasMoved, noTimeThen } from './readers.ts';

/** Times (milliseconds since the epoch) and counters of a record, by path. */
type OwnSigns = Readonly<{
  times: Readonly<Record<string, number>>;
  counters: Readonly<Record<string, number>>;
}>;

/**
 * Reads the times and counters by which a changed record can prove an operation: those under keys that are known to
 * speak of work (api/reading/times.ts), or those under the keys that the operation itself names.
 */
export function ownSignsOf(record: RecordView, by: Changes['by']): OwnSigns {
  if (by === 'work') return { times: record.times, counters: record.counters };
  const wanted = by.map(segmentsOf);
  const times: Record<string, number> = {};
  const counters: Record<string, number> = {};
  for (const { path, value } of record.values) {
    const segments = segmentsOf(path);
    if (!wanted.some(key => key.every((segment, at) => segments.at(at - key.length) === segment))) continue;
    const time = timeOf(value);
    if (time !== undefined) times[path] = time;
    else if (/^\d{1,15}$/.test(value)) counters[path] = Number(value);
  }
  return { times, counters };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('.').map(plainKey);
}

/** The key of a time or a counter that moves with this very work, and with no other, as the record showed it before. */
export function ownKey(work: Work, { times, counters }: Before, record: RecordView): string | undefined {
  const read = Object.keys(times).filter(path => times[path] !== noTimeThen);
  return [...read, ...Object.keys(counters)].find(path => isOwnSignOn(record, path, work) && !mayBeBackup(path, work));
}

/** Whether words may mean a backup as well as this work: lastBackupAt of a log backup, lastSyncAt of a refresh. */
export function mayBeBackup(path: string, work: Work): boolean {
  return work.name !== works.backup.name && namesBackup(path);
}

const namesBackup = (path: string) => namesItself(path, works.backup);

/** A sign of the very work. `movedTo` is its time (milliseconds since the epoch, service's clock), read as UTC where it is not `isZoned`. */
export type OwnChange = Readonly<{ by: string; sign: string; mayBeBackup: boolean }> &
  Readonly<{ movedTo?: number; isZoned?: boolean }>;

/** A time or a counter that is a sign of this very work and that moved since the call. */
export function ownChange(
  by: Changes['by'],
  { work }: Readonly<{ work: Work }>,
  before: Before,
  record: RecordView,
): OwnChange | undefined {
  const { times, counters } = ownSignsOf(record, by);
  // Under the name of other work a key counts only where the record has none of this very work: a log backup is told by
  // lastBackupAt, unless lastLogBackupAt stands beside it.
  const isOwn = (path: string) => namesItself(path, work);
  const hasOwn = () => [...Object.keys(times), ...Object.keys(counters)].some(isOwn);
  const isSign = (path: string) => by !== 'work' || (isSignOn(record, path, work) && (isOwn(path) || !hasOwn()));
  const found = (path: string, sentence: string, value: number): OwnChange => ({
    ...{ by: sentence, sign: `${path} ${value}` },
    mayBeBackup: mayBeBackup(path, work),
  });
  for (const [path, at] of Object.entries(times)) {
    const shown = record.values.find(one => one.path === path)?.value ?? '';
    const isSure = isZoned(shown);
    // Few times move, and to ask that costs least.
    if (!hasMoved(before, path, at, isSure) || !isSign(path)) continue;
    const { counts, word } = readBeside(record.values, { path, value: shown }, workOfTime(work));
    if (!counts) continue;
    const warning = word === undefined ? '' : ` The word next to it is ${word}.`;
    const said = isSure ? new Date(at).toISOString() : shown;
    return {
      ...found(path, `Its record shows a new time, ${path}: ${said}.${warning}`, at),
      ...{ movedTo: at, isZoned: isSure },
    };
  }
  for (const [path, count] of Object.entries(counters)) {
    const was = before.counters[path] ?? 0;
    if (count > was && isSign(path))
      return found(path, `Its record shows a higher count: ${path} was ${was} and is now ${count}.`, count);
  }
  return undefined;
}
