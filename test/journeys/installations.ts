import { installs } from '../installing.ts';
import { type World, type WorldOptions, world } from '../world.ts';

/** The app's name and password towards Slack. */
export const client = { id: '1234.5678', secret: 'the-secret-of-the-client' };

/** Two workspaces and the organisation that they may belong to, each with somebody who installs the app there. */
export const home = { team: 'T0PLAYGRND', person: 'U0ANA00001' };
export const partner = { team: 'T0PARTNER1', person: 'U0PIA00001' };
export const organisation = { team: 'E0PLAYGRND', person: 'U0ANA00001' };

/** Starts a Dolly that nobody has installed yet, and that some teams may. */
export function uninstalledWorld(teams: readonly string[], options: WorldOptions = {}): Promise<World> {
  return world({
    ...options,
    slack: { client, botToken: '' },
    environment: {
      ...{ SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: client.id, SLACK_CLIENT_SECRET: client.secret },
      ...{ ALLOW_INSTALL: teams.join(','), PUBLIC_URL: 'https://dolly.invalid', ...options.environment },
    },
  });
}

/** Installs the app, as somebody does in a browser; gives the last page's status. */
export function install(earth: World, who: Parameters<typeof installs>[1]): Promise<Response> {
  return installs(`${earth.dolly().url}/slack/install`, who);
}
