import { resumeJobs } from '../jobs/changing.ts';
import type { TakingUp } from '../tables/credentials.ts';
import { signInOf } from './kind.ts';
import { wakeWaiting } from './things.ts';

/** Makes the jobs and the things due at once that wait for a sign-in. */
export const takeUpSignedIn: TakingUp = async (changes, owner, now) => {
  await resumeJobs(changes, owner, now);
  await wakeWaiting(changes, [signInOf(owner)], now);
};
