import type { GivenToken } from '../installs.ts';
import { type Json, stringOf } from '../json.ts';
import type { Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';
import { organisation, type Team } from '../workspace.ts';

const named = ({ id, name }: Team): Json => ({ id, name });

/** The answer of `oauth.v2.access`: to a refresh it names no person (docs.slack.dev/authentication/using-token-rotation). */
function answer(slack: Slack, { install, token, refresh, seconds }: GivenToken, isRefresh: boolean): Json {
  const { app, team } = slack.at(install.team).workspace;
  const isOrganisation = organisation.id === install.team;
  return {
    app_id: app.id,
    ...(isRefresh ? {} : { authed_user: { id: install.by } }),
    scope: install.scopes,
    token_type: 'bot',
    access_token: token,
    bot_user_id: app.botUser,
    ...(refresh === undefined ? {} : { refresh_token: refresh, expires_in: seconds }),
    team: isOrganisation ? null : named(team),
    enterprise: slack.settings.organisation ? named(organisation) : null,
    is_enterprise_install: isOrganisation,
  };
}

/**
 * `oauth.v2.access`: exchanges the code of an installation, or a refresh token. It needs no token; who asks proves it by
 * the app's own name and password, in the arguments or as HTTP Basic.
 * @throws SlackError invalid_client_id, bad_client_secret, invalid_grant_type, invalid_code, …
 */
export function oauthAccess(slack: Slack, args: Json, basic: string): Json {
  const [id, secret] = basic === '' ? [stringOf(args.client_id), stringOf(args.client_secret)] : decoded(basic);
  if (slack.client === undefined || id !== slack.client.id) throw new SlackError('invalid_client_id');
  if (secret !== slack.client.secret) throw new SlackError('bad_client_secret');
  const grant = stringOf(args.grant_type) || 'authorization_code';
  if (grant === 'refresh_token') return answer(slack, slack.installs.refresh(stringOf(args.refresh_token)), true);
  if (grant !== 'authorization_code') throw new SlackError('invalid_grant_type');
  const given = slack.installs.exchange(stringOf(args.code), stringOf(args.redirect_uri));
  slack.opens(given.install.team);
  return answer(slack, given, false);
}

/** The user name and the password in an `Authorization: Basic …` header. */
function decoded(basic: string): [string, string] {
  const [name = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':');
  return [name, rest.join(':')];
}
