import type { KnownBlock } from '@slack/types';
import type { Job } from '../../store/tables/job.ts';
import { type Content, context, message, said, section } from '../blocks/blocks.ts';
import { code, cut, moment } from '../blocks/limits.ts';
import { approvalButtons, approvalTitle } from './approvalCard.ts';
import { quoteOf } from './decisionLines.ts';
import { factSections } from './factBlocks.ts';
import { requestLine } from './requestLine.ts';

/** The requests that wait for somebody's decision, with the buttons to decide. `all` is how many there are. */
export function approvalList(jobs: readonly Job[], all: number): Content {
  if (jobs.length === 0) return said('Nothing waits for your approval.');
  const text =
    all > jobs.length ? `${all} wait for approval; the oldest ${jobs.length}:` : 'What waits for your approval';
  return message([section(`*${text}*`), ...jobs.flatMap(approvalRow)]);
}

/** A request in a list of those that wait: all that its card shows, and the buttons to decide. */
export function approvalRow(job: Job): KnownBlock[] {
  const until = job.expiresAt === null ? '' : `, until ${moment(job.expiresAt)}`;
  const request = requestLine(job);
  return [
    section(
      `:lock: *${approvalTitle(job)}* (${code(job.target)}), asked by <@${job.person}>${until}\n${quoteOf(job.purpose ?? '', 300)}`,
    ),
    ...factSections(job, 'list'),
    context(cut(`${request ? `${request}  ·  ` : ''}Runs as ${code(job.login ?? '', 60)}`, 400)),
    { type: 'actions', block_id: `${job.id}:decide`, elements: approvalButtons(job, 'approval', false).slice(0, 2) },
  ];
}
