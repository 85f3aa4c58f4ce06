import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { answerAfter, asks } from './asking.ts';

/** The channel for approvals, in the playground. */
export const approvalChannel = '#dba-approvals';
/** Its id, and who may approve: the group of DBAs (Ana and Dev). */
export const approvalKeys = { APPROVERS: 'S0DBAS0001', APPROVAL_CHANNEL: 'C0APPROVAL' } as const;

/** A request that waits for approval: its message where it was asked, and its card in the channel for approvals. */
export type Request = { own: StoredMessage; card: StoredMessage };

/** Asks for a deletion, by its line and the name to type. */
export async function asksToDelete(earth: World, someone: Someone, line: string, name: string): Promise<Request> {
  const before = earth.cards(approvalChannel).length;
  const own = await asks(earth, someone, line, { name });
  const card = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
  await earth.until(() => earth.text(card).includes('Waits for approval'), 'the buttons');
  return { own, card };
}

/** Presses a button on a card, and gives what this person alone is told then. */
export async function clicks(someone: Someone, card: StoredMessage, button: string): Promise<string> {
  return told(someone, card, button, async () => undefined);
}

/** Presses a button that asks for a reason, gives it, and gives what this person alone is told then. */
export async function clicksWith(
  someone: Someone,
  card: StoredMessage,
  button: string,
  reason: string,
): Promise<string> {
  return told(someone, card, button, async () => {
    await someone.fills({ reason });
    const { errors, error } = await someone.submits();
    if (error !== '' || Object.keys(errors).length > 0)
      throw new Error(`not taken: ${JSON.stringify(errors)} ${error}`);
  });
}

async function told(
  someone: Someone,
  { channel, ts }: StoredMessage,
  button: string,
  next: () => Promise<void>,
): Promise<string> {
  const message = await someone.until(() => someone.messages(channel).find(one => one.ts === ts), 'the card');
  const act = async () => {
    await someone.presses(button, { message });
    await next();
  };
  return JSON.stringify((await answerAfter(someone, channel, act, `an answer to ${button}`)).blocks);
}
