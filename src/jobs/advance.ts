import type { Job } from '../store/jobs/job.ts';
import { transitionOf } from './machine/machine.ts';
import type { EventType, JobEvent } from './machine/transitions.ts';
import type { Parts } from './parts.ts';

/**
 * Takes a job the step that an event is for it. Gives the job as it is then, or `undefined` where the event comes too
 * late: the job is, or meanwhile was brought, to where the event does not apply.
 */
export async function advance<Type extends EventType>(
  parts: Pick<Parts, 'jobs' | 'credentials' | 'clock' | 'tell'>,
  job: Job,
  event: JobEvent<Type>,
): Promise<Job | undefined> {
  const { jobs, credentials, clock, tell } = parts;
  const now = clock.now();
  const transition = transitionOf(job, event, now);
  const next = transition && (await jobs.apply(job, transition, now));
  // While the old token was being refused, the person may have signed in anew, and found no job to go on with.
  if (next && event.type === 'signedOut' && (await credentials.find(job))) await jobs.resume(job, now);
  if (next && transition?.news) tell();
  return next;
}
