import type { BlockAction, RespondArguments } from '@slack/bolt';
import type { Content } from './blocks.ts';
import type { Desk } from './desk.ts';

/** What of a click says where it was made: in Home there is no channel. */
type Click = Pick<BlockAction, 'channel' | 'user'>;

/** Where something was clicked; in Home, the person stands for their direct messages. */
export function placeOf({ channel, user }: Click): string {
  return channel?.id ?? user.id;
}

/**
 * Answers a click so that the person alone sees it: beside the message that was clicked, or in its place. A click in Home
 * brings no response URL, so its answer is a direct message.
 */
export async function answerClick(
  desk: Pick<Desk, 'slack'>,
  body: Click,
  respond: (message: RespondArguments) => Promise<unknown>,
  content: Content,
  how: { replaces: boolean } = { replaces: false },
): Promise<void> {
  if (!body.channel) return tellDirectly(desk, body.user.id, content);
  await respond({ ...content, ...(how.replaces ? {} : ephemeral), replace_original: how.replaces });
}

export const ephemeral = { response_type: 'ephemeral' } as const;

/** Tells one person in the channel, or directly where that cannot be. */
export async function whisper(
  { slack, log }: Pick<Desk, 'slack' | 'log'>,
  person: string,
  place: string,
  content: Content,
): Promise<void> {
  if (place === person) return tellDirectly({ slack }, person, content);
  await slack.chat.postEphemeral({ channel: place, user: person, ...content }).catch(async (error: unknown) => {
    log.info({ error }, 'told somebody by direct message instead');
    await tellDirectly({ slack }, person, content);
  });
}

/** Tells a person by a direct message. */
export async function tellDirectly(desk: Pick<Desk, 'slack'>, person: string, content: Content): Promise<void> {
  const channel = await directPlace(desk, person);
  await desk.slack.chat.postMessage({ channel, ...content, unfurl_links: false, unfurl_media: false });
}

/** The id of the direct messages with a person: unlike the person's own id, it can be read and updated in. */
export async function directPlace({ slack }: Pick<Desk, 'slack'>, person: string): Promise<string> {
  const { channel } = await slack.conversations.open({ users: person });
  if (channel?.id === undefined) throw new Error('conversations.open gave no channel');
  return channel.id;
}

/** Whether a place is a person rather than a channel. */
export function isPerson(place: string): boolean {
  return /^[UW]/.test(place);
}
