import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { type Clock, systemClock } from '../../ground/clock.ts';
import { type DeliveryOptions, newDelivery } from './delivery.ts';
import type { Faults } from './faults.ts';
import { guard, isLoopback } from './guard.ts';
import type { StoredMessage } from './messages.ts';
import { pageApp } from './page.ts';
import { playApi } from './play.ts';
import type { CommandHint, Traffic, Violation } from './protocol.ts';
import { newSlack, type Settings } from './slack.ts';
import { newSocketMode } from './socketMode.ts';
import { type Tokens, webApi } from './webApi.ts';
import type { Workspace } from './workspace.ts';

export type PlaygroundOptions = Tokens & {
  /** 0 takes any free port. */
  port: number;
  /** A loopback address; 127.0.0.1 if absent. */
  host?: string;
  /** Time of messages, triggers, response URLs and event retries. */
  clock?: Clock;
  signingSecret: string;
  /** The bot's request URL, asked for at each request. Undefined: over Socket Mode. */
  botUrl?: DeliveryOptions['botUrl'];
  /** Milliseconds of real time that an ack may take; Slack's three seconds if absent. */
  ackLimit?: number;
  /** Milliseconds that a trigger lives; Slack's three seconds if absent. */
  triggerLife?: number;
  commands: readonly CommandHint[];
  /** Sees every request before the playground does, and may answer it, or change the answer. */
  middleware?: MiddlewareHandler;
  log?: (line: string) => void;
};

export type Playground = {
  /** The page, without a slash at the end. */
  url: string;
  /** The Web API's root, for SLACK_API_URL. */
  apiUrl: string;
  /** The parts behind it, for tests. */
  slack: {
    workspace: Workspace;
    settings: Settings;
    faults: Faults;
    violations(): Violation[];
    traffic(): Traffic[];
    /** Messages of a channel (by id or by #name), oldest first, with metadata; replies and ephemeral ones too. */
    messages(channel: string): StoredMessage[];
    /** Archives a channel, by `#name`: nothing is posted or changed there any more. */
    archive(channel: string): void;
    /** Makes every Socket Mode client connect anew. */
    disconnectSockets(): void;
    /** Breaks off connections of Socket Mode: all of them, or so many. */
    dropSockets(many?: number): void;
    /** The number of open connections of Socket Mode. */
    connections(): number;
    /** Whether a Socket Mode client is connected. */
    isConnected(): boolean;
  };
  close(): Promise<void>;
};

/**
 * Starts a local Slack.
 * @throws Error where the host is not loopback or the port is taken
 */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { port, host = '127.0.0.1', clock = systemClock, botUrl = () => undefined, log = () => undefined } = options;
  if (!isLoopback(host.includes(':') ? `[${host}]` : host)) {
    throw new Error(`The playground has no passwords, so it serves this machine only: ${host} is no loopback address`);
  }
  let url = '';
  const slack = newSlack(clock, () => url, options.triggerLife);
  const sockets = newSocketMode(slack.workspace);
  const delivery = newDelivery(slack, sockets, { ...options, botUrl });

  const app = new Hono();
  app.use(guard);
  if (options.middleware) app.use(options.middleware);
  app.route('/', webApi(slack, sockets, options));
  app.route('/', playApi(slack, delivery, options.commands));
  app.route('/', pageApp());
  app.onError((error, c) => {
    log(`${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    return c.json({ ok: false, error: 'internal_error' }, 500);
  });

  const server = createServer(getRequestListener(app.fetch));
  server.on('upgrade', sockets.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  log(`playground at ${url}`);

  return {
    url,
    apiUrl: `${url}/api/`,
    slack: {
      workspace: slack.workspace,
      settings: slack.settings,
      faults: slack.faults,
      violations: slack.inspector.violations,
      traffic: () => slack.inspector.recent(0),
      messages(channel) {
        const found = slack.workspace.channels.find(
          candidate => candidate.id === channel || (candidate.kind !== 'dm' && `#${candidate.name}` === channel),
        );
        return slack.messages.list(found?.id ?? channel);
      },
      archive(name) {
        for (const channel of slack.workspace.channels) if (`#${channel.name}` === name) channel.isArchived = true;
      },
      disconnectSockets: () => sockets.disconnect(),
      dropSockets: many => sockets.drop(many),
      connections: () => sockets.many(),
      isConnected: () => sockets.many() > 0,
    },
    async close() {
      delivery.close();
      sockets.close();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
