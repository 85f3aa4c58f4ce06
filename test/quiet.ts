import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/* The service, Slack and the bot of a test are servers of one process: what is on its way between them can be seen. */

/** Who has waited so long for an answer, in milliseconds, waits for a clock, or for nothing: no test waits for it. */
const longest = 300;
/** So many turns of the event loop a request takes at most until it reaches its server. */
const turns = 4;
const waiting = new Map<ServerResponse, number>();
let received = 0;

subscribe('http.server.request.start', message => {
  const response = typeof message === 'object' && message !== null && 'response' in message && message.response;
  if (!(response instanceof ServerResponse)) return;
  received += 1;
  waiting.set(response, performance.now());
  response.once('close', () => waiting.delete(response));
});

const isBusy = (): boolean => {
  const now = performance.now();
  return [...waiting.values()].some(since => now - since < longest);
};

/**
 * Waits until nothing is on its way any more between the servers of this process: a request takes its moment in real
 * time, and a clock that is turned meanwhile would make hours of it on a busy machine.
 */
export async function quiet(): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    const before = received;
    await sleep(3);
    calm = received > before || isBusy() ? 0 : calm + 1;
  }
}

/** The same after something that may have sent a request, and mostly has not. */
export async function settled(): Promise<void> {
  const before = received;
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  if (received > before || isBusy()) await quiet();
}
