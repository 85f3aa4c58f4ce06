import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { type Clock, systemClock } from '../../ground/clock.ts';
import { authorizePage } from './authorize.ts';
import { startRun } from './builder.ts';
import { type Delivery, type DeliveryOptions, newDelivery } from './delivery.ts';
import { echo, tellOfRemoval } from './events.ts';
import type { Faults } from './faults.ts';
import { guard, isLoopback } from './guard.ts';
import type { Client, Install } from './installs.ts';
import type { NewMessage, StoredMessage } from './messages.ts';
import { pageApp } from './page.ts';
import { playApi, snapshotFor } from './play.ts';
import type { CommandHint, Snapshot, Traffic, Violation, WorkflowRun } from './protocol.ts';
import { type Declared, newSlack, type Settings } from './slack.ts';
import { newSocketMode } from './socketMode.ts';
import { type Tokens, webApi } from './webApi.ts';
import { otherBot, type Workspace } from './workspace.ts';

export type PlaygroundOptions = Tokens & {
  /** 0 takes any free port. */
  port: number;
  /** A loopback address; 127.0.0.1 if absent. */
  host?: string;
  /** Time of messages, triggers, response URLs, acks and event retries. */
  clock?: Clock;
  signingSecret: string;
  /** The bot's request URL, asked for at each request. Undefined: over Socket Mode. */
  botUrl?: DeliveryOptions['botUrl'];
  /** Milliseconds that an ack may take; Slack's three seconds if absent. */
  ackLimit?: number;
  /** Milliseconds that a trigger lives; Slack's three seconds if absent. */
  triggerLife?: number;
  commands: readonly CommandHint[];
  /** The shortcuts and the steps that the app's manifest declares; none if absent. */
  shortcuts?: Declared['shortcuts'];
  functions?: Declared['functions'];
  /** The app's client id and secret, by which it may be installed elsewhere; absent: it may not. */
  client?: Client;
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
    /** What a person (by id) sees now, and a call of `hear` whenever anything of Slack changed; gives what ends that. */
    seenAs(id: string): Snapshot;
    overhears(hear: () => void): () => void;
    /** Another app says something in a channel (by id or by #name). */
    otherApp(channel: string, message: Omit<NewMessage, 'channel' | 'user'>): StoredMessage;
    /** See {@link Delivery}: events whose answer Slack does not hear, and one that comes once more. */
    deafTo: Delivery['deafTo'];
    redelivers: Delivery['redelivers'];
    /** The installations of the app. */
    installs(): Install[];
    /**
     * Takes the app out of a workspace (T…) or the organisation (E…): its tokens die, and it hears of that.
     * @param isTold whether Slack sends the events
     */
    uninstalls(team: string, isTold?: boolean): void;
    /** The runs of workflows, oldest first; and a start of one by a schedule, or in somebody's name. */
    runs(): WorkflowRun[];
    runWorkflow(id: string, started?: Partial<Pick<WorkflowRun, 'by' | 'channel' | 'values'>>): WorkflowRun | undefined;
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
  const { commands, shortcuts = [], functions = {} } = options;
  const declared = { commands, shortcuts, functions };
  const { botToken, triggerLife, client } = options;
  const slack = newSlack({ clock, declared, url: () => url, triggerLife, botToken, client });
  const sockets = newSocketMode(slack.workspace);
  const delivery = newDelivery(slack, sockets, { ...options, botUrl });
  const silence = echo(slack, delivery);
  const channelId = (name: string) =>
    slack
      .all()
      .flatMap(({ workspace }) => workspace.channels)
      .find(({ id, kind, name: own }) => id === name || (kind !== 'dm' && `#${own}` === name))?.id ?? name;

  const app = new Hono();
  app.use(guard);
  if (options.middleware) app.use(options.middleware);
  app.route('/', webApi(slack, sockets, options));
  app.route('/', playApi(slack, delivery));
  app.route('/', authorizePage(slack));
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
      messages: channel => slack.messages.list(channelId(channel)),
      seenAs: id => snapshotFor(slack, id),
      overhears: hear => slack.bus.overhear(({ type }) => void (type === 'traffic' || hear())),
      otherApp: (channel, message) =>
        slack.messages.post({ channel: channelId(channel), user: otherBot(slack.workspace).id, ...message }),
      deafTo: delivery.deafTo,
      redelivers: delivery.redelivers,
      installs: slack.installs.all,
      uninstalls(team, isTold = true) {
        const seen = slack.at(team);
        if (isTold) tellOfRemoval(seen, delivery);
        slack.installs.remove(team);
        slack.leaves(team);
      },
      runs: slack.workflows.runs,
      runWorkflow: (id, started) => startRun(slack, delivery, id, started),
      archive(name) {
        for (const channel of slack.workspace.channels) if (`#${channel.name}` === name) channel.isArchived = true;
      },
      disconnectSockets: () => sockets.disconnect(),
      dropSockets: many => sockets.drop(many),
      connections: () => sockets.many(),
      isConnected: () => sockets.many() > 0,
    },
    async close() {
      silence();
      delivery.close();
      sockets.close();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
