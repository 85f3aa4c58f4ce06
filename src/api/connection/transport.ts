import { EnvHttpProxyAgent, Pool } from 'undici';
import { abortAfter, type Clock } from '../../ground/clock.ts';
import { codeOf, Failure } from '../../ground/failure.ts';
import { parseJson } from '../../ground/json.ts';
import { readTime } from '../../ground/timeText.ts';
import type { Answer } from '../answers/serviceAnswer.ts';
import { type Call, isListCall, nounsOf } from '../call.ts';
import type { SharedBytes } from '../longLists/longLists.ts';
import { parseListJson } from '../reading/faultyJson.ts';
import { parseLongJson } from '../reading/longJson.ts';
import { BrokenExchange, exchange, type Received } from './exchange.ts';
import { openLanes } from './lanes.ts';
import type { PlainForm } from './plainBodies.ts';
import type { Proxies } from './proxy.ts';

/** The service's address and limits. Times are milliseconds, sizes bytes. */
export type ServiceOptions = Readonly<{
  /** Scheme, host and port (spec §1: `{base_url}`), without a slash at the end. */
  url: string;
  /** The fixed first path segment (spec §1), with its slash; may be empty. */
  prefix: string;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
  /** The proxies by which the service is reached, if any. */
  proxies?: Proxies | undefined;
  /** The form of bodies that the specification calls plain strings; learned where it is not set. */
  plainBody?: PlainForm | undefined;
  /** Measures `timeout`. */
  clock: Clock;
  /** The longest wait for one whole answer. */
  timeout?: number;
  /** The largest answer that is read. */
  maxSize?: number;
}>;

/** A long answer as it came. */
type LongAnswer = Pick<Answer, 'status' | 'headers'> & Readonly<{ shared: SharedBytes }>;

/** Is asked right before a call leaves. What it throws keeps the call from leaving, and goes to the caller. */
export type MayLeave = () => Promise<void>;

/** Carries calls to the service and its answers back, refusals included. */
export type Transport = {
  /**
   * Sends one call, once. @throws {Failure} `unsent` where no request left, `unreadable` where no whole answer came
   * back. The cause holds nothing of the request or of the answer.
   * `mayLeave` is asked as the call leaves: it does not where that fails.
   */
  send(call: Call, token?: string, mayLeave?: MayLeave): Promise<Answer>;
  /** The same; a long answer as it came. */
  read(call: Call, token: string): Promise<Answer | LongAnswer>;
  /** By how many milliseconds the service's clock is ahead of ours, as its last answer said; 0 where it did not. */
  ahead(): number;
  close(): Promise<void>;
};

/** Two clocks that differ by less are alike: answers are dated in whole seconds, and under way for some. Milliseconds. */
const alike = 3_000;

/** The maximum number of connections to the service, and of requests in flight with one token. */
const maxConnections = 256;
const maxPerToken = 8;

/** Opens the transport. One pool serves everybody; answers are bounded in time and size. */
export function openTransport(options: ServiceOptions): Transport {
  const { url, prefix, ca, clock, proxies, timeout = 15_000, maxSize = 40 * 1024 * 1024 } = options;
  const connect = { timeout: Math.min(timeout, 5_000), ...(ca ? { ca } : {}) };
  const limits = {
    connect,
    maxResponseSize: maxSize,
    connections: maxConnections,
    // By HTTP/2, undici itself sends a request again where the server refuses its stream or leaves: also a write.
    allowH2: false,
  };
  const pool = proxies
    ? new EnvHttpProxyAgent({ ...limits, ...proxies, requestTls: connect, connectTimeout: connect.timeout })
    : new Pool(url, limits);
  /** The prefix as it goes on the wire. */
  const folder = new URL(`${url}${prefix}`).pathname.replace(/\/$/, '');
  // One person's hanging requests must not take all connections.
  const lanes = openLanes(maxPerToken);
  let ahead = 0;

  async function sendNow(call: Call, token: string | undefined, signal: AbortSignal): Promise<Received> {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
    const request = {
      origin: url,
      method: call.method,
      path: `${folder}${call.path}${query}`,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(call.body === undefined ? {} : { body: call.isBare ? String(call.body) : JSON.stringify(call.body) }),
    };
    const send = () => exchange(pool, request, { signal, maxSize });
    const received = await send().catch((error: unknown) => {
      // The service may have closed a kept connection at the moment at which this was written to it.
      if (call.method !== 'GET' || signal.aborted || !(error instanceof BrokenExchange && error.phase === 'sent'))
        throw error;
      return send();
    });
    const date = readTime(received.headers.date)?.at;
    if (date !== undefined) ahead = date - clock.now();
    return received;
  }

  async function read(call: Call, token?: string, mayLeave?: MayLeave): Promise<Answer | LongAnswer> {
    const sendInTime = async () => {
      await mayLeave?.();
      return abortAfter(clock, timeout, signal => sendNow(call, token, signal)).catch((cause: unknown) => {
        throw unreachable(cause, url);
      });
    };
    const { content, ...answer } = await (token === undefined ? sendInTime() : lanes(token, sendInTime));
    if (typeof content !== 'string') return { ...answer, shared: content };
    return {
      ...answer,
      text: content,
      body: isListCall(call) ? parseListJson(content, nounsOf(call)) : parseJson(content),
    };
  }

  return {
    read,
    send: async (...given) => wholeAnswer(await read(...given)),
    ahead: () => (Math.abs(ahead) < alike ? 0 : ahead),
    close: () => pool.destroy(),
  };
}

/** An answer with its text and its JSON, which are read in slices where it is long. */
export async function wholeAnswer(answer: Answer | LongAnswer): Promise<Answer> {
  if (!('shared' in answer)) return answer;
  const { shared, ...rest } = answer;
  const bytes = Buffer.from(shared.bytes, 0, shared.size);
  return { ...rest, text: bytes.toString(), body: await parseLongJson(bytes) };
}

/** The first characters of a long answer. */
export function firstCharacters({ shared: { bytes, size } }: LongAnswer): string {
  return Buffer.from(bytes, 0, Math.min(size, maxBeginning)).toString();
}

const maxBeginning = 4_096;

/** Sentences by the code of a fault; the first row that fits counts. */
type Sentences = readonly (readonly [RegExp, string])[];
const inTime = /TIMEOUT|TimeoutError|ETIMEDOUT/;

/** What kept a connection from being made. */
const hindrances: Sentences = [
  [/^PROXY_407/, 'The proxy asks for a name and a password (HTTPS_PROXY).'],
  [/^PROXY_/, 'The proxy refused to connect to it (NO_PROXY names what is reached without it).'],
  [inTime, 'It did not accept a connection in time.'],
  [/NOT_YET_VALID/, 'Its certificate is not valid yet: compare its clock with that of Dolly’s machine.'],
  [/HAS_EXPIRED/, 'Its certificate has expired.'],
  [/CERT|SIGNED|VERIFY|ISSUER/, 'Its certificate cannot be verified (SERVICE_CA names a private authority).'],
  [/SSL|TLS|EPROTO/, 'It offers no TLS version that Dolly accepts (1.2 or later).'],
];

/** What became of an answer that is missing, or not whole. */
const losses: Sentences = [
  [/EXCEEDED_MAX_SIZE|BUFFER_TOO_LARGE/, 'The service’s answer is too large to read.'],
  [/^Z_|BROTLI|ZSTD/, 'The service’s answer is compressed, so I cannot read it.'],
  [inTime, 'The service did not answer in time.'],
];

function unreachable(error: unknown, url: string): Failure {
  const code = faultCode(error);
  const phase = code.startsWith('PROXY_') ? 'unsent' : error instanceof BrokenExchange ? error.phase : 'sent';
  const named = code && ` (${code})`;
  const says = (sentences: Sentences) => sentences.find(([codes]) => codes.test(code))?.[1];
  // Only the error's code is kept: the rest may hold parts of the request or of the answer.
  const cause = `${phase === 'answered' ? 'the answer was cut' : 'no answer'}${code && `: ${code}`}`;
  if (phase !== 'unsent')
    return new Failure('unreadable', says(losses) ?? `The connection to the service broke${named}.`, { cause });
  const why = [`The service at ${url} cannot be reached${named}.`, 'Nothing was sent.', says(hindrances) ?? ''];
  return new Failure('unsent', why.join(' ').trim(), { cause });
}

/** The code of an error or of what caused it; empty where there is none. */
function faultCode(error: unknown): string {
  if (error instanceof AggregateError) return faultCode(error.errors[0]);
  if (!(error instanceof Error)) return '';
  // In undici's words, since these errors have no code of their own: a proxy answered in place of the service.
  const [, status] = /^Proxy .*\((\d{3})\)/.exec(error.message) ?? [];
  if (status !== undefined) return `PROXY_${status}`;
  return codeOf(error) || (error.name === 'TimeoutError' ? error.name : faultCode(error.cause));
}
