import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { type Playground, type PlaygroundOptions, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { testClock } from '../../clock.ts';
import { personIn, type Someone } from '../../person.ts';

const botToken = 'xoxb-playground';
const appToken = 'xapp-playground';
const signingSecret = 'playground-signing-secret';
export const tokens = { botToken, appToken, signingSecret };

export const commands = [
  { command: '/db', description: 'Databases', usageHint: 'list' },
  { command: '/clone', description: 'Clone a database', usageHint: '[source]' },
];

/** A playground with a real Bolt app behind it, and people. */
export type Stage = {
  playground: Playground;
  app: App;
  someone(name: string): Promise<Someone>;
  [Symbol.asyncDispose](): Promise<void>;
};

const silent = {
  logLevel: LogLevel.ERROR,
  logger: {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    setLevel: () => undefined,
    getLevel: () => LogLevel.ERROR,
    setName: () => undefined,
  },
};

/**
 * Starts a playground and a Bolt app. Where no clock is given, time stands still: nothing is too late there.
 * @param listen registers the app's listeners
 * @param mode how the two are connected
 */
export async function stage(
  listen: (app: App) => void,
  mode: 'http' | 'socket' = 'http',
  options: Partial<PlaygroundOptions> = {},
): Promise<Stage> {
  let botUrl: string | undefined;
  const playground = await startPlayground({
    ...{ port: 0, ...tokens, commands, clock: testClock(), botUrl: () => botUrl },
    ...options,
  });
  const clientOptions = { slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 } };
  const receiver =
    mode === 'http'
      ? new HTTPReceiver({ signingSecret, ...silent })
      : // Bolt hands the receiver's own client its options by this detour; without, it would call the real Slack.
        new SocketModeReceiver({ appToken, installerOptions: { clientOptions }, ...silent });
  const app = new App({ token: botToken, receiver, clientOptions, ...silent });
  listen(app);
  const started = await app.start(0);
  if (started !== undefined && 'address' in started) {
    if (!started.listening) await once(started, 'listening');
    const address: AddressInfo | string | null = started.address();
    if (typeof address === 'object' && address !== null) botUrl = `http://127.0.0.1:${address.port}/slack/events`;
  }
  const people: Someone[] = [];
  return {
    playground,
    app,
    async someone(name) {
      const joined = await personIn(playground, name);
      people.push(joined);
      return joined;
    },
    async [Symbol.asyncDispose]() {
      for (const one of people) one.leaves();
      await app.stop();
      await playground.close();
    },
  };
}
