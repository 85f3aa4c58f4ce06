import { stringOf } from '../json.ts';
import type { StoredMessage } from '../messages.ts';
import { SlackError } from '../slackError.ts';
import { flag, type Method, numberOf } from './method.ts';
import { directMessage, listedTeam, ownChannel, visibleChannel } from './reach.ts';
import { wireChannel, wireMessage } from './wire.ts';

type Page = { rest: StoredMessage[]; next: string };

/** The part of a list that `limit` and `cursor` ask for. A cursor is the number of entries already seen. */
function page(all: StoredMessage[], limit: number, cursor: string): Page {
  const from = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isInteger(from)) throw new SlackError('invalid_cursor');
  const to = from + limit;
  const next = to < all.length ? Buffer.from(String(to)).toString('base64url') : '';
  return { rest: all.slice(from, to), next };
}

/** Whether a ts lies between `oldest` and `latest` (exclusive, unless `inclusive`). Absent bounds bound nothing. */
function between(ts: string, oldest: string, latest: string, inclusive: boolean): boolean {
  const at = Number(ts);
  if (inclusive && (ts === oldest || ts === latest)) return true;
  return (oldest === '' || at > Number(oldest)) && (latest === '' || at < Number(latest));
}

const bounds = (args: Record<string, unknown>) => (message: StoredMessage) =>
  between(message.ts, textOf(args.oldest), textOf(args.latest), flag(args.inclusive));
/** A ts may come as a number in a JSON body. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : stringOf(value));

const open: Method = (args, slack) => {
  const users = stringOf(args.users).split(',').filter(Boolean);
  const known = stringOf(args.channel);
  if (users.length > 1) throw new SlackError('method_not_supported_for_channel_type');
  if (users.length === 0 && known === '') throw new SlackError('users_list_not_supplied');
  const channel = users[0] === undefined ? visibleChannel(slack, known) : directMessage(slack, users[0]);
  if (channel === undefined) throw new SlackError('user_not_found');
  return {
    no_op: true,
    already_open: true,
    channel: flag(args.return_im) ? wireChannel(slack, channel) : { id: channel.id },
  };
};

const info: Method = (args, slack) => ({
  channel: wireChannel(slack, visibleChannel(slack, stringOf(args.channel))),
});

const list: Method = (args, slack) => {
  const kinds = (stringOf(args.types) || 'public_channel').split(',');
  const named = { public: 'public_channel', private: 'private_channel', dm: 'im' } as const;
  const { channels, app } = listedTeam(args, slack).workspace;
  const shown = channels.filter(
    channel =>
      kinds.includes(named[channel.kind]) && (channel.kind === 'public' || channel.members.includes(app.botUser)),
  );
  return { channels: shown.map(channel => wireChannel(slack, channel)), response_metadata: { next_cursor: '' } };
};

const members: Method = (args, slack) => ({
  members: visibleChannel(slack, stringOf(args.channel)).members,
  response_metadata: { next_cursor: '' },
});

const history: Method = (args, slack) => {
  const channel = ownChannel(slack, stringOf(args.channel));
  const all = slack.messages
    .list(channel.id)
    .filter(message => message.onlyFor === undefined && message.threadTs === undefined)
    .filter(bounds(args))
    .reverse();
  const { rest, next } = page(all, numberOf(args.limit, 100), stringOf(args.cursor));
  return {
    messages: rest.map(message => wireMessage(slack, message, flag(args.include_all_metadata))),
    has_more: next !== '',
    pin_count: 0,
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  };
};

const replies: Method = (args, slack) => {
  const channel = ownChannel(slack, stringOf(args.channel));
  const ts = stringOf(args.ts);
  const root = slack.messages.find(channel.id, ts);
  if (root === undefined || root.onlyFor !== undefined) throw new SlackError('thread_not_found');
  const inThread = slack.messages
    .list(channel.id)
    .filter(message => message.onlyFor === undefined && message.threadTs === ts)
    .filter(bounds(args));
  const { rest, next } = page([root, ...inThread], numberOf(args.limit, 1_000), stringOf(args.cursor));
  return {
    messages: rest.map(message => wireMessage(slack, message, flag(args.include_all_metadata))),
    has_more: next !== '',
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  };
};

/** The conversations.* methods. */
export const conversationMethods: Record<string, Method> = {
  'conversations.open': open,
  'conversations.info': info,
  'conversations.list': list,
  'conversations.members': members,
  'conversations.history': history,
  'conversations.replies': replies,
};
