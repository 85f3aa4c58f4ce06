import { createServer, type Server } from 'node:http';
import { App, HTTPReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { inClear } from '../api/connection/address.ts';
import { connectService } from '../api/connection/client.ts';
import { openLibrary } from '../api/connection/library.ts';
import { metered } from '../api/connection/metered.ts';
import { isTree } from '../api/reading/tree.ts';
import { type Clock, seldom, systemClock } from '../ground/clock.ts';
import type { Config } from '../ground/config.ts';
import { inRequest, openLog } from '../ground/log.ts';
import type { Loop } from '../ground/loop.ts';
import { type Meter, noMeter, stopwatch } from '../ground/meter.ts';
import { within } from '../ground/remembered.ts';
import { healthPages } from '../http/health.ts';
import { sweepTrail } from '../jobs/auditRetention.ts';
import { workOnDueJobs } from '../jobs/dueJobs.ts';
import { openVocabulary } from '../jobs/evidence/vocabulary.ts';
import { openDepth } from '../jobs/records.ts';
import { listenToDecisions } from '../slack/approvals/approvalClicks.ts';
import { listenToAudit } from '../slack/audit/auditCommand.ts';
import { listenToCommands, perform } from '../slack/commands/commands.ts';
import { boltLogger, receiverFor } from '../slack/connection/bolt.ts';
import { peopleIn } from '../slack/connection/directory.ts';
import { onlySlack } from '../slack/connection/onlySlack.ts';
import { honours, whenSlackIsThere } from '../slack/connection/token.ts';
import { webClient } from '../slack/connection/webClient.ts';
import type { Desk } from '../slack/desk.ts';
import { listenToForms } from '../slack/forms/forms.ts';
import { keepHomes, listenToHome } from '../slack/home/home.ts';
import { askersOn } from '../slack/messages/askers.ts';
import { deliver } from '../slack/messages/delivery.ts';
import { listenToSignIn } from '../slack/signIn/signIn.ts';
import { holdFloods } from '../slack/uses/flood.ts';
import { takesUses } from '../slack/uses/keptUses.ts';
import { answers, countOpen } from '../store/census.ts';
import type { Store } from '../store/database.ts';
import { openShared } from '../store/drivers/postgres.ts';
import { openStore } from '../store/drivers/sqlite.ts';
import { auditIn, type Told } from '../store/tables/audit.ts';
import { credentialsIn } from '../store/tables/credentials.ts';
import { homesIn } from '../store/tables/homes.ts';
import { hasEnded } from '../store/tables/job.ts';
import { jobsIn } from '../store/tables/jobs.ts';
import { linksIn } from '../store/tables/links.ts';
import { triesIn } from '../store/tables/tries.ts';
import { usesIn } from '../store/tables/uses.ts';
import { wordsIn } from '../store/tables/words.ts';
import { openVault } from '../store/vault.ts';
import { frontDoor } from './door.ts';

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
  const log = surroundings.log ?? openLog(config.logLevel);
  const figures = config.metricsToken === undefined ? undefined : await measuring(config.metricsToken, log);
  const meter: Meter = figures ?? noMeter;
  const ran = figures && ((statement: string, ms: number) => meter.took('store', { statement }, ms));
  let heard = () => {};
  const shared =
    config.databaseUrl === undefined
      ? undefined
      : await openShared(
          config.databaseUrl,
          clock,
          () => heard(),
          seldom(clock, (error, times) => log.warn({ error, times }, 'the connection to the store is in trouble')),
          ran,
        );
  const store = shared?.store ?? surroundings.store ?? (await openStore(config.dataDir, ran));
  const closeStore = () => (shared ? shared.close() : store.destroy());
  const timeout = surroundings.serviceTimeout;
  const service = metered(connectService({ ...config.service, ...(timeout === undefined ? {} : { timeout }) }), meter);
  const told: Told = ({ id: audit, event, team, actor, person, login, operation, target, job }) => {
    const about = Object.entries({ audit, team, actor, person, login, operation, target, job });
    const known = Object.fromEntries(about.filter(([, value]) => value !== null));
    log[event === 'glass broken' ? 'warn' : 'info'](known, event);
  };
  const jobs = jobsIn(store, told, job => {
    if (hasEnded(job)) meter.count('jobsEnded', { operation: job.operation, state: job.state });
  });
  const vault = openVault(config.tokenKeys, ({ team, person }, why) =>
    log.warn({ team, person, why }, 'what is sealed in the store does not open'),
  );
  const credentials = credentialsIn(store, vault, told);
  meter.reads('jobs', async () => (await countOpen(store)).map(({ count, ...labels }) => ({ labels, value: count })));
  if (shared)
    meter.reads('connections', async () =>
      Object.entries(shared.connections()).map(([state, value]) => ({ labels: { state }, value })),
    );

  for (const warning of inClear(config.service.url, config.publicUrl)) log.warn(warning);
  const receiver = receiverFor(config, clock, log);
  const clientOptions = {
    ...(config.slack.apiUrl ? { slackApiUrl: config.slack.apiUrl } : {}),
    logger: boltLogger(log),
    fetch: onlySlack(config.slack.apiUrl),
    // Each call is tried once: what must get through is kept in the store and tried again from there.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  };
  const app = new App({
    token: config.slack.botToken,
    receiver,
    logger: boltLogger(log),
    // A token that Slack refuses is told at the start instead of ending the process from within.
    deferInitialization: true,
    convoStore: false,
    clientOptions,
  });
  const slack = webClient(config.slack.botToken, clientOptions, meter);
  app.error(async error => log.error({ error }, 'a listener failed'));

  if (config.policy.approvers.length === 0)
    log.warn('APPROVERS is not set: anybody who is signed in to the service may approve what others ask for');

  const running = new Set<Promise<unknown>>();
  const vocabulary = openVocabulary(wordsIn(store), config.service.url + config.service.prefix, config.mapping, clock);
  await vocabulary.load();
  const parts = {
    jobs,
    audit: auditIn(store, told),
    credentials,
    policy: config.policy,
    approvalChannel: config.approvalChannel,
    people: peopleIn(slack, clock, log, config.allowed),
    service,
    mapping: config.mapping,
    vocabulary,
    depth: openDepth(clock),
    clock,
    log,
    meter,
    tell() {
      delivery.wake();
      homes.wake();
      shared?.announce();
    },
  };
  const desk: Desk = {
    ...parts,
    slack,
    names: config.slack.commands,
    links: linksIn(store, vault),
    homes: homesIn(store),
    tries: triesIn(store),
    askers: askersOn(clock, log),
    uses: usesIn(store, vault),
    library: openLibrary(service, clock),
    publicUrl: config.publicUrl,
    auditDays: config.auditDays,
    wake() {
      watcher.wake();
      shared?.announce();
    },
    takeOn: (use, ack, tell) => taker.takeOn(use, ack, tell),
    run(what, work) {
      const guarded = work
        .catch((error: unknown) => log.error({ error }, `could not ${what}`))
        .finally(() => running.delete(guarded));
      running.add(guarded);
    },
  };
  const taker = takesUses(desk, use => perform(desk, use));
  holdFloods(app, desk, config.commandsAtOnce, () => running.size);
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

  overhear(app, meter);

  let loops: Readonly<Record<'watch' | 'deliver', Loop>> | undefined;
  const isHonoured = honours(slack, clock, log);
  const vitals = {
    store: () => answers(store),
    slack: async () =>
      loops !== undefined && (receiver instanceof HTTPReceiver || receiver.isConnected()) && (await isHonoured()),
    turns: () => ({ watch: loops?.watch.turnedAt(), deliver: loops?.deliver.turnedAt() }),
  };
  // Slack sends at once; who takes longer holds a connection for nothing.
  const door = frontDoor(desk, receiver, healthPages(desk, vitals, figures), () => loops !== undefined);
  const server = createServer({ requestTimeout: 30_000 }, (request, response) =>
    inRequest(() => door(request, response)),
  );
  // Where this process holds the store alone, leases of an earlier one mean nothing.
  if (!shared) await Promise.all([jobs.freeLeases(), desk.uses.freeLeases()]);
  log.info(await jobs.standing(), 'takes up what the store holds');
  const renewed = await credentials.renew();
  if (renewed > 0) log.info({ renewed }, 'sign-ins were sealed with the first of TOKEN_KEYS; the other keys can go');
  try {
    // Whoever watches over the process sees that it lives, and is not ready yet.
    await listen(server, config.port, config.host);
    await whenSlackIsThere(clock, log, () => app.init());
    if (!(receiver instanceof HTTPReceiver)) await receiver.start();
  } catch (error) {
    server.close();
    await Promise.allSettled([service.close(), closeStore()]);
    throw error;
  }
  const delivery = deliver(desk);
  const homes = keepHomes(desk);
  const uses = taker.watch();
  const watcher = workOnDueJobs(parts);
  loops = { watch: watcher, deliver: delivery };
  heard = () => {
    delivery.wake();
    homes.wake();
    watcher.wake();
    uses.wake();
  };
  const retention = sweepTrail(parts, config.auditDays);

  return {
    url: urlOf(server, config.host),
    async stop() {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      const drain = async () => {
        if (!(receiver instanceof HTTPReceiver)) await receiver.stop();
        await Promise.all([watcher.stop(), uses.stop(), homes.stop(), retention.stop()]);
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

/** What is measured, for those who know the token. Its package takes a while to load, which a start without it need not. */
async function measuring(token: string, log: Logger) {
  const { prometheus } = await import('./prometheus.ts');
  return { token, ...prometheus(error => log.warn({ error }, 'something could not be measured')) };
}

const requests = ['block_actions', 'block_suggestion', 'view_submission', 'view_closed', 'event_callback'] as const;

/** Gives each request of Slack an id in the log, whichever way it comes, and measures how long its answer takes. */
function overhear(app: App, meter: Meter): void {
  const take = app.processEvent.bind(app);
  app.processEvent = event =>
    inRequest(async () => {
      const since = stopwatch();
      // What is signed and yet nothing of Slack's would end the process inside Bolt.
      if (!isTree(event.body)) return event.ack();
      const { command, type } = event.body;
      const request = command === undefined ? (requests.find(known => known === type) ?? 'other') : 'command';
      return take({
        ...event,
        async ack(response) {
          await event.ack(response);
          meter.took('ack', { request }, since());
        },
      });
    });
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
