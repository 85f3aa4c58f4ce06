import type { KnownBlock } from '@slack/types';
import type { Listed } from '../../../store/jobs/reading.ts';
import { context, section, sectionsOf } from '../../blocks/blocks.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { type Content, message, said } from '../../blocks/message.ts';
import { code } from '../../blocks/mrkdwn.ts';
import { charactersIn } from '../../blocks/newerBlocks.ts';
import { linkToJob } from '../../connection/permalinks.ts';
import { approvalButtons } from '../jobButtons.ts';
import { describeJob } from '../jobWords.ts';
import { unreadableLine } from '../unreadable.ts';
import { requestHead } from './requestHead.ts';
import { requestLine } from './requestLine.ts';
import { rowInFull } from './shownInFull.ts';

/**
 * The requests that wait for a person's decision, with the buttons to decide. `all` is their number, `workspace` the
 * workspace's address for the links to their messages.
 */
export function approvalList(jobs: readonly Listed[], all: number, workspace?: string): Content {
  if (jobs.length === 0) return said('Nothing waits for your approval.');
  const rows = jobs.map(job => approvalRow(job, workspace));
  // A row that is cut could lose what is decided on, or its buttons.
  const fits = (many: number) => charactersIn(rows.slice(0, many).flat()) < limits.messageCharacters - 500;
  const shown = rows.slice(0, rows.findLastIndex((_, at) => at === 0 || fits(at + 1)) + 1);
  const text =
    all > shown.length ? `${all} wait for approval; the oldest ${shown.length}:` : 'What waits for your approval';
  return message([section(`*${text}*`), ...shown.flat()]);
}

/**
 * A waiting request in a list: all that its card has, and the buttons to decide. Where a line has no room for all that is
 * decided on, the button leads to the pages that have.
 */
export function approvalRow(job: Listed, workspace?: string): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  const link = linkToJob(workspace, job, 'approval');
  const words = describeJob(job, `<@${job.person}>`);
  const whole = rowInFull(job);
  const rest = [
    ...(whole ? [] : [cut(requestLine(job, words.operation), 300)]),
    `Runs as ${code(job.login ?? '', 60)}`,
    link && `<${link}|Message>`,
  ];
  return [
    ...sectionsOf(requestHead(job, words)),
    ...(whole ?? []).map(context),
    {
      type: 'actions',
      block_id: `${job.id}:decide`,
      elements: approvalButtons(job, words, 'approval', { isWhole: whole !== undefined }).slice(0, 2),
    },
    context(rest.filter(Boolean).join('  ·  ')),
  ];
}
