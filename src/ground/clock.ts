import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The only source of time. Tests inject one that they turn by hand. */
export type Clock = {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Milliseconds since some moment. Setting the time does not change them, so they measure how long something lasts. */
  steady(): number;
  /** Resolves after `ms` milliseconds, or at once (without error) when `signal` aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The machine's clock. A pending wait does not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.now(),
  async wait(ms, signal) {
    await sleep(ms, undefined, {
      ref: false,
      ...(signal ? { signal } : {}),
    }).catch(() => undefined);
  },
};

/** A moment, by both readings of a clock. */
export type Moment = Readonly<{ now: number; steady: number }>;

/** This moment. */
export function thisMoment(clock: Clock): Moment {
  return { now: clock.now(), steady: clock.steady() };
}

/** How long ago a moment was, in milliseconds. While a machine sleeps, only the time of day goes on. */
export function ageOf(clock: Clock, { now, steady }: Moment): number {
  return Math.max(clock.now() - now, clock.steady() - steady);
}

/** Whether the time of day was set since a moment, by a second or more: what was written before it does not compare with now. */
export function wasSetSince(clock: Clock, { now, steady }: Moment): boolean {
  return Math.abs(clock.now() - now - (clock.steady() - steady)) >= 1_000;
}

/**
 * A pause that doubles with each try that failed before, from `first` to `longest` (milliseconds), a fifth more or less
 * by chance: what failed at the same moment does not come back at the same moment.
 */
export function backOff(tries: number, first: number, longest: number): number {
  return Math.round(Math.min(first * 2 ** Math.min(tries, 30), longest) * (0.8 + 0.4 * Math.random()));
}

/** At least as long as somebody asked to be left alone, and up to a fifth longer by chance. Milliseconds. */
export function atLeast(pause: number): number {
  return Math.round(pause * (1 + 0.2 * Math.random()));
}

/** Tells of what comes again and again: the first time, and then once a minute, with how often it came meanwhile. */
export function seldom<T>(clock: Clock, tell: (what: T, times: number) => void): (what: T) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return what => {
    times += 1;
    if (clock.steady() - toldAt < 60_000) return;
    toldAt = clock.steady();
    tell(what, times);
    times = 0;
  };
}
