import { randomUUID } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import { eventCallback } from './eventPayloads.ts';
import type { Json } from './json.ts';
import type { StoredMessage } from './messages.ts';
import { wireMessage } from './methods/wire.ts';
import type { Channel } from './protocol.ts';
import { isInstalled, type Slack } from './slack.ts';
import { teamOf } from './workspace.ts';

/** Time as Slack writes it in events. */
export const eventTime = ({ clock }: Slack) => (clock.now() / 1_000).toFixed(6);

/** Sends an event, if the app is there and has subscribed to it. */
export function tell(slack: Slack, delivery: Delivery, subscription: string, event: Json): void {
  if (!isInstalled(slack) || !slack.settings.events.includes(subscription)) return;
  void delivery.event({
    kind: 'events_api',
    what: `event ${String(event.type)}`,
    payload: eventCallback(slack, event),
  });
}

/** Of which workspace the writer of a message is; said twice more in a shared channel. */
function origin({ workspace }: Slack, channel: Channel, user: string): Json {
  const { id } = teamOf(workspace, user);
  return { team: id, ...(channel.isShared === true ? { user_team: id, source_team: id } : {}) };
}

/** The fields of a message of a person's in an event. */
function written(slack: Slack, channel: Channel, message: StoredMessage): Json {
  const { user, text, ts, threadTs } = message;
  const root = threadTs === undefined ? undefined : slack.messages.find(channel.id, threadTs);
  return {
    user,
    text,
    ts,
    client_msg_id: randomUUID(),
    channel: channel.id,
    event_ts: ts,
    ...origin(slack, channel, user),
    blocks: wireMessage(slack, message, false).blocks,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(root === undefined ? {} : { parent_user_id: root.user }),
  };
}

/** The same Slack in each workspace whose app is a member of a channel: once for each bot. */
function hearing(slack: Slack, channel: Channel): Slack[] {
  const all = slack.all().filter(({ workspace: { app, channels } }) => {
    return channels.includes(channel) && channel.members.includes(app.botUser);
  });
  return [...new Map(all.map(seen => [seen.workspace.app.botUser, seen])).values()];
}

const mentions = ({ workspace }: Slack, text: string) => text.includes(`<@${workspace.app.botUser}>`);

/** Tells the app of a message that a person wrote: one to it, or one that mentions it where it is a member. */
export function tellOfMessage(slack: Slack, delivery: Delivery, channel: Channel, message: StoredMessage): void {
  for (const seen of hearing(slack, channel)) {
    const fields = written(seen, channel, message);
    if (channel.kind === 'dm') tell(seen, delivery, 'message.im', { type: 'message', channel_type: 'im', ...fields });
    else if (mentions(seen, message.text)) tell(seen, delivery, 'app_mention', { type: 'app_mention', ...fields });
  }
}

/** The event of a change to a message in a direct message. Bots see such events; people do not see them as messages. */
const hidden = (slack: Slack, channel: Channel, subtype: string, more: Json): Json => ({
  type: 'message',
  subtype,
  hidden: true,
  channel: channel.id,
  channel_type: 'im',
  ts: eventTime(slack),
  event_ts: eventTime(slack),
  ...more,
});

/**
 * Tells the app that a person edited a message. Of a mention Slack sends `app_mention` once more, with an event id of its
 * own and `edited` (github.com/slack-go/slack/pull/1256).
 * @param before the message as it was, as a bot sees it
 */
export function tellOfEdit(
  slack: Slack,
  delivery: Delivery,
  { channel, message, before }: { channel: Channel; message: StoredMessage; before: Json },
): void {
  const edited = { user: message.user, ts: `${Math.floor(slack.clock.now() / 1_000)}.000000` };
  for (const seen of hearing(slack, channel)) {
    if (channel.kind === 'dm') {
      const change = { message: { ...wireMessage(seen, message, false), edited }, previous_message: before };
      tell(seen, delivery, 'message.im', hidden(seen, channel, 'message_changed', change));
    } else if (mentions(seen, message.text)) {
      tell(seen, delivery, 'app_mention', { type: 'app_mention', ...written(seen, channel, message), edited });
    }
  }
}

/** Tells the app that a person deleted a message. Nothing is told of one that mentioned it. */
export function tellOfDeletion(slack: Slack, delivery: Delivery, channel: Channel, before: Json): void {
  if (channel.kind !== 'dm') return;
  const more = { deleted_ts: before.ts, previous_message: before };
  for (const seen of hearing(slack, channel))
    tell(seen, delivery, 'message.im', hidden(seen, channel, 'message_deleted', more));
}

/**
 * Tells the app of its own messages in direct messages, as Slack does with everybody who subscribes to `message.im`. They
 * come once: nobody waits for them.
 */
export function echo(slack: Slack, delivery: Delivery): () => void {
  const known = new Map<string, Json>();
  const send = (seen: Slack, event: Json) => {
    if (!isInstalled(seen) || !slack.settings.events.includes('message.im')) return;
    const payload = eventCallback(seen, event);
    void delivery.send({ kind: 'events_api', what: 'echo message', payload, isEcho: true });
  };
  return slack.bus.overhear(event => {
    if (event.type !== 'message' && event.type !== 'message_changed' && event.type !== 'message_deleted') return;
    const { channel: id, ts } = event.type === 'message_deleted' ? event : event.message;
    const stored = slack.messages.find(id, ts);
    if (stored?.onlyFor !== undefined) return;
    for (const seen of slack.all()) {
      const { app, channels } = seen.workspace;
      const channel = channels.find(one => one.id === id && one.kind === 'dm' && one.members.includes(app.botUser));
      const before = known.get(ts);
      if (channel === undefined || (stored ?? before)?.user !== app.botUser) continue;
      if (stored === undefined) {
        known.delete(ts);
        return send(seen, hidden(slack, channel, 'message_deleted', { deleted_ts: ts, previous_message: before }));
      }
      const message = wireMessage(seen, stored, true);
      known.set(ts, message);
      if (before === undefined) return send(seen, { ...message, channel: id, channel_type: 'im', event_ts: ts });
      // A new reply changes its root in Slack's eyes only.
      if (before.text === message.text && before.blocks === message.blocks) return;
      return send(seen, hidden(slack, channel, 'message_changed', { message, previous_message: before }));
    }
  });
}

/** Tells the app that it was taken out of a workspace. Slack's page of `app_uninstalled` promises no order of the two. */
export function tellOfRemoval(slack: Slack, delivery: Delivery): void {
  tell(slack, delivery, 'tokens_revoked', {
    type: 'tokens_revoked',
    tokens: { oauth: [], bot: [slack.workspace.app.botUser] },
    event_ts: eventTime(slack),
  });
  tell(slack, delivery, 'app_uninstalled', { type: 'app_uninstalled', event_ts: eventTime(slack) });
}
