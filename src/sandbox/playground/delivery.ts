import { performance } from 'node:perf_hooks';
import { abortAfter } from '../../ground/clock.ts';
import { type Json, parsed } from './json.ts';
import { eventRetries, limits } from './limits.ts';
import { signatureHeaders } from './signature.ts';
import type { Slack } from './slack.ts';
import type { EnvelopeKind, SocketMode } from './socketMode.ts';

/** Something that Slack says to the bot. */
export type Outgoing = {
  kind: EnvelopeKind;
  what: string;
  payload: Json;
  /** The bot's own message, told back to it: nobody waits for it, so it breaks no rule where it is not heard. */
  isEcho?: boolean;
};

/** The outcome of a delivery: an answer in time, none in time, or nobody there. */
export type Answer =
  | { kind: 'answered'; status: number; body: string; noRetry: boolean }
  | { kind: 'timeout' }
  | { kind: 'unreachable'; reason: string };

export type Delivery = {
  /** Sends once, and waits for the ack as long as Slack would. */
  send(outgoing: Outgoing): Promise<Answer>;
  /**
   * Sends an event, with the same event id again if it is not acknowledged.
   * @returns the last answer, when Slack would give up or be content
   */
  event(outgoing: Outgoing): Promise<Answer>;
  /** Slack does not hear the answers to the next events of this name (`event app_mention`), so it sends them again. */
  deafTo(what: string, times?: number): void;
  /**
   * Sends the last event of this name once more, with the same event id, as after an answer that came too late.
   * @throws Error where there was none
   */
  redelivers(what: string): Promise<Answer>;
  close(): void;
};

export type DeliveryOptions = {
  signingSecret: string;
  botUrl: () => string | undefined;
  /** Milliseconds that an ack may take, by the clock of this Slack. */
  ackLimit?: number;
};

type Retry = { number: number; reason: string };

/** The body of a request as Slack encodes it for each kind. */
function encoded({ kind, payload }: Outgoing): { body: string; type: string } {
  if (kind === 'events_api') return { body: JSON.stringify(payload), type: 'application/json' };
  const fields =
    kind === 'interactive'
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
}

/** The names of failures in X-Slack-Retry-Reason. */
function failed(answer: Answer): string | undefined {
  if (answer.kind === 'timeout') return 'http_timeout';
  if (answer.kind === 'unreachable') return 'connection_failed';
  return answer.status >= 200 && answer.status < 300 ? undefined : 'http_error';
}

export function newDelivery(slack: Slack, sockets: SocketMode, options: DeliveryOptions): Delivery {
  const ending = new AbortController();
  const ackLimit = options.ackLimit ?? limits.ack;
  const unheard: string[] = [];
  const lastEvents = new Map<string, Outgoing>();

  async function overHttp(
    url: string,
    outgoing: Outgoing,
    retry: Retry | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { body, type } = encoded(outgoing);
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      body,
      headers: {
        'Content-Type': type,
        'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        Accept: 'application/json,*/*',
        // Real time: the bot's library compares it with the machine's clock, whatever time it is in a test.
        ...signatureHeaders(options.signingSecret, Math.floor(Date.now() / 1_000), body),
        ...(retry === undefined
          ? {}
          : { 'X-Slack-Retry-Num': String(retry.number), 'X-Slack-Retry-Reason': retry.reason }),
      },
    });
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    return { kind: 'answered', status: response.status, body: await response.text(), noRetry };
  }

  async function overSocket(
    { kind, payload }: Outgoing,
    retry: Retry | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const again = { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' };
    const ack = await sockets.send(kind, payload, again, signal);
    if (ack === undefined) return { kind: 'timeout' };
    // An ack without payload and one with an empty payload are the same here.
    const body = Object.keys(ack).length === 0 ? '' : JSON.stringify(ack);
    return { kind: 'answered', status: 200, body, noRetry: false };
  }

  async function attempt(outgoing: Outgoing, retry?: Retry): Promise<Answer> {
    const url = options.botUrl();
    if (url === undefined && sockets.many() === 0) {
      return { kind: 'unreachable', reason: 'the bot has no request URL and no Socket Mode connection' };
    }
    try {
      return await abortAfter(slack.clock, ackLimit, limit => {
        const signal = AbortSignal.any([limit, ending.signal]);
        return url === undefined ? overSocket(outgoing, retry, signal) : overHttp(url, outgoing, retry, signal);
      });
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'timeout' };
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { kind: 'unreachable', reason: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  async function observed(outgoing: Outgoing, retry?: Retry): Promise<Answer> {
    const at = slack.clock.now();
    const started = performance.now();
    const heard = await attempt(outgoing, retry);
    if (ending.signal.aborted) return heard;
    const lost = unheard.indexOf(outgoing.what);
    if (lost >= 0) unheard.splice(lost, 1);
    const answer: Answer = lost >= 0 ? { kind: 'timeout' } : heard;
    const status = answer.kind === 'answered' ? answer.status : 0;
    const response = answer.kind === 'answered' ? (parsed(answer.body) ?? answer.body) : answer;
    slack.inspector.traffic({
      at,
      direction: 'to bot',
      what: outgoing.what,
      milliseconds: performance.now() - started,
      status,
      request: outgoing.payload,
      response,
    });
    if (outgoing.isEcho || lost >= 0) return answer;
    if (answer.kind === 'timeout') {
      slack.inspector.violation('operation_timeout', `${outgoing.what} was not acknowledged within ${ackLimit} ms`);
    } else if (answer.kind === 'unreachable') {
      slack.inspector.violation('dispatch_failed', `${outgoing.what}: ${answer.reason}`);
    } else if (failed(answer) !== undefined) {
      slack.inspector.violation('http_error', `${outgoing.what} was answered with HTTP ${answer.status}`);
    }
    return answer;
  }

  return {
    send: outgoing => observed(outgoing),
    async event(outgoing) {
      lastEvents.set(outgoing.what, outgoing);
      let answer = await observed(outgoing);
      for (const [index, pause] of eventRetries.entries()) {
        const reason = failed(answer);
        if (reason === undefined || (answer.kind === 'answered' && answer.noRetry)) return answer;
        await slack.clock.wait(pause, ending.signal);
        if (ending.signal.aborted) return answer;
        answer = await observed(outgoing, { number: index + 1, reason });
      }
      return answer;
    },
    deafTo(what, times = 1) {
      for (let time = 0; time < times; time += 1) unheard.push(what);
    },
    async redelivers(what) {
      const last = lastEvents.get(what);
      if (last === undefined) throw new Error(`Slack sent no "${what}"`);
      return observed(last, { number: 1, reason: 'http_timeout' });
    },
    close: () => ending.abort(),
  };
}
