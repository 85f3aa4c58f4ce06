import { Agent, type Dispatcher, request } from 'undici';
import { Failure, isSignedOut } from '../failure.ts';
import { type Answer, messageIn, refusesRead, saysRefused, saysTokenOver, statusMeant, tokensIn } from './answers.ts';
import { type Call, isList, type Json, lists } from './call.ts';
import { openLanes } from './lanes.ts';
import { isBottomless, parseJson } from './tree.ts';

/** Where the service is and how long to wait for it. Times are milliseconds, sizes bytes. */
export type ServiceOptions = Readonly<{
  /** Scheme, host and port (spec §1: `{base_url}`), without a slash at the end. */
  url: string;
  /** The fixed first path segment (spec §1), with its slash; may be empty. */
  prefix: string;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
  /** The longest wait for one whole answer. */
  timeout?: number;
  /** The largest answer that is read. */
  maxSize?: number;
}>;

/** The service as one person sees it through a token. Every method throws {@link Failure} and nothing else. */
export type Service = {
  /** For messages: scheme, host and port. */
  readonly url: string;
  /**
   * Exchanges a password for a token (spec §5). Only a failure of kind `refused` says that the password is wrong.
   * `answered` is given each answer that may speak of the user.
   */
  signIn(username: string, password: string, answered?: (body: unknown) => void): Promise<string>;
  /**
   * Sends one write, once. Returning means that the service accepted it (spec §1.3), not that anything is done.
   * A failure of kind `unclear` means that nobody knows whether it was accepted.
   */
  submit(token: string, call: Call): Promise<void>;
  /** Sends one GET and returns its JSON; `measured` is told how many characters it came as. */
  fetch(token: string, call: Call, measured?: (size: number) => void): Promise<unknown>;
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

/** So many requests are under way at most: of all, and with one token. */
const mostConnections = 256;
const mostOfOne = 8;

/** Connects to the service. One dispatcher serves every person; answers are bounded in time and size. */
export function connectService(options: ServiceOptions): Service {
  const { url, prefix, ca, timeout = 15_000, maxSize = 40 * 1024 * 1024 } = options;
  const dispatcher = new Agent({
    connect: { timeout: Math.min(timeout, 5_000), ...(ca ? { ca } : {}) },
    maxResponseSize: maxSize,
    connections: mostConnections,
  });
  // What hangs for one person must not take all connections.
  const lanes = openLanes(mostOfOne);

  const send = (call: Call, token: string | undefined): Promise<Answer> =>
    token === undefined ? sendNow(call, token) : lanes(token, () => sendNow(call, token));

  async function sendNow(call: Call, token: string | undefined): Promise<Answer> {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
    const response = await request(`${url}${prefix}${call.path}${query}`, {
      dispatcher,
      method: call.method,
      signal: AbortSignal.timeout(timeout),
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const headers = flatten(response.headers);
    const text = await response.body.text().catch((cause: unknown) => {
      throw new CutAnswer(response.statusCode, cause);
    });
    return { status: response.statusCode, headers, text, body: parseJson(text) };
  }

  async function fetch(token: string, call: Call, measured?: (size: number) => void): Promise<unknown> {
    const answer = await send(call, token).catch((cause: unknown) => {
      throw unreachable(cause, url);
    });
    measured?.(answer.text.length);
    if (!isGood(answer)) throw refusal(discreet(answer, token));
    if (refusesRead(answer.body)) {
      // Only a GET is refused for nothing but the token: what a write is told may be about another one.
      const status = saysTokenOver(answer) ? 401 : statusMeant(answer);
      throw refusal(discreet({ ...answer, status }, token));
    }
    // A list is there even if it is empty; of one record, nothing at all means that it is not there.
    if (!isList(call) && (answer.text.trim() === '' || answer.body === null))
      throw new Failure('missing', 'The service does not know it (any more).');
    if (typeof answer.body !== 'object' || answer.body === null || isBottomless(answer.body)) {
      throw new Failure(
        'unreadable',
        `The service answered ${call.path} with something that is no record. Check SERVICE_URL.`,
        {
          cause: discreet(answer, token).text.slice(0, 500),
        },
      );
    }
    return answer.body;
  }

  return {
    url,
    fetch,

    async submit(token, call) {
      const answer = await send(call, token).catch((cause: unknown) => {
        const failure = unreachable(cause, url);
        throw failure.kind === 'unsent' ? failure : new Failure('unclear', failure.message, { cause });
      });
      if (isGood(answer)) {
        if (saysRefused(answer.body)) throw refusal(discreet({ ...answer, status: statusMeant(answer) }, token));
        // Anything but JSON is no success envelope (spec §1.4): it may be a proxy's page, or the service's way.
        if (answer.body === undefined && answer.text.trim() !== '') {
          const cause = discreet(answer, token).text.slice(0, 500);
          throw new Failure('unclear', 'The service answered, but not with its success envelope.', { cause });
        }
        return;
      }
      const failure = refusal(discreet(answer, token));
      const definite = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
      throw definite ? failure : new Failure('unclear', failure.message, { cause: failure.cause });
    },

    async signIn(username, password, answered) {
      const credentials: Json = { username, password };
      const ask = (path: string) =>
        send({ method: 'POST', path, body: credentials }, undefined).catch((cause: unknown) => {
          // The cause may quote the request; only its code is kept beside a password.
          throw unreachable(codeOf(cause) ?? 'no answer', url, cause);
        });
      const fromToken = await ask('/user/user/token');
      const tokenGood = isGood(fromToken) && !saysRefused(fromToken.body);
      let tokens = tokenGood ? tokensIn(fromToken) : [];
      if (tokenGood) answered?.(fromToken.body);
      if (tokens.length === 0) {
        // signin tells a wrong password from a token endpoint in trouble, and may be where the token comes from.
        const fromSignin = await ask('/user/user/signin');
        const signinGood = isGood(fromSignin) && !saysRefused(fromSignin.body);
        if (!signinGood)
          throw signInRefusal(discreet(isGood(fromToken) && !tokenGood ? fromToken : fromSignin, password));
        tokens = tokensIn(fromSignin);
        answered?.(fromSignin.body);
        if (tokens.length === 0 && !tokenGood) {
          // No refusal: a password that is right must not count as a wrong one.
          throw new Failure(
            'unreadable',
            `Your password is right, but the service gave no token: ${refusal(discreet(fromToken, password)).message}`,
          );
        }
      }
      const [first, ...others] = tokens;
      if (first === undefined) {
        throw new Failure(
          'unreadable',
          'The service accepted the password, but its answer holds nothing like a token.',
        );
      }
      for (const token of others.length > 0 ? tokens : []) {
        const honoured = await fetch(token, lists.users).then(
          () => true,
          (error: unknown) => !isSignedOut(error),
        );
        if (honoured) return token;
      }
      return first;
    },

    close: () => dispatcher.destroy(),
  };
}

/** The answer began and did not end well: too large, too slow, or cut. */
class CutAnswer extends Error {
  readonly status: number;
  constructor(status: number, cause: unknown) {
    super('the answer was cut', { cause });
    this.status = status;
  }
}

/** An answer that quotes the password or token that was sent, without its words: they would be shown and logged. */
function discreet(answer: Answer, secret: string): Answer {
  const quoted = answer.text.includes(secret) || answer.text.includes(JSON.stringify(secret).slice(1, -1));
  return quoted ? { ...answer, text: '', body: undefined } : answer;
}

function isGood(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** One sentence for an answer that is no success, with the service's own words where it has any (spec §7: not shown). */
function refusal(answer: Answer): Failure {
  const said = messageIn(answer);
  const quoted = said ? `: “${said.replace(/[.\s]+$/, '')}”.` : '.';
  const cause = `HTTP ${answer.status} ${answer.text.slice(0, 500)}`;
  switch (answer.status) {
    case 401:
      return new Failure('signed-out', 'Your sign-in at the service is no longer valid.', { cause });
    case 403:
      return new Failure('forbidden', `The service does not allow you to do this${quoted}`, { cause });
    case 404:
    case 410:
      return new Failure('missing', `The service does not know it (any more)${quoted}`, { cause });
    case 429: {
      const retryAfter = waitOf(answer.headers['retry-after']);
      return new Failure('busy', 'The service asks to wait; Dolly tries again.', { cause, retryAfter });
    }
    default:
      if (answer.status >= 500 || answer.status === 408) {
        const header = answer.headers['retry-after'];
        const retryAfter = header === undefined ? {} : { retryAfter: waitOf(header) };
        const said = `The service answered with an error (HTTP ${answer.status})${quoted}`;
        return new Failure('unreadable', said, { cause, ...retryAfter });
      }
      if (answer.status >= 300 && answer.status < 400) {
        return new Failure(
          'unreadable',
          `The service redirects elsewhere (HTTP ${answer.status}). Check SERVICE_URL and SERVICE_PREFIX.`,
          { cause },
        );
      }
      return new Failure('refused', `The service refused${quoted}`, { cause });
  }
}

function signInRefusal(answer: Answer): Failure {
  const wrong = answer.status === 401 || answer.status === 403 || answer.status === 400 || isGood(answer);
  const said = messageIn(answer);
  const sentence = `The service did not accept this user name and password${said ? `: “${said.replace(/[.\s]+$/, '')}”` : ''}. Check both and try again.`;
  if (wrong) return new Failure('refused', sentence);
  return refusal({ ...answer, text: messageIn(answer) ?? '' });
}

function unreachable(reason: unknown, url: string, cause: unknown = reason): Failure {
  const code = codeOf(cause) ?? '';
  if (neverSent.has(code)) {
    const tls = /CERT|SIGNED|TLS|SSL/.test(code)
      ? ' Its certificate cannot be verified (SERVICE_CA names a private authority).'
      : '';
    return new Failure('unsent', `The service at ${url} cannot be reached (${code}). Nothing was sent.${tls}`, {
      cause: reason,
    });
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new Failure('unreadable', 'The service’s answer is too large to be read.', { cause: reason });
  }
  if (code === 'TimeoutError' || code.includes('TIMEOUT') || code === 'ETIMEDOUT') {
    return new Failure('unreadable', 'The service did not answer in time.', { cause: reason });
  }
  return new Failure('unreadable', `The connection to the service broke${code ? ` (${code})` : ''}.`, {
    cause: reason,
  });
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof CutAnswer) return codeOf(error.cause);
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ?? (error.name === 'TimeoutError' ? error.name : codeOf(error.cause));
}

/** `Retry-After` in milliseconds: seconds or a date, between one second and ten minutes; 10 s where it is missing. */
function waitOf(header: string | undefined): number {
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) && header ? seconds * 1000 : Date.parse(header ?? '') - Date.now();
  return Number.isNaN(wait) ? 10_000 : Math.min(Math.max(wait, 1_000), 600_000);
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return flat;
}
