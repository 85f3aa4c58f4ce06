import type { JobIn } from '../../store/jobs/rows/job.ts';
import { advance } from '../advance.ts';
import type { Mover, Parts } from '../parts.ts';
import { approvalsIn } from './people/mayDecide.ts';

/** Attends to an `awaiting` job that is due: reminds the approvers, or ends the job if its time is over. */
export async function remindOrExpire(parts: Mover & Parts<'policy'>, job: JobIn<'awaiting'>): Promise<void> {
  const now = parts.clock.now();
  const { expiresAt, reminders, terms } = job.approval;
  if (now >= expiresAt) {
    const given = approvalsIn(job.approval).length;
    const count = given > 0 ? ` It had ${given} of ${terms.approvals} approvals.` : '';
    await advance(parts, job, { type: 'expired', reason: `Nobody decided in time.${count}` });
  } else {
    const pause = parts.policy.reminders[reminders + 1];
    const nextAt = pause === undefined ? expiresAt : Math.min(now + pause, expiresAt);
    await advance(parts, job, { type: 'reminded', nextAt });
  }
}
