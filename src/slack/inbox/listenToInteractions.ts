import type { App, BlockAction, BlockElementAction, RespondFn } from '@slack/bolt';
import type { Clerk } from '../../jobs/parts.ts';
import { inputAction } from '../blocks/action.ts';
import { type Content, said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import { answerClick, answerCommand, ephemeral, respondWith } from '../desk/answer.ts';
import type { Desk, Sender, Voice } from '../desk/desk.ts';
import { type Ack, type Interaction, newInteraction, type Tell } from '../desk/interaction.ts';
import { isDirect } from '../desk/placeKinds.ts';
import type { Reaction, UseInForm } from '../desk/reaction.ts';
import { threadOf } from '../desk/thread.ts';
import { placeOf, whoIn, whoInCommand } from '../desk/who.ts';
import { runCommand } from '../words/commandActions.ts';
import { withoutCode } from '../words/typedText.ts';
import { withoutSignIn, withPlace } from '../words/withoutPasswords.ts';
import { type Doing, noteTurnedAway, ofAnotherRelease } from './doing.ts';
import { type InteractionTaker, takeInteraction } from './takeInteraction.ts';
import { takeTyped } from './takeTyped.ts';

/**
 * Listens to the slash commands. Each is an interaction of the action `command`. Its value is the words that the slash command
 * stands for, followed by the typed ones. They are taken before Bolt goes through its listeners: it asks all of them about each
 * request, which takes longer than what is done here. One that only the installed manifest has gets a sentence, too.
 */
export function listenToCommands(
  app: App,
  desk: Voice & InteractionTaker & Desk<'people' | 'responseUrls' | 'house'>,
  doing: Doing,
  slashCommands: readonly (readonly [name: string, words: readonly string[]])[],
): void {
  const wordsOf = new Map(slashCommands);
  const mine = [...wordsOf.keys()].map(name => code(name)).join(', ');
  app.use(async args => {
    if (!('command' in args)) return args.next();
    const { ack, command, respond } = args;
    const words = wordsOf.get(command.command);
    const refuse = (sentence: string) => ack({ ...said(`:warning: ${sentence}`), ...ephemeral });
    if (!words) return refuse(`I do not know the command ${code(command.command, 40)} here. My commands are ${mine}.`);
    const by = { ...whoInCommand(command), channel: command.channel_id, trigger: command.trigger_id };
    desk.responseUrls.remember(by, privately(desk, by.team, respond));
    await takeTyped(desk, doing, {
      ...{ by, text: command.text, action: 'command', isRead: false },
      read: text => withPlace(withoutSignIn, [...words, withoutCode(text)].join(' ').trim(), desk.house.commands),
      interactionOf: asked => newInteraction({ ...by, ...asked }),
      ack: refusal => (refusal === undefined ? ack() : refuse(refusal)),
      tell: (interaction, content) => answerCommand(desk, interaction, respond, content),
    });
  });
}

/**
 * Listens to every button and menu that is no input of a form. A click that nothing here knows does nothing, and the
 * person is told so.
 */
export function listenToClicks<Needs>(
  app: App,
  desk: Needs & Clerk & Voice & InteractionTaker & Desk<'responseUrls'>,
  doing: Doing,
  { reactions, inForms }: Readonly<{ reactions: readonly Reaction<never>[]; inForms: readonly UseInForm<Needs>[] }>,
): void {
  app.action({ action_id: /(?:)/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    // The inputs of a form have listeners of their own (forms/listenToForms.ts).
    if (action.action_id === inputAction) return;
    const reaction = reactionTo(reactions, action.action_id);
    const asked = reaction?.interactionOf(textOf(action));
    const replaces = reaction?.replaces ?? false;
    const isAnswer = reaction?.action === runCommand.id && isDirect(body.channel?.id ?? '');
    const thread = threadOf(body, isAnswer);
    const tell = (content: Content) => answerClick(desk, { body, respond }, content, { replaces, thread });
    if (!asked) {
      await ack();
      const [name] = action.action_id.split(':');
      const work = inForms.find(({ id }) => id === name)?.use(desk, body, action);
      if (work) return desk.run('use what is in a form', work);
      const interaction = clicked(body, { action: action.action_id, value: '', thread });
      const noted = noteTurnedAway(desk, interaction, action.action_id, 'there is no such button');
      const answered = () => tell(said(ofAnotherRelease));
      return desk.run('answer a button of another release', noted.then(answered, answered));
    }
    const interaction = clicked(body, { ...asked, thread });
    desk.responseUrls.remember(interaction, privately(desk, interaction.team, respond));
    await takeInteraction(desk, doing, { interaction, ack: ackClick(ack, tell), tell });
  });
}

/**
 * Answers by a response URL for the person alone. It is made apart from its request: it is kept for long, and a function
 * that is made in a listener keeps the request alive, too.
 */
export function privately(desk: Sender, team: string, respond: RespondFn): Tell {
  return content => respondWith(desk, team, respond, content, { ...ephemeral, replace_original: false });
}

/** The reaction to an `action_id`, which may have a suffix. Names and suffixes may have colons: the longest name counts. */
export function reactionTo<R extends Pick<Reaction<never>, 'action'>>(
  reactions: readonly R[],
  id: string,
): R | undefined {
  const found = reactions.find(({ action }) => action === id);
  const end = id.lastIndexOf(':');
  return found ?? (end < 0 ? undefined : reactionTo(reactions, id.slice(0, end)));
}

/** A click as an interaction. */
function clicked(body: BlockAction, asked: Pick<Interaction, 'action' | 'value' | 'thread'>): Interaction {
  const channel = placeOf(body);
  const inside: unknown = body.container.message_ts ?? body.container.view_id;
  const place = typeof inside === 'string' ? `${channel} ${inside}` : undefined;
  const interaction = newInteraction({ ...whoIn(body), channel, trigger: body.trigger_id, ...asked, place });
  return body.view?.type === 'modal' ? { ...interaction, isInForm: true, view: body.view.id } : interaction;
}

/** The value of a button, or of the chosen entry of a menu. */
function textOf(action: BlockElementAction): string {
  if (action.type === 'overflow' || action.type === 'static_select') return action.selected_option?.value ?? '';
  return action.type === 'button' ? (action.value ?? '') : '';
}

/** Acknowledges a click. Slack shows no text with that, so a refusal is a message. */
function ackClick(ack: () => Promise<unknown>, tell: Tell): Ack {
  return async refusal => {
    await ack();
    if (refusal !== undefined) await tell(said(`:warning: ${refusal}`));
  };
}
