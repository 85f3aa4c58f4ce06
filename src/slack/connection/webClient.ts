import { ErrorCode, WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import { type Meter, stopwatch } from '../../ground/meter.ts';

/**
 * Slack's Web API, with every call counted and timed in `apiCall`: every method of the client goes through it, and the
 * client has no hook meant for this.
 */
export class MeteredClient extends WebClient {
  readonly #meter: Meter;

  constructor(token: string | undefined, options: WebClientOptions, meter: Meter) {
    super(token, options);
    this.#meter = meter;
  }

  override async apiCall(method: string, options?: Record<string, unknown>) {
    const since = stopwatch();
    const done = (outcome: string) => {
      this.#meter.count('slackCalls', { method, outcome });
      this.#meter.took('slack', { method }, since());
    };
    try {
      const answer = await super.apiCall(method, options).catch(readable(method));
      if (answer.ok !== true || essentials.get(method)?.safeParse(answer).success === false)
        throw new NotSlacks(method);
      done('ok');
      return answer;
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }
}

/** An answer that is none of Slack's, such as the page of a gateway: nobody knows what became of the call. */
class NotSlacks extends Error {
  override readonly name = 'NotSlacks';
  readonly code = ErrorCode.HTTPError;

  constructor(method: string) {
    super(`${method} was answered by what no answer of Slack's looks like`);
  }
}

/** The client takes a body that is no JSON for Slack's word. */
const Unworded = z.object({
  code: z.literal(ErrorCode.PlatformError),
  data: z.object({ error: z.string().regex(/^(?![\w.:-]{1,100}$)/) }),
});
/** What an answer has where a message, or the way to it, is known by that. */
const essentials = new Map<string, z.ZodType>([
  ['chat.postMessage', z.object({ ts: z.string().regex(/^\d+\.\d+$/) })],
  ['conversations.open', z.object({ channel: z.object({ id: z.string().min(1) }) })],
]);

function readable(method: string): (error: unknown) => never {
  return error => {
    throw Unworded.safeParse(error).success ? new NotSlacks(method) : error;
  };
}

const Coded = z.object({ code: z.string(), data: z.object({ error: z.string() }).optional() });

function outcomeOf(error: unknown): string {
  const { data } = Coded.safeParse(error);
  if (data?.code === ErrorCode.RateLimitedError) return 'rate limited';
  return (data?.code === ErrorCode.PlatformError && data.data?.error) || 'no answer';
}
