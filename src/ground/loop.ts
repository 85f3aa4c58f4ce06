import { backOff, type Clock, isOlder, seldom, thisMoment } from './clock.ts';

/** A loop that does the work that is due. */
export type Loop = {
  /** Starts the next turn now, because something may be due; with `at`, not before that time (milliseconds since the epoch). */
  wake(at?: number): void;
  /** The time of its last turn that went well, by the steady clock. */
  turnedAt(): number | undefined;
  /** Takes nothing new and resolves when the work in flight is finished. */
  stop(): Promise<void>;
};

/** A loop to which its owner hands work that it began outside of a turn: `stop` waits for that, too. */
type StartedLoop = Loop & {
  run(task: Promise<unknown>): void;
};

/** One turn of a loop and what limits it. */
export type Turns = Readonly<{
  /**
   * Does the work that is due and gives the time of the next turn, if it knows one: `Infinity` where nothing is due. A task that is handed to `run` goes
   * on beside the loop, and `stop` waits for it. The next turn begins when the task ends; for a task that gives a time,
   * only if the turn would come after that time.
   *
   * A `isPoll` turn begins only because the longest sleep is over. Nothing is known to be due then, so it should ask for
   * the time of the next work before it takes any: to read that costs a store far less than to take nothing.
   *
   * `known` is the time of the next turn that the last one gave, or an earlier one of a wake-up since, where that still lies
   * ahead: a turn that takes all that is due by now need not ask again. `undefined` where anything may be due.
   */
  turn(run: (task: Promise<unknown>) => void, isPoll: boolean, known: number | undefined): Promise<number | undefined>;
  /** Hears of a turn that failed: the first time, then once a minute with the number of failures since. */
  failed(error: unknown, times: number): void;
  /** The next turn begins after this time at the latest, in milliseconds. */
  maxSleep?: number;
  /**
   * Renews the locks of what is in hand, and may be called often. The loop calls it while it stops, when it takes no more
   * turns: the tasks that it waits for may take longer than their locks last.
   */
  renew?(): Promise<void>;
}>;

/** The back-off after the first failed turn, in milliseconds. */
const minPause = 250;
/** The longest sleep between two turns, in milliseconds: another process may have left work in the store. */
const defaultMaxSleep = 5_000;

/** Takes one turn after the other: at the time that a turn gives, when woken, and after `maxSleep` at the latest. */
export function startLoop(clock: Clock, { turn, failed, maxSleep = defaultMaxSleep, renew }: Turns): StartedLoop {
  const tasks = new Set<Promise<unknown>>();
  const tellFailure = seldom(clock, failed);
  const ending = new AbortController();
  let alarm = new AbortController();
  let failures = 0;
  let turnedAt: number | undefined;
  let isWoken = false;
  let isPoll = false;
  let nextTurn = 0;
  /** Whether nothing is due before the next turn, as far as it is known here. */
  let isKnown = false;
  const wake = (at?: number) => {
    isKnown &&= at !== undefined;
    if (at === undefined || at <= clock.now()) isWoken = true;
    else if (at < nextTurn) nextTurn = at;
    else return;
    alarm.abort();
  };
  const run = (task: Promise<unknown>) => {
    tasks.add(task);
    void task.then(dueAt => {
      tasks.delete(task);
      // A finished task may have made the next step due.
      wake(typeof dueAt === 'number' ? dueAt : undefined);
    });
  };
  /** Sleeps until the next turn is due; tells whether only the longest sleep ended it. */
  const sleep = async (): Promise<boolean> => {
    const longest = clock.now() + maxSleep;
    while (!isWoken) {
      const pause = Math.min(nextTurn, longest) - clock.now();
      if (pause <= 0) break;
      alarm = new AbortController();
      await clock.wait(Math.min(pause, maxSleep), alarm.signal);
      // The time of day may have been set meanwhile.
      if (!alarm.signal.aborted) break;
    }
    return !isWoken && nextTurn >= longest;
  };
  const running = (async () => {
    while (!ending.signal.aborted) {
      isWoken = false;
      try {
        const known = isKnown && nextTurn > clock.now() ? nextTurn : undefined;
        isKnown = true;
        nextTurn = Number.POSITIVE_INFINITY;
        const next = await turn(run, isPoll, known);
        failures = 0;
        turnedAt = clock.steady();
        isKnown &&= next !== undefined;
        // A time that was heard of meanwhile may be earlier.
        nextTurn = Math.min(nextTurn, next ?? Number.POSITIVE_INFINITY);
        isPoll = await sleep();
      } catch (error) {
        [isPoll, isKnown] = [false, false];
        tellFailure(error);
        // The back-off runs to its end even when the loop is woken: a wake-up must not shorten the pause after a
        // failure.
        await clock.wait(backOff(failures++, minPause, defaultMaxSleep), ending.signal);
      }
    }
  })();
  const renewUntil = async (finished: AbortSignal) => {
    if (!renew) return;
    for (;;) {
      await clock.wait(lockTime / 4, finished);
      if (finished.aborted) return;
      await renew().catch(tellFailure);
    }
  };
  return {
    run,
    wake,
    turnedAt: () => turnedAt,
    async stop() {
      ending.abort();
      isWoken = true;
      alarm.abort();
      await running;
      const finished = new AbortController();
      const renewals = renewUntil(finished.signal);
      await Promise.all(tasks).finally(() => finished.abort());
      await renewals;
    },
  };
}

/** Several loops as one, which has a good turn once each of them has. */
export function together(loops: readonly Loop[]): Loop {
  return {
    wake(at) {
      for (const loop of loops) loop.wake(at);
    },
    turnedAt() {
      const turns = loops.map(loop => loop.turnedAt());
      return turns.reduce((first, turn) =>
        first === undefined || turn === undefined ? undefined : Math.min(first, turn),
      );
    },
    async stop() {
      await Promise.all(loops.map(loop => loop.stop()));
    },
  };
}

/** The time for which a process locks the rows that it works on, unless it renews the lock. Milliseconds. */
export const lockTime = 20_000;

/**
 * Makes a function that renews locks and may be called often. It renews when a quarter of their time is over, or when
 * the time of day was set.
 */
export function lockRenewal(clock: Clock, renew: (until: number) => Promise<unknown>): () => Promise<void> {
  let renewed = thisMoment(clock);
  return async () => {
    if (!isOlder(clock, renewed, lockTime / 4)) return;
    renewed = thisMoment(clock);
    await renew(renewed.now + lockTime);
  };
}
