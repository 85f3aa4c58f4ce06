import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Installation as BoltInstallation, type CallbackOptions, ErrorCode, InstallProvider } from '@slack/oauth';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { html, page, pageHeaders } from '../../http/html.ts';
import type { Installations } from '../../store/tables/installations.ts';
import type { Vault } from '../../store/vault.ts';
import { tellInstaller } from '../commands/installed.ts';
import { scopes } from '../connection/scopes.ts';
import { platformError } from '../connection/slackErrors.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { installationOf } from './installationOf.ts';
import { lifetime, statesIn } from './installStates.ts';

/** The parts by which the app is installed in further workspaces. */
export type Installer = Readonly<{
  clientId: string;
  clientSecret: string;
  /** The teams that may install the app. */
  teams: readonly string[];
  installations: Pick<Installations, 'absence' | 'keep'>;
  vault: Pick<Vault, 'seal' | 'open'>;
  clientOptions: WebClientOptions;
  /** Slack's page on which a person allows the installation. */
  authorizationUrl: string;
  /** Called after each new installation: messages may have waited for it. */
  installed(): void;
}>;

/** The paths of Bolt's own installer (docs.slack.dev/tools/bolt-js/concepts/authenticating-oauth). */
const paths = { begin: '/slack/install', end: '/slack/oauth_redirect' } as const;

/**
 * Answers the pages by which Dolly is installed, and tells whether the request was for one of them. Slack leads the person
 * back with a code, for which Slack's own installer gets the bot token. The state shows that this very browser began, not
 * long ago, and works once.
 */
export function installPages(
  desk: Voice & Desk<'publicUrl' | 'takeOn' | 'run'>,
  installer: Installer | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (!installer) return () => false;
  const provider = providerOf(desk, installer);
  const options = callbackOptions(desk, installer);
  const headers = pageHeaders(desk.publicUrl?.startsWith('https:') ?? false);
  return (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== paths.begin && path !== paths.end) return false;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method !== 'GET') {
      say(response, 405, 'Only GET is allowed.');
      return true;
    }
    const work =
      path === paths.begin
        ? provider.handleInstallPath(request, response)
        : provider.handleCallback(request, response, options);
    const answered = work.catch((error: unknown) => {
      desk.log.error({ error }, 'an installation failed');
      if (!response.headersSent) say(response, 500, 'Something went wrong. Please begin again.');
    });
    desk.run('answer a page of the installation', answered);
    return true;
  };
}

/** Slack's own installer, with our store, our states and our log. */
function providerOf(desk: Voice & Desk<'publicUrl' | 'takeOn' | 'run'>, installer: Installer): InstallProvider {
  const { clientId, clientSecret, authorizationUrl, clientOptions, installations, vault } = installer;
  const redirectUri = `${desk.publicUrl}${paths.end}`;
  const installUrlOptions = { scopes: Object.keys(scopes), redirectUri };
  return new InstallProvider({
    ...{ clientId, clientSecret, authorizationUrl, clientOptions, installUrlOptions, directInstall: true },
    stateStore: statesIn(vault, desk.clock, installUrlOptions),
    stateCookieExpirationSeconds: lifetime / 1_000,
    installationStore: {
      async storeInstallation(made: BoltInstallation) {
        const { installation, token } = installationOf(made, desk.clock);
        const absence = await installations.absence(installation.team);
        const used = { state: made.metadata ?? '', expiresAt: desk.clock.now() + lifetime };
        if (!(await installations.keep(installation, token, used))) throw new UsedState();
        installer.installed();
        const { team, person, createdAt: since } = installation;
        desk.run('tell who installed Dolly', tellInstaller(desk, { team, person, since, absence }));
      },
      fetchInstallation: () => Promise.reject(new Error('installations are read from the store')),
    },
    ...(clientOptions.logger ? { logger: clientOptions.logger } : {}),
  });
}

/** Raised for a state that was used before. */
class UsedState extends Error {
  override readonly name = 'UsedState';
}

function callbackOptions(desk: Desk<'clock' | 'log'>, { teams, clientOptions }: Installer): CallbackOptions {
  return {
    async afterInstallation(made, _options, _request, response) {
      const { installation, token } = installationOf(made, desk.clock);
      const { team, name } = installation;
      if (teams.includes(team)) return true;
      desk.log.warn({ team, person: installation.person }, 'a workspace that may not install Dolly tried to');
      // Slack uninstalls an app that has no token left.
      const slack = new WebClient(token.token, clientOptions);
      await slack.auth
        .revoke()
        .catch((error: unknown) =>
          desk.log.warn({ error, team }, 'the token of an installation that is not allowed could not be revoked'),
        );
      say(
        response,
        403,
        `${name ?? team} (${team}) is not among the workspaces that may install Dolly, so nothing was saved. Whoever runs Dolly can add ${team} to ALLOW_INSTALL.`,
      );
      return false;
    },
    success(made, _options, _request, response) {
      const { name, app, team } = installationOf(made, desk.clock).installation;
      const url = `https://slack.com/app_redirect?${new URLSearchParams({ ...(app ? { app } : {}), team })}`;
      response.writeHead(200).end(
        page(
          'Dolly is installed',
          `<p>Dolly is installed in <b><bdi>${html(name ?? team)}</bdi></b>.</p>
<p><a href="${html(url)}">Open Dolly in Slack</a>: it has sent you what to do next.</p>`,
        ),
      );
    },
    failure(error, _options, _request, response) {
      const word = platformError(error);
      desk.log.warn({ error, word }, 'an installation failed');
      const [status, why] = reasonOf(error, word);
      say(response, status, why);
    },
  };
}

/** The status and the sentence for an installation that failed. Never 500 or more: proxies replace such answers. */
function reasonOf(error: Error, word: string | undefined): readonly [status: number, why: string] {
  const code = 'code' in error ? error.code : undefined;
  if (code === ErrorCode.AuthorizationError) return [400, 'You did not allow it in Slack, so nothing was installed.'];
  if (code === ErrorCode.InvalidStateError || code === ErrorCode.MissingStateError || error instanceof UsedState)
    return [410, 'This page works once, for ten minutes, in the browser that began the installation.'];
  if (code === ErrorCode.MissingCodeError) return [400, 'Slack opens this page at the end of an installation.'];
  return [400, word === undefined ? 'Slack gave an unexpected answer.' : `Slack refused the installation: ${word}.`];
}

/** Answers with a page that says why nothing was installed, and how to begin again. */
function say(response: ServerResponse, status: number, why: string): void {
  const again = '<p><a href="install">Begin again</a></p>';
  response.writeHead(status).end(page('Not installed', `<p>${html(why)}</p>\n${status === 403 ? '' : again}`));
}
