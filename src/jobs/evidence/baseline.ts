import type { Identifier } from '../../api/identifiers.ts';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { kindInIdentity, type Report } from '../../api/reading/reports.ts';
import { creationOf } from '../../api/reading/times.ts';
import type { Changes } from '../../operations/proofs.ts';
import { isCheck } from '../../operations/work.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Baseline, Before } from '../../store/jobs/rows/data.ts';
import { ownSignsOf } from './ownSigns.ts';
import { isReadAlike, readersNow, unreadTimes } from './readers.ts';

/** Reads a target's record before the call; `by` selects the times and counters that the proof will compare. */
export function beforeOf(record: RecordView, by: Changes['by'] = 'work'): Before {
  const { name, state, error, isPhysical } = record;
  const { times, counters } = ownSignsOf(record, by);
  return {
    ...{ name, madeAt: creationOf(record), state: state?.word, stateClass: state?.class, error, isPhysical },
    snapshots: snapshotsOf(record),
    times: { ...unreadTimes(record), ...times },
    counters,
    reports: standingsOf(record.reports),
    readers: readersNow,
  };
}

/** Reads the records before a call that makes one; `sources` are its source as the list shows it, and by itself. */
export function baselineOfList(
  { records, cut }: RecordList,
  { vendor }: Identifier,
  sources: readonly RecordView[],
): Baseline {
  const own = records.filter(record => record.vendor === vendor);
  const environment = sources.find(source => source.environment)?.environment?.id.text;
  const snapshots = sources.flatMap(snapshotsOf);
  return { ids: packIdentifiers(own), cut, newest: newestOf(own), environment, snapshots };
}

/** The standings of reports by their identities. Those of a list without numbers and times have one identity, a line each. */
function standingsOf(reports: readonly Report[]): Before['reports'] {
  const groups = [...Map.groupBy(reports, ({ identity }) => identity)];
  const linesOf = (one: Report) => [reportStanding(one), ...(one.isPlace ? [forOlder] : [])];
  return Object.fromEntries(groups.map(([identity, all]) => [identity, [...new Set(all.flatMap(linesOf))].join('\n')]));
}

/**
 * Whether word and class of the state are as before the call: a flag can change its class and keep its word. Other readers
 * may have given a word another class.
 */
export function isAsBefore(before: Before, { state }: Pick<RecordView, 'state'>): boolean {
  const classes = new Set([before.stateClass, state?.class]);
  const isByFlag = classes.has('stopped') || classes.has('disabled');
  return before.state === state?.word && (classes.size === 1 || !(isReadAlike(before) || isByFlag));
}

/** Sums up the progress of a report: if this text changes in the same report, its work has gone on. */
function reportStanding({ word, outcome, error, endedAt }: Report): string {
  return JSON.stringify([outcome, word, error, endedAt]);
}

/**
 * A line by which 0.2.0 takes what stands in a place for work from before the call: its readers give other outcomes and times
 * to the same report, which would be a new one for them.
 */
const forOlder = '["busy",null,null,null,"for 0.2.0"]';

/** Whether a report of this standing told of work under way. */
export function isUnderWay(standing: string): boolean {
  return standing.split('\n').some(one => one.startsWith('["busy"') && one !== forOlder);
}

/** The kind of work that a report told of as under way before the call, where other reports have taken its place since. */
export function hiddenWork(before: Before | undefined, reports: readonly Report[]): string | undefined {
  const isGone = (identity: string) => !reports.some(report => report.identity === identity);
  const hidden = Object.entries(before?.reports ?? {}).flatMap(([identity, standing]) =>
    isUnderWay(standing) && isGone(identity) ? [kindInIdentity(identity) ?? 'work'] : [],
  );
  return hidden.find(kind => !isCheck(kind));
}

/**
 * Whether a report came since the call. One without a number or a time of its own is known by its place, which the next one takes
 * over: unless what stood there was under way, and only goes on.
 */
export function cameSince(before: Before | undefined, report: Report): boolean {
  const known = before?.reports[report.identity];
  return known === undefined || (report.isPlace && !stoodBefore(before, report) && !isUnderWay(known));
}

/**
 * Whether a report stood there before the call, with the same progress. Other readers gave other outcomes to a word, and times
 * to other texts: then its word and its error alone count.
 */
export function stoodBefore(before: Before | undefined, report: Report): boolean {
  const standings = before?.reports[report.identity]?.split('\n') ?? [];
  if (!before || isReadAlike(before)) return standings.includes(reportStanding(report));
  const words = JSON.stringify([report.word, report.error]).slice(1, -1);
  return standings.some(one => one.includes(`,${words},`));
}

/** Packs the identifiers of records for keeping: dense numbers take little room, however many records there are. */
export function packIdentifiers(records: readonly RecordView[]): Baseline['ids'] {
  const byKind = Map.groupBy(records, record => record.id.kind);
  return Object.fromEntries([...byKind].map(([kind, all]) => [kind, ranges(all.map(({ id }) => BigInt(id.number)))]));
}

/** Max records whose creation times are read for a baseline, and compared at each look: each takes some 20 µs. */
const maxDated = 1_000;

/**
 * The creation time of the newest of the records that a list showed; `undefined` where one showed none, which may show
 * one later. It tells a number that was given again without a comparison of two clocks.
 */
export function newestOf(records: readonly RecordView[]): number | undefined {
  if (records.length > maxDated) return undefined;
  const newest = Math.max(...records.map(record => madeAtOf(record) ?? Number.NaN));
  return Number.isFinite(newest) ? newest : undefined;
}

/** The time under a key of a creation: that of a snapshot may be a new one in each reading, or older than a clone of it. */
export function madeAtOf({ createdAt, createdFrom }: RecordView): number | undefined {
  return /^(?!.*snap).*creat/i.test(createdFrom?.path ?? '') ? createdAt : undefined;
}

/**
 * Makes the test whether a record was there when the baseline was taken. Where the list was cut, only a number beyond
 * all of its kind in the list counts as new. A number that was listed is new where its record was made after all of them.
 */
export function wasThereBefore(baseline: Baseline): (record: RecordView) => boolean {
  const wasListed = wasNumberThere(baseline);
  const { newest = Number.POSITIVE_INFINITY } = baseline;
  return record => wasListed(record) && (madeAtOf(record) ?? 0) <= newest;
}

function wasNumberThere({ ids, cut = false }: Baseline): (record: RecordView) => boolean {
  // Parsed once for a whole list, which may have as many records as there are ranges.
  const known = new Map(Object.entries(ids).map(([kind, ranges]) => [kind, ranges.split(',').map(rangeIn)]));
  return ({ id }) => {
    const [there, number] = [known.get(id.kind) ?? [], BigInt(id.number)];
    const range = cut ? there.at(-1) : lastUpTo(there, number);
    return range ? number <= range.to : cut;
  };
}

type MarkRange = Readonly<{ from: bigint; to: bigint }>;

function rangeIn(text: string): MarkRange {
  const [from = '', to = from] = text.split('-');
  return { from: BigInt(from), to: BigInt(to) };
}

/** The last of the sorted ranges that begins at the number or before it. */
function lastUpTo(ranges: readonly MarkRange[], number: bigint): MarkRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0n) <= number) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

function ranges(numbers: bigint[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1));
  const packed: { from: bigint; to: bigint }[] = [];
  for (const number of sorted) {
    const last = packed.at(-1);
    if (last && last.to + 1n === number) last.to = number;
    else packed.push({ from: number, to: number });
  }
  return packed.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
