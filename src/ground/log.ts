import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { Failure } from './failure.ts';

const requests = new AsyncLocalStorage<{ request: string }>();

/**
 * Lines for standard output are collected and written by a thread, since people wait for their acks meanwhile: 4 KB at
 * once, after a quarter of a second at the latest, and at the end of the process however it exits. Up to 16 MB wait for
 * a reader that has stopped.
 */
const output = { dest: 1, sync: false, minLength: 4_096, periodicFlush: 250, maxLength: 16 * 1_024 * 1_024 } as const;

/**
 * Opens the log: one JSON object a line, on standard output or `to`. Lines of a request of Slack or of a page carry the
 * id of that request.
 */
export function openLog(level: string, to: DestinationStream = destination(output)): Logger {
  const options = {
    name: 'dolly',
    level,
    serializers: { error: errorInLog },
    // A copy, since pino writes into the object.
    mixin: () => ({ ...requests.getStore() }),
  };
  return pino(options, to);
}

/** An error as the log has it. That somebody is not signed in is no fault: where it was noticed helps nobody. */
function errorInLog(error: Error): object {
  if (!(error instanceof Failure) || error.kind !== 'signed-out') return pino.stdSerializers.err(error);
  const { name: type, kind, message } = error;
  return { type, kind, message };
}

/** Runs `work`, and all that follows from it, under the id of the current request, else under a new id. */
export function inRequest<T>(work: () => T): T {
  return requests.getStore() ? work() : requests.run({ request: randomUUID().slice(0, 13) }, work);
}
