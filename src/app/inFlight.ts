import type { App } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * The work that requests of Slack have begun. Bolt forgets it once Slack has its answer; an orderly stop waits for it.
 */
export type InFlight = ReturnType<typeof openInFlight>;

/** Makes an {@link InFlight} without any work. */
export function openInFlight(log: Logger) {
  const running = new Set<Promise<unknown>>();
  return {
    /** Runs work beside the request that asked for it. A failure is logged as “could not `what`”. */
    run(what: string, work: Promise<unknown>) {
      const guarded = work
        .catch((error: unknown) => log.error({ error }, `could not ${what}`))
        .finally(() => running.delete(guarded));
      running.add(guarded);
    },
    /** Counts each request of the app among the work. */
    follow(app: App) {
      app.use(async ({ next }) => {
        const work = next();
        running.add(work);
        await work.finally(() => running.delete(work));
      });
    },
    /** The amount of work in flight. */
    size: () => running.size,
    /** Resolves when nothing is in flight any more. */
    async drain() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
