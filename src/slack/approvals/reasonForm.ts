import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import type { Click } from '../../jobs/approval/click.ts';
import type { Job } from '../../store/jobs/job.ts';
import { section } from '../blocks/blocks.ts';
import { reasonInput, typedReason } from '../blocks/reasonInput.ts';
import { warningBlock } from '../blocks/warningBlock.ts';
import { titleOf } from '../messages/jobWords.ts';

/** The acts that need a reason; each is the `callback_id` of its form. */
export type ReasonedAct = 'deny' | 'glass';

/** Metadata of the form: the job, the digest of the card that was clicked, and the channel of the click. */
const Pending = z.object({ j: z.string(), d: z.string().nullable(), c: z.string() });

/** Reads a submitted form: its metadata, if that can be read, and the reason. */
export function readReasonForm(
  view: Pick<ModalView, 'private_metadata'> & Readonly<{ state: Parameters<typeof typedReason>[0] }>,
) {
  const pending = Pending.safeParse(parseJson(view.private_metadata ?? '')).data;
  return { pending, reason: typedReason(view.state) };
}

/** The form that asks for the reason of a denial, or of running without approval. */
export function reasonForm(job: Job, { channel, digest }: Click, act: ReasonedAct): ModalView {
  const title = titleOf(job);
  const told = `${job.approval?.cardPlace ? `<#${job.approval.cardPlace}>` : 'The channel'} and the audit trail are told so, and why.`;
  const lead =
    act === 'deny'
      ? section(`You deny the *${title}* that <@${job.person}> asked for. One denial is enough.`)
      : warningBlock('warning', `The *${title}* then runs at once, without approval. ${told}`);
  return {
    type: 'modal',
    callback_id: act,
    title: { type: 'plain_text', text: act === 'deny' ? 'Deny' : 'Run without approval' },
    submit: { type: 'plain_text', text: act === 'deny' ? 'Deny' : 'Run it now' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ j: job.id, d: digest, c: channel } satisfies z.infer<typeof Pending>),
    blocks: [lead, reasonInput({ hasFocus: true })],
  };
}
