import type { Button, KnownBlock } from '@slack/types';
import { operationOf } from '../../jobs/request.ts';
import { legible } from '../../records/legible.ts';
import { type Approval, hasEnded, type Job } from '../../store/jobs/job.ts';
import { context, section } from '../blocks/blocks.ts';
import { code, cut, limits, moment, plain } from '../blocks/limits.ts';
import { decidersOf, mentionDeciders } from './deciders.ts';
import { decisionLines, emergencyLine, quoteOf } from './decisionLines.ts';
import { factSections, factsAsAsked } from './factBlocks.ts';
import { approvalActions, type SeenRequest } from './jobActions.ts';

/** A message with the decision buttons: the job's own (`card`), or another one in the channel for approvals. */
export type CardPart = 'card' | 'approval';

/**
 * The approval part of a job's message: the reason, the target's facts, the decisions, and the terms with approvers and
 * deadline.
 */
export function approvalBlocks(job: Job, part: CardPart, asker: string): KnownBlock[] {
  const { approval } = job;
  if (!approval) return [];
  const decided = decisionLines(job);
  const emergency = approval.emergency === null ? [] : [emergencyLine(job, asker)];
  const why = section(`*Why*\n${quoteOf(job.purpose ?? '')}`);
  const lines = [...emergency, ...decided];
  const decisions = lines.length > 0 ? [section(cut(lines.join('\n'), limits.sectionText))] : [];
  if (!isDecidedHere(job, part)) {
    const where = job.state === 'awaiting' ? [context(`Approval is asked for in <#${approval.cardPlace}>.`)] : [];
    return [why, ...decisions, ...where];
  }
  // After the decision, the facts are a record of the past: nobody may take them for the present ones.
  const seen =
    job.state === 'awaiting' ? factSections(job, 'card') : [context(cut(factsAsAsked(job), limits.sectionText))];
  return [why, ...seen, ...decisions, context(cut(termsLine(job, approval), limits.sectionText))];
}

/** The buttons of a job that waits for approval. */
export function approvalButtons(job: Job, part: CardPart, hasGlass: boolean): Button[] {
  const seen = seenRequest(job);
  const withdraw = approvalActions.withdraw.button('Withdraw', seen);
  if (!isDecidedHere(job, part)) return [withdraw];
  const what = `${operationOf(job).title(job.values)} of ${cut(job.targetName ?? job.target, 100)}`;
  const where = job.approval?.facts.find(({ label }) => label === 'Environment')?.value;
  const approve: Button = {
    ...approvalActions.approve.button('Approve', seen, { style: 'primary' }),
    confirm: {
      title: { type: 'plain_text', text: 'Approve?' },
      text: {
        type: 'plain_text',
        text: cut(
          legible(`${what} (${job.target}${where ? `, on ${cut(where, 80)}` : ''}). It runs at once, as ${job.login}.`),
          300,
        ),
      },
      confirm: { type: 'plain_text', text: 'Approve' },
      deny: { type: 'plain_text', text: 'Not yet' },
    },
  };
  const glass = hasGlass ? [approvalActions.glass.button('Run without approval', seen)] : [];
  return [approve, approvalActions.deny.button('Deny', seen, { style: 'danger' }), withdraw, ...glass];
}

/** The value of the decision buttons: the job, and the digest of the request as the person saw it. */
export function seenRequest(job: Job): SeenRequest {
  return { j: job.id, d: job.approval?.digest ?? null };
}

/** A waiting job in a few words. */
export function approvalTitle(job: Job): string {
  return `${operationOf(job).title(job.values)} of ${plain(job.targetName ?? job.target, 100)}`;
}

function isDecidedHere(job: Job, part: CardPart): boolean {
  return part === 'approval' || !job.approval?.cardPlace;
}

function termsLine(job: Job, { terms, expiresAt, digest }: Approval): string {
  const { rule, approvals, approvers } = terms;
  return [
    `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed: ${plain(rule, 200)}`,
    `May decide: ${approvers.length > 0 && decidersOf(job).length === 0 ? 'nobody else' : mentionDeciders(decidersOf(job))}`,
    `Runs as ${code(job.login ?? '')}`,
    hasEnded(job) ? undefined : `Ends ${moment(expiresAt)}`,
    `Digest ${code(digest)}`,
  ]
    .filter(Boolean)
    .join('  ·  ');
}
