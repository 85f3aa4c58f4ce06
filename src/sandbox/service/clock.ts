import { setTimeout as sleep } from 'node:timers/promises';

/** The service's only source of time. Declared here because this folder imports nothing of the rest of `src`. */
export type Clock = {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once (without error) when `signal` aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The machine's clock. A pending wait does not keep the process alive. */
export const machineClock: Clock = {
  now: Date.now,
  async wait(ms, signal) {
    await sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => undefined);
  },
};
