import { atLeast, backOff } from '../ground/clock.ts';
import { Failure, kindOf } from '../ground/failure.ts';

/** The pauses between tries, in milliseconds: so many tries with them take about ten minutes. */
const [firstPause, longestPause, mostTries] = [2_000, 60_000, 14];

/** What goes wrong for a while: the service is down or in trouble, or what stands before it, or the store. */
const passing: ReadonlySet<ReturnType<typeof kindOf>> = new Set(['busy', 'unreadable', 'unsent', 'unstored'] as const);

/**
 * How long to wait, in milliseconds, before something is tried again that failed `tries` times before; `undefined` where
 * that would not help, or it was tried for long enough. Who asks to wait is obeyed, however often.
 */
export function pauseBefore(error: unknown, tries: number): number | undefined {
  const kind = kindOf(error);
  if (!passing.has(kind)) return undefined;
  const retryAfter = error instanceof Failure ? error.retryAfter : undefined;
  if (kind === 'busy') return atLeast(retryAfter ?? 10_000);
  if (tries >= mostTries) return undefined;
  return Math.max(backOff(tries, firstPause, longestPause), atLeast(retryAfter ?? 0));
}
