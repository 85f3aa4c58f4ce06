import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';
import { z } from 'zod';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { type Child, newFolder, startChild } from './child.ts';
import { type Build, own } from './part.ts';
import type { Kind } from './rounds.ts';

const signingSecret = 'bench-signing-secret';
/** 32 bytes, in base64. */
export const tokenKey = Buffer.alloc(32, 7).toString('base64');

/** What the bots talk to, in a process of its own. */
export type Outside = Readonly<{
  slackUrl: string;
  serviceUrl: string;
  /** Of the sandbox service. */
  account: Readonly<{ username: string; password: string }>;
  stop(): Promise<void>;
}>;

/** A running app under measurement, and Slack's way to it. */
export type Bot = Readonly<{
  kind: Kind;
  process: Child;
  /**
   * Sends a signed request over a connection that stays open, as Slack does.
   * @param expected of the answer's text; it is empty where none is given
   * @returns the milliseconds until the whole answer was there. @throws Error where it is another one
   */
  send(body: string, expected?: RegExp): Promise<number>;
  /** Sends the same way, and gives the answer. @throws Error where it is not HTTP 200 */
  ask(body: string): Promise<string>;
  /** Where it answers later. */
  responseUrl: string;
  /**
   * Waits until Slack was told at least `count` times in all; gives the total. `what` is a method, `response`, or the last word of
   * a response URL.
   */
  told(what: string, count: number): Promise<number>;
  /** What Slack was told last: the `view` that was opened, or what was sent to a response URL. */
  last(what: string): Promise<string>;
  stop(): Promise<void>;
}>;

const Told = z.object({
  slackUrl: z.string(),
  serviceUrl: z.string(),
  account: z.object({ username: z.string(), password: z.string() }),
});

/** Starts the Slack stub and the sandbox service. */
export async function startOutside(): Promise<Outside> {
  const child = await startChild(new URL('./outside.ts', import.meta.url), {
    environment: {},
    folder: tmpdir(),
    ready: /^ready (.*)$/,
    nodeOptions: [],
  });
  return { ...Told.parse(JSON.parse(child.told)), stop: child.stop };
}

/** A file of a build, or one with a whole path. */
const inRoot = (file: string, root = own) => pathToFileURL(resolve(root, file));
const Package = z.object({ scripts: z.object({ start: z.string() }) });

/** The arguments with which Node runs an app: options, and last the file. Dolly's are those of `npm start`. */
function argumentsOf(app: Kind, root?: string): readonly string[] {
  if (app === 'bare') return ['test/bench/bare.ts'];
  const { scripts } = Package.parse(JSON.parse(readFileSync(inRoot('package.json', root), 'utf8')));
  return scripts.start.split(' ').slice(1);
}

/** How an app is started: of which build, with settings, and other arguments than usual. */
type Starting = Partial<Build> &
  Readonly<{
    environment?: Readonly<Record<string, string>>;
    args?: readonly string[];
  }>;

/** Starts Dolly as `npm start` does, or the bare app, with an empty folder for its data where `environment` names none. */
export async function startBot(
  kind: Kind,
  outside: Pick<Outside, 'slackUrl' | 'serviceUrl'>,
  { root, nodeOptions = [], core, environment = {}, args = argumentsOf(kind, root) }: Starting = {},
): Promise<Bot> {
  const folder = newFolder();
  const child = await startChild(inRoot(args.at(-1) ?? '', kind === 'bare' ? own : root), {
    core,
    environment: {
      SLACK_BOT_TOKEN: 'xoxb-bench',
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${outside.slackUrl}/${kind}/api/`,
      SERVICE_URL: outside.serviceUrl,
      DATA_DIR: folder,
      TOKEN_KEYS: tokenKey,
      // Everything is asked by one person here, and as fast as can be.
      COMMANDS_AT_ONCE: '1000000000',
      PORT: '0',
      NODE_ENV: 'production',
      ...environment,
    },
    // A `.env` of whoever runs this lies elsewhere.
    folder,
    ready: /listens at (http:\S+)/,
    nodeOptions: [...args.slice(0, -1), ...nodeOptions],
  });
  const slack = new Pool(child.told, { connections: 64, pipelining: 1 });
  const stub = new Pool(outside.slackUrl, { connections: 2 });

  const post = async (body: string, expected: RegExp) => {
    const headers = {
      // Events come as JSON, all else as a form.
      'Content-Type': body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded',
      'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signatureHeaders(signingSecret, Math.floor(Date.now() / 1_000), body),
    };
    const began = performance.now();
    const answer = await slack.request({ method: 'POST', path: '/slack/events', headers, body });
    const text = await answer.body.text();
    const took = performance.now() - began;
    if (answer.statusCode !== 200 || !expected.test(text))
      throw new Error(`${kind} answered HTTP ${answer.statusCode} ${text}`);
    return { text, took };
  };

  return {
    kind,
    process: child,
    responseUrl: `${outside.slackUrl}/${kind}/response/1`,
    send: async (body, expected = /^(\{"response_action":"clear"\})?$/) => (await post(body, expected)).took,
    ask: async body => (await post(body, /^/)).text,
    async told(what, count) {
      const path = `/${kind}/seen/${what}?count=${count}`;
      const answer = await stub.request({ method: 'GET', path, signal: AbortSignal.timeout(20_000) });
      return Number(await answer.body.text());
    },
    async last(what) {
      const answer = await stub.request({ method: 'GET', path: `/${kind}/last/${what}` });
      return answer.body.text();
    },
    async stop() {
      await Promise.all([slack.close(), stub.close()]);
      await child.stop();
    },
  };
}
