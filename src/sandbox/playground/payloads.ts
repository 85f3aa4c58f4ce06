import { statefulElements, stateValues } from './elements.ts';
import { type Json, recordOf } from './json.ts';
import type { StoredMessage } from './messages.ts';
import { wireMessage } from './methods/wire.ts';
import type { Modal } from './modals.ts';
import type { Channel, Person, StateValues } from './protocol.ts';
import { slackId } from './random.ts';
import type { Slack } from './slack.ts';
import { type Team, teamOf } from './workspace.ts';

/** The deprecated verification token: Slack still sends it, nobody should look at it. */
const token = 'playground-verification-token';

/**
 * The person and the workspace in every interactive payload. The two workspaces differ for a member of another workspace,
 * met in a shared channel:
 * - `user.team_id` is always theirs, and the only sure sign;
 * - `team` is the workspace that has the app where something is used (slackapi/java-slack-sdk#1041), but *theirs* where
 *   a modal is submitted or closed, of which `view.app_installed_team_id` names the app's (slackapi/bolt-js#1614);
 * - a slash command never comes, as long as their own workspace has not installed the app (slackapi/bolt-python#767).
 */
function common({ workspace }: Slack, person: Person, team: Team): Json {
  return {
    user: { id: person.id, username: person.name, name: person.name, team_id: teamOf(workspace, person.id).id },
    api_app_id: workspace.app.id,
    token,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** Slack's name of a channel towards a bot: it doesn't tell those of private ones. */
function channelName(channel: Channel): string {
  const names = { public: channel.name, private: 'privategroup', dm: 'directmessage' };
  return names[channel.kind];
}

/** Where to answer later. */
export function responseUrl(slack: Slack, channel: string, user: string, ts?: string): string {
  return `${slack.url()}/response/${slack.responseUrls.issue({ channel, user, ...(ts === undefined ? {} : { ts }) })}`;
}

/** The fields of a slash command. */
export function slashCommand(slack: Slack, person: Person, channel: Channel, command: string, text: string): Json {
  const { app } = slack.workspace;
  const team = teamOf(slack.workspace, person.id);
  return {
    token,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: person.id,
    user_name: person.name,
    command,
    text,
    api_app_id: app.id,
    is_enterprise_install: 'false',
    response_url: responseUrl(slack, channel.id, person.id),
    trigger_id: slack.triggers.issue(person.id),
  };
}

/** A view with what the person has filled in. */
export const filledView = (view: Json, state: StateValues): Json => ({
  ...view,
  state: { values: stateValues(view.blocks, state) },
});

/** Where in a message an interaction happened, as block_actions and block_suggestion both tell it. */
function messageScene(slack: Slack, channel: Channel, message: StoredMessage): Json {
  const ephemeral = message.onlyFor !== undefined;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: ephemeral,
      ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channelName(channel) },
    // Slack keeps no copy of an ephemeral message, so it cannot send one.
    ...(ephemeral ? {} : { message: wireMessage(slack, message, true) }),
  };
}

const viewScene = (view: Json, state: StateValues): Json => ({
  container: { type: 'view', view_id: view.id },
  view: filledView(view, state),
});

/** The blocks of a message, those of its attachments too. */
export const allBlocks = (message: StoredMessage): unknown[] => [
  ...message.blocks,
  ...message.attachments.flatMap(attachment => {
    const { blocks } = recordOf(attachment);
    return Array.isArray(blocks) ? blocks : [];
  }),
];

type Place = { channel: Channel; message: StoredMessage } | { view: Json };

/** A button was pressed, a choice made: from a message, a modal or Home. */
export function blockActions(slack: Slack, person: Person, place: Place, action: Json, state: StateValues): Json {
  const stamped = { ...action, action_ts: (slack.clock.now() / 1_000).toFixed(6) };
  const base = { type: 'block_actions', ...common(slack, person, slack.workspace.team), actions: [stamped] };
  if ('view' in place) {
    return { ...base, trigger_id: slack.triggers.issue(person.id), ...viewScene(place.view, state) };
  }
  const { channel, message } = place;
  return {
    ...base,
    trigger_id: slack.triggers.issue(person.id),
    ...messageScene(slack, channel, message),
    state: { values: stateValues(allBlocks(message), state) },
    response_url: responseUrl(slack, channel.id, person.id, message.ts),
  };
}

/** Someone types into an external select. */
export function blockSuggestion(
  slack: Slack,
  person: Person,
  place: Place,
  asked: { block_id: string; action_id: string; value: string },
  state: StateValues,
): Json {
  const scene = 'view' in place ? viewScene(place.view, state) : messageScene(slack, place.channel, place.message);
  return { type: 'block_suggestion', ...common(slack, person, slack.workspace.team), ...scene, ...asked };
}

/** A modal was submitted. */
export function viewSubmission(slack: Slack, person: Person, modal: Modal, state: StateValues): Json {
  const view = filledView(modal.view, state);
  const values = recordOf(recordOf(view.state).values);
  // A conversation picked with response_url_enabled may be answered to without being a member of it.
  const response_urls = statefulElements(view.blocks)
    .filter(({ element }) => element.response_url_enabled === true)
    .flatMap(({ blockId, actionId, key }) => {
      const channel_id = recordOf(recordOf(values[blockId])[actionId])[key];
      if (typeof channel_id !== 'string') return [];
      const response_url = responseUrl(slack, channel_id, person.id);
      return [{ block_id: blockId, action_id: actionId, channel_id, response_url }];
    });
  const trigger_id = slack.triggers.issue(person.id);
  const who = common(slack, person, teamOf(slack.workspace, person.id));
  return { type: 'view_submission', ...who, trigger_id, view, response_urls };
}

/** A modal with `notify_on_close` was closed. */
export const viewClosed = (slack: Slack, person: Person, view: Json, isCleared: boolean): Json => ({
  type: 'view_closed',
  ...common(slack, person, teamOf(slack.workspace, person.id)),
  view,
  is_cleared: isCleared,
});

/** The frame around an event. */
export function eventCallback(slack: Slack, event: Json): Json {
  const { team, app, channels } = slack.workspace;
  return {
    token,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: slackId('Ev'),
    event_time: Math.floor(slack.clock.now() / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: app.botUser, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: channels.some(({ id, isShared }) => id === event.channel && isShared === true),
    event_context: slackId('4-'),
  };
}
