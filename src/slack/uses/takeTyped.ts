import { said } from '../blocks/blocks.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { longestTyped } from '../desk/message.ts';
import type { Ack, Tell, Use } from '../desk/use.ts';
import { withWarning } from '../words/withoutPasswords.ts';
import type { Doing } from './doing.ts';
import { takeUse, type UseTaker } from './takeUse.ts';

/** The action of a text that is too long to be read. */
const tooLong = 'text.tooLong';

/** Answers such a text. Nothing of it was read, and nothing is repeated. */
export const typedReactions = [
  {
    action: tooLong,
    useOf: () => undefined,
    perform: async () =>
      said(
        `What you typed is too long: I read ${longestTyped} characters at most. Nothing was done. Please shorten it.`,
      ),
  },
];

/** What a person typed: a slash command, or a message. */
type Typed = Readonly<{
  text: string;
  /** Reads the text as the value of a use, without passwords. */
  read(text: string): Readonly<{ line: string; hadPassword: boolean }>;
  /** Makes the use of an action with a value. */
  useOf(asked: Pick<Use, 'action' | 'value'>): Use;
  /** The action of the use, if the text can be read. */
  action: string;
  /** Whether others may have read it. */
  isRead: boolean;
  /** Tells Slack that it was taken, where Slack waits for that. */
  ack?: Ack;
  tell(use: Use, content: Parameters<Tell>[0]): Promise<unknown>;
}>;

/**
 * Takes what a person typed. Nothing longer than {@link longestTyped} is read. Slack waits for its answer only where
 * something is to be stored before that.
 */
export async function takeTyped(desk: UseTaker & Desk<'people'>, uses: Doing, typed: Typed): Promise<void> {
  const { text, useOf, action, ack } = typed;
  const isStoredFirst = text.length <= longestTyped && uses.acts(useOf({ action, value: text }));
  if (!ack || isStoredFirst) return read(desk, uses, typed);
  await ack();
  const { ack: _, ...rest } = typed;
  desk.run('answer a command', read(desk, uses, rest));
}

/**
 * Reads the text, for those alone who are admitted: whoever is not gets the sentence about that. What is too long is
 * refused unread.
 */
async function read(desk: UseTaker & Desk<'people'>, uses: Doing, typed: Typed): Promise<void> {
  const { text, useOf, action, isRead } = typed;
  const unread = useOf({ action: tooLong, value: '' });
  const isAdmitted = await mustBeAdmitted(desk, unread).then(
    () => true,
    () => false,
  );
  const isReadable = isAdmitted && text.length <= longestTyped;
  const { line, hadPassword } = isReadable ? typed.read(text) : { line: '', hadPassword: false };
  const use = isReadable ? useOf({ action, value: line }) : unread;
  const tell: Tell = content => typed.tell(use, hadPassword ? withWarning(content, isRead) : content);
  const refuse: Ack = async refusal => refusal !== undefined && tell(said(`:warning: ${refusal}`));
  await takeUse(desk, uses, { use, ack: typed.ack ?? refuse, tell });
}
