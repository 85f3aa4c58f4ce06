import { Failure, isSignedOut, sentence } from '../../../ground/failure.ts';
import type { Loop } from '../../../ground/loop.ts';
import { readerOf } from '../../../jobs/approval/policy/mayUseAccount.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import { type LookMoment, type NextOf, type ThingWorker, workOnThings } from '../../../jobs/workOnThings.ts';
import { momentIn } from '../../../slack/blocks/moments.ts';
import { runnerOf } from '../../../store/jobs/rows/job.ts';
import { accountOwner } from '../../../store/serviceOwner.ts';
import { subscriptionId, subscriptions } from '../../../store/tables/alerts/alertRows.ts';
import { signInOf } from '../../../store/things/kind.ts';
import { dayThreadIn } from '../dayThread.ts';
import type { ScheduleKeeper } from '../mayAct.ts';
import { type Schedule, type ScheduleStep, schedules } from '../schedule.ts';
import { dailyLines, noticesOf, toChannel } from '../scheduleNotice.ts';
import { isOverdue, noReports } from '../scheduleRules.ts';
import { askForMore } from './askForMore.ts';
import { lookBeforeRun, placesOfApprovers } from './lookBeforeRun.ts';
import { isForEnvironment, type MembersOfRun, membersOf } from './membersOfRun.ts';
import { type DueRun, dueTimeOfSchedule, type NextOfSchedule, nextOfSchedule } from './nextOfSchedule.ts';
import { renewApproval } from './scheduleLapse.ts';
import { jobOfRun, lastRunOf, requestOfRun, runIdOf } from './scheduleRun.ts';
import { type ScheduleStepFacts, stepOfSchedule } from './scheduleSteps.ts';
import { isToldByAlerts, tellFailing, wasToldByAlerts } from './tellFailing.ts';

/** Looks at schedules, and at what their runs are about. */
export type ScheduleLooker = ScheduleKeeper &
  Parts<'outbox' | 'approvalChannel' | 'log' | 'sights' | 'standingOf' | 'reportOn'>;

/**
 * Does what is due about schedules: begins their runs, leaves runs out, pauses, and tells the line of a day. The record
 * of a target is read only then, with the sign-in of the run, so a schedule at rest costs nothing.
 */
export function workOnSchedules(worker: ThingWorker, parts: ScheduleLooker): Loop {
  const addDailyLine = dailyLines(parts);
  return workOnThings(worker, {
    kind: schedules,
    // The rules of a zone may have changed since a process computed the next times.
    begin: (queue, now) => queue.recallAll(now),
    runner: runnerOf,
    async look(schedule, at) {
      try {
        await addDailyLine(schedule, at.now);
        return await look(parts, schedule, at);
      } catch (error) {
        await tellUnasked(parts, schedule, { error, now: at.now });
        throw error;
      }
    },
    next: (schedule, { now, sight }) => (schedule.state === 'on' ? nextWith(schedule, sight, now) : { rest: null }),
  });
}

/**
 * All that the step of a schedule follows from, a step that comes before it, or the news that the sign-in is there for which
 * it waited.
 */
type ScheduleLook = ScheduleStepFacts | Readonly<{ first: ScheduleStep }> | 'signed in';

function nextWith(schedule: Schedule, sight: ScheduleLook | undefined, now: number): NextOf<typeof schedules> {
  if (sight === undefined) return 'look';
  if (sight !== 'signed in' && 'first' in sight) return sight.first;
  if (sight !== 'signed in') return restOf(sight) ?? stepOfSchedule(sight);
  const isOwner = schedule.waitsFor === signInOf(schedule);
  const { leftAt, plannedAt, zone } = schedule;
  const left =
    leftAt == null || plannedAt === null ? [] : [`I skipped what was due before ${momentIn(zone, plannedAt)}.`];
  const outcome = [isOwner ? 'You are signed in again.' : 'It goes on.', ...left].join(' ');
  return { changes: { reason: null, waitsFor: null }, dueAt: now, closed: [{ outcome }] };
}

/**
 * Says that runs cannot be asked for: once a day for all schedules of a channel. Where alerts are on, they tell that the
 * service is away.
 */
async function tellUnasked(
  { things, outbox }: ScheduleLooker,
  schedule: Schedule,
  { error, now }: Readonly<{ error: unknown; now: number }>,
): Promise<void> {
  const { team, channel, plannedAt, state } = schedule;
  if (!(error instanceof Failure) || state !== 'on' || !isOverdue(plannedAt, now)) return;
  const alerts = await things.find(subscriptions, subscriptionId(team, channel));
  if (alerts?.state === 'on') return;
  const notices = noticesOf(schedule, 'unasked', toChannel(schedule), { now, why: error.message, plannedAt });
  const id = JSON.stringify(['unasked', team, channel, new Date(plannedAt).toISOString().slice(0, 10)]);
  await outbox.add(notices.map(notice => ({ ...notice, id })));
}

/** The rest of a schedule about which nothing is to be written; `undefined` where something is. */
function restOf({ schedule, next, now }: ScheduleStepFacts): { rest: number | null } | undefined {
  if (next.type === 'wait') return next.nextAt === schedule.plannedAt ? { rest: next.dueAt } : undefined;
  // It waits for the same sign-in as before, for the same run.
  const isSame = next.type === 'signed out' && !next.isNews && next.run.plannedAt === schedule.plannedAt;
  return isSame ? { rest: dueTimeOfSchedule({ ...schedule, plannedAt: next.run.nextAt }, now) } : undefined;
}

/** Looks at what is due. It looks at the target only where a run would follow, and makes the run of a report. */
async function look(
  parts: ScheduleLooker,
  schedule: Schedule,
  { now, session }: Pick<LookMoment, 'now' | 'session'>,
): Promise<ScheduleLook> {
  if (await isSignedInAgain(parts, schedule)) return 'signed in';
  const first = (await tellFailing(parts, schedule, now)) ?? (await renewApproval(parts, schedule, { now, session }));
  if (first) return { first };
  const next = await seeNext(parts, schedule, { now, session });
  const hasLeft = next.type === 'pause' && next.what === 'owner left';
  const approvers = hasLeft ? await placesOfApprovers(parts, schedule) : [];
  const isLeft = next.type === 'skip' || next.type === 'missed';
  const isForAlerts = isLeft && (await isToldByAlerts(parts, schedule));
  const isUntold = next.type === 'run' && schedule.isLeftUntold === true && !(await wasToldByAlerts(parts, schedule));
  const facts = { schedule, next, now, approvers, isForAlerts, isUntold, signIn: runnerOf(schedule) };
  if (next.type !== 'run') return facts;
  const about = { team: schedule.team, channel: schedule.channel, record: schedule.target };
  const standing = await parts.standingOf({ ...about, environment: next.place, at: now });
  if (standing?.withoutRuns)
    return { ...facts, next: { type: 'skip', run: next.run, isTold: true, why: 'its environment is in maintenance' } };
  const { plannedAt } = next.run;
  if (schedule.kind === 'report') return reportWith(parts, { ...facts, next });
  const named = { ...schedule, targetName: next.target?.targetName ?? schedule.targetName };
  const members = isForEnvironment(schedule) ? await membersOf(parts, schedule, await session()) : undefined;
  const asking = members && askForMore(schedule, members, now);
  if (asking) return { first: asking };
  if (members && members.steps.length === 0)
    return { ...facts, next: emptyRun(next.run, members), isForAlerts: await isToldByAlerts(parts, schedule), members };
  const opened = schedule.tells === 'failures' ? undefined : await dayThreadIn(parts, about, { now });
  const more = { steps: members?.steps, thread: opened?.ts ?? undefined };
  const job = jobOfRun(named, requestOfRun(schedule, plannedAt), now, more);
  return 'fault' in job
    ? { ...facts, next: { type: 'pause', what: 'paused', why: job.fault } }
    : { ...facts, job, members };
}

/** A run for an environment of which everything is under way still, or on which there is nothing to run for. */
function emptyRun(run: DueRun, { hanging }: MembersOfRun) {
  const none = { why: 'the records show none of its databases on it' };
  return { type: 'skip', run, isTold: false, ...(Object.keys(hanging).length > 0 ? {} : none) } as const;
}

/** Whether the sign-in is there again for which a schedule waits. */
async function isSignedInAgain({ credentials }: Parts<'credentials'>, { team, person, waitsFor }: Schedule) {
  if (waitsFor === null) return false;
  const owner = [{ team, person }, accountOwner(team)].find(one => signInOf(one) === waitsFor);
  return owner !== undefined && (await credentials.find(owner)) !== undefined;
}

async function seeNext(
  parts: Judge & Parts<'jobs' | 'account'>,
  schedule: Schedule,
  { now, session }: Pick<LookMoment, 'now' | 'session'>,
): Promise<Exclude<NextOfSchedule, { type: 'look' }>> {
  // What still hangs of the run before is left out of this one (membersOfRun.ts).
  const last = isForEnvironment(schedule) ? ({ type: 'none' } as const) : await lastRunOf(parts, schedule);
  const facts = { schedule, last, now };
  const next = nextOfSchedule(facts);
  if (next.type !== 'look') return next;
  const isDone = await isRunBefore(parts, schedule, next.run.plannedAt);
  const sight = isDone ? undefined : await lookBeforeRun(parts, schedule, await session());
  const seen = nextOfSchedule({ ...facts, isDone, sight });
  if (seen.type === 'look') throw new Error(`the schedule ${schedule.id} was not looked at`);
  return seen;
}

/** Whether a time was run before: a clock that is set back comes to it again. */
async function isRunBefore({ jobs }: Parts<'jobs'>, schedule: Schedule, plannedAt: number): Promise<boolean> {
  if (schedule.lastAt === plannedAt) return true;
  return (await jobs.find(runIdOf(schedule, requestOfRun(schedule, plannedAt)))) !== undefined;
}

/** Runs a report. One that cannot be read without a sign-in waits for that. */
async function reportWith(
  parts: Judge & Parts<'account' | 'reportOn'>,
  facts: ScheduleStepFacts & Readonly<{ next: Extract<NextOfSchedule, { type: 'run' }> }>,
): Promise<ScheduleStepFacts> {
  const { schedule, next } = facts;
  const { run } = next;
  try {
    const report = await parts.reportOn({ ...schedule, plannedAt: run.plannedAt });
    return report ? { ...facts, report } : { ...facts, next: { type: 'pause', what: 'paused', why: noReports } };
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    const waits = { type: 'signed out', run, why: sentence(error), isNews: schedule.reason === null } as const;
    return { ...facts, next: waits, signIn: await readerOf(parts, schedule) };
  }
}
