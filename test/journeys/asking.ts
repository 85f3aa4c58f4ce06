import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Someone } from '../person.ts';
import type { Filling } from '../sandbox/playground/form.ts';
import type { World } from '../world.ts';
import { isAlone, opensForm, refusalsOf } from './clones.ts';

/** How a person answers what a command asks. */
export type Answers = Readonly<{
  /** What is filled into the form, by field. */
  fields?: Readonly<Record<string, Filling>>;
  /** What is typed on the last page. */
  name?: string;
  channel?: string;
}>;

/**
 * Types `line`, fills its form and confirms its last page, as far as there are any; gives the message of the job: the one
 * in the channel, or what the person alone is told where nothing came of it. What is confirmed by its name is approved by
 * the world's approver, if it has one.
 */
export async function asks(
  earth: World,
  someone: Someone,
  line: string,
  { fields, name, channel = '#databases' }: Answers = {},
): Promise<StoredMessage> {
  const [before, refused] = [earth.cards(channel).length, refusalsOf(someone, channel).length];
  const posted = () => earth.cards(channel)[before] ?? refusalsOf(someone, channel)[refused];
  if (fields) {
    await opensForm(someone, channel, line);
    await someone.fills({ ...fields });
    const { errors, error, open } = await someone.submits();
    if (error !== '' || Object.keys(errors).length > 0) throw new Error(`${line}: ${JSON.stringify(errors)} ${error}`);
    if (open) await confirms(someone, name);
  } else {
    await someone.types(channel, line);
    const shows = () => posted() !== undefined || isReady(someone);
    await earth.until(shows, `a form or a message of ${line}`);
    if (someone.hasModal()) await confirms(someone, name);
  }
  const card = await earth.until(posted, `the message of ${line}`);
  if (earth.approver && name !== undefined) await approves(earth, earth.approver, card);
  return card;
}

/** Types a command, and gives the answer that only this person sees; waits for it as long as `until` does, or `patience`. */
export function answerTo(someone: Someone, line: string, channel = '#databases', patience?: number): Promise<Message> {
  return answerAfter(someone, channel, () => someone.types(channel, line), `an answer to ${line}`, patience);
}

/** Does something that is answered to this person alone, and gives the answer: nothing of it is left to come later. */
export async function answerAfter(
  someone: Someone,
  channel: string,
  act: () => Promise<unknown>,
  what: string,
  patience?: number,
): Promise<Message> {
  const mine = () => someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id);
  const before = mine().length;
  await act();
  return someone.until(() => mine()[before], what, patience);
}

/** Approves what a card asks for, if it asks for approval at all. */
export async function approves(earth: World, approver: Someone, card: StoredMessage): Promise<void> {
  await earth.until(() => !/· Not sent yet/.test(earth.text(card)), 'the job to be looked at');
  if (!/· Waits for approval/.test(earth.text(card))) return;
  const message = await approver.until(
    () => approver.messages(card.channel).find(({ ts }) => ts === card.ts),
    'the card',
  );
  await approver.presses('Approve', { message });
  await earth.until(() => !/· Waits for approval/.test(earth.text(card)), 'the approval to count');
}

/** Submits the page that is open, with a name typed on it if one is given. */
export async function confirms(someone: Someone, name?: string): Promise<void> {
  await someone.until(() => isReady(someone), 'the last page');
  if (name !== undefined) await someone.fills({ confirm: name });
  if ('reason' in (await someone.modal()).fields) await someone.fills({ reason: 'It is not needed any more.' });
  const { errors, error, open } = await someone.submits();
  if (open) throw new Error(`not taken: ${JSON.stringify(errors)} ${error}`);
}

/** Types a command whose last page nobody can submit, and gives what the page says; it is left. */
export async function readsShutPage(someone: Someone, line: string, words: RegExp): Promise<string> {
  await someone.types('#databases', line);
  await someone.until(() => words.test(JSON.stringify(someone.sees().views)), `the page of ${line}`);
  if (isReady(someone)) throw new Error(`the page of ${line} can be submitted`);
  const { text, fields } = await someone.modal();
  if ('confirm' in fields || 'reason' in fields) throw new Error(`the page of ${line} asks for something in vain`);
  await someone.cancels();
  return text;
}

function isReady(someone: Someone): boolean {
  return someone.sees().views.some(({ view }) => JSON.stringify(view).includes('"submit":{'));
}

/**
 * Turns the clock until a job's message says how it ended: in small steps, in large ones where the job takes its time,
 * and past the longest time of all, while the bot is down, where nothing comes of it.
 */
export async function comesToAnEnd(earth: World, card: StoredMessage): Promise<string> {
  const isOver = () => /· (Confirmed|Finished, result not shown|Failed|Unconfirmed)|^:x: /.test(earth.text(card));
  const turns = async (count: number, step: number) => {
    for (let turn = 0; turn < count && !isOver(); turn++) await earth.clock.advance(step);
  };
  await turns(60, 500);
  await turns(90, 30_000);
  if (!isOver()) {
    await earth.stop();
    await earth.clock.advance(hoursToMilliseconds(24));
    await earth.start();
  }
  const isTold = () => earth.replies(card).length > 0 || isAlone(earth.text(card));
  await earth.until(() => isOver() && isTold(), `an end; the message says: ${earth.text(card)}`);
  return earth.text(card);
}
