import type { Decision } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/** The approvals of a job that count. */
export function approvalsIn({ approval }: Pick<Job, 'approval'>): readonly Decision[] {
  return approval?.decisions.filter(({ type }) => type === 'approved') ?? [];
}
