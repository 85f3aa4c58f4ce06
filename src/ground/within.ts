import type { Clock } from './clock.ts';

/**
 * The result of `work`, or `undefined` where it takes longer than `maxWait` milliseconds. @throws the errors of `work`
 */
export async function within<T>(clock: Clock, maxWait: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, clock.wait(maxWait, done.signal).then(() => undefined)]);
  } finally {
    // With a reason of its own, no error is made for it.
    done.abort('over');
  }
}
