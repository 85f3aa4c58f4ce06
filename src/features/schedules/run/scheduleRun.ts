import { createHash } from 'node:crypto';
import { sayCalendar } from '../../../ground/rhythmWords.ts';
import { doesHarm } from '../../../jobs/approval/sameAsShown.ts';
import { newJob } from '../../../jobs/newJob.ts';
import type { Parts } from '../../../jobs/parts.ts';
import { requestKeyOf } from '../../../jobs/requestKey.ts';
import { isRenewal } from '../../../operations/operation.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import { planRenewal } from '../../../operations/plans/renew.ts';
import { hasEnded, type NewJob } from '../../../store/jobs/rows/job.ts';
import type { Schedule } from '../schedule.ts';
import { calendarOf, operationOfSchedule, unknownWork } from '../scheduleRules.ts';
import type { LastRun } from './nextOfSchedule.ts';

/** The request of the run at a time by the calendar: a time is run once at most, whatever the clock does. */
export function requestOfRun({ id }: Pick<Schedule, 'id'>, plannedAt: number): string {
  return JSON.stringify(['schedule', id, plannedAt]);
}

/** The id of the job of a run follows from its request, so that a second one finds the first. */
export function runIdOf(owner: Pick<Schedule, 'team' | 'person'>, request: string): string {
  const hex = createHash('sha256').update(requestKeyOf(owner, request)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * Makes the job of a run, or the plan where the operation takes several steps; `steps` are those of a batch. Gives the sentence that says why there is
 * none.
 */
export function jobOfRun(
  schedule: Schedule,
  request: string,
  now: number,
  { steps, thread }: Readonly<{ steps?: readonly PlanStep[] | undefined; thread?: string | undefined }> = {},
): NewJob | Readonly<{ fault: string }> {
  const operation = operationOfSchedule(schedule);
  if (!operation) return { fault: unknownWork };
  const { team, person, channel, values, tells, runsAs } = schedule;
  const { target, targetName } = schedule;
  const labels = { ...schedule.labels, ...(targetName === null ? {} : { [target]: targetName }) };
  const plan = isRenewal(operation) ? planRenewal(values, labels) : undefined;
  if (plan && !plan.ok) return { fault: plan.sentence };
  if (operation.type === 'plan' && !plan && !steps) return { fault: 'This operation can’t be scheduled.' };
  const purpose = `${schedule.purpose === null ? '' : `${schedule.purpose} `}It runs on its schedule: ${sayCalendar(calendarOf(schedule))}.`;
  // What does harm is done to the record that was scheduled, however long the run has to wait.
  const marks = { name: targetName ?? undefined, madeAt: schedule.madeAt ?? undefined };
  const isShown = doesHarm(operation) && (targetName !== null || schedule.madeAt !== null);
  const asked = { team, person, channel, thread, request, labels, purpose, now, steps: plan?.steps ?? steps };
  return {
    ...newJob(operation, values, { ...asked, asShown: isShown ? { [target]: marks } : undefined }),
    ...{ id: runIdOf(schedule, request), schedule: schedule.id },
    ...{ rhythm: schedule.rhythm, zone: schedule.zone },
    ...{ tells: tells === 'failures' ? tells : null, runsAs: runsAs === 'service' ? runsAs : null },
  };
}

/** Finds how the last run of a schedule stands. */
export async function lastRunOf({ jobs }: Parts<'jobs'>, { lastJob }: Schedule): Promise<LastRun> {
  if (lastJob === null) return { type: 'none' };
  const job = await jobs.find(lastJob);
  if (!job) return { type: 'ended', outcome: undefined };
  // A replica of another release works on it.
  if (job.state === 'unreadable') return { type: 'open' };
  if (hasEnded(job)) return { type: 'ended', outcome: job.state };
  return { type: job.hold === 'sign-in' ? 'held' : 'open' };
}
