import type { App } from '@slack/bolt';
import { wordsBySlashCommand } from '../commands/help.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { readMessage, type WrittenMessage } from '../desk/message.ts';
import type { Doing } from '../inbox/doing.ts';
import type { InteractionTaker } from '../inbox/takeInteraction.ts';
import { takeTyped } from '../inbox/takeTyped.ts';
import { commandOffer } from '../words/commandOffer.ts';
import { typedText } from '../words/typedText.ts';
import { withoutPasswords, withPlace } from '../words/withoutPasswords.ts';

/** Reacts to a message that was changed, which is not done by itself: a click does it. Its value is what was typed. */
export const talkReactions = [
  {
    action: 'message.changed',
    interactionOf: () => undefined,
    perform: async (_desk: object, interaction: Interaction) => commandOffer(changed, 'Do it now', interaction.value),
  },
];

const changed = 'You edited this message. I do not act on an edited message by myself.';

/** Takes what people write to Dolly for what they ask. */
type Talker = Voice & InteractionTaker & Desk<'people' | 'names' | 'house'>;

/**
 * Listens to mentions and direct messages. Each is an interaction of the action `command`, like what is typed after a slash
 * command: it is done once, however often Slack tells of it.
 */
export function listenToTalk(app: App, desk: Talker, doing: Doing) {
  const hear = async ({ body, context }: TalkEvent) => {
    const message = readMessage(body);
    if (message) await answer(desk, doing, message, context.botUserId);
  };
  app.event('app_mention', hear);
  app.event('message', hear);
}

/** The parts of Bolt's arguments that are the same for both events. */
type TalkEvent = { body: Parameters<typeof readMessage>[0]; context: { botUserId?: string } };

async function answer(desk: Talker, doing: Doing, message: WrittenMessage, bot: string | undefined) {
  const { id, team, person, channel, thread, kind, text, isChanged, writtenAt } = message;
  const speaker = { team, person, channel, thread };
  await takeTyped(desk, doing, {
    ...{ by: speaker, text, action: isChanged ? 'message.changed' : 'command', isRead: true },
    read: written => withPlace(withoutPasswords, withoutSlash(desk, typedText(written, bot)), desk.house.commands),
    interactionOf: asked => ({ id, ...speaker, ...asked, trigger: '', heard: kind, writtenAt }),
    tell: (interaction, content) => whisper(desk, interaction, content),
  });
}

/** Reads a slash command that was typed behind a mention as what it stands for: Slack takes none in threads. */
function withoutSlash({ names }: Desk<'names'>, text: string): string {
  const [, name = '', rest = ''] = /^(\/\S+)\s*(.*)$/s.exec(text) ?? [];
  const known = wordsBySlashCommand(names).find(([command]) => command === name.toLowerCase());
  return known ? [...known[1], rest].join(' ').trim() : text;
}
