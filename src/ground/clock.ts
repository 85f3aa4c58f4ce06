import { performance } from 'node:perf_hooks';
import { readTime } from './timeText.ts';

/** The source of time, which is injected: tests turn theirs by hand. */
export type Clock = {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Milliseconds since an arbitrary moment, to measure durations: setting the time of day does not change them. */
  steady(): number;
  /** Resolves after `ms` milliseconds, or at once (without error) when `signal` aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The machine's clock. A pending wait does not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.now(),
  wait(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    // An abort makes no error here: to make one takes longer than all the rest, and waits end early all the time.
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal?.addEventListener('abort', end);
    return promise;
  },
};

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

/** A moment, by both readings of a clock. */
export type Moment = Readonly<{ now: number; steady: number }>;

/** This moment. */
export function thisMoment(clock: Clock): Moment {
  return { now: clock.now(), steady: clock.steady() };
}

/**
 * The age of a moment, in milliseconds, by the reading that shows more: while a machine sleeps, only the time of day
 * goes on.
 */
export function ageOf(clock: Clock, { now, steady }: Moment): number {
  return Math.max(clock.now() - now, clock.steady() - steady);
}

/**
 * Whether the time of day was set by a second or more since a moment. A time that was stored before that does not
 * compare with the present one.
 */
export function wasSetSince(clock: Clock, { now, steady }: Moment): boolean {
  return Math.abs(clock.now() - now - (clock.steady() - steady)) >= 1_000;
}

/** Whether a moment is so many milliseconds ago or more, or says nothing any more, since the time of day was set. */
export function isOlder(clock: Clock, moment: Moment, age: number): boolean {
  return ageOf(clock, moment) >= age || wasSetSince(clock, moment);
}

/**
 * Whether a time that was set to lie `most` ahead at most is still to come. One that is further ahead was set before a
 * clock was set back, and counts as come. Milliseconds.
 */
export function isToCome(time: number, now: number, most: number): boolean {
  return time > now && time <= now + most;
}

/** A pause that doubles with each failed try, from `first` to `longest`. Milliseconds. */
export function doubled(tries: number, first: number, longest: number): number {
  return Math.min(first * 2 ** Math.min(tries, 30), longest);
}

/** Such a pause that varies by a fifth at random, so that simultaneous failures do not lead to simultaneous retries. */
export function backOff(tries: number, first: number, longest: number): number {
  return Math.round(doubled(tries, first, longest) * (0.8 + 0.4 * Math.random()));
}

/** A requested pause, lengthened by up to a fifth at random, so that not everybody comes back at once. Milliseconds. */
export function atLeast(pause: number): number {
  return Math.round(pause * (1 + 0.2 * Math.random()));
}

/**
 * The pause that an answer asks for in `Retry-After`: seconds, or a date by the clock that dates the answer, between one second
 * and ten minutes; 10 s where it is missing. Milliseconds.
 */
export function pauseAsked(header: string | undefined, date = ''): number {
  const seconds = Number(header);
  const now = readTime(date)?.at ?? Date.now();
  const pause = Number.isFinite(seconds) && header ? seconds * 1000 : (readTime(header)?.at ?? Number.NaN) - now;
  return Number.isNaN(pause) ? 10_000 : Math.min(Math.max(pause, 1_000), 600_000);
}

/**
 * Limits reports of a repeated event: the first is told at once, later ones at most once a minute, with the number of
 * events since the last report.
 */
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

/**
 * Limits how often something is done: at once when it is asked for, and again after `pause` milliseconds, once for all
 * that asked meanwhile.
 */
export function spaced(clock: Clock, pause: number, act: () => void): () => void {
  let isResting = false;
  let isAsked = false;
  const ask = () => {
    isAsked = isResting;
    if (isResting) return;
    isResting = true;
    act();
    void clock.wait(pause).then(() => {
      isResting = false;
      if (isAsked) ask();
    });
  };
  return ask;
}
