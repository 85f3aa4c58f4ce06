import type { Button } from '@slack/types';
import { z } from 'zod';
import { operationOf } from '../../jobs/request.ts';
import { asJson, asNothing, asText, defineAction } from '../../slack/blocks/action.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/** A schedule in the revision that the message shows, so that a click on an old message changes nothing. */
const Seen = asJson(z.object({ s: z.string(), n: z.number() }));
export type SeenSchedule = Readonly<{ s: string; n: number }>;

/** The buttons of schedules. */
export const scheduleActions = {
  runNow: defineAction('schedule.run', Seen),
  pause: defineAction('schedule.pause', Seen),
  resume: defineAction('schedule.resume', Seen),
  change: defineAction('schedule.change', Seen),
  delete: defineAction('schedule.delete', Seen),
  takeOver: defineAction('schedule.take', Seen),
  /** Leaves a member out of the schedule of an environment, by its identifier. */
  leaveOut: defineAction('schedule.leaveOut', asJson(z.object({ s: z.string(), d: z.string() }))),
  /** Lets the schedule of an environment have so many members. */
  include: defineAction('schedule.include', Seen),
  /** Opens the form for what a job did. It carries the job’s id. */
  ofJob: defineAction('schedule.job', asText),
  /** Opens the form in which the work is chosen, too. */
  new: defineAction('schedule.new', asNothing),
  signIn: defineAction('schedule.signin', asText),
} as const;

/** The button of a confirmed job that lets the same run by itself, where it can, and does not already. */
export function offerSchedule(job: Job): Button | undefined {
  const isFit = job.state === 'succeeded' && job.schedule === null && operationOf(job).schedulable;
  return isFit ? scheduleActions.ofJob.button('On a schedule…', job.id) : undefined;
}
