import type { TrailNote } from '../../src/store/jobs/changing.ts';
import type { Job, JobChange, JobState } from '../../src/store/jobs/job.ts';
import type { Jobs } from '../../src/store/jobs/jobs.ts';

/* Steps of a job as a test of the store needs them: the store takes whatever step it is given. */

/** Moves a job to a state and tells of it. */
export function moveJob(
  jobs: Jobs,
  id: string,
  from: JobState,
  to: JobState,
  changes: JobChange,
  now: number,
  by: Partial<TrailNote> = {},
): Promise<Job | undefined> {
  return jobs.apply({ id, state: from }, { state: to, changes, trail: { event: to, ...by }, news: true }, now);
}

/** Changes a job within its state. */
export function noteJob(
  jobs: Jobs,
  id: string,
  state: JobState,
  changes: JobChange,
  news: boolean,
  now: number,
): Promise<Job | undefined> {
  return jobs.apply({ id, state }, { state, changes, news }, now);
}
