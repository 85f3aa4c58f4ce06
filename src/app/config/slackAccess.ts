import { isInClear } from '../../ground/plainHttp.ts';

/** The way to bot tokens: one that the configuration names, or those of the workspaces where the app is installed. */
type SlackAccess =
  | Readonly<{ type: 'token'; botToken: string }>
  | Readonly<{
      type: 'installations';
      clientId: string;
      clientSecret: string;
      /** The workspaces (T…) and organisations (E…) that may install the app. */
      teams: readonly string[];
    }>;

/** Reads the keys for bot tokens. Adds a line to `faults` for each that is missing, or is one too many. */
export function slackAccessIn(
  given: Record<string, string | undefined>,
  teams: readonly string[],
  faults: string[],
): SlackAccess | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = given;
  if (clientId === undefined && clientSecret === undefined) {
    if (given.ALLOW_INSTALL !== undefined)
      faults.push(
        'ALLOW_INSTALL: needs SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, which workspaces need to install Dolly',
      );
    if (botToken !== undefined) return { type: 'token', botToken };
    faults.push('SLACK_BOT_TOKEN: is missing (or set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET for several workspaces)');
    return undefined;
  }
  if (clientId === undefined) faults.push('SLACK_CLIENT_ID: is missing; it belongs to SLACK_CLIENT_SECRET');
  if (clientSecret === undefined) faults.push('SLACK_CLIENT_SECRET: is missing; it belongs to SLACK_CLIENT_ID');
  if (botToken !== undefined)
    faults.push(
      'SLACK_BOT_TOKEN: remove it, because with SLACK_CLIENT_ID each workspace gets its own by installing Dolly',
    );
  if (given.PUBLIC_URL === undefined)
    faults.push('PUBLIC_URL: is needed with SLACK_CLIENT_ID, because Slack sends those who install Dolly back there');
  else if (isInClear(given.PUBLIC_URL))
    faults.push(
      'PUBLIC_URL: must begin with https:// where SLACK_CLIENT_ID is set: Slack sends nobody back to plain HTTP',
    );
  return clientId !== undefined && clientSecret !== undefined
    ? { type: 'installations', clientId, clientSecret, teams }
    : undefined;
}
