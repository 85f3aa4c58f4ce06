import { isTree } from '../../api/reading/jsonTree.ts';
import { parseJson } from '../../ground/json.ts';
import type { Owner } from '../../store/vault.ts';

/**
 * The team of a payload is the one under which the app is installed: the workspace (T…), or the organisation (E…) where the app
 * is installed for a whole organisation, so that a person has one sign-in in all of its workspaces. Slack names it differently
 * in each kind of payload, and only this file reads it:
 *
 * | payload | organisation, if installed there | else the workspace | |---|---|---| | command | `enterprise_id`, if
 * `is_enterprise_install` is `"true"`, a text | `team_id` | | click, menu, shortcut | `enterprise.id`, if
 * `is_enterprise_install` | `team.id`; `user.team_id` where `team` is null | | form, and menus in it | the same, unless
 * `view.app_installed_team_id` names an organisation | `view.app_installed_team_id`, else the same | | event |
 * `authorizations[0].enterprise_id`, if its `is_enterprise_install` | `context_team_id`, else `authorizations[0].team_id`, else
 * `team_id` |
 *
 * In a channel shared with another workspace (Slack Connect), `team` of a click is the workspace in which the app is installed.
 * But `team` of a submitted form is the person's own workspace (github.com/slackapi/bolt-js/issues/1614), so
 * `view.app_installed_team_id` is preferred, or the same person would have two sign-ins. `team_id` of an event is where it
 * happened, and `context_team_id` where the app sees it (docs.slack.dev/apis/events-api). So no team tells where a person
 * belongs: {@link mustBeAdmitted} asks Slack itself for that.
 */
type Installed = Readonly<{ is_enterprise_install?: boolean | string }>;

/** A click, a form, a menu or a shortcut, as far as it names teams and people. */
type SlackPayload = Installed & {
  team: { id: string } | null;
  enterprise?: { id: string } | null;
  user: { id: string; team_id?: string };
  view?: { app_installed_team_id?: string | null };
};

type TypedCommand = Installed & { team_id: string; enterprise_id?: string | null; user_id: string };

/** The organisation, where the app is installed for all of it. A command says so in text, other payloads do not. */
function organisationIn({ is_enterprise_install: isWhole }: Installed, id: string | null | undefined) {
  return isWhole === true || isWhole === 'true' ? id || undefined : undefined;
}

/** The person who used something: a click, a form, a menu, a shortcut. */
export function whoIn(body: SlackPayload): Owner {
  const named = body.view?.app_installed_team_id || undefined;
  const organisation = named?.startsWith('E') ? named : organisationIn(body, body.enterprise?.id);
  return { team: organisation ?? named ?? body.team?.id ?? body.user.team_id ?? '', person: body.user.id };
}

/** The person who typed a slash command. */
export function whoInCommand(command: TypedCommand): Owner {
  return { team: organisationIn(command, command.enterprise_id) ?? command.team_id, person: command.user_id };
}

/** The person of an event, which its own field names; each kind of event has another one for it. */
export function whoInEvent(envelope: EventEnvelope, person: string): Owner {
  return { team: teamInEvent(envelope), person };
}

/** The team of any payload, as Bolt hands it to the one who decides whether the app is installed there. */
export function teamOfPayload(body: SlackPayload | TypedCommand | (EventEnvelope & { event: object })): string {
  if ('event' in body) return teamInEvent(body);
  return 'user_id' in body ? whoInCommand(body).team : whoIn(body).team;
}

/** The envelope of an event, as far as it names teams. */
export type EventEnvelope = Readonly<{
  team_id?: string | null;
  context_team_id?: string | null;
  enterprise_id?: string | null;
  authorizations?: readonly (Installed & Readonly<{ enterprise_id?: string | null; team_id?: string | null }>)[] | null;
}>;

/** The team of an event; empty where it names none. */
export function teamInEvent({ authorizations, context_team_id: context, team_id: team }: EventEnvelope): string {
  const seenBy = authorizations?.[0];
  const organisation = seenBy && organisationIn(seenBy, seenBy.enterprise_id);
  return organisation ?? (context || seenBy?.team_id || team || '');
}

type Clicked = { channel?: { id: string }; user: { id: string }; view?: { private_metadata?: string } };

/**
 * The place of a click. In a form it is the channel in which the form was asked for; in Home it is the person's id,
 * which stands for their direct messages.
 */
export function placeOf({ channel, user, view }: Clicked): string {
  return channel?.id ?? (view && carriedBy(view).channel) ?? user.id;
}

/** The place in which a form was asked for, as far as it carries that. */
export function carriedBy(view: Readonly<{ private_metadata?: string }>) {
  const carried = parseJson(view.private_metadata ?? '');
  const { channel, thread } = isTree(carried) ? carried : {};
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { channel: textOf(channel), thread: textOf(thread) };
}
