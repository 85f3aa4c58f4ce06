import type { Clock } from '../src/ground/clock.ts';
import { clockTurned, settled } from './quiet.ts';

type Waiter = { at: number; wake(): void };

/** A clock that stands still until a test turns it, in whole milliseconds as the machine's. */
export type TestClock = Clock & {
  /** Moves the time on by `ms`, waking every wait that falls due, in order of time. */
  advance(ms: number): Promise<void>;
  /** Moves the time on by `ms` in one go, as a machine that slept does: what fell due meanwhile is woken once, at its end. */
  leap(ms: number): Promise<void>;
};

/**
 * Makes a {@link TestClock} that starts at `start` (milliseconds since the epoch). Whatever was begun before, and whatever
 * a wait woke, has done its work before the time moves on: the clock waits for `settle` then.
 */
export function testClock(start = Date.now(), settle = settled): TestClock {
  let now = start;
  const waiters = new Set<Waiter>();
  return {
    now: () => now,
    // Like a process that has just begun: nobody may take one reading for the other.
    steady: () => now - start,
    wait(ms, signal) {
      if (ms <= 0 || signal?.aborted) return Promise.resolve();
      return new Promise(resolve => {
        const waiter = {
          at: now + Math.ceil(ms),
          wake() {
            waiters.delete(waiter);
            signal?.removeEventListener('abort', waiter.wake);
            resolve();
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', waiter.wake, { once: true });
      });
    },
    async advance(ms) {
      await settle();
      const until = now + Math.ceil(ms);
      for (;;) {
        const next = [...waiters].filter(waiter => waiter.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        now = next.at;
        clockTurned();
        next.wake();
        await settle();
      }
      now = until;
      clockTurned();
      await settle();
    },
    async leap(ms) {
      await settle();
      now += Math.ceil(ms);
      clockTurned();
      const due = [...waiters].filter(waiter => waiter.at <= now).sort((a, b) => a.at - b.at);
      for (const waiter of due) waiter.wake();
      await settle();
    },
  };
}
