import type { WebClient } from '@slack/web-api';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { Logger } from 'pino';
import { backOff, type Clock } from '../../ground/clock.ts';
import { verdictOn } from './slackErrors.ts';

/** How long what Slack said of the token is taken for true, in milliseconds. */
const freshFor = 30_000;
/** A start tries to reach Slack for so long, with pauses up to so long, in milliseconds. */
const [startPatience, firstPause, longestPause] = [minutesToMilliseconds(10), 1_000, 30_000];

/**
 * Whether Slack honours the token, as it said half a minute ago at the latest. No answer is no refusal: while Slack is
 * away nobody can ask for anything, and nothing is gained by a restart.
 */
export function honours(slack: WebClient, clock: Clock, log: Logger): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  const ask = async () => {
    try {
      await slack.auth.test();
      return true;
    } catch (error) {
      if (verdictOn(error) !== 'operator') return true;
      log.error({ error }, 'not ready: Slack does not honour the token any more');
      return false;
    }
  };
  return () => {
    if (!last || clock.steady() - last.at >= freshFor) last = { at: clock.steady(), answer: ask() };
    return last.answer;
  };
}

/** Tries `begin` again for some minutes while Slack is away. @throws what it throws where Slack refuses, or at the end */
export async function whenSlackIsThere<T>(clock: Clock, log: Logger, begin: () => Promise<T>): Promise<T> {
  const until = clock.steady() + startPatience;
  for (let tries = 0; ; tries++) {
    try {
      return await begin();
    } catch (error) {
      if (verdictOn(error) !== 'again' || clock.steady() >= until) throw error;
      log.warn({ error }, 'Slack cannot be reached; I try again');
      await clock.wait(backOff(tries, firstPause, longestPause));
    }
  }
}
