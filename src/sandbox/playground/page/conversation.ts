import { differenceInMinutes, isSameDay } from 'date-fns';
import type { Channel, Message, Person, Snapshot } from '../protocol.ts';
import { dateOfTs } from './dates.ts';
import { isBefore } from './unread.ts';

type Messages = Snapshot['messages'];

/** Puts a message in its place by time; one with the same ts is replaced. */
export function putMessage(messages: Messages, message: Message): Messages {
  const others = (messages[message.channel] ?? []).filter(other => other.ts !== message.ts);
  const at = others.findLastIndex(other => !isBefore(message.ts, other.ts)) + 1;
  return { ...messages, [message.channel]: others.toSpliced(at, 0, message) };
}

/** Takes a message away. */
export function removeMessage(messages: Messages, channel: string, ts: string): Messages {
  return { ...messages, [channel]: (messages[channel] ?? []).filter(message => message.ts !== ts) };
}

/** Whether a message stands in a thread only. */
export function isReply(message: Message): boolean {
  return message.threadTs !== undefined && message.threadTs !== message.ts;
}

/** The messages of a channel that stand outside of threads. */
export function mainMessages(messages: Message[]): Message[] {
  return messages.filter(message => !isReply(message));
}

/** The replies in the thread of `ts`. */
export function repliesTo(messages: Message[], ts: string): Message[] {
  return messages.filter(message => isReply(message) && message.threadTs === ts);
}

/** The number of messages that are drawn at first: all of a long day would make each keystroke slow. */
const WINDOW = 80;

/**
 * Where to begin to draw a list of messages: the last {@link WINDOW}, as many more for each time that earlier ones were
 * asked for, and from the message that a link led to, if that is earlier.
 */
export function firstDrawn(messages: Message[], asked: number, target: string | undefined): number {
  const from = Math.max(0, messages.length - WINDOW * (asked + 1));
  const linked = messages.findIndex(message => message.ts === target);
  return linked < 0 ? from : Math.min(from, linked);
}

/** The look of a message among its neighbours. */
export type Line = { message: Message; newDay: boolean; follows: boolean };

/** Marks where a day begins and which messages follow one of the same person closely enough to drop the heading. */
export function lines(messages: Message[]): Line[] {
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const newDay = !before || !isSameDay(dateOfTs(before.ts), dateOfTs(message.ts));
    const close =
      before !== undefined &&
      before.user === message.user &&
      before.onlyFor === message.onlyFor &&
      differenceInMinutes(dateOfTs(message.ts), dateOfTs(before.ts)) < 5;
    return { message, newDay, follows: close && !newDay };
  });
}

/** The app that lives in this workspace. */
export function appOf(data: Snapshot): Person | undefined {
  return data.people.find(person => person.isBot);
}

/** The kind of a person who is neither a full member of this workspace nor an app; empty for those two. */
export function kindWord({ kind }: Person): string {
  return kind === undefined ? '' : { guest: 'guest', outsider: 'other workspace' }[kind];
}

/** The other person of a direct message. */
export function partnerOf(channel: Channel, data: Snapshot): Person | undefined {
  const id = channel.members.find(member => member !== data.me.id) ?? data.me.id;
  return data.people.find(person => person.id === id);
}

/** The name of a channel on screen: `#databases`, or the other person's name. */
export function channelTitle(channel: Channel, data: Snapshot): string {
  return channel.kind === 'dm' ? (partnerOf(channel, data)?.realName ?? channel.name) : `#${channel.name}`;
}
