import { calendarFault, nextRun, type Rhythm } from '../../../ground/calendar.ts';
import type { Parts } from '../../../jobs/parts.ts';
import type { NewJob } from '../../../store/jobs/rows/job.ts';
import { atRest, type NewSchedule, type Schedule, type ScheduleStep } from '../schedule.ts';
import { requestOfSchedule } from '../scheduleApproval.ts';
import { calendarOf, digestOfSchedule, isApprovedSchedule } from '../scheduleRules.ts';
import { dueTimeOfSchedule } from './nextOfSchedule.ts';

/** The parts of a schedule that its owner may change. The work of a schedule stays: other work is another schedule. */
export type ScheduleChange = Pick<Schedule, 'zone' | 'channel' | 'tells' | 'runsAs'> & Readonly<{ rhythm: Rhythm }>;

/** How a schedule starts: its changes, when it is due, and the request where others have to approve it. */
type ScheduleStart = Readonly<{
  changes: ScheduleStep['changes'];
  dueAt: number | null;
  job: NewJob | undefined;
}>;

/**
 * Starts a schedule: it is on, or it waits and its request asks those who approve. `revision` makes the request one of
 * its own; where not all of it can be shown to them, it gives the sentence about that. A report needs no approval here, since only they may subscribe one with the service account.
 */
export function startOf(
  schedule: NewSchedule,
  revision: number,
  now: number,
): ScheduleStart | Readonly<{ fault: string }> {
  // What is above its ceiling is asked for at its next run, by what it is then.
  const forgets = { asks: null, above: null };
  const isFree = schedule.runsAs === 'owner' || schedule.kind === 'report' || isApprovedSchedule(schedule);
  if (isFree) {
    const plannedAt = nextRun(calendarOf(schedule), now) ?? null;
    const dueAt = dueTimeOfSchedule({ ...schedule, plannedAt }, now);
    return { changes: { ...forgets, state: 'on', reason: null, plannedAt, waitsFor: null }, dueAt, job: undefined };
  }
  const job = requestOfSchedule(schedule, revision, now);
  if ('fault' in job) return job;
  const asks = { request: job.id, digest: digestOfSchedule(schedule), approvedBy: [], approvedAt: null };
  return { changes: { ...forgets, ...asks, ...atRest('waiting', null) }, dueAt: null, job };
}

/** Says in one sentence why a schedule cannot run at these times, or with this sign-in; `undefined` where it can. */
export function faultOfChange(
  { account, clock }: Parts<'account' | 'clock'>,
  change: Pick<ScheduleChange, 'rhythm' | 'zone' | 'runsAs'>,
): string | undefined {
  if (change.runsAs === 'service' && !account)
    return 'No service account is set up, so this can only run with your own sign-in.';
  return calendarFault(change, clock.now());
}
