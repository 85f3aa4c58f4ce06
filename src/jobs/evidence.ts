import { z } from 'zod';
import type { RecordView } from '../api/records.ts';
import type { Job } from '../store/jobs.ts';

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
  /** When the record was first seen in this state, and when last; milliseconds since the epoch. */
  since: z.number(),
  seenAt: z.number(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The identifiers that were there before the call, as ranges of numbers by kind: `{"MYSQL_CLONE_SERVER": "1-20,22"}`. */
const Baseline = z.record(z.string(), z.string());
export type Baseline = z.infer<typeof Baseline>;

/** Facts beyond the usual ones that a person needs at once: how to connect, and whether any of it is real. */
const telling = /connect|endpoint|jdbc|dsn|url$|(^|\.)host(name)?$|simulated/i;

/** Makes evidence out of a record, keeping since when the state is the same. */
export function evidenceOf(record: RecordView, before: Evidence | undefined, now: number): Evidence {
  const state = record.state?.word;
  const same = before?.id === record.id.text && before.state === state;
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
      .slice(0, 5),
    since: same ? before.since : now,
    seenAt: now,
  });
}

/** The evidence kept with a job, if there is any. */
export function evidenceIn(job: Job): Evidence | undefined {
  return job.evidence === null ? undefined : Evidence.parse(JSON.parse(job.evidence));
}

/** Packs the identifiers of records for keeping: dense numbers take little room, however many records there are. */
export function baselineOf(records: readonly RecordView[]): Baseline {
  const byKind = Map.groupBy(records, record => record.id.kind);
  return Object.fromEntries([...byKind].map(([kind, all]) => [kind, ranges(all.map(({ id }) => BigInt(id.number)))]));
}

/** Whether a record was there when the baseline was taken. */
export function wasThere(baseline: Baseline, record: RecordView): boolean {
  const packed = Object.hasOwn(baseline, record.id.kind) ? baseline[record.id.kind] : undefined;
  const number = BigInt(record.id.number);
  return (packed?.split(',') ?? []).some(range => {
    const [from = '', to = from] = range.split('-');
    return number >= BigInt(from) && number <= BigInt(to);
  });
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
