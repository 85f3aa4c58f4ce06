import type { Job } from '../../../store/jobs/rows/job.ts';

/** Users and groups who may decide on a job, without the requester: that person never counts, and is not called. */
export function decidersOf(job: Job): readonly string[] {
  return job.approval?.terms.approvers.filter(id => id !== job.person) ?? [];
}
