import { ErrorCode } from '@slack/bolt';
import { z } from 'zod';
import type { Clock } from '../../ground/clock.ts';
import { isLimited, pauseAfter } from './retryAfter.ts';
import { meaningOfError } from './slackErrors.ts';

/** Max tries while somebody waits, and the longest pause between two of them, in milliseconds. */
type Patience = Readonly<{ tries: number; longest: number }>;

const Refused = z.object({ code: z.literal(ErrorCode.RespondError), statusCode: z.number() });

/** Whether another try may help: Slack asks to wait, is in trouble, or did not answer. */
function passes(error: unknown): boolean {
  const refused = Refused.safeParse(error);
  if (refused.success) return refused.data.statusCode === 429 || refused.data.statusCode >= 500;
  return isLimited(error) || meaningOfError(error) === 'again';
}

/**
 * Calls Slack for somebody who waits, and tries again while that may help.
 * @throws the last try's error; also where Slack asks for a longer pause than `longest`
 */
export async function insist<T>(clock: Clock, { tries, longest }: Patience, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseAfter(error, failures);
      if (failures + 1 >= tries || !passes(error) || pause > longest) throw error;
      await clock.wait(pause);
    }
  }
}
