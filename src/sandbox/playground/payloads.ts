import { statefulElements, stateValues } from './elements.ts';
import { type Json, recordOf } from './json.ts';
import type { StoredMessage } from './messages.ts';
import { wireMessage } from './methods/wire.ts';
import type { Modal } from './modals.ts';
import type { Channel, Person, StateValues } from './protocol.ts';
import { isOrganisationWide, type Slack } from './slack.ts';
import { organisation, type Team, teamOf } from './workspace.ts';

/** The deprecated verification token: Slack still sends it, nobody should look at it. */
export const token = 'playground-verification-token';

/**
 * The person and the workspace in every interactive payload. The two workspaces differ for a member of another workspace,
 * met in a shared channel:
 * - `user.team_id` is always theirs, and the only sure sign;
 * - `team` is the workspace that has the app where something is used (slackapi/java-slack-sdk#1041), but *theirs* where
 *   a modal is submitted or closed, of which `view.app_installed_team_id` names the app's (slackapi/bolt-js#1614);
 * - a slash command never comes, as long as their own workspace has not installed the app (slackapi/bolt-python#767).
 */
function common(slack: Slack, person: Person, team: Team | null): Json {
  const { workspace } = slack;
  return {
    user: { id: person.id, username: person.name, name: person.name, team_id: teamOf(workspace, person.id).id },
    api_app_id: workspace.app.id,
    token,
    team: team && { id: team.id, domain: team.domain, ...(enterpriseOf(slack) ?? {}) },
    enterprise: enterpriseOf(slack) === undefined ? null : { id: organisation.id, name: organisation.name },
    is_enterprise_install: isOrganisationWide(slack),
  };
}

/** The organisation as payloads name it beside a workspace; undefined where there is none. */
const enterpriseOf = ({ settings }: Slack): Json | undefined =>
  settings.organisation ? { enterprise_id: organisation.id, enterprise_name: organisation.name } : undefined;

/**
 * The team of a gesture that belongs to no channel (a shortcut, Home, a form). Where the app is installed for a whole
 * organisation, Slack names none (github.com/slackapi/bolt-python/pull/23).
 */
const placeless = (slack: Slack, team: Team) => (isOrganisationWide(slack) ? null : team);

/** A trigger for what this person just did. */
const triggerOf = ({ triggers, workspace }: Slack, person: Person) => triggers.issue(person.id, workspace.app.botUser);

/** Slack's name of a channel towards a bot: it doesn't tell those of private ones. */
function channelName(channel: Channel): string {
  const names = { public: channel.name, private: 'privategroup', dm: 'directmessage' };
  return names[channel.kind];
}

/** Where to answer later. */
export function responseUrl(slack: Slack, channel: string, user: string, ts?: string): string {
  const use = { team: slack.workspace.team.id, channel, user, ...(ts === undefined ? {} : { ts }) };
  return `${slack.url()}/response/${slack.responseUrls.issue(use)}`;
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
    // A form has texts only.
    is_enterprise_install: String(isOrganisationWide(slack)),
    ...(enterpriseOf(slack) ?? {}),
    response_url: responseUrl(slack, channel.id, person.id),
    trigger_id: triggerOf(slack, person),
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
  const { team } = slack.workspace;
  const isView = 'view' in place;
  const who = common(slack, person, isView ? placeless(slack, team) : team);
  const base = { type: 'block_actions', ...who, actions: [stamped] };
  if ('view' in place) {
    return { ...base, trigger_id: triggerOf(slack, person), ...viewScene(place.view, state) };
  }
  const { channel, message } = place;
  return {
    ...base,
    trigger_id: triggerOf(slack, person),
    ...messageScene(slack, channel, message),
    state: { values: stateValues(allBlocks(message), state) },
    response_url: responseUrl(slack, channel.id, person.id, message.ts),
  };
}

/** A global shortcut was chosen. It belongs to no channel, so it has no response URL (Slack's page of shortcut payloads). */
export const globalShortcut = (slack: Slack, person: Person, callback_id: string): Json => ({
  type: 'shortcut',
  ...common(slack, person, placeless(slack, teamOf(slack.workspace, person.id))),
  callback_id,
  trigger_id: triggerOf(slack, person),
  action_ts: (slack.clock.now() / 1_000).toFixed(6),
});

/** A shortcut of a message was chosen: the app gets the whole message, whoever wrote it. */
export const messageShortcut = (
  slack: Slack,
  person: Person,
  { channel, message }: { channel: Channel; message: StoredMessage },
  callback_id: string,
): Json => ({
  type: 'message_action',
  ...common(slack, person, teamOf(slack.workspace, person.id)),
  callback_id,
  trigger_id: triggerOf(slack, person),
  response_url: responseUrl(slack, channel.id, person.id),
  action_ts: (slack.clock.now() / 1_000).toFixed(6),
  message_ts: message.ts,
  channel: { id: channel.id, name: channelName(channel) },
  message: wireMessage(slack, message, false),
});

/** Someone types into an external select. */
export function blockSuggestion(
  slack: Slack,
  person: Person,
  place: Place,
  asked: { block_id: string; action_id: string; value: string },
  state: StateValues,
): Json {
  const scene = 'view' in place ? viewScene(place.view, state) : messageScene(slack, place.channel, place.message);
  const { team } = slack.workspace;
  const who = common(slack, person, 'view' in place ? placeless(slack, team) : team);
  return { type: 'block_suggestion', ...who, ...scene, ...asked };
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
  const trigger_id = triggerOf(slack, person);
  const who = common(slack, person, placeless(slack, teamOf(slack.workspace, person.id)));
  return { type: 'view_submission', ...who, trigger_id, view, response_urls };
}

/** A modal with `notify_on_close` was closed. */
export const viewClosed = (slack: Slack, person: Person, view: Json, isCleared: boolean): Json => ({
  type: 'view_closed',
  ...common(slack, person, placeless(slack, teamOf(slack.workspace, person.id))),
  view,
  is_cleared: isCleared,
});
