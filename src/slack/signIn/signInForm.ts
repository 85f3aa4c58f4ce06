import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { Failure, sentence } from '../../ground/failure.ts';
import { asJson } from '../blocks/action.ts';
import { input, notice, section } from '../blocks/blocks.ts';
import { typeText } from '../blocks/inputs.ts';
import { defineModal, heldIn, inputsIn } from '../blocks/modal.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';
import { warningBlock } from '../blocks/warningBlock.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { reactTo } from '../desk/reaction.ts';
import { onSubmit } from '../desk/submission.ts';
import { openView, showView } from '../desk/views.ts';
import { type Exchanger, signIn } from './exchange.ts';
import { signInByForm, signInByLink, tellSignedIn, type Welcomer } from './signIn.ts';

/** Reacts to the buttons that offer a sign-in. */
export const signInReactions = [
  reactTo(signInByForm, {
    async perform(desk: Voice & Desk<'service'>, interaction, { c, t, i }) {
      const view = signInForm(desk, { channel: c, thread: t, intent: i });
      // Inside a form the sign-in opens on top of it, so that no input is lost.
      await openView(desk, interaction, view);
      return undefined;
    },
  }),
  // The browser follows the link; Dolly has nothing left to do.
  reactTo(signInByLink, { isOpenToAll: true, perform: async () => undefined }),
];

/** The place in which a sign-in was asked for, and the command to go on with afterwards. */
const Asked = z.object({ channel: z.string(), thread: z.string().optional(), intent: z.string().nullable() });

const signInModal = defineModal('login', asJson(Asked), sent => {
  const field = inputsIn(sent).find(block => block.startsWith('password')) ?? '';
  return { username: heldIn(sent, 'username').value ?? '', password: heldIn(sent, field).value ?? '', field };
});

/** Signs in by the form, for a bot that no browser can reach. */
export const signInSubmission = onSubmit(
  signInModal,
  (
    desk: Welcomer & Readonly<{ exchanger: Exchanger }>,
    { team, person, viewId, carried, fields: { username, password, field } },
  ) => {
    const owner = { team, person };
    const show = (view: ModalView) => showView(desk, { team, id: viewId }, view);
    const after = () =>
      signIn(desk.exchanger, owner, { username, password, channel: carried.channel }).then(
        async () => {
          await show(notice('Sign in', `:white_check_mark: You are signed in as ${bold(username.trim())}.`));
          await tellSignedIn(desk, { ...owner, ...carried }, username.trim(), carried.intent);
        },
        async (error: unknown) => {
          const refused = { fault: sentence(error), after: field };
          const isStranger = error instanceof Failure && error.kind === 'forbidden';
          await show(
            isStranger ? notice('Sign in', `:warning: ${plain(refused.fault)}`) : signInForm(desk, carried, refused),
          );
        },
      );
    // The service may take longer than Slack's 3 s, so the form first becomes a note, then the answer.
    return { type: 'shown', view: notice('Sign in', ':hourglass_flowing_sand: Asking the service …'), after };
  },
);

/** @param refused the fault of the last try, and the block_id of its password */
function signInForm(desk: Desk<'service'>, asked: z.infer<typeof Asked>, refused?: { fault: string; after: string }) {
  const textWith = (hasFocus: boolean) => typeText('', hasFocus ? { focus_on_load: true } : {});
  const tries = refused ? Number(refused.after.split(':')[1] ?? 0) + 1 : 0;
  return signInModal.view(asked, {
    title: 'Sign in',
    submit: 'Sign in',
    blocks: [
      ...(refused ? [warningBlock('error', plain(refused.fault, 500))] : []),
      section(`Sign in to the service at ${plain(desk.service.url)}.`),
      warningBlock(
        'warning',
        'Slack has no masked input: your password is *visible while you type*. It is used once and not kept.',
      ),
      input('username', 'User name', textWith(tries === 0)),
      // A new block_id empties the field after a wrong password.
      input(tries > 0 ? `password:${tries}` : 'password', 'Password (visible)', textWith(tries > 0)),
    ],
  });
}
