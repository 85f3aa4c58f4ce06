import type { JobIn } from '../../store/jobs/job.ts';
import type { Parts } from '../parts.ts';
import { approvalsIn } from './decisions.ts';

/** Attends to an `awaiting` job that is due: reminds the approvers, or ends the job if its time is over. */
export async function remindOrExpire({ jobs, policy, clock, tell }: Parts, job: JobIn<'awaiting'>): Promise<void> {
  const now = clock.now();
  const { expiresAt: until, terms } = job.approval;
  if (now >= until) {
    const given = approvalsIn(job).length;
    const count = given > 0 ? ` It had ${given} of ${terms.approvals} approvals.` : '';
    const reason = `Nobody decided in time.${count} Nothing was sent.`;
    await jobs.move(job.id, 'awaiting', 'expired', { reason, endedAt: now, dueAt: null }, now);
  } else {
    const reminders = job.approval.reminders + 1;
    const pause = policy.reminders[reminders];
    const dueAt = pause === undefined ? until : Math.min(now + pause, until);
    await jobs.note(job.id, 'awaiting', { reminders, dueAt }, true, now);
  }
  tell();
}
