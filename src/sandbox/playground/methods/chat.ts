import { stringOf } from '../json.ts';
import { limits } from '../limits.ts';
import type { StoredMessage } from '../messages.ts';
import type { Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';
import { contentOf } from './content.ts';
import type { Method } from './method.ts';
import { ownChannel, threadOf, visibleChannel, writableChannel } from './reach.ts';
import { wireMessage } from './wire.ts';

/** The message, if the bot wrote it. @throws SlackError message_not_found, or `refused` if another wrote it */
function ownMessage(slack: Slack, channel: string, ts: string, refused: string): StoredMessage {
  const message = slack.messages.find(channel, ts);
  // An ephemeral message cannot be reached by chat.update or chat.delete, only by its response URL.
  if (message === undefined || message.onlyFor !== undefined) throw new SlackError('message_not_found');
  if (message.user !== slack.workspace.app.botUser) throw new SlackError(refused);
  return message;
}

const postMessage: Method = (args, slack) => {
  const channel = writableChannel(slack, stringOf(args.channel));
  const content = contentOf(slack, args);
  const thread = threadOf(slack, channel.id, args.thread_ts);
  const user = slack.workspace.app.botUser;
  const message = slack.messages.post({ channel: channel.id, user, ...content, ...thread });
  return { channel: channel.id, ts: message.ts, message: wireMessage(slack, message, true) };
};

const postEphemeral: Method = (args, slack) => {
  const channel = ownChannel(slack, stringOf(args.channel));
  if (channel.isArchived) throw new SlackError('is_archived');
  const onlyFor = stringOf(args.user);
  if (!channel.members.includes(onlyFor)) throw new SlackError('user_not_in_channel');
  const { metadata: _, ...content } = contentOf(slack, args);
  const thread = threadOf(slack, channel.id, args.thread_ts);
  const { threadTs = '' } = thread;
  if (threadTs !== '' && slack.messages.find(channel.id, threadTs)?.replyCount === 0) {
    // Slack's page of chat.postEphemeral: in threads such messages "are only shown if there is already an active thread".
    slack.inspector.violation('chat.postEphemeral', 'nobody sees it: the thread has no reply yet');
  }
  const user = slack.workspace.app.botUser;
  const message = slack.messages.post({ channel: channel.id, user, ...content, ...thread, onlyFor });
  return { message_ts: message.ts };
};

const update: Method = (args, slack) => {
  // A person's id is no channel here: an update of a direct message needs the D… id that the post answered.
  const channel = visibleChannel(slack, stringOf(args.channel));
  // Slack's word for an edit, other than for a new message.
  if (channel.isArchived) throw new SlackError('is_inactive');
  const message = ownMessage(slack, channel.id, stringOf(args.ts), 'cant_update_message');
  const { metadata, ...content } = contentOf(slack, args, limits.updateText);
  const absent = (name: string) => args[name] === undefined;
  // Fields that are not sent stay as they are, except that text alone removes the blocks and attachments.
  const text = absent('text') ? message.text : content.text;
  const blocks = absent('text') && absent('blocks') ? message.blocks : content.blocks;
  const stays = absent('attachments') && !absent('blocks');
  const attachments = stays ? message.attachments : content.attachments;
  slack.messages.change(message, { text, blocks, attachments, ...(metadata === undefined ? {} : { metadata }) });
  return { channel: channel.id, ts: message.ts, text, message: wireMessage(slack, message, true) };
};

const remove: Method = (args, slack) => {
  const channel = visibleChannel(slack, stringOf(args.channel));
  const message = ownMessage(slack, channel.id, stringOf(args.ts), 'cant_delete_message');
  slack.messages.remove(message);
  return { channel: channel.id, ts: message.ts };
};

const getPermalink: Method = (args, slack) => {
  const channel = visibleChannel(slack, stringOf(args.channel));
  const ts = stringOf(args.message_ts);
  const message = slack.messages.find(channel.id, ts);
  if (message === undefined) throw new SlackError('message_not_found');
  const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
  return {
    channel: channel.id,
    permalink: `${slack.url()}/archives/${channel.id}/p${ts.replace('.', '')}${thread}`,
  };
};

/** The chat.* methods. */
export const chatMethods: Record<string, Method> = {
  'chat.postMessage': postMessage,
  'chat.postEphemeral': postEphemeral,
  'chat.update': update,
  'chat.delete': remove,
  'chat.getPermalink': getPermalink,
};
