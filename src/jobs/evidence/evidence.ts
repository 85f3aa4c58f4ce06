import type { RecordView } from '../../api/reading/recordView.ts';
import { creationOf } from '../../api/reading/times.ts';
import { mask, maskValue } from '../../api/secrets/passwords.ts';
import { Evidence } from '../../store/jobs/rows/data.ts';
import { settles } from './settles.ts';

/** Paths of further values that a person needs at once: how to connect, and whether the record is simulated. */
const telling = /connect|endpoint|jdbc|dsn|url$|(^|\.)host(name)?$|simulated/i;

/** Begins the text for work that a report tells of, where the record's state does not. */
export const atWork = 'at work';

type Noted = Readonly<{
  /**
   * Whether the record's state, or that of the record around it (`busyWord`), is a passing one and may be of the job's
   * work. A busy word alone may say that work goes on.
   */
  isAtJob?: boolean;
  busyWord?: string | undefined;
  /** Whether work is seen there that may be that of a call in doubt. */
  mayHaveBegun?: boolean;
  /** The word of other work that the record is at, or was at before the call. */
  otherWork?: string | undefined;
  /** Who else did the same work meanwhile, by a report that the next one may take the place of. */
  doneBy?: string | undefined;
  /** Who is at the same work now, by a report of theirs. */
  sameBy?: string | undefined;
  /** The error that stands for that of the record, such as that of its database. */
  error?: string | undefined;
  /** The error that the record showed before the call. */
  errorBefore?: string | undefined;
}>;

/**
 * Makes evidence out of a record. Of the `last` look it keeps the time since which state and error are the same, the passing
 * state that was seen, the report, and an error that one of other words took the place of.
 */
export function evidenceOf(
  record: RecordView,
  last: Evidence | undefined,
  now: number,
  { isAtJob = record.state?.class === 'busy', error = record.error, ...noted }: Noted = {},
): Evidence {
  const { busyWord, mayHaveBegun, otherWork, doneBy, sameBy, errorBefore } = noted;
  const state = record.state?.word;
  const known = last?.id === record.id.text ? last : undefined;
  const isSameState = known?.state === state;
  // An error has to stand as well; a text that is another one at each look never would.
  const hasStayed = known?.error === error || known?.formerError !== undefined;
  const same = isSameState && hasStayed && known?.isBusy === isAtJob;
  // By a clock that was set back since, it would have stood for less than no time.
  const since = same ? Math.min(known?.since ?? now, now) : now;
  return Evidence.parse({
    id: record.id.text,
    name: record.name,
    state,
    stateClass: record.state?.class,
    error,
    formerError: formerError(known, error, errorBefore),
    environment: record.environment?.label ?? record.environment?.id.text,
    environmentId: record.environment?.id.text,
    source: record.source?.label ?? record.source?.id.text,
    port: record.port,
    madeAt: creationOf(record),
    extras: record.values
      .filter(
        ({ path, value }) =>
          telling.test(path) && value.trim() && value.length <= 200 && value !== record.environment?.label,
      )
      .map(({ path, value }) => ({ path, value: maskValue(path, value) }))
      .filter(({ value }) => value !== mask)
      .slice(0, 5),
    wasBusy: busyWord ?? (isAtJob ? state : known?.wasBusy),
    otherWork: known?.otherWork ?? otherWork,
    // Work that is no longer told of may be done: the next report took the place of theirs.
    doneBy: known?.doneBy ?? doneBy ?? (sameBy === undefined ? known?.sameBy : undefined),
    sameBy,
    // Services write the facts of one end one after the other, and an end that stands rests on what was seen as it began to.
    began: mayHaveBegun ? (known?.began ?? now) : beganBefore(known, now - since),
    isBusy: isAtJob,
    report: known?.report,
    since,
    seenAt: now,
  });
}

function beganBefore(known: Evidence | undefined, standsFor: number): number | undefined {
  return standsFor < settles.soon || known?.pending ? known?.began : undefined;
}

/** An error that came since the call and that is gone, or has given its place to one of other words. */
export function formerError(last: Evidence | undefined, error = '', before = ''): string | undefined {
  const was = last?.error ?? '';
  return last?.formerError ?? (was === before || was === '' || was === error ? undefined : was);
}

/** Evidence of an absence. */
export function evidenceOfAbsence(id: string, name: string | null, now: number): Evidence {
  return Evidence.parse({ id, ...(name === null ? {} : { name }), gone: true, since: now, seenAt: now });
}

/** Whether a look showed the same as the one before. */
export function isSameEvidence(seen: Evidence, before: Evidence | undefined): boolean {
  // What was kept has its facts in the order of their shape.
  return JSON.stringify({ ...before, seenAt: 0 }) === JSON.stringify(Evidence.parse({ ...seen, seenAt: 0 }));
}
