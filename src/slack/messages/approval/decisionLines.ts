import type { Decision } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { bold, code, moment, momentAfter, plain } from '../../blocks/limits.ts';

/** The decisions on a job so far, each as lines of mrkdwn. */
export function decisionLines(job: Job): readonly string[] {
  return job.approval?.decisions.map(decisionLine) ?? [];
}

/** Names the person who lets a job run without approval, and the reason. */
export function emergencyLine(job: Job, asker: string): string {
  return `${asker} broke the glass, as ${bold(job.login ?? '')}:\n${quoteOf(job.approval?.emergency ?? '')}`;
}

/** The deadline for approval of a job, as words that follow the job's title; empty if it needs none. */
export function untilText({ approval }: Job): string {
  return approval ? `, ${momentAfter('until', approval.expiresAt)}` : '';
}

/** Quotes a person's text line by line: at most `max` characters and eight lines. */
export function quoteOf(text: string, max = 500): string {
  return plainLines(text, max)
    .map(line => `> ${line}`)
    .join('\n');
}

function plainLines(text: string, max: number): string[] {
  return text
    .slice(0, max)
    .split('\n')
    .slice(0, 8)
    .map(line => plain(line, max));
}

function decisionLine({ type, person, login, at, reason }: Decision): string {
  const act = { approved: 'Approved', denied: 'Denied', dropped: 'No longer counts: the approval' }[type];
  const why = reason === undefined ? '' : `\n${quoteOf(reason)}`;
  return `${act} by <@${person}> as ${code(login)}, ${moment(at, '{time_secs}')}${why}`;
}

/** Users and groups who may decide on a job, without the requester: that person never counts, and is not called. */
export function decidersOf(job: Job): readonly string[] {
  return job.approval?.terms.approvers.filter(id => id !== job.person) ?? [];
}
