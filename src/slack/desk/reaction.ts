import type { BlockAction, BlockElementAction, BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import type { Action } from '../blocks/action.ts';
import { type Content, said } from '../blocks/message.ts';
import type { Interaction } from './interaction.ts';
import { formOfAnotherRelease } from './submission.ts';

/**
 * Dolly's reaction to one kind of interaction: a command, a kind of button, or a form that is not the form of a job. `Needs` is
 * what it may touch.
 */
type Deed<V, Needs> = Readonly<{
  /**
   * Does what the interaction asks for. Returns the answer for the person; `undefined` where a form or a message is the answer.
   */
  perform(desk: Needs, interaction: Interaction, value: V): Promise<Content | undefined>;
  /**
   * Whether the interaction changes something by itself, and does not only show something or open a form. Such an interaction
   * is stored before Slack hears that it was taken, and is done once.
   */
  acts?(desk: Needs, value: V): boolean;
  /** The command with which the person goes on after a missing sign-in. */
  intent?(value: V): string;
  /** Whether the answer replaces the clicked message. */
  replaces?: true;
  /** Whether people who are not admitted may do it, too: its answer itself says whom Dolly serves. */
  isOpenToAll?: true;
  /** Writes to the trail that a person who is not admitted tried it. */
  turnAway?(desk: Needs, interaction: Interaction, why: string): Promise<void>;
  /** Counts an interaction and its outcome: `answered`, `form`, or the kind of failure. */
  note?(desk: Needs, interaction: Interaction, outcome: string): void;
}>;

/** A {@link Deed} whose value is still the text from Slack. */
export type Reaction<Needs> = Deed<string, Needs> &
  Readonly<{
    /** The `action` of its interactions, and the id of its button. */
    action: string;
    /** The use for a click with this text; `undefined` if no button of this release carries it. */
    interactionOf(text: string): Pick<Interaction, 'action' | 'value'> | undefined;
  }>;

/** What comes of a button or a menu inside of a modal. It works with what the modal holds, and is never kept. */
export type UseInForm<Needs> = Readonly<{
  /** Its `action_id`, before the `:` of a suffix. */
  id: string;
  /** Begins the work; `undefined` for a modal that this release did not draw. */
  use(desk: Needs, body: BlockAction, used: BlockElementAction): Promise<unknown> | undefined;
}>;

/** The choices of a picker, in groups or without. */
export type Offered = NonNullable<Parameters<SlackOptionsMiddlewareArgs<'block_suggestion'>['ack']>[0]>;

/** What offers the choices of a picker inside of a modal, within the time in which Slack waits for them. */
export type Offering<Needs> = Readonly<{
  /** Its `action_id`. */
  id: string;
  offer(desk: Needs, body: BlockSuggestion): Promise<Offered>;
}>;

/** The reaction to a click on a button of this action. */
export function reactTo<V, Needs>(action: Action<V>, deed: Deed<NoInfer<V>, Needs>): Reaction<Needs> {
  const { acts, intent, perform, ...rest } = deed;
  const read = (text: string): V => {
    const value = action.read(text);
    if (value === undefined) throw new RangeError(`${action.id} does not read what it was given`);
    return value;
  };
  return {
    ...rest,
    action: action.id,
    interactionOf: text => (action.read(text) === undefined ? undefined : { action: action.id, value: text }),
    perform: (desk, interaction) => perform(desk, interaction, read(interaction.value)),
    ...(acts ? { acts: (desk, text) => acts(desk, read(text)) } : {}),
    ...(intent ? { intent: text => intent(read(text)) } : {}),
  };
}

/** The reaction to what a modal kept. No button has its name, which is stored with the interaction: so it must never change. */
export function reactToForm<V, Needs>(action: Action<V>, deed: Deed<NoInfer<V>, Needs>): Reaction<Needs> {
  const { perform, ...reaction } = reactTo(action, deed);
  const isKnown = (interaction: Interaction) => action.read(interaction.value) !== undefined;
  return {
    ...reaction,
    interactionOf: () => undefined,
    acts: () => true,
    perform: async (desk, interaction) =>
      isKnown(interaction) ? perform(desk, interaction, interaction.value) : said(formOfAnotherRelease),
  };
}

/** A button that runs a command. `wordsOf` gives the command; `undefined` if there is none. */
export function reactAsCommand<V, Needs>(
  action: Action<V>,
  command: Reaction<Needs>,
  wordsOf: (value: NoInfer<V>) => string | undefined,
): Reaction<Needs> {
  return {
    ...command,
    action: action.id,
    interactionOf(text) {
      const value = action.read(text);
      const words = value === undefined ? undefined : wordsOf(value);
      return words === undefined ? undefined : { action: command.action, value: words };
    },
  };
}
