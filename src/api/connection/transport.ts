import { type Dispatcher, Pool } from 'undici';
import { abortAfter, type Clock } from '../../ground/clock.ts';
import { Failure } from '../../ground/failure.ts';
import { parseJson } from '../../ground/json.ts';
import { readTime } from '../../ground/timeText.ts';
import type { Answer } from '../answers/serviceAnswer.ts';
import type { Call } from '../call.ts';
import type { SharedBytes } from '../longLists/longLists.ts';
import { parseLongJson } from '../reading/longJson.ts';
import { openLanes } from './lanes.ts';
import type { PlainForm } from './plainBodies.ts';

/** The service's address and limits. Times are milliseconds, sizes bytes. */
export type ServiceOptions = Readonly<{
  /** Scheme, host and port (spec §1: `{base_url}`), without a slash at the end. */
  url: string;
  /** The fixed first path segment (spec §1), with its slash; may be empty. */
  prefix: string;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
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
export type LongAnswer = Pick<Answer, 'status' | 'headers'> & Readonly<{ shared: SharedBytes }>;

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

/** Causes that occur before a request is on its way: nothing can have happened at the service. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** Two clocks that differ by less are alike: answers are dated in whole seconds, and under way for some. Milliseconds. */
const alike = 3_000;

/**
 * The length from which on an answer is long, in bytes. A shorter list is read in a few slices, which costs less than to
 * hand it over.
 */
export const longFrom = 512 * 1024;
/** The steps by which memory for a long answer grows, in bytes. */
const growth = 1024 * 1024;

/** The maximum number of connections to the service, and of requests in flight with one token. */
const maxConnections = 256;
const maxPerToken = 8;

/** Opens the transport. One pool serves everybody; answers are bounded in time and size. */
export function openTransport(options: ServiceOptions): Transport {
  const { url, prefix, ca, clock, timeout = 15_000, maxSize = 40 * 1024 * 1024 } = options;
  const pool = new Pool(url, {
    connect: { timeout: Math.min(timeout, 5_000), ...(ca ? { ca } : {}) },
    maxResponseSize: maxSize,
    connections: maxConnections,
    // By HTTP/2, undici itself sends a request again where the server refuses its stream or leaves: also a write.
    allowH2: false,
  });
  /** The prefix as it goes on the wire. */
  const folder = new URL(`${url}${prefix}`).pathname.replace(/\/$/, '');
  // One person's hanging requests must not take all connections.
  const lanes = openLanes(maxPerToken);
  let ahead = 0;

  async function sendNow(
    call: Call,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<Omit<Answer, 'body' | 'text'> & Readonly<{ content: string | SharedBytes }>> {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
    const response = await pool.request({
      method: call.method,
      path: `${folder}${call.path}${query}`,
      signal,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(call.body === undefined ? {} : { body: call.isBare ? String(call.body) : JSON.stringify(call.body) }),
    });
    const headers = flatten(response.headers);
    const date = readTime(headers.date)?.at;
    if (date !== undefined) ahead = date - clock.now();
    const content = await contentOf(response, maxSize).catch((cause: unknown) => {
      throw new CutAnswer(cause);
    });
    return { status: response.statusCode, headers, content };
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
    return { ...answer, text: content, body: parseJson(content) };
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
const byteOrderMark = Buffer.from('\ufeff');

/** The content of an answer: a text, or the bytes of a long one. */
async function contentOf({ headers, body }: Dispatcher.ResponseData, maxSize: number): Promise<string | SharedBytes> {
  if (Number(headers['content-length']) < longFrom) return body.text();
  const bytes = new SharedArrayBuffer(0, { maxByteLength: maxSize });
  let size = 0;
  let room = Buffer.from(bytes);
  for await (const chunk of body) {
    const part: Uint8Array = chunk;
    if (size + part.length > bytes.byteLength) {
      bytes.grow(Math.min(maxSize, size + Math.max(growth, part.length)));
      room = Buffer.from(bytes);
    }
    room.set(part, size);
    size += part.length;
  }
  // A mark of the byte order is no JSON, though some services write one.
  if (room.subarray(0, 3).equals(byteOrderMark)) room.fill(' ', 0, 3);
  return size < longFrom ? new TextDecoder().decode(room.subarray(0, size)) : { bytes, size };
}

/** The answer began and did not end well: too large, too slow, or cut. */
class CutAnswer extends Error {
  constructor(cause: unknown) {
    super('the answer was cut', { cause });
  }
}

function unreachable(error: unknown, url: string): Failure {
  const code = codeOf(error) ?? '';
  // Only the error's code is kept: the rest may hold parts of the request or of the answer.
  const cause = `${error instanceof CutAnswer ? 'the answer was cut' : 'no answer'}${code && `: ${code}`}`;
  if (neverSent.has(code)) {
    const tls = /CERT|SIGNED|TLS|SSL/.test(code)
      ? ' Its certificate cannot be verified (SERVICE_CA names a private authority).'
      : '';
    return new Failure('unsent', `The service at ${url} cannot be reached (${code}). Nothing was sent.${tls}`, {
      cause,
    });
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new Failure('unreadable', 'The service’s answer is too large to be read.', { cause });
  if (code === 'TimeoutError' || code.includes('TIMEOUT') || code === 'ETIMEDOUT')
    return new Failure('unreadable', 'The service did not answer in time.', { cause });
  return new Failure('unreadable', `The connection to the service broke${code ? ` (${code})` : ''}.`, { cause });
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof CutAnswer) return codeOf(error.cause);
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ?? (error.name === 'TimeoutError' ? error.name : codeOf(error.cause));
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return flat;
}
