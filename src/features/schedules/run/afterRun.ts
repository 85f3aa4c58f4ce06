import { writeOperation } from '../../../operations/catalogue.ts';
import { makesClone } from '../../../operations/operation.ts';
import { renewClone } from '../../../operations/plans/teardownAndRenew.ts';
import { scheduleRequest } from '../../../operations/requests/scheduleRequest.ts';
import type { EndedJob, JobState } from '../../../store/jobs/rows/job.ts';
import { countOfRun } from '../../../store/jobs/runCounts.ts';
import { type EndHook, type EndNews, newsFor, type ReopenHook } from '../../../store/things/endNews.ts';
import { type Schedule, type ScheduleStep, schedules } from '../schedule.ts';
import { stepAfterRequest } from '../scheduleApproval.ts';
import { pausedStep } from '../scheduleNotice.ts';
import { digestOfSchedule, isApprovedSchedule, onlyBacksUp } from '../scheduleRules.ts';
import { isForEnvironment } from './membersOfRun.ts';
import { startOf } from './scheduleStart.ts';

/** The number of failures in a row that pause a schedule. One that only backs up goes on, and they are told. */
const manyFailures = 3;

/**
 * How often the runs of a schedule on a record failed one after the other, where that is so often that it is paused, or
 * people are called; else 0.
 */
export function failuresOn({ failures, failing, target }: Schedule, record: string): number {
  const inARow = failing?.[record] ?? (target === record ? failures : 0);
  return inARow >= manyFailures ? inARow : 0;
}

/** Says what the end of a job means for schedules: a request for approval, a step of a renewal, or a run. */
export const scheduleHook: EndHook = (job, plan) => {
  const { operation, values, schedule, endedAt } = job;
  if (operation === scheduleRequest.name)
    return newsOf(String(values.schedule ?? ''), found => stepAfterRequest(found, job));
  if (job.plan !== null) {
    const made = writeOperation(operation);
    const isMade = made !== undefined && makesClone(made);
    if (!plan?.schedule) return [];
    return newsOf(plan.schedule, found => {
      if (isForEnvironment(found)) return stepAfterMember(found, job);
      return isMade ? stepAfterRenewal(found, plan.id, job) : undefined;
    });
  }
  return schedule === null ? [] : newsOf(schedule, found => stepAfterRun(found, job, endedAt));
};

/** The run of a schedule goes on after a failure that was counted: it is counted once it has ended again. */
export const scheduleReopenHook: ReopenHook = ({ id, schedule, plan, target }, was, ofPlan) => {
  const whole = plan === null ? schedule : ofPlan?.schedule;
  if (whole == null || countOfEnd(was) !== 'failed') return [];
  return newsOf(whole, found => {
    if (found.state === 'deleted') return undefined;
    if (plan === null)
      return found.lastJob === id && found.failures > 0
        ? { changes: { lastOutcome: null, failures: found.failures - 1 } }
        : undefined;
    const before = found.failing?.[target] ?? 0;
    return isForEnvironment(found) && before > 0
      ? { changes: { failing: { ...found.failing, [target]: before - 1 } } }
      : undefined;
  });
};

function newsOf(id: string, step: (found: Schedule) => ScheduleStep | undefined): readonly EndNews[] {
  return [newsFor(schedules, id, found => found && step(found))];
}

/** The end of a run as far as it counts; `state` is absent where nobody knows any more how it ended. */
type RunEnd = Readonly<{ id: string; state: JobState | undefined }>;

/** The step of a schedule whose run has ended. A run that went on after its end is not counted twice. */
export function stepAfterRun(schedule: Schedule, { id, state }: RunEnd, now: number): ScheduleStep | undefined {
  if (schedule.lastJob !== id || schedule.lastOutcome === state || schedule.state === 'deleted') return undefined;
  // Its members are counted one by one.
  if (isForEnvironment(schedule)) return { changes: { lastOutcome: state ?? unknownEnd, failures: 0 } };
  return countedRun(schedule, { id, state }, now);
}

/** The step of a schedule for an environment of which one member’s job has ended. Each has its own count. */
function stepAfterMember(
  schedule: Schedule,
  { id, target, targetName, state, endedAt: now }: EndedJob,
): ScheduleStep | undefined {
  const count = countOfEnd(state);
  const before = schedule.failing?.[target] ?? 0;
  if (schedule.state === 'deleted' || (count !== 'failed' && !(count === 'well' && before > 0))) return undefined;
  const { [target]: _, ...others } = schedule.failing ?? {};
  if (count === 'well') return { changes: { failing: others } };
  const changes = { failing: { ...others, [target]: before + 1 } };
  if (before + 1 !== manyFailures) return { changes };
  const detail = `the last ${manyFailures} runs of ${targetName ?? target} failed.`;
  const trail = { event: 'schedule failing', detail, job: id };
  return { changes: { ...changes, untold: [...(schedule.untold ?? []), target] }, dueAt: now, trail };
}

/** Counts a run that has ended; that of a report has no job. */
export function countedRun(
  schedule: Schedule,
  { id, state }: Readonly<{ id: string | null; state: JobState | undefined }>,
  now: number,
): ScheduleStep {
  const count = countOfEnd(state ?? unknownEnd);
  const isNew = count === 'failed' && countOfEnd(schedule.lastOutcome ?? unknownEnd) !== 'failed';
  const failures = count === 'well' ? 0 : schedule.failures + Number(isNew);
  const counted = { lastOutcome: state ?? unknownEnd, failures };
  const goesOn = onlyBacksUp(schedule);
  if (count === 'well' && goesOn && schedule.failures >= manyFailures)
    return { changes: counted, closed: [{ outcome: 'It went well again.' }] };
  if (count !== 'failed' || failures < manyFailures || schedule.state !== 'on') return { changes: counted };
  const why = `Its last ${failures} runs failed.`;
  if (!goesOn) return pausedStep(schedule, why, { now, what: 'failing', job: id, changes: counted });
  if (failures > manyFailures || !isNew) return { changes: counted };
  const trail = { event: 'schedule failing', detail: why, job: id };
  return { changes: { ...counted, untold: [schedule.target] }, dueAt: now, trail };
}

/** The outcome of a run of which nobody knows any more how it ended. */
const unknownEnd = 'unknown';

/** How an outcome counts, as the row has it. */
function countOfEnd(outcome: string): string {
  return outcome === unknownEnd ? 'none' : countOfRun(outcome);
}

/**
 * The step of a schedule whose renewal has made the clone again: that clone is its target from now on, also where it got
 * the identifier of the one before. An approval goes on for a clone that the approved run itself made; for one that a
 * click made, with the owner’s own sign-in, those who approve are asked anew.
 */
export function stepAfterRenewal(schedule: Schedule, plan: string, made: EndedJob): ScheduleStep | undefined {
  const { claimed, evidence, endedAt: now } = made;
  if (schedule.operation !== renewClone.name || schedule.lastJob !== plan || schedule.state === 'deleted')
    return undefined;
  if (claimed === null || evidence?.gone) return undefined;
  const { name, madeAt } = evidence?.id === claimed ? evidence : {};
  const targetName = name ?? schedule.targetName;
  const next = {
    ...{ target: claimed, targetName, madeAt: madeAt ?? null },
    values: { ...schedule.values, [renewClone.target]: claimed },
    labels: { ...schedule.labels, ...(targetName === null ? {} : { [claimed]: targetName }) },
  };
  const moved = { ...schedule, ...next };
  const digest = digestOfSchedule(moved);
  if (digest === digestOfSchedule(schedule)) return undefined;
  const trail = { event: 'schedule moved', detail: `from ${schedule.target} to ${claimed}`, job: made.id };
  if (made.runsAs === 'service')
    return { changes: { ...next, ...(isApprovedSchedule(schedule) ? { digest } : {}) }, trail };
  const asksAnew = schedule.state === 'on' && schedule.runsAs === 'service';
  if (!asksAnew) return { changes: next, trail };
  const start = startOf(moved, schedule.revision, now);
  if ('fault' in start)
    return { ...pausedStep(moved, start.fault, { now, changes: { ...next, digest: null } }), trail };
  const { changes, dueAt, job } = start;
  return { changes: { ...next, ...changes }, dueAt, trail, job: job && { job } };
}
