import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { creationOf, isZoned } from '../../api/reading/times.ts';
import { minute } from '../../ground/durations.ts';
import { rounding } from '../../store/jobs/recordClaims.ts';
import type { Baseline } from '../../store/jobs/rows/data.ts';
import { madeAtOf } from './baseline.ts';

/** When a job was sent, and the time of the look, both by our clock. */
export type SentJob = Readonly<{ sentAt: number; baseline: Pick<Baseline, 'ahead'> | undefined; now: number }>;

/** A time as a record shows it; `text` is that time as it came, in UTC or in a zone that is not known. */
export type ShownTime = Readonly<{ at: number; isZoned: boolean; text?: string }>;
type ShownMaking = Required<ShownTime>;

/** The time at which a record was made, or a snapshot taken, where the record shows it under a key that says so. */
export function makingOf(record: RecordView): ShownMaking | undefined {
  const { createdFrom, id } = record;
  const at = id.noun === 'snapshot' ? creationOf(record) : madeAtOf(record);
  return createdFrom && at !== undefined
    ? { at, text: createdFrom.value, isZoned: isZoned(createdFrom.value) }
    : undefined;
}

/** Whether a record was made before a job was sent. */
export function wasMadeBefore(record: RecordView, { sentAt, baseline, now }: SentJob): boolean {
  const { ahead = 0 } = baseline ?? {};
  const making = makingOf(record);
  return making !== undefined && isBefore(making, sentAt + ahead, now + ahead);
}

/**
 * Whether a time is before a sending, all by the service's clock. A time without a zone may be hours off, but only by whole
 * quarters of an hour: it is before where its place in the quarter is none of those since the sending.
 */
export function isBefore({ at, isZoned: isSure, text = '' }: ShownTime, sentAt: number, now: number): boolean {
  const earliest = sentAt - rounding;
  if (isSure) return at < earliest;
  // After a quarter of an hour each place may be one since the sending, but for the last minute before it.
  const latest = Math.min(now - sentAt + 2 * rounding, quarter - minute);
  return hasSeconds.test(text) && now >= sentAt && placeIn(quarter, at - earliest) > latest;
}

/**
 * The milliseconds by which a time is later than another one. One without a zone may be hours off, but only by whole
 * quarters of an hour: it counts as one of the quarter since the other.
 */
export function delayOf({ at, isZoned: isSure }: ShownTime, from: number): number {
  return isSure ? at - from : placeIn(quarter, at - from + rounding) - rounding;
}

/** How long after a sending the work that a report tells of began, by the service's clock, in milliseconds, as `delayOf` counts. */
export function beganAfter({ beganAt, isZoned: isSure }: Report, sentAt: number): number | undefined {
  return beganAt === undefined ? undefined : delayOf({ at: beganAt, isZoned: isSure }, sentAt);
}

const quarter = 15 * minute;
const hasSeconds = /\d:\d\d:\d\d/;

/** The remainder of a time that may be negative, in a period that begins at 0. */
function placeIn(period: number, time: number): number {
  return ((time % period) + period) % period;
}
