import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { usualTimes } from '../../operations/keepFor.ts';
import { inputAction } from '../blocks/action.ts';
import { option, section } from '../blocks/blocks.ts';
import { bold } from '../blocks/limits.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { threadOf } from '../desk/thread.ts';
import { newUse } from '../desk/use.ts';
import { whoIn } from '../desk/who.ts';
import { untilWords } from './leaseMessages.ts';

/** The `callback_id` of the form, and the action under which its content is kept until it is answered. */
export const keepFormId = 'lease';
export const setAction = 'lease.set';

/** A time that was chosen for a record. */
export const ChosenTime = z.object({ r: z.string(), k: z.string() });
export type ChosenTime = z.infer<typeof ChosenTime>;

const Pending = z.object({ r: z.string(), c: z.string() });

/** The form that asks how long a clone is kept. `endsAt` is its present end, `undefined` where it has no lease. */
export function keepForm(
  record: string,
  name: string,
  { channel, endsAt }: Readonly<{ channel: string; endsAt: number | null | undefined }>,
): ModalView {
  const now = endsAt === undefined ? 'has no lease yet' : `is kept ${untilWords(endsAt)} now`;
  return {
    type: 'modal',
    callback_id: keepFormId,
    title: { type: 'plain_text', text: 'Keep for' },
    submit: { type: 'plain_text', text: 'Keep' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ r: record, c: channel } satisfies z.infer<typeof Pending>),
    blocks: [
      section(`${bold(name, 100)} ${now}.`),
      {
        type: 'input',
        block_id: 'time',
        optional: true,
        label: { type: 'plain_text', text: 'Keep it from now on for' },
        element: {
          type: 'static_select',
          action_id: inputAction,
          options: usualTimes.map(({ text, label }) => option(text, label)),
        },
      },
      {
        type: 'input',
        block_id: 'date',
        optional: true,
        label: { type: 'plain_text', text: 'or to the end of this day' },
        hint: { type: 'plain_text', text: 'The day ends at midnight UTC' },
        element: { type: 'datepicker', action_id: inputAction },
      },
    ],
  };
}

/** Listens to the form. What was chosen is stored before the form closes, and done once. */
export function listenToKeepForm(app: App, desk: Desk): void {
  app.view({ callback_id: keepFormId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const pending = Pending.safeParse(parseJson(view.private_metadata)).data;
    const { values } = view.state;
    const date = values.date?.[inputAction]?.selected_date;
    const time = values.time?.[inputAction]?.selected_option?.value;
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { time: why } });
    if (!pending) return refuse('This form is of another release of Dolly. Please ask again.');
    if (date && time) return refuse('Choose a time or a day, not both.');
    const chosen = date ?? time;
    if (!chosen) return refuse('Choose a time or a day.');
    const value = JSON.stringify({ r: pending.r, k: chosen } satisfies z.infer<typeof ChosenTime>);
    const use = newUse({
      ...owner,
      channel: pending.c,
      thread: threadOf({ view }),
      trigger: view.id,
      action: setAction,
      value,
    });
    await desk.takeOn(
      use,
      refusal => (refusal === undefined ? ack() : refuse(refusal)),
      content => whisper(desk, use, content),
    );
  });
}
