import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type DestinationStream, type Logger, pino } from 'pino';

const requests = new AsyncLocalStorage<{ request: string }>();

/**
 * Opens the log: one JSON object a line, on standard output or `to`. Lines of a request of Slack or of a page carry the
 * id of that request.
 */
export function openLog(level: string, to?: DestinationStream): Logger {
  const options = {
    name: 'dolly',
    level,
    serializers: { error: pino.stdSerializers.err },
    // A copy, since pino writes into the object.
    mixin: () => ({ ...requests.getStore() }),
  };
  return to ? pino(options, to) : pino(options);
}

/** Runs `work`, and all that follows from it, under the id of the current request, else under a new id. */
export function inRequest<T>(work: () => T): T {
  return requests.getStore() ? work() : requests.run({ request: randomBytes(6).toString('base64url') }, work);
}
