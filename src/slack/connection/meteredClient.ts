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
      const answer = await super.apiCall(method, options);
      done('ok');
      return answer;
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }
}

const Coded = z.object({ code: z.string(), data: z.object({ error: z.string() }).optional() });

function outcomeOf(error: unknown): string {
  const { data } = Coded.safeParse(error);
  if (data?.code === ErrorCode.RateLimitedError) return 'rate limited';
  return (data?.code === ErrorCode.PlatformError && data.data?.error) || 'no answer';
}
