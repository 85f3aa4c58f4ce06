import type { Clock } from '../clock.ts';

/** What work gives, or `undefined` where it takes longer than `most` milliseconds. @throws what the work throws */
export async function within<T>(clock: Clock, most: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, clock.wait(most, done.signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}
