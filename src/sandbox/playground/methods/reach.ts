import { type Json, stringOf } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { isOrganisationWide, type Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';

const isMember = (channel: Channel, user: string) => channel.members.includes(user);

/** A conversation by id, by name, or by the person with whom it is; undefined if there is none. */
export function findChannel({ workspace }: Slack, name: string): Channel | undefined {
  const plain = name.replace(/^#/, '');
  return workspace.channels.find(channel => channel.id === name || (channel.kind !== 'dm' && channel.name === plain));
}

/** The direct message of the bot and a person. */
export function directMessage({ workspace }: Slack, user: string): Channel | undefined {
  return workspace.channels.find(channel => channel.kind === 'dm' && channel.members[0] === user);
}

/**
 * The channel, if the bot may know of it at all.
 * @throws SlackError channel_not_found (also for a private channel without the bot: Slack does not betray it)
 */
export function visibleChannel(slack: Slack, name: string): Channel {
  const channel = findChannel(slack, name);
  if (channel === undefined) throw new SlackError('channel_not_found');
  if (channel.kind !== 'public' && !isMember(channel, slack.workspace.app.botUser)) {
    throw new SlackError('channel_not_found');
  }
  return channel;
}

/**
 * The channel, if the bot is in it.
 * @throws SlackError channel_not_found, not_in_channel
 */
export function ownChannel(slack: Slack, name: string): Channel {
  const channel = visibleChannel(slack, name);
  if (!isMember(channel, slack.workspace.app.botUser)) throw new SlackError('not_in_channel');
  return channel;
}

/**
 * The channel, if the bot may post there. A person's id stands for the direct message with that person.
 * @throws SlackError channel_not_found, not_in_channel, is_archived
 */
export function writableChannel(slack: Slack, name: string): Channel {
  const direct = directMessage(slack, name);
  if (direct !== undefined) return direct;
  const channel = visibleChannel(slack, name);
  if (channel.isArchived) throw new SlackError('is_archived');
  return channel.kind === 'public' && slack.settings.postToPublic ? channel : ownChannel(slack, channel.id);
}

/** The thread that `thread_ts` names, if any. @throws SlackError thread_not_found */
export function threadOf(slack: Slack, channel: string, value: unknown): { threadTs?: string } {
  const ts = stringOf(value);
  if (ts === '') return {};
  const root = slack.messages.find(channel, ts);
  if (root === undefined) throw new SlackError('thread_not_found');
  return { threadTs: root.threadTs ?? ts };
}

/**
 * The workspace that a list is about. An app that is installed for a whole organisation must name it; to others `team_id`
 * says nothing (docs.slack.dev/enterprise/organization-ready-apps).
 * @throws SlackError missing_argument, team_not_found
 */
export function listedTeam(args: Json, slack: Slack): Slack {
  if (!isOrganisationWide(slack)) return slack;
  const team = stringOf(args.team_id);
  if (team === '') throw new SlackError('missing_argument', { arg: 'team_id' });
  const named = slack.all().find(({ workspace }) => workspace.team.id === team);
  if (named === undefined) throw new SlackError('team_not_found');
  return named;
}
