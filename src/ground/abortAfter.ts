import type { Clock } from './clock.ts';

/**
 * Does work whose signal aborts after `maxWait` milliseconds, with an error named `TimeoutError`. The timer ends with
 * the work: those of `AbortSignal.timeout` live on until their time, with all that hangs on them.
 */
export async function abortAfter<T>(
  clock: Clock,
  maxWait: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  void clock.wait(maxWait, done.signal).then(() => {
    if (!done.signal.aborted) limit.abort(new DOMException(`not done in ${maxWait} ms`, 'TimeoutError'));
  });
  try {
    return await work(limit.signal);
  } finally {
    // With a reason of its own, no error is made for it.
    done.abort('over');
  }
}
