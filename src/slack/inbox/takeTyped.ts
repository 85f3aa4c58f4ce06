import { sentence } from '../../ground/failure.ts';
import type { Owner } from '../../store/vault.ts';
import { said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import { ackPatience } from '../connection/eventAck.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { Ack, Interaction, Tell } from '../desk/interaction.ts';
import { longestTyped } from '../desk/message.ts';
import { commandOffer } from '../words/commandOffer.ts';
import { withoutCode } from '../words/typedText.ts';
import { withWarning } from '../words/withoutPasswords.ts';
import type { Doing } from './doing.ts';
import { type InteractionTaker, takeInteraction } from './takeInteraction.ts';

/** The action of a text that is too long to be read. */
const tooLong = 'text.tooLong';

/** Answers such a text. Nothing of it was read, and nothing is repeated. */
export const typedReactions = [
  {
    action: tooLong,
    interactionOf: () => undefined,
    perform: async () =>
      said(
        `What you typed is too long: I read at most ${longestTyped} characters, so I did nothing. Please shorten it.`,
      ),
  },
];

/** What a person typed: a slash command, or a message. */
type Typed = Readonly<{
  by: Owner;
  text: string;
  /** Reads the text as the value of an interaction, without passwords; and the place of one, as the warning tells it. */
  read(text: string): Readonly<{ line: string; hadPassword: boolean; place?: number }>;
  /** Makes the interaction of an action with a value. */
  interactionOf(asked: Pick<Interaction, 'action' | 'value'>): Interaction;
  /** The action of the interaction, if the text can be read. */
  action: string;
  /** Whether others may have read it. */
  isRead: boolean;
  /** Tells Slack that it was taken, where Slack waits for that. */
  ack?: Ack;
  tell(interaction: Interaction, content: Parameters<Tell>[0]): Promise<unknown>;
}>;

/**
 * Takes what a person typed. Nothing longer than {@link longestTyped} is read. Slack waits for its answer only where
 * something is to be stored before that.
 */
export async function takeTyped(desk: InteractionTaker & Desk<'people'>, doing: Doing, typed: Typed): Promise<void> {
  const { text, action, ack } = typed;
  const isStoredFirst = text.length <= longestTyped && doing.acts({ action, value: withoutCode(text) });
  if (!ack || isStoredFirst) return read(desk, doing, typed);
  await ack();
  const { ack: _, ...rest } = typed;
  desk.run('answer a command', read(desk, doing, rest));
}

/** What was left out may have been no password, and may have said that this is not to be done. */
const left = 'I left out what looks like a password, and have done nothing yet. This is left';

/**
 * Reads the text, for those alone who are admitted: whoever is not gets the sentence about that. What is too long is
 * refused unread.
 */
async function read(desk: InteractionTaker & Desk<'people'>, doing: Doing, typed: Typed): Promise<void> {
  const { by, text, interactionOf, action, isRead } = typed;
  const since = desk.clock.steady();
  const refusal = await mustBeAdmitted(desk, by).then(() => undefined, sentence);
  const isReadable = refusal === undefined && text.length <= longestTyped;
  const { line, hadPassword, place } = isReadable ? typed.read(text) : { line: '', hadPassword: false, place: 0 };
  const interaction = interactionOf(isReadable ? { action, value: line } : { action: tooLong, value: '' });
  const tell: Tell = content => typed.tell(interaction, hadPassword ? withWarning(content, isRead, place) : content);
  const refuse: Ack = async why => why !== undefined && tell(said(`:warning: ${why}`));
  if (hadPassword && doing.acts({ action, value: line })) {
    await typed.ack?.();
    await tell(commandOffer(`${left}: ${code(line, 150)}`, 'Do it now', line));
    return;
  }
  // Slack may have told late who this is.
  const patience = ackPatience - (desk.clock.steady() - since);
  await takeInteraction(desk, doing, { interaction, ack: typed.ack ?? refuse, tell, patience });
}
