import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { backOff, type Clock } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { askedAtMostEach } from '../../ground/remembered.ts';
import { isLimited } from './retryAfter.ts';
import { meaningOfError } from './slackErrors.ts';

/** Max age of Slack's answer about the token, in milliseconds. */
const freshFor = 30_000;
/** A start that cannot reach Slack: how long it tries in all, its first and its longest pause, in milliseconds. */
const [startPatience, firstPause, longestPause] = [10 * minute, 1_000, 30_000];

/**
 * Whether Slack accepts the token; asks Slack at most every half minute. No answer counts as acceptance: while Slack is
 * away nobody can ask for anything, and a restart would not help.
 */
export function honours(slack: WebClient, clock: Clock, log: Logger): () => Promise<boolean> {
  return askedAtMostEach(clock, freshFor, async () => {
    try {
      await slack.auth.test();
      return true;
    } catch (error) {
      if (meaningOfError(error) !== 'operator') return true;
      log.error({ error }, 'not ready: Slack does not honour the token any more');
      return false;
    }
  });
}

/** Whether Slack answers a call with this token. That it wants a pause is an answer. */
export async function answersFor(slack: WebClient): Promise<boolean> {
  return slack.auth.test().then(() => true, isLimited);
}

/**
 * Tries `begin` again for some minutes while Slack is away.
 * @throws the error of `begin` if Slack refuses, or when time is up
 */
export async function whenSlackIsThere<T>(clock: Clock, log: Logger, begin: () => Promise<T>): Promise<T> {
  const until = clock.steady() + startPatience;
  for (let tries = 0; ; tries++) {
    try {
      return await begin();
    } catch (error) {
      if (meaningOfError(error) !== 'again' || clock.steady() >= until) throw error;
      log.warn({ error }, 'Slack cannot be reached; I try again');
      await clock.wait(backOff(tries, firstPause, longestPause));
    }
  }
}
