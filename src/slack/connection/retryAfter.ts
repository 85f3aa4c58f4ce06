import { ErrorCode } from '@slack/web-api';
import { z } from 'zod';
import { atLeast, backOff } from '../../ground/clock.ts';
import { isOutage } from './slackErrors.ts';

/** Longest back-off, in milliseconds, however long Slack refuses; a shorter one while Slack as a whole is away. */
const longestPause = 300_000;
const longestOutagePause = 5_000;
const Limited = z.object({ code: z.literal(ErrorCode.RateLimitedError), retryAfter: z.number() });

/** Whether Slack asked to wait. */
export function isLimited(error: unknown): boolean {
  return Limited.safeParse(error).success;
}

/**
 * Pause before the next try, in milliseconds: as long as Slack asks, else a back-off. The back-off stays short while
 * Slack as a whole is away, so that waiting messages go out soon after its return.
 */
export function pauseAfter(error: unknown, tries: number): number {
  const limited = Limited.safeParse(error);
  if (limited.success) return atLeast(limited.data.retryAfter * 1_000);
  return backOff(tries, 1_000, isOutage(error) ? longestOutagePause : longestPause);
}
