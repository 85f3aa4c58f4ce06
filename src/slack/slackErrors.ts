import { ErrorCode } from '@slack/web-api';
import { z } from 'zod';
import { atLeast, backOff } from '../clock.ts';

/** How often something is tried at the latest, in milliseconds, however long Slack has been refusing it. */
const longestPause = 300_000;

const Platform = z.object({ code: z.literal(ErrorCode.PlatformError), data: z.object({ error: z.string() }) });
const Limited = z.object({ code: z.literal(ErrorCode.RateLimitedError), retryAfter: z.number() });

/** Slack's own error word, where it answered one. */
export function platformError(error: unknown): string | undefined {
  const known = Platform.safeParse(error);
  return known.success ? known.data.data.error : undefined;
}

/** Whether Slack asked to wait. */
export function isLimited(error: unknown): boolean {
  return Limited.safeParse(error).success;
}

/** How long to wait before the next try, in milliseconds: as long as Slack asks, else longer and longer. */
export function pauseAfter(error: unknown, tries: number): number {
  const limited = Limited.safeParse(error);
  return limited.success ? atLeast(limited.data.retryAfter * 1_000) : backOff(tries, 1_000, longestPause);
}
