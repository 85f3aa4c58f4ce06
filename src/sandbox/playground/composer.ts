import type { Delivery } from './delivery.ts';
import { eventTime, tell, tellOfDeletion, tellOfEdit, tellOfMessage } from './events.ts';
import { isRecord, type Json, parsed } from './json.ts';
import { wireMessage } from './methods/wire.ts';
import { slashCommand } from './payloads.ts';
import type { Channel, Person, PlayAnswer, PlayRequests } from './protocol.ts';
import { say } from './responses.ts';
import { hasApp, type Slack } from './slack.ts';
import { SlackError } from './slackError.ts';
import { stored } from './typed.ts';
import { sees } from './workspace.ts';

/** The message in the ack of a slash command; undefined if it says nothing. */
function ackedMessage(body: string): Json | undefined {
  const text = body.trim();
  if (text === '') return undefined;
  const value = parsed(text);
  return isRecord(value) ? value : { text };
}

async function command(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  channel: Channel,
  line: string,
): Promise<PlayAnswer> {
  const [name = '', text = ''] = line.split(/\s+(.*)/s);
  const payload = slashCommand(slack, person, channel, name, text.trim());
  const answer = await delivery.send({ kind: 'slash_commands', what: `slash command ${name}`, payload });
  if (answer.kind === 'timeout') return { ok: false, error: `${name} failed with the error "operation_timeout"` };
  if (answer.kind === 'unreachable' || answer.status < 200 || answer.status >= 300) {
    return { ok: false, error: `${name} failed with the error "dispatch_failed"` };
  }
  const message = ackedMessage(answer.body);
  if (message === undefined) return { ok: true };
  try {
    if (message.response_type === 'in_channel') {
      slack.messages.post({ channel: channel.id, user: person.id, text: stored(slack.workspace, line) });
    }
    say(slack, { channel: channel.id, user: person.id }, message);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    slack.inspector.refusal(name, error);
    return { ok: false, error: `${name} failed with the error "${error.code}"` };
  }
}

/** The slash commands that a person has: those of an app are of the workspaces that have installed it. */
export const commandsOf = (slack: Slack, person: Person) => (hasApp(slack, person) ? slack.declared.commands : []);

/** `/invite @name`: brings somebody into a channel, as Slack's own command does. */
function invite(slack: Slack, channel: Channel, text: string): PlayAnswer {
  const name = text.replace(/^\/invite\s+@?/, '').toLowerCase();
  const guest = slack.workspace.people.find(candidate => candidate.name === name);
  if (guest === undefined || channel.kind === 'dm') return { ok: false, error: 'There is nobody to invite here.' };
  if (!channel.members.includes(guest.id)) channel.members.push(guest.id);
  slack.bus.publish({ type: 'channel', channel }, user => sees(slack.workspace, channel, user));
  return { ok: true };
}

/** A line from the composer: a command, or a message. */
export async function type(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { channel: id, text: line, threadTs }: PlayRequests['/play/say'],
): Promise<PlayAnswer> {
  const channel = slack.workspace.channels.find(candidate => candidate.id === id);
  if (channel === undefined || !sees(slack.workspace, channel, person.id))
    return { ok: false, error: 'There is no such channel.' };
  const text = line.trim();
  if (text === '') return { ok: false, error: 'There is nothing to send.' };
  if (text.startsWith('/')) {
    const [name = ''] = text.split(/\s/);
    if (name === '/invite') return invite(slack, channel, text);
    if (!commandsOf(slack, person).some(hint => hint.command === name))
      return { ok: false, error: `${name} is not a valid command.` };
    if (threadTs !== undefined) return { ok: false, error: `${name} is not supported in threads. Sorry!` };
    return command(slack, delivery, person, channel, text);
  }
  if (channel.isArchived) return { ok: false, error: 'This channel is archived.' };
  const message = slack.messages.post({
    channel: channel.id,
    user: person.id,
    text: stored(slack.workspace, text),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  tellOfMessage(slack, delivery, channel, message);
  return { ok: true };
}

/** The message that a person wrote, if it is there and theirs. */
function ownMessage(slack: Slack, person: Person, { channel: id, ts }: { channel: string; ts: string }) {
  const channel = slack.workspace.channels.find(candidate => candidate.id === id);
  const message = slack.messages.find(id, ts);
  return channel !== undefined && message?.user === person.id ? { channel, message } : undefined;
}

/** A person edits a message of their own. */
export function edit(slack: Slack, delivery: Delivery, person: Person, asked: PlayRequests['/play/edit']): PlayAnswer {
  const own = ownMessage(slack, person, asked);
  const text = asked.text.trim();
  if (own === undefined || text === '') return { ok: false, error: 'You can’t edit that message.' };
  const before = wireMessage(slack, own.message, false);
  slack.messages.change(own.message, { text: stored(slack.workspace, text) });
  tellOfEdit(slack, delivery, { ...own, before });
  return { ok: true };
}

/** A person deletes a message of their own. */
export function erase(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  asked: PlayRequests['/play/delete'],
): PlayAnswer {
  const own = ownMessage(slack, person, asked);
  if (own === undefined) return { ok: false, error: 'You can’t delete that message.' };
  const before = wireMessage(slack, own.message, false);
  slack.messages.remove(own.message);
  tellOfDeletion(slack, delivery, own.channel, before);
  return { ok: true };
}

/** A tab of App Home is opened: the bot hears of it and may publish. */
export function openApp(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  channel: string,
  tab: 'home' | 'messages',
): PlayAnswer {
  // Only the Home tab comes with its view, and only once there is one.
  const view = tab === 'home' ? slack.views.home(person.id) : undefined;
  tell(slack, delivery, 'app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel,
    tab,
    event_ts: eventTime(slack),
    ...(view === undefined ? {} : { view }),
  });
  return { ok: true };
}
