import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { canBeRead } from '../../ground/lookalikes.ts';
import { usualTimes } from '../../operations/requests/keepFor.ts';
import { asJson, defineAction, inputAction } from '../../slack/blocks/action.ts';
import { input, option, section } from '../../slack/blocks/blocks.ts';
import { chooseOne } from '../../slack/blocks/inputs.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import { localTimes } from '../../slack/blocks/moments.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import { approversRead, readReason, reasonInput, sayWhy, whyBlock } from '../../slack/blocks/reasonInput.ts';
import { faultAt, keep, onSubmit } from '../../slack/desk/submission.ts';
import { untilWords } from './leaseMessages.ts';

/** A time that was chosen for a record. */
export const ChosenTime = z.object({ r: z.string(), k: z.string() });
export type ChosenTime = z.infer<typeof ChosenTime>;

/** Under this name the chosen time is kept until it is answered. */
export const setByForm = defineAction('lease.set', asJson(ChosenTime));

const keepModal = defineModal('lease', asJson(z.object({ r: z.string(), channel: z.string() })), sent => ({
  time: heldIn(sent, 'time').selected_option?.value,
  date: heldIn(sent, 'date').selected_date,
}));

/** The form that asks how long a clone is kept. `endsAt` is its present end, `undefined` where it has no lease. */
export function keepForm(
  record: string,
  name: string,
  { channel, endsAt }: Readonly<{ channel: string; endsAt: number | null | undefined }>,
): ModalView {
  const now = endsAt === undefined ? 'has no lease yet' : `is kept ${untilWords(endsAt)} now`;
  const options = usualTimes.map(({ text, label }) => option(text, label));
  const day = { type: 'datepicker', action_id: inputAction } as const;
  const hint = 'The day ends at midnight where you are';
  const blocks = [
    section(`${bold(name, 100)} ${now}.`),
    input('time', 'Keep it, from now, for', chooseOne('static_select', options), { optional: true }),
    input('date', 'or to the end of this day', day, { optional: true, hint }),
  ];
  return keepModal.view({ r: record, channel }, { title: 'Keep for', submit: 'Keep', blocks });
}

/** Keeps what was chosen. */
export const keepSubmission = onSubmit(keepModal, (_desk, { carried: { r }, fields: { time, date } }) => {
  if (date && time) return faultAt('time', 'Choose a time or a day, not both.');
  const k = date ?? time;
  return k ? keep(setByForm, { r, k }) : faultAt('time', 'Choose a time or a day.');
});

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
      reasonInput({ hint: approversRead, hasFocus: true }),
    ],
  });
}

/** Keeps the request with its reason. */
export const askSubmission = onSubmit(askModal, (_desk, { carried, fields: why }) =>
  canBeRead(why) ? keep(askByForm, { ...carried, why }) : faultAt(whyBlock, sayWhy),
);
