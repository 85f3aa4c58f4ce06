import { App, HTTPReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { isTree } from '../api/reading/jsonTree.ts';
import type { Clock } from '../ground/clock.ts';
import type { Config } from '../ground/config.ts';
import { inRequest } from '../ground/log.ts';
import { type Meter, stopwatch } from '../ground/meter.ts';
import { boltLogger, receiverFor } from '../slack/connection/bolt.ts';
import { ackEventsWhenDone } from '../slack/connection/eventAck.ts';
import { onlySlack } from '../slack/connection/onlySlack.ts';
import { oneForAll, type Slacks } from '../slack/connection/slacks.ts';
import type { SocketLines } from '../slack/connection/socketLines.ts';
import { honours, whenSlackIsThere } from '../slack/connection/token.ts';
import { webClient } from '../slack/connection/webClient.ts';

/** The line to Slack, in HTTP mode or in Socket Mode. */
export type SlackSide = Readonly<{
  app: App;
  receiver: HTTPReceiver | SocketLines;
  /** The clients for everything that the bot itself asks of Slack. */
  slacks: Slacks;
  /**
   * Waits until Slack answers, then connects in Socket Mode. @throws where Slack refuses the token, or is away too long
   */
  start(): Promise<void>;
  /** Whether Slack honours the token and, in Socket Mode, is connected now. */
  isThere(): Promise<boolean>;
  /** Takes nothing more from Slack in Socket Mode; in HTTP mode the server stops by itself. */
  stop(): Promise<void>;
}>;

/** Prepares Bolt and the client; nothing is sent before `start`. */
export function openSlackSide(config: Config, clock: Clock, log: Logger, meter: Meter): SlackSide {
  const receiver = receiverFor(config, clock, log);
  const clientOptions = {
    ...(config.slack.apiUrl ? { slackApiUrl: config.slack.apiUrl } : {}),
    logger: boltLogger(log),
    fetch: onlySlack(config.slack.apiUrl),
    // Each call is tried once. A call that must succeed stands in the store and is tried again from there.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  };
  const app = new App({
    token: config.slack.botToken,
    receiver,
    logger: boltLogger(log),
    // Deferred, so that a refused token is reported at the start instead of ending the process from within.
    deferInitialization: true,
    convoStore: false,
    clientOptions,
  });
  app.error(async error => log.error({ error }, 'a listener failed'));
  ackEventsWhenDone(app);
  measureRequests(app, meter);
  const web = webClient(config.slack.botToken, clientOptions, meter);
  const isHonoured = honours(web, clock, log);
  return {
    app,
    receiver,
    slacks: oneForAll(web),
    async start() {
      await whenSlackIsThere(clock, log, () => app.init());
      if (!(receiver instanceof HTTPReceiver)) await receiver.start();
    },
    isThere: async () => (receiver instanceof HTTPReceiver || receiver.isConnected()) && (await isHonoured()),
    async stop() {
      if (!(receiver instanceof HTTPReceiver)) await receiver.stop();
    },
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
