import { atLeast, backOff } from '../ground/clock.ts';
import { Failure, kindOf } from '../ground/failure.ts';

/** The first and the longest pause between tries, in milliseconds, and max tries: they take about ten minutes. */
const [firstPause, longestPause, maxTries] = [2_000, 60_000, 14];

/** The kinds of failure that pass: the service, a proxy before it, or the store is down or in trouble for a while. */
const passing: ReadonlySet<ReturnType<typeof kindOf>> = new Set(['busy', 'unreadable', 'unsent', 'unstored'] as const);

/**
 * Gives the pause, in milliseconds, before the next try of something that failed `tries` times before; `undefined`
 * where another try would not help, or there were enough. A busy service is waited for, however often it is.
 */
export function pauseBefore(error: unknown, tries: number): number | undefined {
  const kind = kindOf(error);
  if (!passing.has(kind)) return undefined;
  const retryAfter = error instanceof Failure ? error.retryAfter : undefined;
  if (kind === 'busy') return atLeast(retryAfter ?? 10_000);
  if (tries >= maxTries) return undefined;
  return Math.max(backOff(tries, firstPause, longestPause), atLeast(retryAfter ?? 0));
}
