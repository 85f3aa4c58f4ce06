import type { App } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * The work that requests of Slack have begun. Bolt forgets it once Slack has its answer; an orderly stop waits for it.
 */
export type InFlight = Readonly<{
  /** Runs work beside the request that asked for it. A failure is logged as “could not `what`”. */
  run(what: string, work: Promise<unknown>): void;
  /** Counts each request of the app among the work. */
  follow(app: App): void;
  /** The amount of work in flight. */
  size(): number;
  /** Resolves when nothing is in flight any more. */
  drain(): Promise<void>;
}>;

/** Makes an {@link InFlight} without any work. */
export function openInFlight(log: Logger): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    run(what, work) {
      const guarded = work
        .catch((error: unknown) => log.error({ error }, `could not ${what}`))
        .finally(() => running.delete(guarded));
      running.add(guarded);
    },
    follow(app) {
      app.use(async ({ next }) => {
        const work = next();
        running.add(work);
        await work.finally(() => running.delete(work));
      });
    },
    size: () => running.size,
    async drain() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
