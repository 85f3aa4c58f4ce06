import { operationOf } from '../../jobs/request.ts';
import type { Listed } from '../../store/jobs/reading.ts';
import { isEnd, isPlan } from '../../store/jobs/rows/job.ts';
import { context, section } from '../blocks/blocks.ts';
import { type Cell, dataTable, lengthCell, timeCell, withoutNumber } from '../blocks/dataTable.ts';
import { cut, limits } from '../blocks/limits.ts';
import { isPersonId, mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message, said } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { bold, code, plain } from '../blocks/mrkdwn.ts';
import { linkToJob } from '../connection/permalinks.ts';
import { isInPart, nameOf, shownOf, stateShown } from './jobWords.ts';
import { unreadableLine, unreadableText } from './unreadable.ts';

/** The number of a person's latest jobs that are listed; where Slack takes no tables, of those that have a line. */
export const listedJobs = { inTable: 30, inLines: 20 } as const;

/**
 * A person's recent jobs, or those that were chosen: `chosenBy` says by what, in mrkdwn. `workspace` is the workspace's address, for
 * the links to their messages; `zone` is the time zone of the person.
 */
export function jobList(jobs: readonly Listed[], { workspace, zone, chosenBy }: JobListFrame): Content {
  if (jobs.length === 0)
    return said(chosenBy === undefined ? 'You have no jobs yet.' : `There are no jobs ${chosenBy}.`);
  const lines = jobs
    .slice(0, listedJobs.inLines)
    .map(job => [jobLine(job, workspace), ...reasonsOf(job).map(why => plain(why, 150))].join(' · '));
  // A link that is cut in the middle leads nowhere.
  while (lines.join('\n').length > limits.sectionText) lines.pop();
  const isChosen = chosenBy !== undefined;
  const table = dataTable({
    caption: captionOf(jobs.length, isChosen),
    header: ['Job', 'State', 'Why', `Asked (${zone})`, 'Took', ...(isChosen ? ['Asked by'] : [])],
    rows: jobs.map(job => jobCells(job, { workspace, zone })),
    pageSize: 10,
  });
  const heading = section(headingOf(jobs, chosenBy));
  const next = context(
    `*To act on a job*, open its message. To see other jobs, add words to the command: ${code('state=failed')}, ${code('day=today')}, ${code('by=anyone')} or the name of a database.`,
  );
  return message([heading, ...table, next], 'equal', [heading, section(lines.join('\n')), next]);
}

type JobListFrame = Readonly<{ workspace: string | undefined; zone: string; chosenBy?: string }>;

function captionOf(many: number, isChosen: boolean): string {
  const whose = isChosen ? ['One job', `The latest ${many} jobs`] : ['Your one job', `Your latest ${many} jobs`];
  return many === 1
    ? `${whose[0]}. Its name opens its message`
    : `${whose[1]}, the newest first. A name opens its message`;
}

/** The number of jobs in each standing: what is under way comes first, and what went wrong. */
function headingOf(jobs: readonly Listed[], chosenBy: string | undefined): string {
  const standings = jobs.map(job => (job.state === 'finished' && isInPart(job) ? 'inPart' : job.state));
  const words = Object.entries(stateShown).flatMap(([standing, [sign, word]]) => {
    const many = standings.filter(one => one === standing).length;
    return many === 0 ? [] : [`${sign} ${many} ${word.toLowerCase()}`];
  });
  return [chosenBy === undefined ? '*Your latest jobs*' : `*Jobs* ${chosenBy}`, ...words].join('  ·  ');
}

function jobCells(job: Listed, { workspace, zone }: JobListFrame): Cell[] {
  const asked = timeCell(zone, job.createdAt);
  const by: Cell = isPersonId(job.person) ? { user: job.person } : cut(job.person, 40);
  if (job.state === 'unreadable') return [`${unreadableText}. (${job.id})`, '–', '–', asked, withoutNumber(), by];
  const title = `${operationOf(job).title(job.values)} of ${cut(nameOf(job), 60)}`;
  const url = linkToJob(workspace, job);
  const { sentAt, endedAt } = job;
  const took = sentAt === null || endedAt === null ? undefined : endedAt - sentAt;
  const [why = '–'] = reasonsOf(job);
  return [url === undefined ? title : { text: title, url }, stateWords(job), why, asked, lengthCell(took), by];
}

/** Why a job ended as nobody wished; nothing of any other one. */
function reasonsOf(job: Listed): readonly string[] {
  if (job.state === 'unreadable' || !isEnd(job.state) || job.state === 'succeeded') return [];
  return job.reason === null ? [] : [job.reason];
}

function stateWords(job: Exclude<Listed, { state: 'unreadable' }>): string {
  const [, word] = shownOf(job);
  return job.state === 'running' && isPlan(job) ? `${word}, step ${job.step + 1} of ${job.steps.length}` : word;
}

/** A job in one line: its operation, its state, and the place of its message, with a link to it. */
export function jobLine(job: Listed, workspace?: string): string {
  if (job.state === 'unreadable') return unreadableLine(job);
  const [sign] = shownOf(job);
  const link = linkToJob(workspace, job);
  // Slack has no name to show for a direct message.
  const where = job.place === null ? [] : [job.place.startsWith('D') ? 'in Messages' : mentionOf(job.place)];
  const message = link === undefined ? [] : [`<${link}|Message>`];
  return [
    `${sign} ${operationOf(job).title(job.values)} of ${bold(nameOf(job), 80)}`,
    stateWords(job),
    moment(job.createdAt),
    ...where,
    ...message,
  ].join(' · ');
}
