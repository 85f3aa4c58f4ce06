import { type Job, runnerOf } from '../store/jobs/rows/job.ts';
import { transitionOf } from './machine/machine.ts';
import type { EventType, JobEvent } from './machine/transitions.ts';
import type { Mover } from './parts.ts';

/**
 * Takes the step of a job that follows from an event. Gives the changed job, or `undefined` where the event comes too
 * late: it does not apply to the job's state, or another process changed that state meanwhile. With `applyAlong`, the
 * store may write it together with the steps of other jobs.
 */
export async function advance<Type extends EventType>(
  parts: Mover,
  job: Job,
  event: JobEvent<Type>,
  how: 'apply' | 'applyAlong' = 'apply',
): Promise<Job | undefined> {
  const { jobs, credentials, clock, tell } = parts;
  const now = clock.now();
  const transition = transitionOf(job, event, now);
  const next = transition && (await jobs[how](job, transition, now));
  // The person may have signed in anew while the old token was being refused, when no job was waiting for that yet. The
  // service account signs in here.
  const runner = runnerOf(job);
  if (next && event.type === 'signedOut' && (await credentials.find(runner))) await jobs.resume(runner, now);
  if (next && transition?.news) tell();
  return next;
}
