import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type DestinationStream, type Logger, pino } from 'pino';

const requests = new AsyncLocalStorage<{ request: string }>();

/** The log: a JSON object a line, on standard output or `to`. Lines of a request of Slack, or of a page, have its id. */
export function openLog(level: string, to?: DestinationStream): Logger {
  const options = {
    name: 'dolly',
    level,
    serializers: { error: pino.stdSerializers.err },
    // A copy: pino writes into what it is given.
    mixin: () => ({ ...requests.getStore() }),
  };
  return to ? pino(options, to) : pino(options);
}

/** Does `work`, and what follows from it, under the id of its request: the one that it is in, else a new one. */
export function inRequest<T>(work: () => T): T {
  return requests.getStore() ? work() : requests.run({ request: randomBytes(6).toString('base64url') }, work);
}
