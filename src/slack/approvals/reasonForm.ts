import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { canBeRead } from '../../ground/lookalikes.ts';
import type { Click } from '../../jobs/approval/click.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { asJson, defineAction } from '../blocks/action.ts';
import { section } from '../blocks/blocks.ts';
import { defineModal } from '../blocks/modal.ts';
import { readReason, reasonInput, sayWhy, whyBlock } from '../blocks/reasonInput.ts';
import { warningBlock } from '../blocks/warningBlock.ts';
import { faultAt, keep, onSubmit } from '../desk/submission.ts';
import { SeenRequest } from '../messages/jobActions.ts';
import { describeJob } from '../messages/jobWords.ts';

/** What the forms carry: the job, and the digest of the card that was clicked. */
const asPending = asJson(SeenRequest.extend({ channel: z.string() }));
const asReasoned = asJson(SeenRequest.extend({ reason: z.string() }));

const modals = {
  deny: defineModal('deny', asPending, readReason),
  glass: defineModal('glass', asPending, readReason),
} as const;

/** The acts that need a reason. */
export type ReasonedAct = keyof typeof modals;

/** Under these names a decision with its reason is kept until it is done. */
export const reasoned = {
  deny: defineAction('deny', asReasoned),
  glass: defineAction('glass', asReasoned),
} as const satisfies Record<ReasonedAct, unknown>;

/** The form that asks for the reason of a denial, or of running without approval. */
export function reasonForm(job: Job, { channel, digest }: Click, act: ReasonedAct): ModalView {
  const { title } = describeJob(job);
  const told = `${job.approval?.cardPlace ? `<#${job.approval.cardPlace}>` : 'The channel'} and the audit trail will show this and your reason.`;
  const lead =
    act === 'deny'
      ? section(`You deny the *${title}* that <@${job.person}> asked for. One denial is enough.`)
      : warningBlock('warning', `The *${title}* then runs at once, without approval. ${told}`);
  const said =
    act === 'deny' ? { title: 'Deny', submit: 'Deny' } : { title: 'Run without approval', submit: 'Run it now' };
  const carried = { j: job.id, d: digest, channel };
  return modals[act].view(carried, { ...said, blocks: [lead, reasonInput({ hasFocus: true })] });
}

const keepReason = (act: ReasonedAct) =>
  onSubmit(modals[act], (_desk, { carried: { j, d }, fields: reason }) =>
    canBeRead(reason) ? keep(reasoned[act], { j, d, reason }) : faultAt(whyBlock, sayWhy),
  );

/** Keeps the decision with its reason. */
export const reasonSubmissions = [keepReason('deny'), keepReason('glass')] as const;
