import { nextRuns } from '../../ground/calendar.ts';
import { sayCalendar } from '../../ground/rhythmWords.ts';
import { newSalt } from '../../jobs/approval/facts/digest.ts';
import { shownValues } from '../../jobs/approval/facts/items.ts';
import { showPermission } from '../../jobs/approval/facts/shownWhole.ts';
import { givenBy } from '../../jobs/approval/standingApproval.ts';
import { newJob } from '../../jobs/newJob.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { calledValues, fillPhrase } from '../../operations/phrases.ts';
import { writeMinute } from '../../operations/requests/keepFor.ts';
import { scheduleRequest } from '../../operations/requests/scheduleRequest.ts';
import type { EndedJob, NewJob } from '../../store/jobs/rows/job.ts';
import type { NewSchedule, Schedule, ScheduleStep } from './schedule.ts';
import { pausedStep } from './scheduleNotice.ts';
import { calendarOf, digestOfSchedule } from './scheduleRules.ts';

/*
 * Before a schedule runs with the service account, somebody else than its owner approves it: all that is run, its target,
 * its times, its channel and its owner. The request for that is a job without steps.
 */

/** The parts of a schedule that a request for approval is made from. */
type ToApprove = Omit<NewSchedule, 'state' | 'reason' | 'plannedAt' | 'waitsFor' | 'request' | 'digest'>;

/**
 * Makes the request that asks those who approve, or gives the sentence that says why there is none. It names the
 * revision, so that each change asks anew.
 */
export function requestOfSchedule(
  schedule: ToApprove,
  revision: number,
  now: number,
): NewJob | Readonly<{ fault: string }> {
  const { id, team, person, channel, target, targetName, labels, values, purpose } = schedule;
  const operation = jobOperation(schedule.operation);
  const name = targetName ?? target;
  const work = operation
    ? fillPhrase(operation.phrases.asks, { ...calledValues(values, String), name })
    : schedule.operation;
  const times = sayCalendar(calendarOf(schedule));
  const next = nextRuns(calendarOf(schedule), now).map(writeMinute).join(', ');
  const shown = showPermission(
    { Does: work, When: times },
    operation ? shownValues(operation, { values, labels }, newSalt()) : [],
  );
  if ('fault' in shown) return shown;
  return newJob(
    scheduleRequest,
    {
      ...{ [scheduleRequest.target]: target, schedule: id, digest: digestOfSchedule(schedule) },
      ...{ work, times, next, ...shown },
    },
    {
      ...{ team, person, channel, now, steps: [] },
      // Those who approve need a reason; the schedule itself is one.
      purpose: purpose ?? `It should run by itself, ${sayCalendar(calendarOf(schedule))}.`,
      request: JSON.stringify(['schedule', id, revision, 'approve']),
      labels: { ...labels, [target]: name },
    },
  );
}

/** A schedule whose request says something more about why it is asked. */
export function withRemark(schedule: Schedule, remark: string): Schedule {
  return { ...schedule, purpose: schedule.purpose === null ? remark : `${schedule.purpose} ${remark}` };
}

/**
 * The step of a schedule whose request has ended: it is on where somebody else approved exactly what it is now, else it
 * is paused and says why. One that is on asked anew before its end, or goes on past it: where nobody decided on that, it
 * stays as it is, and so it does where more members were not approved. `undefined` where it asked anew meanwhile.
 */
export function stepAfterRequest(schedule: Schedule, request: EndedJob): ScheduleStep | undefined {
  const { state, asks } = schedule;
  if (schedule.request !== request.id || (state !== 'waiting' && state !== 'on')) return undefined;
  const { endedAt: now, values } = request;
  const given = givenBy(request, schedule.person);
  const meant = asks ? { ...schedule, values: asks, digest: values.digest } : schedule;
  const isExact = values.digest === meant.digest && meant.digest === digestOfSchedule(meant);
  if ('approvedBy' in given && isExact)
    return {
      changes: {
        ...{ state: 'on', reason: null, approvedBy: given.approvedBy, approvedAt: now, login: request.login },
        ...{ values: meant.values, digest: digestOfSchedule(meant), asks: null },
        // Whoever looks before the next turn sees the next time, too.
        plannedAt: schedule.plannedAt ?? nextRuns(calendarOf(schedule), now)[0] ?? null,
      },
      dueAt: now,
      trail: { event: 'schedule approved', detail: `by ${given.approvedBy.join(', ')}`, job: request.id },
    };
  if (asks) {
    // Where nobody decided, its next run asks again.
    const forgets = request.state === 'denied' ? {} : { above: null };
    return { changes: { ...forgets, asks: null }, trail: { event: 'more not approved', job: request.id } };
  }
  if (state === 'on' && request.state !== 'denied') return undefined;
  const why =
    'why' in given
      ? `It was not approved to run with the service account. ${given.why}`
      : 'It has changed since it was approved.';
  // The message of the request itself has told that.
  return pausedStep(schedule, why, { now, to: [], job: request.id, changes: { digest: null } });
}
