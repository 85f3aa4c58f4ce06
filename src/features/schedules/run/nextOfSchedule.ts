import { type Calendar, nextRun } from '../../../ground/calendar.ts';
import { hour } from '../../../ground/durations.ts';
import type { Schedule } from '../schedule.ts';
import { calendarOf, isApprovedSchedule } from '../scheduleRules.ts';
import { differenceOfTarget, type Recognition } from './scheduleTarget.ts';

/** How the last run of a schedule stands. `ended` says how; one that is not known any more has ended, too. */
export type LastRun =
  | Readonly<{ type: 'none' | 'open' }>
  /** It waits for a sign-in, of which its own message tells. */
  | Readonly<{ type: 'held' }>
  | Readonly<{ type: 'ended'; outcome: string | undefined }>;

/** What there is to see right before a run. */
export type ScheduleSight =
  /** The sign-in is there, and the record of the target, as far as there is one, and its environment’s identifier. */
  | Readonly<{ type: 'ready'; target: Recognition | undefined; place?: string | undefined }>
  /** Nobody’s sign-in is there to run with; `why` is a sentence. */
  | Readonly<{ type: 'signed out'; why: string }>
  /** The owner is no member of the workspace any more. */
  | Readonly<{ type: 'left' }>
  /** Nothing can be run: the record is gone, or nobody may run this any more. */
  | Readonly<{ type: 'lost'; why: string }>;

/** All that the next step of a schedule follows from. `sight` is absent as long as nothing was looked at. */
export type ScheduleFacts = Readonly<{
  schedule: Schedule;
  now: number;
  last: LastRun;
  /** Whether the run of that time was made before: the clock was set back since. */
  isDone?: boolean;
  sight?: ScheduleSight | undefined;
}>;

/** The next thing about a schedule that is due. Times are milliseconds since the epoch. */
export type NextOfSchedule =
  /** Nothing: it is due again at `dueAt`. `nextAt` is its next time by the calendar. */
  | Readonly<{ type: 'wait'; nextAt: number | null; dueAt: number | null }>
  /** A run is due, and nothing speaks against it that can be said without looking. */
  | Readonly<{ type: 'look'; run: DueRun }>
  | Readonly<{ type: 'run'; run: DueRun; target: Recognition | undefined; place: string | undefined }>
  /** The time of the run is over for longer than half of the time to the next one. */
  | Readonly<{ type: 'missed'; run: DueRun }>
  /** The run before is still under way, or `why` says what else is so. `isTold`: people hear of that in another way. */
  | Readonly<{ type: 'skip'; run: DueRun; isTold: boolean; why?: string }>
  /** It waits for a sign-in. `isNews` says that its owner was not told yet. */
  | Readonly<{ type: 'signed out'; run: DueRun; why: string; isNews: boolean }>
  | Readonly<{ type: 'pause'; what: 'paused' | 'owner left'; why: string }>;

/** A run that is due: the last time by the calendar that is over. Of several that were missed, one is run. */
export type DueRun = Readonly<{
  plannedAt: number;
  /** The first time that was missed; the same as `plannedAt` where there is one only. */
  since: number;
  /** The next time by the calendar. */
  nextAt: number | null;
  isTooLate: boolean;
}>;

/** The local time of the daily line about the runs of which only failures are told. */
export const dailyAt = '09:00';

/** Says why the schedule of somebody who left does not run. */
export const ownerHasLeft = 'Its owner has left the workspace.';

/** Says what is due about a schedule. A pure function: the same facts always give the same step. */
export function nextOfSchedule({ schedule, now, last, isDone = false, sight }: ScheduleFacts): NextOfSchedule {
  const calendar = calendarOf(schedule);
  const run = dueRunOf(calendar, schedule, now);
  if (schedule.state !== 'on' || !run || isDone) return waiting(calendar, schedule, now);
  if (run.isTooLate) return { type: 'missed', run };
  if (last.type === 'open' || last.type === 'held') return { type: 'skip', run, isTold: last.type === 'held' };
  if (schedule.runsAs === 'service' && schedule.kind === 'job' && !isApprovedSchedule(schedule))
    return { type: 'pause', what: 'paused', why: 'It differs from what was approved to run with the service account.' };
  if (!sight) return { type: 'look', run };
  switch (sight.type) {
    case 'left':
      return { type: 'pause', what: 'owner left', why: ownerHasLeft };
    case 'lost':
      return { type: 'pause', what: 'paused', why: sight.why };
    case 'signed out':
      return { type: 'signed out', run, why: sight.why, isNews: schedule.reason === null };
    case 'ready': {
      const why = sight.target && differenceOfTarget(schedule, sight.target);
      return why === undefined
        ? { type: 'run', run, target: sight.target, place: sight.place }
        : { type: 'pause', what: 'paused', why };
    }
  }
}

/**
 * Nothing is due. The next time is computed anew: the clock may have been set back, or the rules of its zone have
 * changed.
 */
function waiting(calendar: Calendar, schedule: Schedule, now: number): NextOfSchedule {
  if (schedule.state !== 'on') return { type: 'wait', nextAt: null, dueAt: null };
  const nextAt = nextRun(calendar, now) ?? null;
  return { type: 'wait', nextAt, dueAt: dueTimeOfSchedule({ ...schedule, plannedAt: nextAt }, now) };
}

/** The run that is due now; `undefined` where none is. */
function dueRunOf(
  calendar: Calendar,
  { plannedAt: since }: Pick<Schedule, 'plannedAt'>,
  now: number,
): DueRun | undefined {
  if (since === null || since > now) return undefined;
  const plannedAt = lastTime(calendar, since, now);
  const following = nextRun(calendar, Math.max(plannedAt, now)) ?? null;
  const after = nextRun(calendar, plannedAt);
  const isTooLate = after !== undefined && now - plannedAt > (after - plannedAt) / 2;
  return { plannedAt, since, nextAt: following, isTooLate };
}

/** The times before a moment in which its last run by the calendar is looked for, the shortest first. */
const windows = [hour, 24 * hour, 8 * 24 * hour, 32 * 24 * hour, 367 * 24 * hour];

/** The last time of a calendar up to `now`, which is `first` at the earliest. */
export function lastTime(calendar: Calendar, first: number, now: number): number {
  const before = windows.find(length => {
    const time = now - length > first ? nextRun(calendar, now - length) : first;
    return time !== undefined && time <= now;
  });
  const from = before === undefined ? first : Math.max(first, now - before);
  let last = first;
  for (let time = nextRun(calendar, from - 1); time !== undefined && time <= now; time = nextRun(calendar, time))
    last = Math.max(last, time);
  return last;
}

/**
 * The time at which a schedule is looked at next: that of its next run, of the daily line of its
 * channel, or of the daily look at its approval.
 */
export function dueTimeOfSchedule(
  { plannedAt, tells, zone, runsAs }: Pick<Schedule, 'plannedAt' | 'tells' | 'zone' | 'runsAs'>,
  now: number,
): number | null {
  const isDaily = tells === 'failures' || runsAs === 'service';
  const daily = isDaily ? nextRun({ rhythm: { every: 'day', at: dailyAt }, zone }, now) : undefined;
  const times = [plannedAt ?? [], daily ?? []].flat();
  return times.length === 0 ? null : Math.min(...times);
}
