import type { App, SlackShortcut } from '@slack/bolt';
import { type Content, said } from '../blocks/message.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import { answerCommand, tellDirectly, tellInModal } from '../desk/answer.ts';
import { contentView, writePlace } from '../desk/contentView.ts';
import type { Desk, Greeter, Voice } from '../desk/desk.ts';
import { type Interaction, newInteraction, type Tell } from '../desk/interaction.ts';
import { whoIn } from '../desk/who.ts';
import { commandCalled } from '../house.ts';
import { type Doing, ofAnotherRelease } from '../inbox/doing.ts';
import { privately } from '../inbox/listenToInteractions.ts';
import { answerToFailure } from '../signIn/failureAnswer.ts';
import { readCommand } from '../words/commandText.ts';
import { askReaction } from './ask.ts';
import { lookInModal, lookingFor, type ModalLook, type ShownInModal } from './lookInModal.ts';
import { textOfMessage } from './messageText.ts';
import { shortcuts } from './shortcuts.ts';

/** The action of the global shortcut that shows the status; it opens a modal, where the command answers by a message. */
const statusAction = 'shortcut.status';

/** Sums up how well all is protected, or offers a sign-in. */
type Glancer = Greeter & Desk<'house' | 'log'>;

/** Reacts to the shortcuts that look something up. The others run commands. */
export const shortcutReactions = [
  askReaction,
  {
    action: statusAction,
    interactionOf: () => undefined,
    intent: () => 'status',
    note: ({ meter }: Desk<'meter'>, _use: Interaction, outcome: string) =>
      meter.count('commands', { command: 'status', outcome }),
    async perform(desk: Voice & Desk<'credentials'> & Readonly<{ glance: Glancer }>, interaction: Interaction) {
      await mustBeSignedIn(desk, interaction);
      return lookInModal(desk, interaction, lookAtStatus(desk.glance, interaction));
    },
  },
];

/**
 * Listens to the shortcuts. A global one has no channel: what it begins has its messages among the person's own. Each is
 * answered by a modal; by a message where Slack opens none.
 */
export function listenToShortcuts(app: App, desk: Voice & Desk<'responseUrls' | 'run'>, doing: Doing): void {
  app.shortcut({ callback_id: /(?:)/ }, async ({ ack, body, respond }) => {
    await ack();
    const interaction = interactionOf(body);
    if (body.type === 'message_action')
      desk.responseUrls.remember(interaction, privately(desk, interaction.team, respond));
    const tell: Tell = content =>
      body.type === 'message_action'
        ? answerCommand(desk, interaction, respond, content)
        : tellDirectly(desk, interaction, content);
    const work = isKnown(body)
      ? doing.perform(interaction, doing.acts(interaction))
      : Promise.resolve(said(ofAnotherRelease));
    const answered = work.catch((error: unknown) => doing.refuse(interaction, error));
    desk.run(
      'answer a shortcut',
      answered.then(content => content && tellInModal(desk, interaction, content, tell)),
    );
  });
}

function isKnown({ callback_id, type }: SlackShortcut): boolean {
  const kind = type === 'shortcut' ? 'global' : 'message';
  return shortcuts.some(one => one.callback_id === callback_id && one.type === kind);
}

/** A shortcut as an interaction. The one on a message has the text of the message as its value. */
function interactionOf(body: SlackShortcut): Interaction {
  const { callback_id: id, trigger_id: trigger } = body;
  const owner = whoIn(body);
  if (body.type === 'shortcut') {
    const asked = id === 'status' ? { action: statusAction, value: '' } : { action: 'command', value: id };
    return newInteraction({ ...owner, channel: owner.person, trigger, ...asked });
  }
  const found: unknown = body.message.thread_ts;
  const thread = typeof found === 'string' ? found : undefined;
  const { channel, message } = body;
  return newInteraction({ ...owner, channel: channel.id, thread, trigger, action: id, value: textOfMessage(message) });
}

function lookAtStatus(desk: Glancer, interaction: Interaction): ModalLook {
  const frame = { title: 'Protection status', metadata: writePlace(interaction) };
  const shown = (content: Content): ShownInModal => ({ view: contentView(frame, content), content });
  const command = commandCalled(desk.house, 'status');
  const read = Promise.resolve(command?.answer(undefined, interaction, readCommand('status'))).catch((error: unknown) =>
    answerToFailure(desk, interaction, 'status', error),
  );
  return {
    work: read.then(content => shown(content ?? said(ofAnotherRelease))),
    waiting: isLate => shown(said(lookingFor(isLate))).view,
  };
}
