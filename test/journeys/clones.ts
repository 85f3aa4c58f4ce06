import { expect } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Someone } from '../person.ts';
import type { Filling } from '../sandbox/playground/form.ts';
import type { World } from '../world.ts';

/** What a clone of a MySQL or MariaDB server needs at this service, on the environment `dev`. */
export const onDev = { targetEnvironment: 'dev', environmentUser: 'backup' } as const;

/** Opens a form with `line` and waits until its fields are there. */
export async function opensForm(someone: Someone, channel: string, line: string): Promise<void> {
  await someone.types(channel, line);
  await someone.until(
    () => someone.sees().views.some(({ view }) => JSON.stringify(view).includes('"submit":{')),
    'the form',
  );
}

/** Types `line`, fills the form and submits it. */
export async function submitsClone(
  someone: Someone,
  channel: string,
  line: string,
  fields: Record<string, Filling>,
): Promise<void> {
  await opensForm(someone, channel, line);
  await someone.fills(fields);
  expect(await someone.submits()).toEqual({ errors: {}, error: '', open: false });
}

/** Asks for a clone; gives the message of its job in that channel. */
export async function asksForClone(
  earth: World,
  someone: Someone,
  channel: string,
  line: string,
  fields: Record<string, Filling>,
): Promise<StoredMessage> {
  const before = earth.cards(channel).length;
  await submitsClone(someone, channel, line, fields);
  return earth.until(() => earth.cards(channel)[before], `the message of ${line}`);
}

/** A clone of a MySQL server with what the service requires, as quick to ask for as can be. */
export function quickClone(
  earth: World,
  someone: Someone,
  port: number,
  mountBase = `/mnt/c${port}`,
  channel = '#databases',
  source = 'shop',
): Promise<StoredMessage> {
  return asksForClone(earth, someone, channel, quickLine(port, mountBase).replace('shop', source), {});
}

/** The words that fill the whole form of {@link quickClone}. */
export function quickLine(port: number, mountBase = `/mnt/c${port}`): string {
  return `/clone shop port=${port} mountBase=${mountBase} targetEnvironment=HOST_ENVIRONMENT-4 install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8`;
}

/** Waits until a job's message and thread say how it ended. */
export async function ends(earth: World, card: StoredMessage, word: string): Promise<string> {
  await earth.until(() => earth.text(card).includes(word), `${word}; the message says: ${earth.text(card)}`);
  await earth.until(() => earth.replies(card).length > 0 || isAlone(earth.text(card)), 'a reply in the thread');
  return earth.text(card);
}

/** Claims that the one job there is ends as confirmed, with this record, and was sent and told once, also a minute later. */
export async function endsOnce(earth: World, card: StoredMessage, record: string): Promise<void> {
  expect(await ends(earth, card, 'Confirmed')).toContain(record);
  await earth.clock.advance(60_000);
  expect(earth.cards('#databases')).toHaveLength(1);
  expect(earth.replies(card)).toHaveLength(1);
  expect(earth.writes()).toHaveLength(1);
}

/** What this person alone was told of jobs that were no news for a channel: there, and then by direct message. */
export function toldAlone(someone: Someone, channel = '#databases'): readonly Message[] {
  const isOfJob = ({ text }: Message) =>
    /^:(x|hourglass_flowing_sand|outbox_tray|leftwards_arrow_with_hook): /.test(text) && isAlone(text);
  const here = someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id);
  return [...here, ...someone.messages('@dolly').filter(({ threadTs }) => threadTs === undefined)].filter(isOfJob);
}

/** Whether a message of a job is for its person alone: everybody else is told who asked. Nobody replies to it. */
export function isAlone(text: string): boolean {
  return !text.includes('Asked by');
}

/** What this person alone was told of jobs that came to nothing. */
export function refusalsOf(someone: Someone, channel = '#databases'): readonly Message[] {
  return toldAlone(someone, channel).filter(({ text }) => /· (Failed|Expired)|^:x: /.test(text));
}

/** Submits the form of `line`, which the service refuses; gives what the person alone is told of it, as it stands there. */
export async function refusedClone(
  earth: World,
  someone: Someone,
  line: string,
  { channel = '#databases', fields = {} }: Readonly<{ channel?: string; fields?: Record<string, Filling> }> = {},
): Promise<Message> {
  const before = refusalsOf(someone, channel).length;
  await submitsClone(someone, channel, line, fields);
  return earth.until(() => refusalsOf(someone, channel)[before], `the refusal of ${line}`);
}
