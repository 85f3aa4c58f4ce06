import { z } from 'zod';
import type { RecordView } from '../../api/reading/recordView.ts';
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
  { isPassing = record.state?.class === 'busy', busyWord }: { isPassing?: boolean; busyWord?: string | undefined } = {},
): Evidence {
  const state = record.state?.word;
  const known = last?.id === record.id.text ? last : undefined;
  const same = known?.state === state && known?.stateClass === record.state?.class && known?.isBusy === isPassing;
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
    report: known?.report,
    since: same ? (known?.since ?? now) : now,
    seenAt: now,
  });
}

/** Evidence of an absence. */
export function evidenceOfAbsence(id: string, name: string | null, now: number): Evidence {
  return Evidence.parse({ id, ...(name === null ? {} : { name }), gone: true, since: now, seenAt: now });
}

/** Whether a look showed what was known before, and nothing else. */
export function isSameEvidence(seen: Evidence, before: Evidence | undefined): boolean {
  return JSON.stringify({ ...before, seenAt: 0 }) === JSON.stringify({ ...seen, seenAt: 0 });
}

/** The evidence kept with a job, if there is any. */
export function evidenceIn(job: Job): Evidence | undefined {
  return job.evidence === null ? undefined : Evidence.parse(JSON.parse(job.evidence));
}
