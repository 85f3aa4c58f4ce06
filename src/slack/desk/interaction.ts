import { hash } from 'node:crypto';
import type { HeardKind } from '../../store/tables/heard.ts';
import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/message.ts';

/** The names of the three slash commands. */
export type CommandNames = { db: string; clone: string; restore: string };

/** A person's request by a command, a button, or a form that is not the form of a job. */
export type Interaction = Owner &
  Readonly<{
    /** Equal for two deliveries of the same interaction by Slack. */
    id: string;
    channel: string;
    /** The thread in which it was asked for, by its first message's ts: the message of a job goes there, too. */
    thread?: string | undefined;
    /** `command`, or the button or form that was used. */
    action: string;
    /** The command's words, or the value of the button or form. */
    value: string;
    /** The `trigger_id` with which a form can be opened for three seconds; empty where there is none, or once they are over. */
    trigger: string;
    /** Slack's time of the message that asked for it, in milliseconds since the epoch. */
    writtenAt?: number;
    /** The kind of message that it was, of which Slack may tell again after it was done. */
    heard?: HeardKind;
    /** When it was taken, where it was stored before it was done: in milliseconds since the epoch. */
    takenAt?: number;
    /** Whether it was clicked inside an open form. */
    isInForm?: boolean;
    /** The id of that form. */
    view?: string;
  }>;

/** A person who asks for something, and the channel and the thread where they ask. */
export type Speaker = Pick<Interaction, 'team' | 'person' | 'channel' | 'thread'>;

/** An interaction that Slack has just delivered; `place` is the message or the view in which a pressed button is. */
type Delivered = Omit<Interaction, 'id'> & Readonly<{ place?: string | undefined }>;

/**
 * Names an interaction. A click is named by what it does and by its place, and not by its trigger: so pressing a button
 * twice is one interaction as long as the first press is in hand.
 */
export function newInteraction({ place, ...interaction }: Delivered): Interaction {
  const { team, person, trigger, action, value } = interaction;
  const name = hash('sha256', JSON.stringify([team, person, place ?? trigger, action, value]), 'base64url');
  return { ...interaction, id: place === undefined ? name : `${press}${name}` };
}

const press = 'press ';

/**
 * Whether an interaction is named by a button, which may be pressed again later, and not by the moment at which it was asked
 * for.
 */
export function isPress({ id }: Pick<Interaction, 'id'>): boolean {
  return id.startsWith(press);
}

/** Tells Slack that Dolly took the interaction, or with a sentence why not. */
export type Ack = (refusal?: string) => Promise<unknown>;

/** Tells the person the outcome. */
export type Tell = (content: Content) => Promise<unknown>;
