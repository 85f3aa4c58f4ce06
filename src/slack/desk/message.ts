import { hash } from 'node:crypto';
import { z } from 'zod';
import type { HeardKind } from '../../store/tables/heard.ts';
import { withoutPasswords } from '../words/withoutPasswords.ts';
import type { Speaker } from './interaction.ts';
import { isDirect } from './placeKinds.ts';
import { whoInEvent } from './who.ts';

/** A message that a person wrote to Dolly: a mention in a channel, or a direct message. */
export type WrittenMessage = Speaker &
  Readonly<{
    /** Equal however often Slack tells of the message as it stands now. */
    id: string;
    kind: HeardKind;
    /** The text as Slack keeps it: escaped, with people, channels and addresses in angle brackets. */
    text: string;
    isChanged: boolean;
    /** Slack's time of the text as it stands now, in milliseconds since the epoch. */
    writtenAt: number;
  }>;

/** Max characters of a command or a message that is read. Slack takes 40,000 in a message. */
export const longestTyped = 4_000;

/** The subtypes of messages that people write: with a file, and in a thread but also sent to the channel. */
const written: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast'];

/** Slack itself writes under this name, such as the automatic answers of a workspace. */
const slackbot = 'USLACKBOT';

const Ts = z.string().regex(/^\d+\.\d+$/);
const Event = z.object({
  type: z.enum(['app_mention', 'message']),
  channel: z.string(),
  channel_type: z.string().optional(),
  user: z.string(),
  text: z.string().default(''),
  ts: Ts,
  thread_ts: Ts.optional(),
  subtype: z.string().optional(),
  bot_id: z.string().nullish(),
  hidden: z.boolean().optional(),
  edited: z.object({ ts: Ts }).nullish(),
});

/**
 * Reads the envelope of an event as a message to Dolly; `undefined` for anything else: what apps and Slack itself wrote,
 * and news of a message that was deleted or shown otherwise (docs.slack.dev/reference/events/app_mention,
 * docs.slack.dev/reference/events/message). Slack tells of a mention anew, under another `event_id`, whenever somebody
 * changes it, and then it has `edited` (github.com/slackapi/bolt-js/issues/960): so the channel, the `ts` and the text
 * name a message, and not the event. In direct messages a mention is a message like any other.
 */
export function readMessage(
  envelope: Parameters<typeof whoInEvent>[0] & { event?: unknown },
): WrittenMessage | undefined {
  const { data: event } = Event.safeParse(changedIn(envelope.event) ?? envelope.event);
  if (!event) return undefined;
  const { type, channel, text, ts, thread_ts: thread, subtype, bot_id: bot, edited } = event;
  const isHere = (event.channel_type ?? 'im') === 'im' && isDirect(channel);
  if (type === 'message' && !isHere) return undefined;
  if (bot || event.hidden || event.user === slackbot || !written.includes(subtype)) return undefined;
  const { team, person } = whoInEvent(envelope, event.user);
  if (team === '') return undefined;
  const key = JSON.stringify(['message', team, channel, ts, edited?.ts ?? null, ofText(text)]);
  return {
    ...{ id: hash('sha256', key, 'base64url'), team, person, channel, thread, text },
    ...{ kind: isHere ? 'direct' : 'mention', isChanged: Boolean(edited) },
    writtenAt: Number(edited?.ts ?? ts) * 1_000,
  };
}

const Changed = z.object({
  type: z.literal('message'),
  subtype: z.literal('message_changed'),
  channel: z.string(),
  channel_type: z.string().optional(),
  message: z.object({ text: z.string(), edited: z.object({ ts: Ts }) }).loose(),
  previous_message: z.object({ text: z.string() }).optional(),
});

/**
 * The event of a direct message as its person changed it; `undefined` for anything else. Slack tells of other changes in
 * the same way, such as the preview of a link, which leave the text as it was
 * (docs.slack.dev/reference/events/message/message_changed).
 */
function changedIn(event: unknown): unknown {
  const { data } = Changed.safeParse(event);
  if (!data || data.message.text === data.previous_message?.text) return undefined;
  const { type, channel, channel_type, message } = data;
  return { ...message, type, channel, ...(channel_type === undefined ? {} : { channel_type }) };
}

/** The part of the id that is from the text. Nobody can guess a password from the id of a message. */
function ofText(text: string): string {
  const [mention = ''] = /^(?:\s*<[^<>]*>)*/.exec(text.slice(0, longestTyped)) ?? [];
  return mention + withoutPasswords(text.slice(mention.length, longestTyped)).line;
}
