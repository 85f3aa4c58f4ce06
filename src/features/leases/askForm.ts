import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { canBeRead } from '../../ground/lookalikes.ts';
import { asJson, defineAction } from '../../slack/blocks/action.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { bold, localTimes, plain } from '../../slack/blocks/limits.ts';
import { defineModal } from '../../slack/blocks/modal.ts';
import { readReason, reasonInput, sayWhy, whyBlock } from '../../slack/blocks/reasonInput.ts';
import { faultAt, keep, onSubmit } from '../../slack/desk/submission.ts';
import { ChosenTime } from './keepForm.ts';

/** A time for a record that needs approval, and the name of the record. */
const AskedTime = ChosenTime.extend({ n: z.string(), channel: z.string() });

/** Under this name the request is kept until it is made. */
export const askByForm = defineAction('lease.request', asJson(AskedTime.extend({ why: z.string() })));

const askModal = defineModal('leaseWhy', asJson(AskedTime), readReason);

/** The form that asks why a clone should be kept for longer than the policy allows. */
export function askForm(asked: z.infer<typeof AskedTime>): ModalView {
  return askModal.view(asked, {
    title: 'Ask for approval',
    submit: 'Ask for approval',
    blocks: [
      section(`Keep ${bold(asked.n, 100)} longer than the policy allows: ${localTimes(plain(asked.k, 60))}.`),
      reasonInput({ hint: 'Those who approve read it.', hasFocus: true }),
    ],
  });
}

/** Keeps the request with its reason. */
export const askSubmission = onSubmit(askModal, (_desk, { carried, fields: why }) =>
  canBeRead(why) ? keep(askByForm, { ...carried, why }) : faultAt(whyBlock, sayWhy),
);
