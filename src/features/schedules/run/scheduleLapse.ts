import { day } from '../../../ground/durations.ts';
import { dolly } from '../../../jobs/actor.ts';
import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { isOfOtherUser, timeOfPermission, withdrawRequest } from '../../../jobs/approval/standingApproval.ts';
import type { Judge, Mover, Parts } from '../../../jobs/parts.ts';
import type { LookMoment } from '../../../jobs/workOnThings.ts';
import { hasEnded, type NewJob } from '../../../store/jobs/rows/job.ts';
import type { NewNotice } from '../../../store/tables/outboxRows.ts';
import type { Owner } from '../../../store/vault.ts';
import { hasChanged } from '../mayAct.ts';
import { atRest, type Schedule, type ScheduleStep, schedules, unapproved } from '../schedule.ts';
import { requestOfSchedule, withRemark } from '../scheduleApproval.ts';
import { lastDaily, noticesOf, pausedStep, toOwner } from '../scheduleNotice.ts';
import { digestOfSchedule, isApprovedSchedule, onlyBacksUp } from '../scheduleRules.ts';
import { lookBeforeRun, placesOfApprovers } from './lookBeforeRun.ts';
import { ownerHasLeft, type ScheduleSight } from './nextOfSchedule.ts';
import { differenceOfTarget } from './scheduleTarget.ts';

/*
 * The end of the approval of a schedule that runs with the service account. Those who approve are asked anew once before
 * it. Past it, backups go on and are asked for each day, since no database is to be without one for a missing click; all
 * else waits.
 */

/** The step by which the approval of a schedule is asked for anew, or by which it ends; `undefined` where neither is due. */
export async function renewApproval(
  parts: Judge & Parts<'account' | 'jobs' | 'approvalChannel'>,
  schedule: Schedule,
  { now, session }: Pick<LookMoment, 'now' | 'session'>,
): Promise<ScheduleStep | undefined> {
  const lapse = lapseOf(parts.policy, schedule, now);
  if (!lapse) return undefined;
  const isOpen = await isRequestOpen(parts, schedule, now);
  const remark = `It already runs this way, with an approval until ${new Date(lapse.end).toISOString().slice(0, 10)}.`;
  const asked = isOpen ? undefined : requestOfSchedule(withRemark(schedule, remark), schedule.revision, now);
  // Nobody is asked for what would not run anyway: the run itself tells why.
  const unfit = faultOfSight(schedule, await lookBeforeRun(parts, schedule, await session()));
  const fault = unfit ?? (asked && 'fault' in asked ? asked.fault : undefined);
  if (fault !== undefined)
    return lapse.stops ? unapprovedStep(schedule, `Its approval has ended. ${fault}`, now) : undefined;
  const to = [...toOwner(schedule), ...(await placesOfApprovers(parts, schedule))];
  return stepOfLapse(schedule, lapse, { now, asked: asked && 'id' in asked ? asked : undefined, to });
}

/** What is due about an approval: it is asked for anew, past its end or before it, or what rests on it `stops`. */
type Lapse = Readonly<{ end: number; isOver: boolean; stops: boolean }>;

function lapseOf(policy: Policy, schedule: Schedule, now: number): Lapse | undefined {
  if (schedule.state !== 'on' || !needsApproval(schedule) || !isApprovedSchedule(schedule)) return undefined;
  const { stands, end } = timeOfPermission(policy, schedule.approvedAt, now);
  if (stands === 'holds') return undefined;
  const isOver = stands === 'over';
  const stops = isOver && !onlyBacksUp(schedule);
  return !stops && wasAsked(schedule, isOver ? end : undefined, now) ? undefined : { end, isOver, stops };
}

/** A request tells by itself; where it is open for days, each further day past the end has a message of its own. */
function stepOfLapse(
  schedule: Schedule,
  { end, isOver, stops }: Lapse,
  { now, asked: job, to }: Readonly<{ now: number; asked: NewJob | undefined; to: readonly NewNotice['to'][] }>,
): ScheduleStep {
  return {
    changes: {
      askedAt: now,
      ...(job ? { request: job.id, digest: digestOfSchedule(schedule), asks: null } : {}),
      ...(stops ? { ...atRest('waiting', null), approvedBy: [], approvedAt: null } : {}),
    },
    dueAt: stops ? null : now,
    trail: {
      event: stops ? 'approval over' : 'approval asked again',
      detail: `it ends ${new Date(end).toISOString()}`,
    },
    job: job && { job },
    notices: noticesOf(schedule, 'lapsed', isOver && !stops && !job ? to : [], { now }),
  };
}

/** Whether a schedule rests on the word of those who approve. A report has been subscribed by one of them. */
function needsApproval({ runsAs, kind }: Schedule): boolean {
  return runsAs === 'service' && kind === 'job';
}

/** Whether they were asked since the approval, or, past its end, since the last nine o’clock. */
function wasAsked({ askedAt, approvedAt, zone }: Schedule, end: number | undefined, now: number): boolean {
  const from = end === undefined ? (approvedAt ?? 0) : Math.max(end, lastDaily(zone, now));
  return askedAt != null && askedAt >= from;
}

/** Whether a request is open for so long that another one would ask the same people twice. */
async function isRequestOpen({ jobs }: Parts<'jobs'>, { request }: Schedule, now: number): Promise<boolean> {
  const job = request === null ? undefined : await jobs.find(request);
  if (!job || job.state === 'unreadable') return job !== undefined;
  return !hasEnded(job) && (job.state !== 'awaiting' || job.approval.expiresAt > now + day / 2);
}

/** Says why a run would not begin; `undefined` where it would. */
function faultOfSight(schedule: Schedule, sight: ScheduleSight): string | undefined {
  if (sight.type === 'left') return ownerHasLeft;
  if (sight.type !== 'ready') return sight.why;
  return sight.target && differenceOfTarget(schedule, sight.target);
}

const unapprovedStep = (schedule: Schedule, why: string, now: number) =>
  pausedStep(schedule, why, { now, changes: unapproved });

/** Ends the approvals of a person’s schedules who signs in as another user: they were asked for as the first one. */
export async function endApprovalsOfOthers(parts: Mover & Parts<'things'>, { team, person }: Owner, login: string) {
  const now = parts.clock.now();
  const own = await parts.things.list(schedules, { team, person });
  for (const found of own.filter(one => needsApproval(one) && isOfOtherUser(one, login))) {
    const why = `You asked for it as ${found.login}, and are now signed in as ${login}. The approvers must be asked again.`;
    const end = (one?: Schedule) => {
      if (!one || one.state === 'deleted' || !isOfOtherUser(one, login)) return undefined;
      return one.state === 'paused' ? { changes: unapproved } : unapprovedStep(one, why, now);
    };
    await parts.things.act(schedules, found.id, end, now);
    await withdrawRequest(parts, found, dolly, hasChanged);
  }
}
