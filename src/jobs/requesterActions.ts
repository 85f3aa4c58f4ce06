import { randomUUID } from 'node:crypto';
import { takenBy } from '../operations/prefill/prefill.ts';
import { scheduleRequest } from '../operations/requests/scheduleRequest.ts';
import { workflowRequest } from '../operations/requests/workflowRequest.ts';
import { about, isPlan, isUnsent, type Job } from '../store/jobs/rows/job.ts';
import { actorOf } from './actor.ts';
import { advance } from './advance.ts';
import type { Clerk, Mover } from './parts.ts';
import { checking, lookAgainAtStep, stopLookingAtStep, withdrawPlan } from './plans/planActions.ts';
import { operationOf } from './request.ts';

/*
 * The acts of the person who asked for a job. Each gives a sentence for that person; `channel` is the one in which they
 * clicked.
 */

/** Looks at a job's records at once. This works, too, for a job that ended without a sign of its success. */
export async function lookAgain(parts: Mover, job: Job, channel = job.channel): Promise<string> {
  if (isPlan(job)) return lookAgainAtStep(parts, job, channel);
  if (job.state === 'running' && job.hold === 'sign-in')
    return job.runsAs === 'service'
      ? 'I cannot look until the service account can sign in again. I keep trying that by myself.'
      : 'I cannot look until you sign in again.';
  const moved = await advance(parts, job, { type: 'lookedAgain', by: await actorOf(parts, job, channel) });
  if (!moved) return over(job);
  return `${checking(job.state === 'running')}.`;
}

/** Gives up looking for the proof of a running job. */
export async function stopLooking(parts: Mover, job: Job, channel = job.channel): Promise<string> {
  if (isPlan(job)) return stopLookingAtStep(parts, job, channel);
  const moved = await advance(parts, job, { type: 'stoppedLooking', by: await actorOf(parts, job, channel) });
  return moved ? 'I stopped checking. The service may still be working on it.' : over(job);
}

/** Withdraws a job that was not sent yet, or what is left of a plan. */
export async function withdraw(parts: Mover & Clerk, job: Job, channel = job.channel): Promise<string> {
  const { jobs, audit, clock } = parts;
  const by = await actorOf(parts, job, channel);
  // The job may change at this moment. As long as it was not sent, it can still be withdrawn.
  for (let current = await jobs.find(job.id); current && isUnsent(current); current = await jobs.find(job.id))
    if (await advance(parts, current, { type: 'withdrawn', by })) return 'Withdrawn. Nothing was sent.';
  const now = await jobs.find(job.id);
  if (now?.state === 'running' && isPlan(now)) return withdrawPlan(parts, now, channel);
  await audit.add({ ...about(job), ...by, at: clock.now(), event: 'refused', detail: 'withdraw: too late' });
  return 'It is too late to withdraw this: it was already sent, or has ended.';
}

/**
 * Makes the same request again without a form, after an approval that expired or became void. A second click finds the
 * job that the first one made.
 */
export async function askAnew(parts: Mover, job: Job, channel = job.channel): Promise<string> {
  const { jobs, clock } = parts;
  if (job.state !== 'void' && job.state !== 'expired') return over(job);
  // Its schedule is paused since, and asks for what it is then.
  if (job.operation === scheduleRequest.name) return 'Resume the schedule to ask again.';
  if (job.operation === workflowRequest.name) return 'Allow the workflow in Home to ask again.';
  const { id, team, person, operation, values, labels, target, targetName, thread, purpose, steps } = job;
  // Of a void one, its person was told what the record was and is.
  const asShown = job.state === 'expired' ? job.asShown : undefined;
  const place = { channel: job.channel, thread };
  const takes = takenBy(operationOf(job), values);
  const request = {
    team,
    person,
    operation,
    values,
    labels,
    target,
    targetName,
    ...place,
    purpose,
    steps,
    takes,
    asShown,
  };
  const requestKey = JSON.stringify([team, person, 'anew', id]);
  const by = await actorOf(parts, job, channel);
  const { isNew } = await jobs.add({ ...request, id: randomUUID(), requestKey, createdAt: clock.now() }, by);
  return isNew ? 'I’ll ask again.' : 'You have already asked again.';
}

function over(job: Job): string {
  return job.state === 'succeeded' ? 'This is already done.' : 'This has already ended.';
}
