import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/*
 * The service, Slack and the bot of a test are servers and clients of one process: each request between them can be
 * seen from its beginning at the client to its answer. So can what the bot asks of PostgreSQL.
 */

/**
 * For so many looks a request is waited for: one that takes longer waits for a clock, or for nothing. They are counted
 * in looks, not in milliseconds: a process that gets no processor must not take a request for one that waits.
 */
const patience = 300;
/** So many turns of the event loop pass at most until a client begins its request. */
const turns = 4;

/** Keeps what has begun and not ended, with the number of looks left for each, by the object that stands for it. */
function onTheirWay() {
  const left = new Map<object, number>();
  let begun = 0;
  let ended = 0;
  let end = Promise.withResolvers<void>();
  return {
    begins(one: object): void {
      begun += 1;
      left.set(one, patience);
    },
    ends(one: object): void {
      if (!left.delete(one)) return;
      ended += 1;
      end.resolve();
      end = Promise.withResolvers();
    },
    /** The number of all that ever began. */
    begun: () => begun,
    /** The number of all beginnings and ends. */
    moves: () => begun + ended,
    isEmpty: () => left.size === 0,
    /** Resolves when the next one ends. */
    nextEnd: () => end.promise,
    isBusy: () => [...left.values()].some(looks => looks > 0),
    countsLook(): void {
      for (const [one, looks] of left) if (looks > 0) left.set(one, looks - 1);
    },
  };
}

const requests = onTheirWay();
/**
 * What works outside of this thread, and so takes real time, too: the connections to PostgreSQL that work at a statement,
 * the threads that read a long list, and those that seal and open tokens.
 */
export const statements = onTheirWay();

/** Calls `hear` with what each message of a channel names `name`. */
function listen(channel: string, name: string, hear: (thing: object) => void): void {
  subscribe(channel, message => {
    if (typeof message !== 'object' || message === null) return;
    const thing: unknown = Reflect.get(message, name);
    if (typeof thing === 'object' && thing !== null) hear(thing);
  });
}

// Slack's client, the service's and fetch are all undici's.
listen('undici:request:create', 'request', requests.begins);
for (const end of ['undici:request:trailers', 'undici:request:error']) listen(end, 'request', requests.ends);
// The acks of Socket Mode come over a WebSocket.
listen('playground:envelope:sent', 'envelope', requests.begins);
listen('playground:envelope:over', 'envelope', requests.ends);
// A server goes on with its work after its client went away.
listen('http.server.request.start', 'response', response => {
  if (!(response instanceof ServerResponse)) return;
  requests.begins(response);
  response.once('close', () => requests.ends(response));
});

// A thread answers each order with one message, unless it ends before.
listen('worker_threads', 'worker', thread => {
  if (!(thread instanceof Worker)) return;
  const orders: object[] = [];
  const send = thread.postMessage.bind(thread);
  thread.postMessage = (...order: Parameters<typeof send>) => {
    const begun = {};
    orders.push(begun);
    statements.begins(begun);
    send(...order);
  };
  thread.on('message', () => statements.ends(orders.shift() ?? {}));
  thread.on('exit', () => orders.forEach(statements.ends));
});

// Web Crypto works in threads, and a request may wait for it.
for (const act of ['importKey', 'encrypt', 'decrypt', 'digest'] as const) {
  const original = crypto.subtle[act];
  Reflect.set(crypto.subtle, act, async (...given: unknown[]): Promise<unknown> => {
    const begun = {};
    statements.begins(begun);
    try {
      return await Reflect.apply(original, crypto.subtle, given);
    } finally {
      statements.ends(begun);
    }
  });
}

let looking: Promise<void> | undefined;

/** Lets a moment of real time pass. Whoever waits at the same time shares it. */
function look(): Promise<void> {
  looking ??= sleep(1).then(() => {
    looking = undefined;
    requests.countsLook();
    statements.countsLook();
  });
  return looking;
}

const isBusy = () => requests.isBusy() || statements.isBusy();
const begun = () => requests.begun() + statements.begun();
const moves = () => requests.moves() + statements.moves();

/** The number of all beginnings and ends when it was quiet the last time. */
let quietAt = -1;

/**
 * Waits until nothing is on its way any more between the servers of this process: a request takes its moment in real
 * time, and a clock that is turned meanwhile would make hours of it on a busy machine. Where nothing began or ended
 * since it was quiet, there is nothing to wait for.
 */
export async function quiet(): Promise<void> {
  await turnsOfLoop(2 * turns);
  if (moves() === quietAt && !isBusy()) return;
  for (let calm = 0; calm < 2; ) {
    const before = begun();
    await look();
    calm = begun() > before || isBusy() ? 0 : calm + 1;
  }
  quietAt = moves();
}

async function turnsOfLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/** The same after something that may have sent a request, and mostly has not. */
export async function settled(): Promise<void> {
  for (;;) {
    const [sent, asked] = [requests.begun(), statements.begun()];
    await turnsOfLoop(turns);
    if (requests.begun() > sent || requests.isBusy()) return quiet();
    if (statements.begun() === asked && !statements.isBusy()) return;
    // Loops ask PostgreSQL all the time: two calm looks after each statement would make the tests three times as long.
    if (statements.isBusy()) await Promise.race([statements.nextEnd(), look()]);
  }
}

let turnsOfClocks = 0;

/** Notes that a test has turned its clock. */
export function clockTurned(): void {
  turnsOfClocks += 1;
}

/** The time between two looks whether anything moves, in milliseconds, and the number of them at which it stands. */
const pause = 100;
const looksAtRest = 100;

/**
 * Resolves once nothing has moved for ten seconds in this process: no request and no statement began or ended, and no
 * clock was turned. Who waits then waits in vain. Each look is a turn of the loop: a process that gets no processor, and
 * so moves nothing, does not look either. `looks` shortens the time.
 * @throws {DOMException} where `signal` ends it
 */
export async function standstill(signal: AbortSignal, looks = looksAtRest): Promise<void> {
  const all = () => moves() + turnsOfClocks;
  for (let [calm, before] = [0, all()]; calm < looks; before = all()) {
    await sleep(pause, undefined, { signal });
    calm = all() === before && statements.isEmpty() ? calm + 1 : 0;
  }
}
