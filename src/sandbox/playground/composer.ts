import type { Delivery } from './delivery.ts';
import { isRecord, type Json, parsed } from './json.ts';
import { eventCallback, slashCommand } from './payloads.ts';
import type { Channel, CommandHint, Person, PlayAnswer, PlayRequests } from './protocol.ts';
import { say } from './responses.ts';
import type { Slack } from './slack.ts';
import { SlackError } from './slackError.ts';
import { sees, teamOf } from './workspace.ts';

/** Text as Slack stores what a person types: escaped, with mentions as ids. */
export function stored({ people, channels }: Slack['workspace'], typed: string): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .replace(/(^|\s)@([\w-]+)/g, (whole: string, before: string, name: string) => {
      const person = people.find(candidate => candidate.name === name.toLowerCase());
      return person === undefined ? whole : `${before}<@${person.id}>`;
    })
    .replace(/(^|\s)#([\w-]+)/g, (whole: string, before: string, name: string) => {
      const channel = channels.find(candidate => candidate.kind !== 'dm' && candidate.name === name);
      return channel === undefined ? whole : `${before}<#${channel.id}|${channel.name}>`;
    });
}

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

/** The event that a message is to the bot, if it is one: a direct message, or a mention in a channel that it is in. */
function messageEvent(slack: Slack, channel: Channel, message: Json): Json | undefined {
  const { botUser } = slack.workspace.app;
  if (channel.kind === 'dm') return { type: 'message', channel_type: 'im', ...message };
  const mentioned = String(message.text).includes(`<@${botUser}>`);
  return mentioned && channel.members.includes(botUser) ? { type: 'app_mention', ...message } : undefined;
}

/** The slash commands that a person has: those of an app are of the workspaces that have installed it. */
export const commandsOf = ({ settings }: Slack, commands: readonly CommandHint[], person: Person) =>
  person.kind === 'outsider' && !settings.installedAtPartner ? [] : commands;

/** Of which workspace the writer of a message is; said twice more in a shared channel. */
function origin({ workspace }: Slack, channel: Channel, person: Person): Json {
  const { id } = teamOf(workspace, person.id);
  return { team: id, ...(channel.isShared === true ? { user_team: id, source_team: id } : {}) };
}

/** A line from the composer: a command, or a message. */
export async function type(
  slack: Slack,
  delivery: Delivery,
  commands: readonly CommandHint[],
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
    if (!commandsOf(slack, commands, person).some(hint => hint.command === name))
      return { ok: false, error: `${name} is not a valid command.` };
    if (threadTs !== undefined) return { ok: false, error: `${name} is not supported in threads. Sorry!` };
    return command(slack, delivery, person, channel, text);
  }
  const message = slack.messages.post({
    channel: channel.id,
    user: person.id,
    text: stored(slack.workspace, text),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  const event = messageEvent(slack, channel, {
    channel: channel.id,
    user: person.id,
    text: message.text,
    ts: message.ts,
    event_ts: message.ts,
    ...origin(slack, channel, person),
    blocks: [],
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  });
  if (event !== undefined) {
    const what = `event ${String(event.type)}`;
    void delivery.event({ kind: 'events_api', what, payload: eventCallback(slack, event) });
  }
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
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel,
    tab,
    event_ts: (slack.clock.now() / 1_000).toFixed(6),
    ...(view === undefined ? {} : { view }),
  };
  const what = 'event app_home_opened';
  void delivery.event({ kind: 'events_api', what, payload: eventCallback(slack, event) });
  return { ok: true };
}
