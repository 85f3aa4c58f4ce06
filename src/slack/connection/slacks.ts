import type { WebClient } from '@slack/web-api';

/**
 * Slack's Web API, by the team under which the app is installed: a workspace (T…), or an organisation (E…) in whose
 * workspaces the app is installed all at once.
 */
export type Slacks = Readonly<{
  /** The client with the team's bot token, which it obtains at each call. The same team gets the same client. */
  of(team: string): WebClient;
}>;

/** The one client of a bot whose token the configuration names. It serves every team. */
export function oneForAll(client: WebClient): Slacks {
  return { of: () => client };
}
