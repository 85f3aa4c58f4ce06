import type { Json } from '../json.ts';
import type { StoredMessage } from '../messages.ts';
import type { Channel, Person, SharedFile } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import { richText } from '../typed.ts';
import { emailOf, organisation, otherApp, teamOf } from '../workspace.ts';

const repliesTo = (slack: Slack, { channel, ts }: StoredMessage) =>
  slack.messages.list(channel).filter(reply => reply.threadTs === ts && reply.onlyFor === undefined);

/** A file as Slack shows it to a bot. The bot owns all that there are: people don't upload any here. */
export function wireFile({ url, workspace }: Slack, file: SharedFile): Json {
  const filetype = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : 'binary';
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype,
    pretty_type: filetype.toUpperCase(),
    user: workspace.app.botUser,
    user_team: workspace.team.id,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    is_public: false,
    url_private: url() + file.url,
    url_private_download: url() + file.url,
  };
}

/** The fields of a message that an app wrote. */
const byApp = ({ id, botId }: { id: string; botId: string }, name: string): Json => ({
  bot_id: botId,
  app_id: id,
  bot_profile: { id: botId, app_id: id, name },
});

/** A message as Slack shows it to a bot. */
export function wireMessage(slack: Slack, message: StoredMessage, withMetadata: boolean): Json {
  const { app } = slack.workspace;
  const author = slack.workspace.people.find(person => person.id === message.user);
  const blocks = author?.isBot || message.text === '' ? message.blocks : [richText(message.text)];
  // Most messages have no thread, and a channel may be long.
  const replies = message.replyCount === 0 ? [] : repliesTo(slack, message);
  const last = replies.at(-1);
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: teamOf(slack.workspace, message.user).id,
    ...(author?.isBot ? byApp(author.id === app.botUser ? app : otherApp, author.name) : {}),
    blocks,
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.files === undefined ? {} : { files: message.files.map(file => wireFile(slack, file)), upload: false }),
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
  const { team, partner, app } = slack.workspace;
  const shared = channel.isShared === true;
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
    is_archived: channel.isArchived === true,
    is_general: false,
    is_shared: shared,
    is_org_shared: false,
    is_ext_shared: shared,
    ...(shared ? { shared_team_ids: [team.id, partner.id], connected_team_ids: [partner.id] } : {}),
    ...(shared ? { conversation_host_id: team.id } : {}),
    is_member: channel.members.includes(app.botUser),
    num_members: channel.members.length,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    context_team_id: team.id,
  };
}

/**
 * Whether Slack calls a person a stranger: of another workspace, *and* in no channel with the app. A member of another
 * workspace who is in a shared channel with it is none, and only `team_id` tells (Slack's reference of user objects).
 */
function isStranger({ workspace }: Slack, person: Person): boolean {
  const { channels, app } = workspace;
  const meets = ({ kind, members }: Channel) =>
    kind !== 'dm' && members.includes(app.botUser) && members.includes(person.id);
  return person.kind === 'outsider' && !channels.some(meets);
}

/** What Slack adds about people of an Enterprise organisation (docs.slack.dev/reference/objects/user-object). */
const inOrganisation = ({ workspace }: Slack, { id }: Person): Json => ({
  ...{ id, enterprise_id: organisation.id, enterprise_name: organisation.name },
  ...{ is_admin: false, is_owner: false, teams: [teamOf(workspace, id).id] },
});

/** A time zone as Slack shows it, with its distance from UTC in seconds. */
function zoneOf(tz: string, now: number): Json {
  const part = (timeZoneName: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(part('longOffset')) ?? [];
  const seconds = 3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0);
  return { tz, tz_label: part('long'), tz_offset: sign === '-' ? -seconds : seconds };
}

/** A person as Slack shows them to a bot. */
export function wireUser(slack: Slack, person: Person): Json {
  const isOutsider = person.kind === 'outsider';
  const email = isOutsider ? {} : { email: emailOf(person) };
  return {
    id: person.id,
    team_id: teamOf(slack.workspace, person.id).id,
    name: person.name,
    deleted: false,
    real_name: person.realName,
    ...zoneOf(slack.zones.get(person.id) ?? 'Etc/UTC', slack.clock.now()),
    profile: {
      real_name: person.realName,
      display_name: person.name,
      title: person.title,
      ...(person.isBot ? { bot_id: (person.id === otherApp.botUser ? otherApp : slack.workspace.app).botId } : email),
    },
    is_admin: false,
    is_restricted: person.kind === 'guest',
    is_ultra_restricted: false,
    ...(isOutsider ? { is_stranger: isStranger(slack, person) } : {}),
    ...(slack.settings.organisation ? { enterprise_user: inOrganisation(slack, person) } : {}),
    is_bot: person.isBot,
    is_app_user: false,
    updated: 0,
  };
}
