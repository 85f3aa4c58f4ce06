import type { Clock } from '../../ground/clock.ts';
import type { Bus } from './bus.ts';
import { withIds } from './elements.ts';
import type { Message } from './protocol.ts';
import { shortId } from './random.ts';
import { sees, type Workspace } from './workspace.ts';

/** A message as it is kept. Metadata is for the bot only and never reaches the page. */
export type StoredMessage = Message & { metadata?: unknown };

/** The fields of a message that can be changed. An absent key leaves its field as it is. */
export type Changes = Partial<Pick<StoredMessage, 'text' | 'blocks' | 'attachments' | 'metadata'>>;

export type NewMessage = Pick<Message, 'channel' | 'user' | 'text'> &
  Partial<Pick<StoredMessage, 'blocks' | 'attachments' | 'files' | 'threadTs' | 'metadata' | 'onlyFor'>>;

/** All messages of the workspace, in memory. */
export type Messages = {
  post(message: NewMessage): StoredMessage;
  /** Changes a message in place; `message_changed` reaches those who see it. */
  change(message: StoredMessage, changes: Changes): void;
  remove(message: StoredMessage): void;
  find(channel: string, ts: string): StoredMessage | undefined;
  /** Everything in a channel, oldest first: replies and ephemeral messages too. */
  list(channel: string): StoredMessage[];
};

/** A message as the page gets it. */
export function shown(message: StoredMessage): Message {
  const { metadata: _, ...visible } = message;
  return visible;
}

/** @param workspaces those that have the app: a shared channel is in more than one of them */
export function newMessages(clock: Clock, workspaces: () => Workspace[], bus: Bus): Messages {
  const channels = new Map<string, Map<string, StoredMessage>>();
  let lastMicroseconds = 0;

  /** Slack's ts is a time and a unique name at once: two messages in one millisecond still differ. */
  function nextTs() {
    lastMicroseconds = Math.max(clock.now() * 1_000, lastMicroseconds + 1);
    return `${Math.floor(lastMicroseconds / 1e6)}.${String(lastMicroseconds % 1e6).padStart(6, '0')}`;
  }

  const within = (id: string) => {
    const known = channels.get(id) ?? new Map<string, StoredMessage>();
    channels.set(id, known);
    return known;
  };

  const audience = (message: StoredMessage) => (user: string) =>
    message.onlyFor === undefined
      ? workspaces().some(workspace =>
          workspace.channels.some(channel => channel.id === message.channel && sees(workspace, channel, user)),
        )
      : message.onlyFor === user;

  function recount(channel: string, threadTs: string, by: number) {
    const root = within(channel).get(threadTs);
    if (root === undefined) return;
    root.replyCount += by;
    bus.publish({ type: 'message_changed', message: shown(root) }, audience(root));
  }

  return {
    post({ blocks = [], attachments = [], ...rest }) {
      const message: StoredMessage = {
        ...rest,
        ts: nextTs(),
        blocks: withIds(blocks, shortId),
        attachments,
        replyCount: 0,
        edited: false,
      };
      within(message.channel).set(message.ts, message);
      bus.publish({ type: 'message', message: shown(message) }, audience(message));
      if (message.threadTs !== undefined && message.onlyFor === undefined) {
        recount(message.channel, message.threadTs, 1);
      }
      return message;
    },
    change(message, changes) {
      Object.assign(message, changes);
      if (changes.blocks !== undefined) message.blocks = withIds(changes.blocks, shortId);
      // Slack shows "(edited)" on texts, not on blocks.
      message.edited ||= message.blocks.length === 0;
      bus.publish({ type: 'message_changed', message: shown(message) }, audience(message));
    },
    remove(message) {
      within(message.channel).delete(message.ts);
      bus.publish({ type: 'message_deleted', channel: message.channel, ts: message.ts }, audience(message));
      if (message.threadTs !== undefined && message.onlyFor === undefined) {
        recount(message.channel, message.threadTs, -1);
      }
    },
    find: (channel, ts) => within(channel).get(ts),
    list: channel => [...within(channel).values()],
  };
}
