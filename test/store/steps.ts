import type { TrailNote } from '../../src/store/jobs/changing.ts';
import type { Jobs } from '../../src/store/jobs/jobs.ts';
import type { Job, JobChange, JobState } from '../../src/store/jobs/rows/job.ts';

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

/** Lets a job claim a record; `over` is the job whose claim it takes. Gives whether it has the record now. */
export async function claimFor(
  jobs: Jobs,
  { id }: Pick<Job, 'id'>,
  record: string,
  more: Readonly<{ over?: string; leaves?: string }> = {},
): Promise<boolean> {
  const claims = [{ record, sign: '', name: null, madeAt: null, over: null, ...more }];
  const step = { state: 'running', changes: { claimed: record }, news: false, claims } as const;
  return (await jobs.apply({ id, state: 'running' }, step, 0)) !== undefined;
}

/** Takes the running jobs that are due, and notes that a look showed nothing new of them. */
export async function lookInVain(jobs: Jobs, now: number, dueAt: number): Promise<void> {
  const taken = await jobs.takeDue(now, 1_000, 10);
  await jobs.noChange(taken.flatMap(job => (job.state === 'running' ? [{ job, dueAt }] : [])));
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
