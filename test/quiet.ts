import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The service, Slack and the bot of a test are servers and clients of one process: each request between them can be
 * seen from its beginning at the client to its answer.
 */

/**
 * For so many looks a request is waited for: one that takes longer waits for a clock, or for nothing. They are counted
 * in looks, not in milliseconds: a process that gets no processor must not take a request for one that waits.
 */
const patience = 100;
/** So many turns of the event loop pass at most until a client begins its request. */
const turns = 4;
/** The number of looks left for each request on its way, by the object that stands for it. */
const onTheirWay = new Map<object, number>();
let begun = 0;

function begins(request: object): void {
  begun += 1;
  onTheirWay.set(request, patience);
}

/** Calls `hear` with what each message of a channel names `name`. */
function listen(channel: string, name: string, hear: (thing: object) => void): void {
  subscribe(channel, message => {
    if (typeof message !== 'object' || message === null) return;
    const thing: unknown = Reflect.get(message, name);
    if (typeof thing === 'object' && thing !== null) hear(thing);
  });
}

// Slack's client, the service's and fetch are all undici's.
listen('undici:request:create', 'request', begins);
for (const end of ['undici:request:trailers', 'undici:request:error'])
  listen(end, 'request', request => onTheirWay.delete(request));
// A server goes on with its work after its client went away.
listen('http.server.request.start', 'response', response => {
  if (!(response instanceof ServerResponse)) return;
  begins(response);
  response.once('close', () => onTheirWay.delete(response));
});

function isBusy(): boolean {
  return [...onTheirWay.values()].some(left => left > 0);
}

/**
 * Waits until nothing is on its way any more between the servers of this process: a request takes its moment in real
 * time, and a clock that is turned meanwhile would make hours of it on a busy machine.
 */
export async function quiet(): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    const before = begun;
    await sleep(3);
    for (const [request, left] of onTheirWay) if (left > 0) onTheirWay.set(request, left - 1);
    calm = begun > before || isBusy() ? 0 : calm + 1;
  }
}

/** The same after something that may have sent a request, and mostly has not. */
export async function settled(): Promise<void> {
  const before = begun;
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  if (begun > before || isBusy()) await quiet();
}
