import { WebAPIRequestError, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { ProxyWay } from '../../api/connection/proxy.ts';
import { pauseAsked } from '../../ground/clock.ts';
import { second } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import { isSlacks } from './slackAddress.ts';

/** The options of every client of Slack's; `apiUrl` is another root of the Web API, `way` leads there by a proxy. */
export function clientOptionsFor(apiUrl: string | undefined, way?: ProxyWay) {
  return {
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    fetch: askSlack(apiUrl, way?.fetch),
    // Each call is tried once. A call that must succeed stands in the store and is tried again from there.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  } satisfies WebClientOptions;
}

/**
 * A `fetch` that reaches only Slack, and gives only whole answers that are Slack's. It follows no redirect: each request
 * brings its own address for the answer (`response_url`), which is meant for one person. For an answer that breaks off, or that
 * comes from what stands before Slack, Slack's client throws errors that look like our own defects, or takes it for Slack's word.
 * @throws {WebAPIRequestError} where there is no usable answer: nobody knows what became of the request
 */
function askSlack(apiUrl = 'https://slack.com/api/', reach?: typeof fetch): typeof fetch {
  const apiOrigin = URL.parse(apiUrl)?.origin;
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    try {
      if (!isSlacks(address, apiOrigin))
        throw new Error(`this is no address of Slack’s: ${URL.parse(address)?.origin ?? 'no URL'}`);
      const answer = await (reach ?? fetch)(input, { ...init, redirect: 'error' });
      if (answer.status === 429) return limited(answer);
      const text = await answer.text();
      const method = address.startsWith(apiUrl) ? address.slice(apiUrl.length) : undefined;
      if (answer.ok && method !== undefined && !isSlacksAnswer(method, parseJson(text)))
        throw new Error(`${method} was answered by what no answer of Slack's looks like`);
      return new Response(text === '' ? null : text, answer);
    } catch (cause) {
      throw new WebAPIRequestError(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
}

/**
 * A limit in Slack's own form, whole seconds, up to a day. What stands before Slack may name a date, less than a second, or
 * nothing: Slack's client makes no limit of that.
 */
function limited(answer: Response): Response {
  const headers = new Headers(answer.headers);
  const [asked, date] = [headers.get('retry-after') ?? undefined, headers.get('date') ?? undefined];
  if (!/^[1-9]\d{0,4}$/.test(asked ?? ''))
    headers.set('retry-after', String(Math.ceil(pauseAsked(asked, date) / second)));
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

const Sentences = z.array(z.unknown()).optional();
const Metadata = z.object({ warnings: Sentences, messages: Sentences }).optional();
const Refusal = z.object({
  ok: z.literal(false),
  error: z.string().regex(/^[\w.:-]{1,100}$/),
  response_metadata: Metadata,
});
const Acceptance = z.object({ ok: z.literal(true), response_metadata: Metadata });
/** What an answer has where a message, or the way to it, is known by that. */
const essentials = new Map<string, z.ZodType>([
  ['chat.postMessage', z.object({ ts: z.string().regex(/^\d+\.\d+$/) })],
  ['conversations.open', z.object({ channel: z.object({ id: z.string().min(1) }) })],
]);

function isSlacksAnswer(method: string, answer: unknown): boolean {
  const isWhole = essentials.get(method)?.safeParse(answer).success !== false;
  return Refusal.safeParse(answer).success || (Acceptance.safeParse(answer).success && isWhole);
}
