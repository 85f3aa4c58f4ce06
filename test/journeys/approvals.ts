import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { asks } from './asking.ts';

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
export async function clicks(someone: Someone, { channel, ts }: StoredMessage, button: string): Promise<string> {
  const mine = () => someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id);
  const before = mine().length;
  const message = await someone.until(() => someone.messages(channel).find(one => one.ts === ts), 'the card');
  await someone.presses(button, { message });
  const answer = await someone.until(() => mine()[before], `an answer to ${button}`);
  return JSON.stringify(answer.blocks);
}

/** Presses a button that asks for a reason, gives it, and gives what this person alone is told then. */
export async function clicksWith(
  someone: Someone,
  { channel, ts }: StoredMessage,
  button: string,
  reason: string,
): Promise<string> {
  const mine = () => someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id);
  const before = mine().length;
  const message = await someone.until(() => someone.messages(channel).find(one => one.ts === ts), 'the card');
  await someone.presses(button, { message });
  await someone.fills({ reason });
  const { errors, error } = await someone.submits();
  if (error !== '' || Object.keys(errors).length > 0) throw new Error(`not taken: ${JSON.stringify(errors)} ${error}`);
  return JSON.stringify((await someone.until(() => mine()[before], `an answer to ${button}`)).blocks);
}
