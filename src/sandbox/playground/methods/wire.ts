import type { Json } from '../json.ts';
import type { StoredMessage } from '../messages.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import { emailOf } from '../workspace.ts';

const repliesTo = (slack: Slack, { channel, ts }: StoredMessage) =>
  slack.messages.list(channel).filter(reply => reply.threadTs === ts && reply.onlyFor === undefined);

/** A message as Slack shows it to a bot. */
export function wireMessage(slack: Slack, message: StoredMessage, withMetadata: boolean): Json {
  const { team, app } = slack.workspace;
  const own = message.user === app.botUser;
  // Most messages have no thread, and a channel may be long.
  const replies = message.replyCount === 0 ? [] : repliesTo(slack, message);
  const last = replies.at(-1);
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: team.id,
    ...(own ? { bot_id: app.botId, app_id: app.id, bot_profile: { id: app.botId, name: 'dolly' } } : {}),
    blocks: message.blocks,
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(last === undefined
      ? {}
      : {
          thread_ts: message.ts,
          reply_count: replies.length,
          reply_users: [...new Set(replies.map(reply => reply.user))],
          latest_reply: last.ts,
        }),
    ...(message.edited ? { edited: { user: message.user, ts: message.ts } } : {}),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  };
}

/** A channel as Slack shows it to a bot. */
export function wireChannel(slack: Slack, channel: Channel): Json {
  if (channel.kind === 'dm') {
    return { id: channel.id, created: 0, is_im: true, is_archived: false, user: channel.members[0], is_open: true };
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    created: 0,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_archived: false,
    is_general: false,
    is_member: channel.members.includes(slack.workspace.app.botUser),
    num_members: channel.members.length,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    context_team_id: slack.workspace.team.id,
  };
}

/** A person as Slack shows them to a bot. */
export function wireUser(slack: Slack, person: Person): Json {
  return {
    id: person.id,
    team_id: slack.workspace.team.id,
    name: person.name,
    deleted: false,
    real_name: person.realName,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      real_name: person.realName,
      display_name: person.name,
      title: person.title,
      ...(person.isBot ? { bot_id: slack.workspace.app.botId } : { email: emailOf(person) }),
    },
    is_admin: false,
    is_bot: person.isBot,
    is_app_user: false,
    updated: 0,
  };
}
