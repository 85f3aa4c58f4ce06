import { readBeside } from '../../api/reading/besideTimes.ts';
import { plainKey } from '../../api/reading/jsonTree.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { farthestZone, isZoned, timeOf } from '../../api/reading/times.ts';
import { minute } from '../../ground/durations.ts';
import type { Time } from '../../ground/timeText.ts';
import type { Changes } from '../../operations/proofs.ts';
import { isOwnSignOn, isSignOn, namesItself, type Work, workOfTime, works } from '../../operations/work.ts';
import { isStillToCome, snapshotsSince } from '../../records/snapshots.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { hasMoved, noTimeThen } from './readers.ts';

/** Times (milliseconds since the epoch) and counters of a record, by path. */
export type OwnSigns = Readonly<{
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

/** Whether a key may mean a backup as well as this work: lastBackupAt of a log backup, lastSyncAt of a refresh. */
function mayBeBackup(path: string, work: Work): boolean {
  return work.name !== works.backup.name && namesBackup(path);
}

/** Whether words may mean a backup as well as this work, where the record shows no snapshots by which to tell them apart. */
export function mayBeEither(words: string, work: Work, { snapshots, counters }: Before): boolean {
  const isShown = snapshots.length > 0 || Object.keys(counters).some(namesBackup);
  return mayBeBackup(words, work) && !isShown;
}

const namesBackup = (path: string) => namesItself(path, works.backup);

/**
 * A sign of the very work. `movedTo` is its time (milliseconds since the epoch, service's clock), read as UTC where it is
 * not `isZoned`, and `at` the same where its key says that the work is over.
 */
export type OwnChange = Readonly<{ by: string; sign: string; mayBeBackup: boolean }> &
  Readonly<{ movedTo?: number; isZoned?: boolean; at?: number }>;

/** A look at a job: its work, when it was sent and seen by our clock, and how far the service's is ahead. */
type When = Readonly<{ work: Work; sentAt: number; ahead: number; seen: Pick<Evidence, 'seenAt'> }>;

/** Whether work that ended at a time may be what the job asked for: not before its minute, and not in the time to come. */
function mayBeThen({ sentAt, ahead, seen }: When, { at, isZoned: isSure }: Time): boolean {
  const isEarly = isSure && at < sentAt + ahead - minute;
  return !isEarly && !isStillToCome({ at, doubt: isSure ? 0 : farthestZone }, seen.seenAt + ahead);
}

/** A time or a counter that is a sign of this very work and that moved since the call. */
export function ownChange(by: Changes['by'], look: When, before: Before, record: RecordView): OwnChange | undefined {
  const { work } = look;
  const { times, counters } = ownSignsOf(record, by);
  // Under the name of other work a key counts only where the record has none of this very work: a log backup is told by
  // lastBackupAt, unless lastLogBackupAt stands beside it. Few keys move, so all of them are read only then.
  const isOwn = (path: string) => namesItself(path, work);
  const hasOwn = () => [...Object.keys(times), ...Object.keys(counters)].some(isOwn);
  const isSign = (path: string) =>
    by !== 'work' ||
    (isSignOn(record, path, work) && (isOwn(path) || !hasOwn()) && !isOfBackup(path, work, before, record));
  const found = (path: string, sentence: string, value: number): OwnChange => ({
    ...{ by: sentence, sign: `${path} ${value}` },
    mayBeBackup: mayBeEither(path, work, before),
  });
  for (const [path, at] of Object.entries(times)) {
    const shown = record.values.find(one => one.path === path)?.value ?? '';
    const time = { at, isZoned: isZoned(shown) };
    // Few times move, and to ask that costs least.
    if (!hasMoved(before, path, at, time.isZoned) || !isSign(path) || !mayBeThen(look, time)) continue;
    const { counts, word } = readBeside(record.values, { path, value: shown }, workOfTime(work));
    if (!counts) continue;
    const warning = word === undefined ? '' : ` Beside it stands ${word}.`;
    const said = time.isZoned ? new Date(at).toISOString() : shown;
    return {
      ...found(path, `Its record shows a new time, ${path}: ${said}.${warning}`, at),
      ...{ movedTo: at, isZoned: time.isZoned },
      ...(/ed_?(at|on|time|date)?$/i.test(path) && { at }),
    };
  }
  for (const [path, count] of Object.entries(counters)) {
    const was = before.counters[path] ?? 0;
    if (count > was && isSign(path))
      return found(path, `Its record counts on: ${path} was ${was} and is ${count}.`, count);
  }
  return undefined;
}

/**
 * Whether a key or the kind of a report that may mean a backup as well as this work is about one: a new snapshot explains
 * it. Where none were shown before, nothing tells the two apart.
 */
export function isOfBackup(words: string, work: Work, before: Before, record: RecordView): boolean {
  const isHigher = ([path, count]: readonly [string, number]) =>
    namesBackup(path) && count > (before.counters[path] ?? count);
  const isNew = () => snapshotsSince(before, record).length > 0 || Object.entries(record.counters).some(isHigher);
  return mayBeBackup(words, work) && isNew();
}
