import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { section } from '../blocks/blocks.ts';
import { bold, localTimes, plain } from '../blocks/limits.ts';
import { reasonInput, typedReason, whyBlock } from '../blocks/reasonInput.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { threadOf } from '../desk/thread.ts';
import { newUse } from '../desk/use.ts';
import { whoIn } from '../desk/who.ts';
import { ChosenTime } from './keepForm.ts';

/** The `callback_id` of the form, and the action under which its content is kept until it is answered. */
const askFormId = 'leaseWhy';
export const askAction = 'lease.request';

/** A time for a record that needs approval, the name of the record, and the reason. */
export const AskedTime = ChosenTime.extend({ n: z.string(), c: z.string() });
export const ReasonedTime = AskedTime.extend({ why: z.string() });
export type AskedTime = z.infer<typeof AskedTime>;

/** The form that asks why a clone should be kept for longer than the policy allows. */
export function askForm(asked: AskedTime): ModalView {
  return {
    type: 'modal',
    callback_id: askFormId,
    title: { type: 'plain_text', text: 'Ask for approval' },
    submit: { type: 'plain_text', text: 'Ask for approval' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify(asked),
    blocks: [
      section(`Keep ${bold(asked.n, 100)} longer than the policy allows: ${localTimes(plain(asked.k, 60))}.`),
      reasonInput({ hint: 'Those who approve read it.', hasFocus: true }),
    ],
  };
}

/** Listens to the form. The request is stored before the form closes, and made once. */
export function listenToAskForm(app: App, desk: Desk): void {
  app.view({ callback_id: askFormId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const asked = AskedTime.safeParse(parseJson(view.private_metadata)).data;
    const why = typedReason(view.state);
    const refuse = (text: string) => ack({ response_action: 'errors', errors: { [whyBlock]: text } });
    if (!asked) return refuse('This form is of another release of Dolly. Please ask again.');
    if (!canBeRead(why)) return refuse('Say why, for those who read it later.');
    const value = JSON.stringify({ ...asked, why } satisfies z.infer<typeof ReasonedTime>);
    const use = newUse({
      ...owner,
      channel: asked.c,
      thread: threadOf({ view }),
      trigger: view.id,
      action: askAction,
      value,
    });
    await desk.takeOn(
      use,
      refusal => (refusal === undefined ? ack() : refuse(refusal)),
      content => whisper(desk, use, content),
    );
  });
}
