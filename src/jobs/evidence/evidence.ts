import { z } from 'zod';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { mask, maskValue } from '../../api/secrets/passwords.ts';
import type { Job } from '../../store/tables/job.ts';

/** What the records showed of a job's outcome, as it is kept with the job and told to people. */
const Evidence = z.object({
  id: z.string(),
  name: z.string().optional(),
  state: z.string().optional(),
  stateClass: z.enum(['ok', 'busy', 'failed', 'stopped', 'disabled', 'unknown']).optional(),
  error: z.string().optional(),
  environment: z.string().optional(),
  source: z.string().optional(),
  port: z.number().optional(),
  /** Other plain facts of the record that a person may need at once, such as how to connect. */
  extras: z.array(z.object({ path: z.string(), value: z.string() })).default([]),
  /** The passing state that the record was seen in since the call, if any, and that may be of this job's work. */
  wasBusy: z.string().optional(),
  /** Whether it was in such a state at the last look. */
  isBusy: z.boolean().default(false),
  /** Another state than before the call that the record was seen in since, whatever it means. */
  wasElsewhere: z.string().optional(),
  /** The word in which the record's own report of this job stood, and which report that is. */
  report: z
    .object({ identity: z.string(), isPlace: z.boolean().default(false), word: z.string().optional() })
    .optional(),
  /** Whether the record was not to be seen any more. */
  gone: z.boolean().default(false),
  /** When the record was first seen in this state, and when last; milliseconds since the epoch. */
  since: z.number(),
  seenAt: z.number(),
});
export type Evidence = z.infer<typeof Evidence>;

/** What the target's record showed before the call. */
const Before = z.object({
  state: z.string().optional(),
  stateClass: z.string().optional(),
  error: z.string().optional(),
  isPhysical: z.boolean().optional(),
  snapshots: z.array(z.string()),
  /** Its times of change by path, milliseconds since the epoch. */
  times: z.record(z.string(), z.number()),
  /** How often what was done to it, by path. */
  counters: z.record(z.string(), z.number()).default({}),
  /** The reports of work that it had, by their identity, and how each stood. */
  reports: z.record(z.string(), z.string()).default({}),
});
export type Before = z.infer<typeof Before>;

/** What was there before the call. */
const Baseline = z.object({
  /** The identifiers in the list, as ranges of numbers by kind: `{"MYSQL_CLONE_SERVER": "1-20,22"}`. */
  ids: z.record(z.string(), z.string()),
  /** Whether the service said that there were more than it listed: then an unknown record may be an old one. */
  cut: z.boolean().optional(),
  /** The environment of the record that something is made from. */
  environment: z.string().optional(),
  /** The record that is looked at: the target, or the database that a target snapshot stands in. */
  holder: z.string().optional(),
  target: Before.optional(),
  /** The target's part of that record, where the target has no record of its own. */
  part: Before.optional(),
});
export type Baseline = z.infer<typeof Baseline>;

/** Facts beyond the usual ones that a person needs at once: how to connect, and whether any of it is real. */
const telling = /connect|endpoint|jdbc|dsn|url$|(^|\.)host(name)?$|simulated/i;

/**
 * Makes evidence out of a record, keeping of the `last` look since when the state is the same and in which others it was.
 * `isPassing` tells whether its state, or that of the record around it (`busyWord`), is one that passes and may be of the
 * job's own work.
 */
export function evidenceOf(
  record: RecordView,
  last: Evidence | undefined,
  now: number,
  before?: Before,
  isPassing = record.state?.class === 'busy',
  busyWord?: string,
): Evidence {
  const state = record.state?.word;
  const known = last?.id === record.id.text ? last : undefined;
  const same = known?.state === state && known?.stateClass === record.state?.class && known?.isBusy === isPassing;
  const isElsewhere = before !== undefined && !isAsBefore(before, record);
  return Evidence.parse({
    id: record.id.text,
    name: record.name,
    state,
    stateClass: record.state?.class,
    error: record.error,
    environment: record.environment?.label ?? record.environment?.id.text,
    source: record.source?.label ?? record.source?.id.text,
    port: record.port,
    extras: record.values
      .filter(
        ({ path, value }) =>
          telling.test(path) && value.trim() && value.length <= 200 && value !== record.environment?.label,
      )
      .map(({ path, value }) => ({ path, value: maskValue(path, value) }))
      .filter(({ value }) => value !== mask)
      .slice(0, 5),
    wasBusy: isPassing ? (busyWord ?? state) : known?.wasBusy,
    isBusy: isPassing,
    wasElsewhere: isElsewhere ? state : known?.wasElsewhere,
    report: known?.report,
    since: same ? (known?.since ?? now) : now,
    seenAt: now,
  });
}

/** Evidence of an absence. */
export function absence(id: string, name: string | null, now: number): Evidence {
  return Evidence.parse({ id, ...(name === null ? {} : { name }), gone: true, since: now, seenAt: now });
}

/** Whether a look showed what was known before, and nothing else. */
export function isSame(seen: Evidence, before: Evidence | undefined): boolean {
  return JSON.stringify({ ...before, seenAt: 0 }) === JSON.stringify({ ...seen, seenAt: 0 });
}

/** What a target's record shows before the call. */
export function beforeOf(record: RecordView): Before {
  return {
    ...(record.state ? { state: record.state.word, stateClass: record.state.class } : {}),
    ...(record.error === undefined ? {} : { error: record.error }),
    ...(record.isPhysical === undefined ? {} : { isPhysical: record.isPhysical }),
    snapshots: snapshotsOf(record),
    times: record.times,
    counters: record.counters,
    reports: Object.fromEntries(record.reports.map(report => [report.identity, standing(report)])),
  };
}

/** Whether the record is in the state in which it was before the call. A flag can change its meaning and not its word. */
export function isAsBefore(before: Before, { state }: Pick<RecordView, 'state'>): boolean {
  return before.state === state?.word && before.stateClass === state?.class;
}

/** How a report stands: a report that is the same and stands otherwise has gone on. */
export function standing({ word, outcome, error, endedAt }: Report): string {
  return JSON.stringify([outcome, word ?? null, error ?? null, endedAt ?? null]);
}

/** The snapshots that stand in a record. */
export function snapshotsOf(record: RecordView): string[] {
  return record.mentions.filter(({ id }) => id.noun === 'snapshot').map(({ id }) => id.text);
}

/** The evidence kept with a job, if there is any. */
export function evidenceIn(job: Job): Evidence | undefined {
  return job.evidence === null ? undefined : Evidence.parse(JSON.parse(job.evidence));
}

/** Packs the identifiers of records for keeping: dense numbers take little room, however many records there are. */
export function packed(records: readonly RecordView[]): Baseline['ids'] {
  const byKind = Map.groupBy(records, record => record.id.kind);
  return Object.fromEntries([...byKind].map(([kind, all]) => [kind, ranges(all.map(({ id }) => BigInt(id.number)))]));
}

/**
 * Tells of each record whether it was there when the baseline was taken. Of a list that was cut, only a number beyond all
 * that it held counts as new.
 */
export function wasThere({ ids, cut = false }: Baseline): (record: RecordView) => boolean {
  // Read once for a whole list: it may have as many records as there are ranges.
  const known = new Map(Object.entries(ids).map(([kind, ranges]) => [kind, ranges.split(',').map(rangeIn)]));
  return ({ id }) => {
    const there = known.get(id.kind);
    const last = there?.at(-1);
    if (!there || !last) return cut;
    const number = BigInt(id.number);
    const range = cut ? { ...last, from: 0n } : lastUpTo(there, number);
    return range !== undefined && number >= range.from && number <= range.to;
  };
}

type Range = Readonly<{ from: bigint; to: bigint }>;

function rangeIn(text: string): Range {
  const [from = '', to = from] = text.split('-');
  return { from: BigInt(from), to: BigInt(to) };
}

/** The last of the sorted ranges that begins at the number or before it. */
function lastUpTo(ranges: readonly Range[], number: bigint): Range | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0n) <= number) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

/** The baseline kept with a job; `undefined` where the person may not read the list, so that nothing counts as new. */
export function baselineIn(job: Job): Baseline | undefined {
  return job.baseline === null ? undefined : Baseline.parse(JSON.parse(job.baseline));
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
