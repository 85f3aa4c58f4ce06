import type { JobIn } from '../store/jobs/rows/job.ts';
import { advance } from './advance.ts';
import type { Mover, Parts } from './parts.ts';

/** Settles a job whose sender is gone: nobody knows whether the call arrived, so the records have to tell. */
export async function settleInterrupted(parts: Mover & Parts<'log'>, job: JobIn<'sending'>): Promise<void> {
  parts.log.warn({ job: job.id, operation: job.operation }, 'found in doubt');
  await advance(parts, job, { type: 'inDoubt', reason: 'Dolly was interrupted while it was sending this.' });
}
