import type { JobIn } from '../store/jobs/job.ts';
import type { Parts } from './parts.ts';

/** Lets a job wait for its owner's sign-in, at the latest until `until`. */
export async function holdForSignIn(
  parts: Parts,
  job: JobIn<'new' | 'approved' | 'running'>,
  until: number | null,
): Promise<void> {
  const { jobs, credentials, clock } = parts;
  const owner = { team: job.team, person: job.person };
  const now = clock.now();
  await jobs.note(job.id, job.state, { hold: 'sign-in', dueAt: until }, job.hold !== 'sign-in', now);
  // While the old token was being refused the person may have signed in anew, and found no job to go on with.
  if (await credentials.find(owner)) await jobs.resume(owner, now);
  parts.tell();
}
