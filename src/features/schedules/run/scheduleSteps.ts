import { givenAsOf } from '../../../jobs/approval/standingApproval.ts';
import type { MadeReport } from '../../../jobs/report.ts';
import { writeMinute } from '../../../operations/requests/keepFor.ts';
import type { NewJob } from '../../../store/jobs/rows/job.ts';
import { signInOf } from '../../../store/things/kind.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Schedule, ScheduleStep } from '../schedule.ts';
import { type NoticePlaces, noticesOf, pausedStep, toChannel, toOwner } from '../scheduleNotice.ts';
import { countedRun } from './afterRun.ts';
import { type MembersOfRun, noticesOfMembers } from './membersOfRun.ts';
import { type DueRun, dueTimeOfSchedule, type NextOfSchedule } from './nextOfSchedule.ts';

/**
 * All that the step of a schedule is made from; `job` is the job of its run, `report` the run of a report, `signIn` the
 * owner of the sign-in that it needs, and `approvers` get what was for an owner who has left.
 */
export type ScheduleStepFacts = Readonly<{
  schedule: Schedule;
  next: Exclude<NextOfSchedule, { type: 'look' }>;
  now: number;
  approvers: NoticePlaces;
  /** Whether it is for an incident to tell of a run that is left out. */
  isForAlerts?: boolean;
  /** At a run: whether one was left out before it, of which nobody was told. */
  isUntold?: boolean;
  signIn: Owner;
  job?: NewJob | undefined;
  report?: MadeReport | undefined;
  members?: MembersOfRun | undefined;
}>;

/** Turns what is due about a schedule into its step: its row, its job, its messages, and its entry in the trail. */
export function stepOfSchedule(facts: ScheduleStepFacts): ScheduleStep {
  const { schedule, next, now } = facts;
  switch (next.type) {
    case 'wait':
      return { changes: { plannedAt: next.nextAt }, dueAt: next.dueAt };
    case 'run':
      return runStep(facts, next.run);
    case 'missed': {
      const { plannedAt, since, nextAt } = next.run;
      // Whoever waits for a sign-in was told of that already.
      const isTold = facts.isForAlerts || schedule.reason !== null;
      return {
        ...leftOut(facts, next.run),
        trail: { event: 'run missed', detail: moments(since, plannedAt) },
        notices: noticesOf(schedule, 'missed', isTold ? [] : toChannel(schedule), { now, plannedAt, since, nextAt }),
      };
    }
    case 'skip': {
      const { plannedAt, nextAt } = next.run;
      const { why } = next;
      const isTold = facts.isForAlerts || next.isTold;
      const detail = `${writeMinute(plannedAt)}: ${why ?? 'the run before is still under way'}`;
      return {
        ...leftOut(facts, next.run),
        trail: { event: 'run skipped', detail },
        notices: noticesOf(schedule, 'skipped', isTold ? [] : toChannel(schedule), { now, why, plannedAt, nextAt }),
      };
    }
    case 'signed out': {
      const { run, why, isNews } = next;
      const { plannedAt } = run;
      return {
        // The run is still due: a sign-in makes up for it, as long as it is not too late. It replaces an earlier one.
        ...goesOn(schedule, run, now),
        changes: {
          ...{ plannedAt, reason: why, waitsFor: signInOf(facts.signIn) },
          ...(run.since < plannedAt ? { leftAt: run.since } : {}),
        },
        trail: { event: 'run waits', detail: `${writeMinute(plannedAt)}: ${why}` },
        notices: noticesOf(schedule, 'signed out', isNews ? toOwner(schedule) : [], {
          now,
          why,
          plannedAt,
          nextAt: run.nextAt,
        }),
      };
    }
    case 'pause': {
      const { what, why } = next;
      return pausedStep(schedule, why, {
        now,
        what,
        ...(what === 'owner left' ? { to: facts.approvers } : {}),
      });
    }
  }
}

/** The step of a run. The job counts its end by itself; a report is over at once. */
function runStep({ schedule, now, job, report, members, isUntold }: ScheduleStepFacts, run: DueRun): ScheduleStep {
  const { plannedAt, since, nextAt } = run;
  const left = { plannedAt: schedule.leftAt, since: schedule.leftAt };
  const isLate = since < plannedAt;
  const counted = report && countedRun({ ...schedule, lastOutcome: null }, { id: null, state: report.outcome }, now);
  const { changes, dueAt } = goesOn(schedule, run, now);
  return {
    changes: {
      ...{ ...changes, lastAt: plannedAt, leftAt: null, isLeftUntold: null, reason: null, waitsFor: null },
      approvedAt: givenAsOf(schedule.approvedAt, now),
      ...(job ? { lastJob: job.id, lastOutcome: null } : {}),
      ...(members ? { members: members.known, above: members.above } : {}),
      ...counted?.changes,
    },
    dueAt: counted?.dueAt === undefined ? dueAt : counted.dueAt,
    closed: counted?.closed ?? (schedule.reason === null ? [] : [{ outcome: 'It goes on.' }]),
    trail: counted?.trail ?? {
      event: 'run begun',
      detail: isLate ? `${writeMinute(plannedAt)}, for all since ${writeMinute(since)}` : writeMinute(plannedAt),
      ...(job ? { job: job.id } : {}),
    },
    job: job && { job },
    notices: [
      ...noticesOf(schedule, 'missed', isUntold ? toChannel(schedule) : [], { now, ...left, nextAt }),
      ...(report?.notices ?? []),
      ...(counted?.notices ?? []),
      ...(members ? noticesOfMembers(schedule, members, now) : []),
    ],
  };
}

/** The part of a step by which a schedule goes on at its next time. */
function goesOn(schedule: Schedule, { nextAt: plannedAt }: DueRun, now: number) {
  return { changes: { plannedAt }, dueAt: dueTimeOfSchedule({ ...schedule, plannedAt }, now) };
}

/** The same where the run is left out. A run before that waits for a sign-in tells of itself alone; maintenance was declared. */
function leftOut({ schedule, now, isForAlerts, next }: ScheduleStepFacts, run: DueRun) {
  const { changes, dueAt } = goesOn(schedule, run, now);
  const isLeftUntold = isForAlerts || (next.type === 'skip' && next.isTold && next.why === undefined);
  return { changes: { ...changes, leftAt: run.plannedAt, isLeftUntold }, dueAt };
}

function moments(since: number, until: number): string {
  return since === until ? writeMinute(since) : `${writeMinute(since)} to ${writeMinute(until)}`;
}
