import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import type { Logger } from 'pino';
import type { Clock } from '../ground/clock.ts';
import { within } from '../ground/remembered.ts';

/** What tells whether the bot can do its work. */
export type Vitals = Readonly<{
  /** Rejects where the store does not answer. */
  store(): Promise<unknown>;
  /** Whether Slack was reached at the start, honours the token and, in Socket Mode, is connected now. */
  slack(): Promise<boolean>;
  /** When each loop last had a turn that went well, by the steady clock; `undefined` before that. */
  turns(): Readonly<Record<string, number | undefined>>;
}>;

/** What is measured, for those who know the token. */
export type Figures = Readonly<{ token: string; contentType: string; text(): Promise<string> }>;

/** How long the store may take to answer, and the same reply is given again: anybody can ask. Milliseconds. */
const patience = 2_000;
const freshFor = 1_000;
/** A loop without a good turn for so long, in milliseconds, is stuck: each looks at least every ten seconds. */
const longestTurn = secondsToMilliseconds(30);

/**
 * Answers `/healthz`, `/readyz` and `/metrics`, and tells whether the request was one of those. The first two say
 * nothing but that the process serves, and which of its parts work; the third asks for the token, and is not there
 * without one.
 */
export function healthPages(
  { clock, log }: Readonly<{ clock: Clock; log: Logger }>,
  vitals: Vitals,
  figures: Figures | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const examine = async () => {
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
      // What Slack does not say in time is no refusal.
      slack: (await within(clock, patience, vitals.slack())) ?? true,
      ...Object.fromEntries(Object.entries(vitals.turns()).map(([loop, at]) => [loop, turned(at)])),
    };
    const ready = Object.values(parts).every(Boolean);
    return { status: ready ? 200 : 503, text: JSON.stringify({ ready, ...parts }) };
  };
  let last: { at: number; answer: ReturnType<typeof examine> } | undefined;
  const readiness = () => {
    if (!last || clock.steady() - last.at >= freshFor) last = { at: clock.steady(), answer: examine() };
    return last.answer;
  };

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

/** Whether a request shows the token. As hashes, the two are of one length, and comparing them tells nothing by its time. */
function knows({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}
