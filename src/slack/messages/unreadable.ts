import type { Unreadable } from '../../store/jobs/rows/job.ts';
import { code } from '../blocks/mrkdwn.ts';

/** The line of a list for a job that only another release can read. */
export function unreadableLine(job: Unreadable): string {
  return `:grey_question: ${unreadableText}. (${code(job.id)})`;
}

/** Says the same of such a job in a table. */
export const unreadableText = 'Another version of Dolly made this job: I cannot read it';

/** The answer to a click on such a job. */
export const unreadableJob =
  'Another version of Dolly made this job, so I cannot read it and changed nothing. Please try again later.';
