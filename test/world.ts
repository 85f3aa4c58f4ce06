import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type Dolly, type Surroundings, startDolly } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { type Playground, startPlayground } from '../src/sandbox/playground/server.ts';
import { type RunningService, type ServiceOptions, startService } from '../src/sandbox/service/server.ts';
import { slashCommands } from '../src/slack/help.ts';
import { type TestClock, testClock } from './clock.ts';
import { person, type Someone } from './person.ts';

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
  dolly(): Dolly;
  /** Lets a person in, signed in to the service as `username` if one is given. */
  enters(name: string, username?: string): Promise<Someone>;
  /** Signs somebody in on the bot's own page, by the link that `login` gives. */
  signsIn(someone: Someone, channel: string, username: string, password?: string): Promise<void>;
  /** Turns the clock, a little at a time, until `read` gives something. @throws after `most` milliseconds of that clock */
  until<T>(read: () => T | undefined | false | Promise<T | undefined | false>, what: string, most?: number): Promise<T>;
  /** Stops the bot, as an orderly stop does, and starts it again on the same store. */
  restart(change?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
};

export type WorldOptions = {
  service?: Partial<ServiceOptions>;
  environment?: Record<string, string>;
  surroundings?: Surroundings;
  /** Over Socket Mode instead of signed HTTP requests. */
  socketMode?: boolean;
};

/** Starts a {@link World}. Every test that does must close it. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const dataDir = mkdtempSync(join(tmpdir(), 'dolly-'));
  let dolly: Dolly | undefined;
  const people: Someone[] = [];
  const service = await startService({ port: 0, clock, ...options.service });
  const playground = await startPlayground({
    port: 0,
    clock,
    botToken,
    appToken,
    signingSecret,
    botUrl: () => (dolly && !options.socketMode ? `${dolly.url}/slack/events` : undefined),
    commands: slashCommands({ db: '/db', clone: '/clone', restore: '/restore' }),
  });
  const environment: Record<string, string> = {
    SLACK_BOT_TOKEN: botToken,
    ...(options.socketMode ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    SLACK_API_URL: playground.apiUrl,
    SERVICE_URL: service.url,
    DATA_DIR: dataDir,
    TOKEN_KEYS: tokenKey,
    PUBLIC_URL: 'http://dolly.invalid',
    PORT: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.environment,
  };
  const config = (change: Record<string, string> = {}): Config => readConfig(Object.assign(environment, change));
  const start = (change?: Record<string, string>) => {
    const log = pino({ level: environment.LOG_LEVEL ?? 'silent', serializers: { error: pino.stdSerializers.err } });
    return startDolly(config(change), { clock, log, ...options.surroundings });
  };
  dolly = await start();

  const running = () => {
    if (!dolly) throw new Error('the bot is not running');
    return dolly;
  };
  const until: World['until'] = async (read, what, most = 3_600_000) => {
    const end = clock.now() + most;
    for (let step = 100; ; step = Math.min(step * 1.2, 30_000)) {
      const found = await read();
      if (found !== undefined && found !== false) return found;
      if (clock.now() >= end) throw new Error(`waited in vain for ${what}`);
      await clock.advance(step);
      // Requests are real: they take their moment however the clock is turned.
      await sleep(10);
    }
  };
  const signsIn: World['signsIn'] = async (someone, channel, username, password = `${username}-password`) => {
    await someone.types(channel, '/db login');
    const offer = await someone.reads(channel, 'Sign in to the service');
    const link = /"url":"([^"]+)"/.exec(JSON.stringify(offer.blocks))?.[1];
    if (link === undefined) throw new Error('there is no sign-in link');
    const { pathname } = new URL(link);
    const answer = await fetch(`${running().url}${pathname}`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    });
    if (!answer.ok) throw new Error(`${username} could not sign in: ${await answer.text()}`);
    await someone.reads(channel, 'You are signed in');
  };
  return {
    clock,
    service,
    playground,
    environment,
    dolly: running,
    signsIn,
    until,
    async enters(name, username) {
      const someone = await person(playground.url, name);
      people.push(someone);
      if (username !== undefined) await signsIn(someone, '#dev', username);
      return someone;
    },
    async restart(change) {
      await running().stop();
      dolly = await start(change);
    },
    async close() {
      for (const someone of people) someone.leaves();
      await dolly?.stop();
      await Promise.all([playground.close(), service.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
