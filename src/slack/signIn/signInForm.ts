import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { Failure, sentence } from '../../ground/failure.ts';
import { inputAction } from '../blocks/action.ts';
import { notice, section } from '../blocks/blocks.ts';
import { bold, plain } from '../blocks/limits.ts';
import { warningBlock } from '../blocks/warningBlock.ts';
import type { Desk } from '../desk/desk.ts';
import { type Reaction, reactTo } from '../desk/reaction.ts';
import { openView, showView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { signIn } from './exchange.ts';
import { signInByForm, signInByLink, tellSignedIn } from './signIn.ts';

/** Reacts to the buttons that offer a sign-in. */
export const signInReactions: readonly Reaction[] = [
  reactTo(signInByForm, {
    async perform(desk, use, resumed) {
      const view = signInForm(desk, signInByForm.write(resumed));
      // Inside a form the sign-in opens on top of it, so that no input is lost.
      await openView(desk, use, view);
      return undefined;
    },
  }),
  // The browser follows the link; Dolly has nothing left to do.
  reactTo(signInByLink, { isOpenToAll: true, perform: async () => undefined }),
];

/** Listens to the sign-in form, for a bot that no browser can reach. */
export function listenToSignIn(app: App, desk: Desk): void {
  app.view({ callback_id: 'login', type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const shown = { team: owner.team, id: view.id };
    const resumed = signInByForm.read(view.private_metadata);
    const username = view.state.values.username?.value?.value ?? '';
    const [field = '', { value: typed } = {}] =
      Object.entries(view.state.values).find(([block]) => block.startsWith('password')) ?? [];
    const password = typed?.value ?? '';
    // The service may take longer than Slack's 3 s, so the form first becomes a note, then the answer.
    await ack({ response_action: 'update', view: notice('Sign in', ':hourglass_flowing_sand: Asking the service …') });
    const work = signIn(desk, owner, { username, password, channel: resumed?.c ?? owner.person }).then(
      async () => {
        const done = `:white_check_mark: You are signed in as ${bold(username.trim())}.`;
        await showView(desk, shown, notice('Sign in', done));
        if (resumed)
          await tellSignedIn(desk, { ...owner, channel: resumed.c, thread: resumed.t }, username.trim(), resumed.i);
      },
      async (error: unknown) => {
        const refused = { fault: sentence(error), after: field };
        const isStranger = error instanceof Failure && error.kind === 'forbidden';
        const again = isStranger
          ? notice('Sign in', `:warning: ${plain(refused.fault)}`)
          : signInForm(desk, view.private_metadata, refused);
        await showView(desk, shown, again);
      },
    );
    desk.run('sign in', work);
  });
}

/** @param refused the fault of the last try, and the block_id of its password */
function signInForm(desk: Desk, metadata: string, refused?: { fault: string; after: string }): ModalView {
  const tries = refused ? Number(refused.after.split(':')[1] ?? 0) + 1 : 0;
  return {
    type: 'modal',
    callback_id: 'login',
    title: { type: 'plain_text', text: 'Sign in' },
    submit: { type: 'plain_text', text: 'Sign in' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: metadata,
    blocks: [
      ...(refused ? [warningBlock('error', plain(refused.fault, 500))] : []),
      section(`Sign in to the service at ${plain(desk.service.url)}.`),
      warningBlock(
        'warning',
        'Slack has no masked input: your password is *visible while you type*. It is used once and not kept.',
      ),
      {
        type: 'input',
        block_id: 'username',
        label: { type: 'plain_text', text: 'User name' },
        element: { type: 'plain_text_input', action_id: inputAction, ...(tries === 0 ? { focus_on_load: true } : {}) },
      },
      // A new block_id empties the field after a wrong password.
      {
        type: 'input',
        block_id: tries > 0 ? `password:${tries}` : 'password',
        label: { type: 'plain_text', text: 'Password (visible)' },
        element: { type: 'plain_text_input', action_id: inputAction, ...(tries > 0 ? { focus_on_load: true } : {}) },
      },
    ],
  };
}
