import type { Job } from '../../store/tables/job.ts';
import type { Parts } from '../parts.ts';
import { approvalsIn, termsIn } from './decisions.ts';

/** Attends to an `awaiting` job that is due: reminds the approvers, or ends the job if its time is over. */
export async function remindOrExpire({ jobs, policy, clock, tell }: Parts, job: Job): Promise<void> {
  const now = clock.now();
  const until = job.expiresAt ?? now;
  if (now >= until) {
    const given = approvalsIn(job).length;
    const count = given > 0 ? ` It had ${given} of ${termsIn(job)?.approvals} approvals.` : '';
    const reason = `Nobody decided in time.${count} Nothing was sent.`;
    await jobs.move(job.id, 'awaiting', 'expired', { reason, endedAt: now, dueAt: null }, now);
  } else {
    const pause = policy.reminders[job.reminders + 1];
    const dueAt = pause === undefined ? until : Math.min(now + pause, until);
    await jobs.note(job.id, 'awaiting', { reminders: job.reminders + 1, dueAt }, true, now);
  }
  tell();
}
