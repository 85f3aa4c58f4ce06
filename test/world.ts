import { rmSync } from 'node:fs';
import { setImmediate as breath, setTimeout as sleep } from 'node:timers/promises';
import { type Dolly, type Surroundings, startDolly } from '../src/app/app.ts';
import { type Config, readConfig } from '../src/app/config/config.ts';
import { ownedAlone } from '../src/app/storage.ts';
import { workflowFunctions } from '../src/features/workflows/functions.ts';
import { systemClock } from '../src/ground/clock.ts';
import { openLog } from '../src/ground/log.ts';
import { stringOf } from '../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../src/sandbox/playground/messages.ts';
import type { Message } from '../src/sandbox/playground/protocol.ts';
import { type Playground, type PlaygroundOptions, startPlayground } from '../src/sandbox/playground/server.ts';
import { signatureHeaders } from '../src/sandbox/playground/signature.ts';
import type { ReceivedRequest } from '../src/sandbox/service/application.ts';
import { type RunningService, type ServiceOptions, startService } from '../src/sandbox/service/server.ts';
import { slashCommands } from '../src/slack/commands/help.ts';
import { shortcuts } from '../src/slack/shortcuts/shortcuts.ts';
import type { Store } from '../src/store/database.ts';
import { openStore } from '../src/store/drivers/sqlite.ts';
import { bundledBot } from './bundled.ts';
import { type TestClock, testClock } from './clock.ts';
import { flawIn } from './flaws.ts';
import { leftUnsaid } from './lockScreen.ts';
import { personIn, type Someone, textOf } from './person.ts';
import { freshTables } from './postgres.ts';
import { type BotProcess, startProcess } from './process.ts';
import { quiet, settled, standstill } from './quiet.ts';
import { scratchFolder } from './scratch.ts';

export const botToken = 'xoxb-test-token';
export const appToken = 'xapp-test-token';
export const signingSecret = 'test-signing-secret';
/** 32 bytes of nothing, in base64. */
export const tokenKey = Buffer.alloc(32, 7).toString('base64');

/** The service, the local Slack and the bot, real and wired over HTTP, on a clock that the test turns. */
export type World = {
  clock: TestClock;
  service: RunningService;
  playground: Playground;
  /** The environment of the bot, for starting it anew. */
  environment: Record<string, string>;
  dolly(): Bot;
  /** Who approves what the journeys of a test ask for. */
  approver: Someone | undefined;
  /** Lets a person in, signed in to the service as `username` if one is given. */
  enters(name: string, username?: string): Promise<Someone>;
  /** Signs somebody in on the bot's own page, by the link that `login` gives. */
  signsIn(someone: Someone, channel: string, username: string, password?: string): Promise<void>;
  /**
   * Turns the clock, a little at a time, until `read` gives something. Where the bot is a process of its own, whose
   * clock nobody can turn, it waits in real time.
   * @throws after `most` milliseconds
   */
  until<T>(read: () => T | undefined | false | Promise<T | undefined | false>, what: string, most?: number): Promise<T>;
  /** Every write that the service received, whatever came of it. */
  writes(): readonly ReceivedRequest[];
  /** What the bot posted for everybody in a channel: the jobs' messages, without the replies to them. */
  cards(channel: string): readonly StoredMessage[];
  replies(card: { channel: string; ts: string }): readonly StoredMessage[];
  /** What stands in a message now. */
  text(message: { channel: string; ts: string }): string;
  /** Sends the last request that Slack sent of this kind once more, signed anew, as Slack's own redelivery would. */
  replays(what: string, change?: (payload: string) => string, to?: Dolly): Promise<Response>;
  /** Starts one more bot on the same store, which must be PostgreSQL. Whoever starts it stops it. */
  joins(): Promise<Bot>;
  /** The embedded store that the bot works on, to make trouble in it. Needs `handsOnStore`. */
  store(): Store;
  /** Stops the bot, as an orderly stop does, and starts it again on the same store. */
  restart(change?: Record<string, string>): Promise<void>;
  /** Ends the bot's process in the middle of whatever it does. Needs `ownProcess`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Lets go of a bot that has ended by itself. */
  forgets(): void;
  start(change?: Record<string, string>): Promise<void>;
  /** Ends all of it. @throws where the bot broke a rule of Slack meanwhile */
  close(): Promise<void>;
};

export type WorldOptions = {
  service?: Partial<ServiceOptions>;
  slack?: Partial<PlaygroundOptions>;
  environment?: Record<string, string>;
  surroundings?: Surroundings;
  /** The store: the embedded one, or PostgreSQL, which several bots share. */
  store?: 'embedded' | 'PostgreSQL';
  /** Over Socket Mode instead of signed HTTP requests. */
  socketMode?: boolean;
  /**
   * The bot as a process of its own, which can be killed. It and Slack then live in real time, while the service keeps
   * the clock that the test turns.
   */
  ownProcess?: boolean;
  /** The program of that process, asked for at each start; `undefined` is that of {@link bundledBot}. */
  program?: () => string | undefined;
  /** Slack's requests go to each of the bots on the store in turn, as through a load balancer. */
  balanced?: boolean;
  /** The embedded store is opened here and given to the bot. */
  handsOnStore?: boolean;
  /** By how much the bot's clock is ahead, in milliseconds: it may jump. How long the bot waits, and what it measures, does not change with it. */
  skew?: () => number;
};

/** A bot, which can be killed if it is a process of its own. */
export type Bot = Dolly & Partial<BotProcess>;

/** How long Slack waits for a bot on a machine that has much else to do, in milliseconds. */
const realPatience = 20_000;

/** How long something may take that happens in real time, in milliseconds. */
const patience = 120_000;

/** Longer than a bot waits for what hangs when it is to stop, in milliseconds. */
const longestStop = 30_000;

/** Starts a {@link World}. Every test that does must close it. */
export async function world(options: WorldOptions = {}): Promise<World> {
  // The requests of other processes never cease.
  const clock = testClock(Date.UTC(2026, 10, 21, 9), options.ownProcess ? breath : settled);
  const dataDir = scratchFolder('world');
  const botClock = { now: () => clock.now() + (options.skew?.() ?? 0), steady: clock.steady, wait: clock.wait };
  let dolly: Bot | undefined;
  let store: Store | undefined;
  const joined = new Set<Bot>();
  let turn = 0;
  const next = () => {
    const bots = [...(dolly ? [dolly] : []), ...(options.balanced ? joined : [])];
    return bots[turn++ % bots.length];
  };
  let wasKilled = false;
  const people: Someone[] = [];
  const service = await startService({ port: 0, clock, ...options.service });
  const playground = await startPlayground({
    port: 0,
    clock: options.ownProcess ? systemClock : clock,
    botToken,
    appToken,
    signingSecret,
    botUrl() {
      const bot = options.socketMode ? undefined : next();
      return bot && `${bot.url}/slack/events`;
    },
    commands: slashCommands({ db: '/db', clone: '/clone', restore: '/restore' }),
    functions: workflowFunctions,
    shortcuts,
    // Real time passes while a busy machine is at other things; the three seconds of Slack are tested inside one process.
    ...(options.ownProcess ? { ackLimit: realPatience, triggerLife: realPatience } : {}),
    ...options.slack,
  });
  const environment: Record<string, string> = {
    SLACK_BOT_TOKEN: botToken,
    ...(options.socketMode ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    SLACK_API_URL: playground.apiUrl,
    SERVICE_URL: service.url,
    DATA_DIR: dataDir,
    ...(options.store === 'PostgreSQL' ? { DATABASE_URL: await freshTables() } : {}),
    TOKEN_KEYS: tokenKey,
    PUBLIC_URL: 'http://dolly.invalid',
    PORT: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.environment,
  };
  const isLogged = environment.LOG_LEVEL !== 'silent';
  const flaws: string[] = [];
  const watching = { write: (line: string) => void flaws.push(...[flawIn(line) ?? []].flat()) };
  const config = (change: Record<string, string> = {}): Config => readConfig(Object.assign(environment, change));
  const start = async (change?: Record<string, string>): Promise<Bot> => {
    if (options.ownProcess) {
      const given = options.program?.();
      const own = Object.assign(environment, change);
      if (given !== undefined) return startProcess(own, dataDir, given);
      const { program, compiled } = bundledBot();
      return startProcess({ NODE_COMPILE_CACHE: compiled, ...own }, dataDir, program);
    }
    const log = isLogged ? openLog(environment.LOG_LEVEL ?? 'info') : openLog('warn', watching);
    const held = options.handsOnStore ? await openStore(dataDir) : undefined;
    store = held;
    const own = held ? { openStorage: async () => ownedAlone(held) } : {};
    return startDolly(config(change), { clock: botClock, log, ...own, ...options.surroundings });
  };
  dolly = await start();

  const running = () => {
    if (!dolly) throw new Error('the bot is not running');
    return dolly;
  };
  const stop = async () => {
    const stopping = dolly;
    dolly = undefined;
    await stopping?.stop();
  };
  const until: World['until'] = async (read, what, most = 3_600_000) => {
    const now = options.ownProcess ? Date.now : clock.now;
    const end = now() + (options.ownProcess ? patience : most);
    for (let step = 100; ; step = Math.min(step * 1.2, 30_000)) {
      for (const settle of [undefined, options.ownProcess ? () => sleep(50) : quiet]) {
        await settle?.();
        const found = await read();
        if (found !== undefined && found !== false) return found;
      }
      if (now() >= end) throw new Error(`waited in vain for ${what}`);
      if (!options.ownProcess) await clock.advance(step);
    }
  };
  /** Stops the bot. What hangs in it is given up by the clock, which nobody else turns meanwhile. */
  const stopsSurely = async () => {
    if (options.ownProcess) return stop();
    let isOver = false;
    const ended = () => {
      isOver = true;
    };
    const stopping = stop();
    void stopping.then(ended, ended);
    for (let turned = 0; turned < longestStop; turned += 1_000) {
      await quiet();
      if (isOver) break;
      await clock.advance(1_000);
    }
    await stopping;
  };
  const signsIn: World['signsIn'] = async (someone, channel, username, password = `${username}-password`) => {
    const offer = await signInOfferTo(someone, channel);
    const before = someone.messages(channel).length;
    const answer = await fetch(`${running().url}${loginPath(offer)}`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    });
    if (!answer.ok) throw new Error(`${username} could not sign in: ${await answer.text()}`);
    const told = () =>
      someone
        .messages(channel)
        .slice(before)
        .some(({ text }) => text.includes('You are signed in'));
    await someone.until(told, 'the news of the sign-in');
  };
  const botUser = playground.slack.workspace.app.botUser;
  const posted = (channel: string) =>
    playground.slack.messages(channel).filter(({ user, onlyFor }) => user === botUser && onlyFor === undefined);
  return {
    clock,
    service,
    playground,
    environment,
    dolly: running,
    approver: undefined,
    signsIn,
    until,
    stop,
    writes: () =>
      service.service.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/user/user/')),
    cards: channel => posted(channel).filter(({ threadTs }) => threadTs === undefined),
    replies: card => posted(card.channel).filter(({ threadTs }) => threadTs === card.ts),
    text: ({ channel, ts }) => textOf(playground.slack.messages(channel).find(message => message.ts === ts)),
    async joins() {
      const bot = await start({ PORT: '0' });
      const leaving = <T>(end: () => Promise<T>) => {
        joined.delete(other);
        wasKilled ||= end === bot.kill;
        return end();
      };
      const { kill } = bot;
      const other: Bot = {
        url: bot.url,
        stop: () => leaving(bot.stop),
        ...(kill ? { kill: () => leaving(kill) } : {}),
      };
      joined.add(other);
      return other;
    },
    store() {
      if (!store) throw new Error('the bot has opened its store itself');
      return store;
    },
    async replays(what, change = payload => payload, to = running()) {
      const sent = playground.slack
        .traffic()
        .findLast(entry => entry.direction === 'to bot' && entry.what.startsWith(what));
      if (sent === undefined) throw new Error(`Slack sent nothing that begins with "${what}"`);
      const body = new URLSearchParams({ payload: change(JSON.stringify(sent.request)) }).toString();
      return fetch(`${to.url}/slack/events`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...signatureHeaders(signingSecret, Math.floor(Date.now() / 1_000), body),
        },
      });
    },
    async enters(name, username) {
      // What another process does cannot be seen here.
      const someone = await personIn(playground, name, options.ownProcess ? undefined : standstill);
      people.push(someone);
      if (username !== undefined) await signsIn(someone, '#dev', username);
      return someone;
    },
    async restart(change) {
      await stop();
      dolly = await start(change);
    },
    forgets() {
      dolly = undefined;
    },
    async start(change) {
      dolly = await start(change);
    },
    async kill() {
      const killed = running();
      dolly = undefined;
      if (!killed.kill) throw new Error('only a bot in a process of its own can be killed');
      wasKilled = true;
      await killed.kill();
    },
    async close() {
      for (const someone of people) someone.leaves();
      await stopsSurely();
      await Promise.all([playground.close(), service.close()]);
      rmSync(dataDir, { recursive: true, force: true });
      // What met a bot that was just killed is no fault of it.
      const broken = playground.slack
        .violations()
        .filter(({ what }) => !(wasKilled && what === 'dispatch_failed'))
        .map(({ what, detail }) => `${what}: ${detail}`);
      const silent = playground.slack.workspace.channels
        .flatMap(({ id }) => playground.slack.messages(id))
        .filter(({ user }) => user === botUser)
        .flatMap(message => leftUnsaid(message) ?? []);
      if (flaws.length > 0) throw new Error(`the bot logged flaws of its own:\n${flaws.join('\n')}`);
      if (broken.length + silent.length > 0)
        throw new Error(`the bot broke rules of Slack:\n${[...broken, ...silent].join('\n')}`);
    },
  };
}

/** Types `/db login` and gives the answer to that: older offers may stand above it, which are over. */
export function signInOfferTo(someone: Someone, channel: string): Promise<Message> {
  const before = someone.messages(channel).length;
  const isOffer = ({ text }: Message) => text.includes('Sign in to the service');
  return someone
    .types(channel, '/db login')
    .then(() => someone.until(() => someone.messages(channel).slice(before).find(isOffer), 'the offer to sign in'));
}

/** The path of the sign-in link that a message offers. @throws Error where there is none */
export function loginPath(offer: { blocks: unknown }): string {
  const link = /"url":"([^"]+)"/.exec(JSON.stringify(offer.blocks))?.[1];
  if (link === undefined) throw new Error('there is no sign-in link');
  return new URL(stringOf(link)).pathname;
}
