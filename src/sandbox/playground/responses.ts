import { type Json, stringOf } from './json.ts';
import { contentOf } from './methods/content.ts';
import type { Slack } from './slack.ts';
import { SlackError } from './slackError.ts';
import type { ResponseUrl } from './tickets.ts';

const yes = (value: unknown) => value === true || value === 'true';

/** Puts up what the bot says in an ack or to a response URL: for one person, or for the whole channel. */
export function say(slack: Slack, { channel, user }: Omit<ResponseUrl, 'team'>, answer: Json): void {
  const { metadata: _, ...content } = contentOf(slack, answer);
  const threadTs = stringOf(answer.thread_ts);
  slack.messages.post({
    channel,
    user: slack.workspace.app.botUser,
    ...content,
    ...(threadTs === '' ? {} : { threadTs }),
    // The bot need not be a member: a response URL is a permission of its own.
    ...(answer.response_type === 'in_channel' ? {} : { onlyFor: user }),
  });
}

/**
 * Answers a POST to a response URL.
 * @throws SlackError used_url, expired_url, invalid_url, no_text, invalid_blocks, …
 */
export function respond(slack: Slack, id: string, answer: Json): void {
  const use = slack.responseUrls.redeem(id);
  const original = use.ts === undefined ? undefined : slack.messages.find(use.channel, use.ts);
  if (use.ts !== undefined && answer.replace_original === undefined && answer.delete_original === undefined) {
    // Slack has changed its mind about the default before, so a bot that relies on it breaks one day.
    slack.inspector.violation('response_url', 'an answer to a click must state replace_original');
  }
  if (yes(answer.delete_original)) {
    if (original !== undefined) slack.messages.remove(original);
    return;
  }
  if (yes(answer.replace_original) && use.ts !== undefined) {
    if (original === undefined) throw new SlackError('message_not_found');
    const { metadata: _, ...content } = contentOf(slack, answer);
    slack.messages.change(original, content);
    return;
  }
  say(slack.at(use.team), use, answer);
}
