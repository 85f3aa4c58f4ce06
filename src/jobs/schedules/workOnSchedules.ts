import pLimit from 'p-limit';
import { thisMoment, wasSetSince } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import type { Session } from '../../records/records.ts';
import type { Schedule, ScheduleStep } from '../../store/tables/scheduleRows.ts';
import type { Parts } from '../parts.ts';
import { runReport } from '../protection/runReport.ts';
import { addDailyLine } from './dailyLine.ts';
import { lookBeforeRun, placesOf, runnerOfSchedule } from './lookBeforeRun.ts';
import {
  dueTimeOfSchedule,
  type NextOfSchedule,
  nextOfSchedule,
  pauseOfSchedule,
  type ScheduleFacts,
} from './nextOfSchedule.ts';
import { jobOfRun, lastRunOf, requestOfRun, runIdOf } from './scheduleRun.ts';
import { type ScheduleStepFacts, stepOfSchedule } from './scheduleSteps.ts';

/** Max schedules that one turn takes, and max sign-ins whose records are read at once. */
const maxAtOnce = 100;
const readersAtOnce = 8;
/** The time between two looks whether the app is installed again for the team of a schedule, in milliseconds. */
const restTime = 10 * minute;

/** The parts for the work on schedules; `changed` is called with each schedule that changed. */
type ScheduleParts = Parts & Readonly<{ wake(): void; changed(schedule: Schedule): Promise<void> }>;

/**
 * Does what is due about schedules: begins their runs, leaves runs out, pauses, and tells the line of a day. The record
 * of a target is read only then, with the sign-in of the run, so a schedule at rest costs nothing.
 */
export function workOnSchedules(parts: ScheduleParts): Loop {
  const { schedules, clock, log } = parts;
  const inHand = new Set<string>();
  const renewLocks = lockRenewal(clock, until => schedules.renew([...inHand], until));
  const inTurn = pLimit(readersAtOnce);
  const recall = recallOf(parts);
  const workOn = async (some: readonly Schedule[]) => {
    try {
      const session = sessionOf(parts, some);
      for (const schedule of some) await takeStep(parts, schedule, session);
    } catch (error) {
      log.error({ error, schedules: some.map(({ id }) => id) }, 'schedules could not be worked on');
    } finally {
      for (const { id } of some) inHand.delete(id);
    }
  };
  return startLoop(clock, {
    async turn(run, isPoll) {
      await recall();
      const now = clock.now();
      await renewLocks();
      if (isPoll) {
        const next = await schedules.nextTime(now);
        if (next === undefined || next > now) return next;
      }
      const due = await schedules.take(now, lockTime, maxAtOnce - Math.min(inHand.size, maxAtOnce - 1));
      for (const { id } of due) inHand.add(id);
      for (const some of Map.groupBy(due, one => JSON.stringify(runnerOfSchedule(one))).values())
        run(inTurn(() => workOn(some)));
      return due.length >= maxAtOnce ? now : schedules.nextTime(now);
    },
    failed: (error, times) => log.error({ error, times }, 'the list of due schedules could not be read'),
  });
}

/**
 * Makes all schedules due at the start, and when the time of day was set: the next times of a clock that went wrong, or
 * of the rules of a zone that changed, are computed anew.
 */
function recallOf({ schedules, clock }: Parts): () => Promise<void> {
  let before: ReturnType<typeof thisMoment> | undefined;
  return async () => {
    const moment = thisMoment(clock);
    if (!before || wasSetSince(clock, before)) await schedules.recall(moment.now);
    before = moment;
  };
}

/** The session of a sign-in, opened when the first of its schedules needs it: it reads each list once for all of them. */
function sessionOf({ records }: Parts, some: readonly Schedule[]): () => Promise<Session | undefined> {
  let session: Promise<Session | undefined> | undefined;
  return () => {
    const [first] = some;
    session ??= first ? records.session(runnerOfSchedule(first), { jobs: some.length }) : Promise.resolve(undefined);
    return session;
  };
}

async function takeStep(
  parts: ScheduleParts,
  schedule: Schedule,
  session: () => Promise<Session | undefined>,
): Promise<void> {
  const { schedules, clock, log } = parts;
  // All of the step is made from one moment: what falls due while it is made is found at the next turn.
  const now = clock.now();
  try {
    // Nobody there could be told of a run. Once the app is installed again, it goes on as after a stop of Dolly.
    if (await parts.hasLeft(schedule.team)) return await schedules.putOff(schedule, now + restTime, false);
    if (schedule.state === 'on' && (await addDailyLine(parts, schedule, now))) parts.tell();
    const last = await lastRunOf(parts, schedule);
    const next = await nextStep(parts, { schedule, last, now }, session);
    const rest = restOf(schedule, next, now);
    if (rest !== undefined) return await schedules.putOff(schedule, rest, false);
    await write(parts, schedule, await stepWith(parts, schedule, next, now));
  } catch (error) {
    log.warn({ error, schedule: schedule.id }, 'a schedule could not be worked on, and is put off');
    await schedules.putOff(schedule, clock.now() + pauseOfSchedule(schedule.tries), true);
  }
}

/** The time until which nothing is to be written about a schedule; `undefined` where something is. */
function restOf(schedule: Schedule, next: NextOfSchedule, now: number): number | null | undefined {
  if (next.type === 'wait') return next.nextAt === schedule.nextAt ? next.dueAt : undefined;
  // It waits for the same sign-in as before, for the same run.
  const isSame = next.type === 'signed out' && !next.isNews && next.run.plannedAt === schedule.nextAt;
  return isSame ? dueTimeOfSchedule({ ...schedule, nextAt: next.run.nextAt }, now) : undefined;
}

/** Says what is due. It looks at the target only where a run would follow. */
async function nextStep(
  parts: Parts,
  facts: Pick<ScheduleFacts, 'schedule' | 'last' | 'now'>,
  session: () => Promise<Session | undefined>,
): Promise<Exclude<NextOfSchedule, { type: 'look' }>> {
  const { schedule } = facts;
  const next = nextOfSchedule(facts);
  if (next.type !== 'look') return next;
  const isDone = await isRunBefore(parts, schedule, next.run.plannedAt);
  const sight = isDone ? undefined : await lookBeforeRun(parts, schedule, await session());
  const seen = nextOfSchedule({ ...facts, isDone, sight });
  if (seen.type === 'look') throw new Error(`the schedule ${schedule.id} was not looked at`);
  return seen;
}

/** Whether a time was run before: a clock that is set back comes to it again. */
async function isRunBefore({ jobs }: Parts, schedule: Schedule, plannedAt: number): Promise<boolean> {
  if (schedule.lastAt === plannedAt) return true;
  return (await jobs.find(runIdOf(schedule, requestOfRun(schedule, plannedAt)))) !== undefined;
}

async function stepWith(
  parts: Parts,
  schedule: Schedule,
  next: Exclude<NextOfSchedule, { type: 'look' }>,
  now: number,
): Promise<ScheduleStep> {
  const to = await placesOf(parts, schedule, next.type === 'pause');
  if (next.type !== 'run') return stepOfSchedule({ schedule, next, now, to });
  const { plannedAt } = next.run;
  if (schedule.kind === 'report') return stepWithReport(parts, schedule, { next, now, to });
  const named = { ...schedule, targetName: next.target?.targetName ?? schedule.targetName };
  const job = jobOfRun(named, requestOfRun(schedule, plannedAt), now);
  if ('fault' in job)
    return stepOfSchedule({ schedule, next: { type: 'pause', what: 'paused', why: job.fault }, now, to });
  return stepOfSchedule({ schedule, next, now, to, job });
}

/** Runs a report, and makes the step of that. One that cannot be read without a sign-in waits for it. */
async function stepWithReport(
  parts: Parts,
  schedule: Schedule,
  { next, now, to }: Pick<ScheduleStepFacts, 'now' | 'to'> & { next: Extract<NextOfSchedule, { type: 'run' }> },
): Promise<ScheduleStep> {
  try {
    const report = await runReport(parts, schedule, next.run.plannedAt);
    return stepOfSchedule({ schedule, next, now, to, report });
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    const { run } = next;
    const waits = { type: 'signed out', run, why: sentence(error), isNews: schedule.reason === null } as const;
    return stepOfSchedule({ schedule, next: waits, now, to });
  }
}

async function write(parts: ScheduleParts, schedule: Schedule, step: ScheduleStep): Promise<void> {
  const moved = await parts.schedules.apply(schedule, step, parts.clock.now());
  if (!moved) return;
  await parts.changed(moved);
  if ((step.notices?.length ?? 0) > 0 || step.outcome !== undefined) parts.tell();
  if (step.job) parts.wake();
}
