import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import type { Owner } from '../../store/vault.ts';

/**
 * The person who used something: a click, a form, a picker.
 *
 * In a channel shared with another workspace (Slack Connect), `team` of a click is the workspace in which the app is
 * installed. But `team` of a submitted form is the person's own workspace; `view.app_installed_team_id` then names the
 * app's (github.com/slackapi/bolt-js/issues/1614). It is preferred, or the same person would have two sign-ins. So the
 * team does not tell where a person belongs, and `user.team_id` names an organisation where there is one:
 * {@link mustBeAdmitted} asks Slack itself for that.
 */
export function whoIn(body: {
  team: { id: string } | null;
  user: { id: string; team_id?: string };
  view?: { app_installed_team_id?: string };
}): Owner {
  return {
    team: body.view?.app_installed_team_id ?? body.team?.id ?? body.user.team_id ?? '',
    person: body.user.id,
  };
}

/**
 * The place of a click. In a form it is the channel in which the form was asked for; in Home it is the person's id,
 * which stands for their direct messages.
 */
export function placeOf({
  channel,
  user,
  view,
}: {
  channel?: { id: string };
  user: { id: string };
  view?: { private_metadata?: string };
}): string {
  const carried = Carried.safeParse(parseJson(view?.private_metadata ?? ''));
  return channel?.id ?? (carried.success ? carried.data.channel : user.id);
}

const Carried = z.object({ channel: z.string().min(1) });
