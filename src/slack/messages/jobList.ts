import { operationOf } from '../../jobs/request.ts';
import { isPlan } from '../../store/jobs/job.ts';
import type { Listed } from '../../store/jobs/reading.ts';
import { type Content, message, said, section } from '../blocks/blocks.ts';
import { bold, limits, moment } from '../blocks/limits.ts';
import { linkToJob } from '../connection/permalinks.ts';
import { nameOf } from './jobWords.ts';
import { stateShown } from './stateShown.ts';
import { unreadableLine } from './unreadable.ts';

/** A person's recent jobs. `workspace` is the workspace's address, for the links to their messages. */
export function jobList(jobs: readonly Listed[], workspace?: string): Content {
  if (jobs.length === 0) return said('You have no jobs yet.');
  const lines = jobs.map(job => jobLine(job, workspace));
  // A link that is cut in the middle leads nowhere.
  while (lines.join('\n').length > limits.sectionText) lines.pop();
  return message([section('*Your latest jobs*'), section(lines.join('\n'))]);
}

/** A job in one line: its operation, its state, and the place of its message, with a link to it. */
export function jobLine(job: Listed, workspace?: string): string {
  if (job.state === 'unreadable') return unreadableLine(job);
  const [sign, word] = stateShown[job.state];
  const link = linkToJob(workspace, job);
  // Slack has no name to show for a direct message.
  const where = job.place === null ? [] : [job.place.startsWith('D') ? 'in Messages' : `<#${job.place}>`];
  const message = link === undefined ? [] : [`<${link}|Message>`];
  return [
    `${sign} ${operationOf(job).title(job.values)} of ${bold(nameOf(job), 80)}`,
    job.state === 'running' && isPlan(job) ? `${word}, step ${job.step + 1} of ${job.steps.length}` : word,
    moment(job.createdAt),
    ...where,
    ...message,
  ].join(' · ');
}
