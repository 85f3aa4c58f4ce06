import { createServer, type Server } from 'node:http';
import { App, type Logger as BoltLogger, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { type Logger, pino } from 'pino';
import { connectService } from './api/client.ts';
import { openLibrary } from './api/library.ts';
import { type Clock, seldom, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { retain } from './jobs/retention.ts';
import { watch } from './jobs/watch.ts';
import { listenToAudit } from './slack/audit.ts';
import { listenToCommands } from './slack/commands.ts';
import { listenToSignIn } from './slack/connect.ts';
import { listenToDecisions } from './slack/decisions.ts';
import { deliver } from './slack/delivery.ts';
import type { Desk } from './slack/desk.ts';
import { frontDoor } from './slack/door.ts';
import { holdFloods } from './slack/flood.ts';
import { listenToForms } from './slack/forms.ts';
import { keepHomes, listenToHome } from './slack/home.ts';
import { peopleIn } from './slack/people.ts';
import { within } from './slack/remembered.ts';
import { auditIn, type Told } from './store/audit.ts';
import { credentialsIn } from './store/credentials.ts';
import { openStore, type Store } from './store/database.ts';
import { homesIn } from './store/homes.ts';
import { jobsIn } from './store/jobs.ts';
import { linksIn } from './store/links.ts';
import { openShared } from './store/postgres.ts';
import { triesIn } from './store/tries.ts';
import { openVault } from './store/vault.ts';

/** A running bot. */
export type Dolly = {
  /** Where it listens: scheme, host and port. */
  url: string;
  /** Accepts nothing new, finishes what it acknowledged, and closes. */
  stop(): Promise<void>;
};

/** Parts that tests put in place of the machine's own. */
export type Surroundings = {
  clock?: Clock;
  log?: Logger;
  /** The longest wait for an answer of the service, in milliseconds. */
  serviceTimeout?: number;
  /** The embedded store, opened already. */
  store?: Store;
};

/** How long an orderly stop waits for what was begun: longer than one answer of the service may take. Milliseconds. */
const longestDrain = 20_000;

/** Wires the parts together and starts the bot. Nothing keeps running where this throws. */
export async function startDolly(config: Config, surroundings: Surroundings = {}): Promise<Dolly> {
  const clock = surroundings.clock ?? systemClock;
  const log =
    surroundings.log ??
    pino({ name: 'dolly', level: config.logLevel, serializers: { error: pino.stdSerializers.err } });
  let heard = () => {};
  const shared =
    config.databaseUrl === undefined
      ? undefined
      : await openShared(
          config.databaseUrl,
          clock,
          () => heard(),
          seldom(clock, (error, times) => log.warn({ error, times }, 'the connection to the store is in trouble')),
        );
  const store = shared?.store ?? surroundings.store ?? (await openStore(config.dataDir));
  const closeStore = () => (shared ? shared.close() : store.destroy());
  const timeout = surroundings.serviceTimeout;
  const service = connectService({ ...config.service, ...(timeout === undefined ? {} : { timeout }) });
  const told: Told = ({ id: audit, event, team, actor, person, login, operation, target, job }) =>
    log[event === 'glass broken' ? 'warn' : 'info'](
      { audit, team, actor, person, login, operation, target, job },
      event,
    );
  const jobs = jobsIn(store, told);
  const vault = openVault(config.tokenKeys, ({ team, person }, why) =>
    log.warn({ team, person, why }, 'a sign-in in the store does not open'),
  );
  const credentials = credentialsIn(store, vault, told);

  const receiver = receiverFor(config, log);
  const app = new App({
    token: config.slack.botToken,
    receiver,
    logger: boltLogger(log),
    // A token that Slack refuses is told at the start instead of ending the process from within.
    deferInitialization: true,
    convoStore: false,
    clientOptions: {
      ...(config.slack.apiUrl ? { slackApiUrl: config.slack.apiUrl } : {}),
      // Each call is tried once: what must get through is kept in the store and tried again from there.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 10_000,
    },
  });
  app.error(async error => log.error({ error }, 'a listener failed'));

  const running = new Set<Promise<unknown>>();
  const parts = {
    jobs,
    audit: auditIn(store, told),
    credentials,
    policy: config.policy,
    approvalChannel: config.approvalChannel,
    people: peopleIn(app.client, clock, log, config.allowed),
    service,
    mapping: config.mapping,
    clock,
    log,
    tell() {
      delivery.wake();
      homes.wake();
      shared?.announce();
    },
  };
  const desk: Desk = {
    ...parts,
    slack: app.client,
    names: config.slack.commands,
    links: linksIn(store),
    homes: homesIn(store),
    tries: triesIn(store),
    library: openLibrary(service, clock),
    publicUrl: config.publicUrl,
    auditDays: config.auditDays,
    wake() {
      watcher.wake();
      shared?.announce();
    },
    run(what, work) {
      const guarded = work
        .catch((error: unknown) => log.error({ error }, `could not ${what}`))
        .finally(() => running.delete(guarded));
      running.add(guarded);
    },
  };
  holdFloods(app, desk, () => running.size);
  // A stop waits for listeners, too: Bolt itself forgets them once Slack has its answer.
  app.use(async ({ next }) => {
    const work = next();
    running.add(work);
    await work.finally(() => running.delete(work));
  });
  listenToCommands(app, desk);
  listenToForms(app, desk);
  listenToDecisions(app, desk);
  listenToAudit(app, desk);
  listenToSignIn(app, desk);
  listenToHome(app, desk, () => homes.hurry());

  // Slack sends at once; who takes longer holds a connection for nothing.
  const server = createServer({ requestTimeout: 30_000 }, frontDoor(desk, receiver));
  // Where this process holds the store alone, leases of an earlier one mean nothing.
  if (!shared) await jobs.freeLeases();
  log.info(await jobs.standing(), 'takes up what the store holds');
  const renewed = await credentials.renew();
  if (renewed > 0) log.info({ renewed }, 'sign-ins were sealed with the first of TOKEN_KEYS; the other keys can go');
  try {
    await app.init();
    await listen(server, config.port, config.host);
    if (receiver instanceof SocketModeReceiver) await receiver.start();
  } catch (error) {
    server.close();
    await Promise.allSettled([service.close(), closeStore()]);
    throw error;
  }
  const delivery = deliver(desk);
  const homes = keepHomes(desk);
  const watcher = watch(parts);
  heard = () => {
    delivery.wake();
    homes.wake();
    watcher.wake();
  };
  const retention = retain(parts, config.auditDays);

  return {
    url: urlOf(server, config.host),
    async stop() {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      const drain = async () => {
        if (receiver instanceof SocketModeReceiver) await receiver.stop();
        await Promise.all([watcher.stop(), homes.stop(), retention.stop()]);
        while (running.size > 0) await Promise.allSettled(running);
        // Messages that Slack has not taken yet stand in the store, and go out after the next start.
        await delivery.stop();
        return 'all is finished';
      };
      if ((await within(clock, longestDrain, drain())) === undefined) {
        log.warn({ running: running.size }, 'stopped before all was finished; the next start takes it up');
        void delivery.stop();
      }
      server.closeAllConnections();
      await closed;
      // What still hangs then can write no more: it stays as it stands, in doubt where it was being sent.
      await closeStore();
      await service.close();
    },
  };
}

function receiverFor(config: Config, log: Logger): HTTPReceiver | SocketModeReceiver {
  const { connection, apiUrl } = config.slack;
  const logger = boltLogger(log);
  return connection.mode === 'http'
    ? new HTTPReceiver({ signingSecret: connection.signingSecret, logger })
    : new SocketModeReceiver({
        appToken: connection.appToken,
        logger,
        // Bolt takes the Web API's root of a Socket Mode connection from here only.
        ...(apiUrl ? { installerOptions: { clientOptions: { slackApiUrl: apiUrl } } } : {}),
      });
}

/** Bolt's log lines as ours. Bolt's own debug lines quote whole requests, which may hold what a person typed. */
function boltLogger(log: Logger): BoltLogger {
  const line =
    (level: 'info' | 'warn' | 'error') =>
    (...message: unknown[]) => {
      log[level](
        { from: 'bolt', error: message.find(part => part instanceof Error) },
        message.filter(part => typeof part === 'string').join(' '),
      );
    };
  return {
    debug: () => undefined,
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
