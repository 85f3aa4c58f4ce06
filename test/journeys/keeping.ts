import { minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import type { World } from '../world.ts';
import { answerAfter } from './asking.ts';
import { asksForClone, ends, quickLine } from './clones.ts';

/* Clones that are kept for a time, on a clock that the test turns by days. */

/** Asks for a clone with more words to its form, and waits until it is confirmed and its lease has begun. */
export async function keepsClone(earth: World, someone: Someone, port: number, words: string): Promise<StoredMessage> {
  const card = await asksForClone(earth, someone, '#databases', `${quickLine(port)} ${words}`, {});
  await ends(earth, card, `shop-${port}`);
  // The lease begins with the end of the job, and its loop looks every few seconds.
  await earth.clock.advance(10_000);
  return card;
}

/** Sleeps until shortly before a moment, so that what is due then comes in its time. */
export async function sleepsUntil(earth: World, moment: number): Promise<void> {
  await earth.clock.leap(Math.max(0, moment - earth.clock.now() - minute));
}

/** Waits for a direct message of Dolly's with these words, and gives it. */
export function isTold(earth: World, someone: Someone, words: string | RegExp): Promise<Message> {
  const found = () => someone.messages('@dolly').findLast(message => matches(textOf(message), words));
  return earth.until(found, `${words}; the last message says: ${textOf(someone.messages('@dolly').at(-1))}`);
}

function matches(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? plain(text).includes(words) : words.test(plain(text));
}

/** A text without its bold type, and with its times in UTC. */
export const plain = (text: string) => text.replaceAll('*', '').replace(/<!date[^|]*\|([^>]*)>/g, '$1');

/** Presses a button of a direct message, and gives the answer that only this person sees. */
export const pressesThere = (someone: Someone, button: string, message: Message) =>
  answerAfter(someone, '@dolly', () => someone.presses(button, { message }), `an answer to ${button}`);

/** Counts the writes that the service received on a path. */
export const requestsTo = (earth: World, path: string) =>
  earth.writes().filter(request => request.path.startsWith(path)).length;
