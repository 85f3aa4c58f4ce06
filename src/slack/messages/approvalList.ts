import type { KnownBlock } from '@slack/types';
import type { Listed } from '../../store/jobs/reading.ts';
import { type Content, context, message, said, section } from '../blocks/blocks.ts';
import { code, cut } from '../blocks/limits.ts';
import { approvalButtons, approvalTitle } from './approvalCard.ts';
import { quoteOf, untilText } from './decisionLines.ts';
import { factSections } from './factBlocks.ts';
import { requestLine } from './requestLine.ts';
import { unreadableLine } from './unreadable.ts';

/** The requests that wait for a person's decision, with the buttons to decide. `all` is their number. */
export function approvalList(jobs: readonly Listed[], all: number): Content {
  if (jobs.length === 0) return said('Nothing waits for your approval.');
  const text =
    all > jobs.length ? `${all} wait for approval; the oldest ${jobs.length}:` : 'What waits for your approval';
  return message([section(`*${text}*`), ...jobs.flatMap(approvalRow)]);
}

/** A waiting request in a list: all facts of its card, and the buttons to decide. */
export function approvalRow(job: Listed): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  const request = requestLine(job);
  return [
    section(
      `:lock: *${approvalTitle(job)}* (${code(job.target)}), asked by <@${job.person}>${untilText(job)}\n${quoteOf(job.purpose ?? '', 300)}`,
    ),
    ...factSections(job, 'list'),
    context(cut(`${request ? `${request}  ·  ` : ''}Runs as ${code(job.login ?? '', 60)}`, 400)),
    { type: 'actions', block_id: `${job.id}:decide`, elements: approvalButtons(job, 'approval', false).slice(0, 2) },
  ];
}
