import type { Logger } from 'pino';
import { sayUnused } from '../api/connection/proxy.ts';
import { type Clock, systemClock } from '../ground/clock.ts';
import { openLog } from '../ground/log.ts';
import { type Meter, noMeter } from '../ground/meter.ts';
import { inClear } from '../ground/plainHttp.ts';
import { within } from '../ground/within.ts';
import { healthPages } from '../http/health.ts';
import { doing } from '../slack/inbox/doing.ts';
import { holdFloods } from '../slack/inbox/flood.ts';
import { takesInteractions } from '../slack/inbox/inbox.ts';
import { type Installer, installPages } from '../slack/installation/installPages.ts';
import { listenToUninstall } from '../slack/installation/listenToUninstall.ts';
import { signInPage } from '../slack/signIn/signInPage.ts';
import { hearFromOthers, listenToWritten } from '../store/agenda.ts';
import { answers } from '../store/census.ts';
import { freeLocks } from '../store/dueQueue.ts';
import { freeJobLocks } from '../store/jobs/queue/jobQueue.ts';
import { type Installations, installationsIn } from '../store/tables/installations.ts';
import type { Config } from './config/config.ts';
import { frontDoor } from './door.ts';
import { type Features, features } from './features.ts';
import { type InFlight, openInFlight } from './inFlight.ts';
import { allReactions, listenToSlack } from './listeners.ts';
import { type Loops, noTurns, startLoops } from './loops.ts';
import { logTrail, openDesk, openVaultOf } from './openParts.ts';
import { takeUpRestored, tellPutBack } from './restored.ts';
import { openServer } from './server.ts';
import { openSlackSide, type SlackSide } from './slackSide.ts';
import { openStorage, type Storage } from './storage.ts';
import type { WholeDesk } from './wholeDesk.ts';

/** A running bot. */
export type Dolly = {
  /** The address at which it listens: scheme, host and port. */
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
  /** Whether the store was restored from a backup. */
  isRestored?: boolean;
  /** What Dolly does beside single requests, where that is not all of it. */
  features?: Features;
  /** Opens another store than the configuration names. */
  openStorage?: typeof openStorage;
};

/**
 * The longest wait of an orderly stop for work in flight, in milliseconds: longer than one answer of the service may
 * take.
 */
const longestDrain = 20_000;

/** Wires the parts together and starts the bot. Nothing keeps running where this throws. */
export async function startDolly(config: Config, surroundings: Surroundings = {}): Promise<Dolly> {
  const clock = surroundings.clock ?? systemClock;
  const log = surroundings.log ?? openLog(config.logLevel);
  const figures = config.metricsToken === undefined ? undefined : await measuring(config.metricsToken, log);
  const meter: Meter = figures ?? noMeter;
  warnOfRisks(config, log);

  let loops: Loops | undefined;
  let whole: WholeDesk | undefined;
  const storage = await (surroundings.openStorage ?? openStorage)(config, {
    clock,
    log,
    meter,
    heard: hints => (hints ? hearFromOthers(storage.store, hints) : loops?.wakeAll()),
    paused: pause => loops?.keepPause(pause),
    told: logTrail(log),
    wentBack(put) {
      changed();
      if (whole) inFlight.run('tell what was put back', tellPutBack(whole, put));
    },
  });
  listenToWritten(storage.store, hints => storage.replicas.announce(hints));
  const vault = openVaultOf({ config, log });
  const installations = installationsIn(storage.store, vault, logTrail(log));
  const changed = () => {
    loops?.wakeAll();
    storage.replicas.announce();
  };
  const slackSide = openSlackSide({ config, clock, log, meter, installations, ended: changed });
  const inFlight = openInFlight(log);
  const { serviceTimeout } = surroundings;
  const listed = surroundings.features ?? features;
  const opened = {
    ...{ features: listed, config, clock, log, meter, storage },
    ...{ slackSide, vault, installations, inFlight, serviceTimeout },
  };
  const desk = await openDesk(opened, () => taker);
  whole = desk;
  const hurryHomes = () => loops?.hurryHomes();
  const reactions = allReactions(listed, hurryHomes);
  const inbox = { reactions, doing: doing(desk, reactions), hurryHomes };
  const taker = takesInteractions(desk, inbox.doing);
  const closeAll = () => Promise.allSettled([desk.service.close(), storage.close()]);
  // Floods are held off before anything else is done for a request.
  holdFloods(slackSide.app, desk, config.commandsAtOnce, inFlight.size);
  inFlight.follow(slackSide.app);
  listenToSlack(slackSide.app, desk, listed, inbox);
  const isConfigured = config.slack.access.type === 'token';
  listenToUninstall(slackSide.app, desk, { installations, ended: changed, isConfigured });

  const vitals = {
    store: () => answers(storage.store),
    slack: async () => loops !== undefined && (await slackSide.isThere()),
    turns: () => loops?.turns() ?? noTurns(listed),
  };
  const onInstall = installPages(desk, installerOf(config, { vault, installations, slackSide, installed: changed }));
  const pages = [healthPages(desk, vitals, figures), signInPage(desk), onInstall];
  const door = frontDoor(desk, slackSide.receiver, pages, () => loops !== undefined);
  await takeUp(desk, storage, installations);
  if (surroundings.isRestored) await takeUpRestored(desk, listed);
  // From here on, a monitor sees that the process lives and is not ready yet.
  const server = await openServer(config, door).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  try {
    await slackSide.start();
  } catch (error) {
    await Promise.all([server.close(Promise.resolve()), closeAll()]);
    throw error;
  }
  // Where the configuration names the token, the app is back where Slack honours it.
  if (isConfigured) for (const team of await installations.left()) await desk.isUninstalled(team);
  const running = startLoops(desk, listed, taker);
  loops = running;

  return {
    url: server.url,
    async stop() {
      await server.close(drain({ desk, slackSide, inFlight, loops: running }));
      // Work that still hangs can write no more. Its job stays as it is stored: in doubt if its request was being sent.
      await storage.close();
      await desk.service.close();
    },
  };
}

type Running = Readonly<{ desk: WholeDesk; slackSide: SlackSide; inFlight: InFlight; loops: Loops }>;

/** Takes nothing new, and waits until the work in flight is finished, for {@link longestDrain} at most. */
async function drain({ desk: { clock, log }, slackSide, inFlight, loops }: Running): Promise<void> {
  const finish = async () => {
    await slackSide.stop();
    await loops.stopWork();
    await inFlight.drain();
    await loops.stopNews();
    return 'all is finished';
  };
  if ((await within(clock, longestDrain, finish())) !== undefined) return;
  log.warn({ running: inFlight.size() }, 'stopped before all was finished; the next start takes it up');
  void loops.stopNews();
}

/** Takes over the store from the process before. */
async function takeUp(
  { jobs, credentials, log }: WholeDesk,
  { store, isShared }: Storage,
  installations: Installations,
): Promise<void> {
  // No other process uses a store that is not shared, so the locks in it are of an earlier process and mean nothing.
  if (!isShared) await Promise.all([freeJobLocks(store), freeLocks(store)]);
  log.info(await jobs.standing(), 'takes up what the store holds');
  const renewed = (await credentials.renew()) + (await installations.sealAnew());
  if (renewed > 0) log.info({ renewed }, 'sign-ins were sealed with the first of TOKEN_KEYS; the other keys can go');
}

/** The parts of the installer, where further workspaces can install the app. */
function installerOf(
  { slack }: Config,
  { slackSide, ...parts }: Pick<Installer, 'vault' | 'installations' | 'installed'> & { slackSide: SlackSide },
): Installer | undefined {
  if (slack.access.type === 'token') return undefined;
  const { clientId, clientSecret, teams } = slack.access;
  const authorizationUrl = new URL('/oauth/v2/authorize', slack.apiUrl ?? 'https://slack.com').href;
  return { ...parts, clientId, clientSecret, teams, authorizationUrl, clientOptions: slackSide.clientOptions };
}

/** Warns the operator of settings that work but protect less than they could. */
function warnOfRisks({ service, publicUrl, policy, proxying }: Config, log: Logger): void {
  if (proxying?.unused !== undefined) log.warn(sayUnused(proxying.unused));
  for (const warning of inClear(service.url, publicUrl)) log.warn(warning);
  if (policy.approvers.length === 0)
    log.warn('APPROVERS is not set: anybody who is signed in to the service may approve what others ask for');
}

/**
 * The metrics, for readers who know the token. Their package takes a while to load, so it is loaded only where it is
 * needed.
 */
async function measuring(token: string, log: Logger) {
  const { prometheus } = await import('./prometheus.ts');
  return { token, ...prometheus(error => log.warn({ error }, 'something could not be measured')) };
}
