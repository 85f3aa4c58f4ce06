import { App, type AppOptions, HTTPReceiver } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { wayBy } from '../api/connection/proxy.ts';
import { isTree } from '../api/reading/jsonTree.ts';
import { inRequest } from '../ground/log.ts';
import { type Meter, stopwatch } from '../ground/meter.ts';
import type { Parts } from '../jobs/parts.ts';
import { clientOptionsFor } from '../slack/connection/askSlack.ts';
import { boltLogger, receiverFor } from '../slack/connection/bolt.ts';
import { botTokensIn, renewalOf } from '../slack/connection/botTokens.ts';
import { ackEventsWhenDone } from '../slack/connection/eventAck.ts';
import { installedSlacks } from '../slack/connection/installedSlacks.ts';
import { MeteredClient } from '../slack/connection/meteredClient.ts';
import { oneForAll, type Slacks } from '../slack/connection/slacks.ts';
import type { SocketLines } from '../slack/connection/socketLines.ts';
import { answersFor, honours, whenSlackIsThere } from '../slack/connection/token.ts';
import { teamOfPayload } from '../slack/desk/who.ts';
import type { Installations } from '../store/tables/installations.ts';
import type { Config } from './config/config.ts';

/** The line to Slack, in HTTP mode or in Socket Mode. */
export type SlackSide = Readonly<{
  app: App;
  receiver: HTTPReceiver | SocketLines;
  /** The clients for everything that the bot itself asks of Slack. */
  slacks: Slacks;
  clientOptions: WebClientOptions;
  /**
   * Waits until Slack answers, then connects in Socket Mode. @throws where Slack refuses the token, or is away too long
   */
  start(): Promise<void>;
  /** Whether Slack honours the token and, in Socket Mode, is connected now. */
  isThere(): Promise<boolean>;
  /** Whether Slack answers for a team now and, in Socket Mode, is connected. */
  isReached(team: string): Promise<boolean>;
  /** Takes nothing more from Slack in Socket Mode; in HTTP mode the server stops by itself. */
  stop(): Promise<void>;
}>;

type SlackSideNeeds = Parts<'clock' | 'log' | 'meter'> &
  /** `ended` is called when the app was uninstalled for a team. */
  Readonly<{ config: Config; installations: Installations; ended(team: string): void }>;

/** Prepares Bolt and the clients; nothing is sent before `start`. */
export function openSlackSide(needs: SlackSideNeeds): SlackSide {
  const { config, clock, log, meter } = needs;
  const proxies = config.proxying?.proxies;
  const way = proxies && wayBy(proxies);
  const receiver = receiverFor({ ...config.slack, way }, clock, log);
  const clientOptions = { ...clientOptionsFor(config.slack.apiUrl, way), logger: boltLogger(log) };
  const { slacks, authorization, isHonoured } = accessTo(needs, clientOptions);
  const app = new App({
    ...authorization,
    receiver,
    logger: boltLogger(log),
    // Deferred, so that a refused token is reported at the start instead of ending the process from within.
    deferInitialization: true,
    convoStore: false,
    clientOptions,
  });
  const isConnected = () => receiver instanceof HTTPReceiver || receiver.isConnected();
  app.error(async error => log.error({ error }, 'a listener failed'));
  ackEventsWhenDone(app, clock);
  measureRequests(app, meter);
  return {
    app,
    receiver,
    slacks,
    clientOptions,
    async start() {
      await whenSlackIsThere(clock, log, () => app.init());
      if (!(receiver instanceof HTTPReceiver)) await receiver.start();
    },
    isThere: async () => isConnected() && (await isHonoured()),
    isReached: async team => isConnected() && (await answersFor(slacks.of(team))),
    async stop() {
      if (!(receiver instanceof HTTPReceiver)) await receiver.stop();
    },
  };
}

/** The clients of Slack, the way in which Bolt finds out who may send requests, and whether Slack honours the token. */
function accessTo(
  { config, clock, log, meter, installations, ended }: SlackSideNeeds,
  options: WebClientOptions,
): Readonly<{
  slacks: Slacks;
  authorization: Pick<AppOptions, 'token' | 'authorize'>;
  isHonoured(): Promise<boolean>;
}> {
  const { access } = config.slack;
  if (access.type === 'token') {
    const web = new MeteredClient(access.botToken, options, meter);
    return {
      slacks: oneForAll(web),
      authorization: { token: access.botToken },
      isHonoured: honours(web, clock, log),
    };
  }
  const { teams: allowed, clientId, clientSecret } = access;
  const renew = renewalOf({ clientId, clientSecret }, new WebClient(undefined, options), clock);
  const tokens = botTokensIn({ installations, allowed, clock, log, renew, ended });
  return {
    slacks: installedSlacks(tokens, options, meter),
    authorization: {
      async authorize(_source, body) {
        const team = body ? teamOfPayload(body) : '';
        const found = allowed.includes(team) ? await installations.find(team) : undefined;
        if (!found) throw new Error(`Dolly is not installed in ${team}, or may not be (ALLOW_INSTALL)`);
        return { botId: found.bot, botUserId: found.botUser };
      },
    },
    // Each workspace has a token of its own: none of them says anything about Dolly as a whole.
    isHonoured: async () => true,
  };
}

const requestTypes = ['block_actions', 'block_suggestion', 'view_submission', 'view_closed', 'event_callback'] as const;

/** Gives each request of Slack an id in the log, in either mode, and measures the time to its acknowledgement. */
function measureRequests(app: App, meter: Meter): void {
  const process = app.processEvent.bind(app);
  app.processEvent = event =>
    inRequest(async () => {
      const since = stopwatch();
      // A signed body that is no object would end the process inside Bolt.
      if (!isTree(event.body)) return event.ack();
      const { command, type } = event.body;
      const request = command === undefined ? (requestTypes.find(known => known === type) ?? 'other') : 'command';
      return process({
        ...event,
        async ack(response) {
          await event.ack(response);
          meter.took('ack', { request }, since());
        },
      });
    });
}
