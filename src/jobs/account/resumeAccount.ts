import { second } from '../../ground/durations.ts';
import { type Loop, startLoop } from '../../ground/loop.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
import type { Parts } from '../parts.ts';

/** The pause between two looks for jobs that wait, in milliseconds. A sign-in that was refused is tried less often. */
const rhythm = 10 * second;

/** Wakes the jobs that wait for the service account. */
type AccountResumer = Parts<'jobs' | 'credentials' | 'account' | 'clock' | 'log'>;

/**
 * Signs the service account in again while jobs wait for it: nobody else does. Jobs that were about to wait while another
 * process signed in go on, too.
 */
export function resumeAccount({ jobs, account, credentials, clock, log }: AccountResumer): Loop {
  return startLoop(clock, {
    maxSleep: rhythm,
    async turn() {
      for (const team of account ? await jobs.teamsAwaitingAccount() : []) {
        const owner = accountOwner(team);
        if (await credentials.find(owner)) await jobs.resume(owner, clock.now());
      }
      return clock.now() + rhythm;
    },
    failed: (error, times) =>
      log.error({ error, times }, 'the jobs that wait for the service account could not be read'),
  });
}
