import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../ground/clock.ts';
import { second } from '../ground/durations.ts';
import { askedAtMostEach } from '../ground/remembered.ts';
import { within } from '../ground/within.ts';

/** The signs that the bot can do its work. */
export type Vitals = Readonly<{
  /** Rejects where the store does not answer. */
  store(): Promise<unknown>;
  /** Whether Slack was reached at the start, honours the token and, in Socket Mode, is connected now. */
  slack(): Promise<boolean>;
  /** The time of each loop's last turn that went well, by the steady clock; `undefined` before that. */
  turns(): Readonly<Record<string, number | undefined>>;
}>;

/** The metrics, for readers who know the token. */
export type Figures = Readonly<{ token: string; contentType: string; text(): Promise<string> }>;

/**
 * The longest wait for an answer of the store or of Slack, and the time for which a reply is given again, since anybody
 * can ask. Milliseconds.
 */
const patience = 2_000;
const freshFor = 1_000;
/**
 * A loop without a good turn for this time, in milliseconds, is stuck: each takes a turn at least every ten seconds.
 */
const longestTurn = 30 * second;

/**
 * Handles `/healthz`, `/readyz` and `/metrics`, and returns whether the request was for one of them. `/healthz` tells
 * only that the process serves, `/readyz` only which of its parts work. `/metrics` asks for the token, and does not
 * exist without one.
 */
export function healthPages(
  { clock, log }: Readonly<{ clock: Clock; log: Logger }>,
  vitals: Vitals,
  figures: Figures | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const readiness = askedAtMostEach(clock, freshFor, async () => {
    const store = within(
      clock,
      patience,
      vitals.store().then(() => true),
    ).catch((error: unknown) => {
      log.warn({ error }, 'not ready: the store does not answer');
      return false;
    });
    const turned = (at: number | undefined) => at !== undefined && clock.steady() - at < longestTurn;
    const parts = {
      store: (await store) ?? false,
      // A late answer of Slack is no refusal.
      slack: (await within(clock, patience, vitals.slack())) ?? true,
      ...Object.fromEntries(Object.entries(vitals.turns()).map(([loop, at]) => [loop, turned(at)])),
    };
    const ready = Object.values(parts).every(Boolean);
    return { status: ready ? 200 : 503, text: JSON.stringify({ ready, ...parts }) };
  });

  return (request, response) => {
    const path = request.url?.split('?')[0];
    const isKnown = path === '/healthz' || path === '/readyz' || (path === '/metrics' && figures !== undefined);
    if (!isKnown) return false;
    const answer = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else if (path === '/healthz') {
      answer(200, 'text/plain', 'ok\n');
    } else if (path === '/readyz') {
      void readiness().then(({ status, text }) => answer(status, 'application/json', text));
    } else if (!figures || !knows(request, figures.token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else {
      figures.text().then(
        text => answer(200, figures.contentType, text),
        (error: unknown) => {
          log.error({ error }, 'the metrics could not be told');
          response.writeHead(500).end();
        },
      );
    }
    return true;
  };
}

/**
 * Whether a request shows the token. Both are compared as hashes, which have one length, so that the time it takes
 * tells nothing.
 */
function knows({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}
