import type { Clock } from './clock.ts';
import type { Effects, Task } from './engine.ts';
import { Refusal } from './refusal.ts';
import { faultWords } from './systemFaultWords.ts';

/** Where the service says what it does; nothing by default. */
export type Log = (line: string) => void;

/** Keeps the estate as it is now, if it is kept at all. False when that failed, of which the log tells why. */
export type Keep = () => boolean;

export type Job<Result> = {
  /** As in the endpoint: `database/stop`. */
  operation: string;
  /** The identifier of the record that changes. */
  target: string;
  effects: Effects;
  /** As in {@link Task}. */
  lasts: number;
  work(task: Task): Promise<Result>;
  done(result: Result): void;
  failed(message: string): void;
};

export type RunningJob = { operation: string; target: string; startedAt: number };

export type Jobs = {
  /**
   * Begins a job after the estate was kept with what the job announces in it. Resolves when the job has ended, well or
   * not. Throws INTERNAL_ERROR, and the job has failed, when the estate cannot be kept: nothing is begun that a restart
   * would forget.
   */
  start<Result>(job: Job<Result>): Promise<void>;
  running(): readonly RunningJob[];
  /** Stops what runs, and resolves when nothing does. */
  close(): Promise<void>;
  signal: AbortSignal;
};

const notKept = 'The service could not write down what was asked, so nothing was begun: ask again later.';

/** Background jobs (spec §1.3): the request that starts one does not wait for it. `keep` is called around each. */
export function createJobs(clock: Clock, log: Log, keep: Keep): Jobs {
  const closing = new AbortController();
  const { signal } = closing;
  const running = new Map<Promise<void>, RunningJob>();

  async function carryOut<Result>(job: Job<Result>): Promise<void> {
    try {
      const result = await job.work({ effects: job.effects, lasts: job.lasts, signal });
      // After close() the estate is nobody's: a late result would only confuse whoever looks at it.
      if (signal.aborted) return;
      job.done(result);
      keep();
      log(`${job.operation} ${job.target}: done`);
    } catch (error) {
      if (signal.aborted) return;
      const message = faultWords(error);
      job.failed(message);
      keep();
      log(`${job.operation} ${job.target}: failed: ${message}`);
    }
  }

  return {
    start(job) {
      if (!keep()) {
        job.failed(notKept);
        throw new Refusal('INTERNAL_ERROR', notKept);
      }
      const promise = carryOut(job).finally(() => running.delete(promise));
      running.set(promise, { operation: job.operation, target: job.target, startedAt: clock.now() });
      return promise;
    },
    running: () => [...running.values()],
    async close() {
      closing.abort();
      await Promise.all(running.keys());
    },
    signal,
  };
}

/** The work of an operation that concerns no engine (enable, disable, delete a user). Rejects when a fault was provoked. */
export async function bookkeeping(clock: Clock, task: Task): Promise<void> {
  await letPass(clock, task);
  if (task.effects.fault) throw new Error('The repository did not commit the change: lock wait timeout exceeded');
}

/** Lets the time of a simulated piece of work go by, at the provoked pace. Rejects when the service closes first. */
export async function letPass(clock: Clock, { effects, lasts, signal }: Task): Promise<void> {
  // No timer counts to infinity (setTimeout makes one millisecond of it).
  if (effects.pace === Number.POSITIVE_INFINITY) await aborted(signal);
  else await clock.wait(lasts * effects.pace, signal);
  signal.throwIfAborted();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
