import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { openLine, presentTurn } from '../../ground/slices.ts';
import type { Order, ReadReport, ReadResult } from './listThread.ts';
import { LongList } from './longList.ts';
import type { HowToRead } from './packedList.ts';
import { openRememberedLists } from './rememberedLists.ts';

/** The bytes of an answer, in memory that another thread reads, too. */
export type SharedBytes = Readonly<{ bytes: SharedArrayBuffer; size: number }>;

/**
 * Reads long lists in a thread of its own, so that nobody waits while one is parsed, concealed and understood. The thread
 * is started when there is something to read, and ended after a minute of rest.
 */
export type LongLists = Readonly<{
  /**
   * Reads the answer to a GET of the list at `path`. An answer of the same bytes as the one before gives the same list.
   * What is no list is left to those who say why.
   * @throws {Failure} `unreadable` where it is too large, the thread died of it, or Dolly was stopped
   */
  read(answer: SharedBytes, how: HowToReadList): Promise<LongList | 'refusal' | 'no record'>;
  /** Ends the thread; what it is reading fails. */
  close(): Promise<void>;
}>;

/** How a list is read: whose token must not be shown, and where the list stands. */
type HowToReadList = HowToRead & Readonly<{ token: string; path: string }>;

/** The time of rest after which the thread is ended, in milliseconds. */
const restTime = minute;
/** Max memory of the thread, in MB: far more than answers within its own bounds take. */
const heap = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64 } as const;
/** Max threads that may die of one answer. */
const maxDeaths = 2;

type Job = Readonly<{
  order: Order;
  done: (reading: ReadResult) => void;
  failed: (error: Failure) => void;
  /** The number of threads that died while they read it. */
  deaths: number;
}>;

/** The code of the thread. The bundle has it beside this file, too. */
const threadCode = new URL(`./listThread${extname(import.meta.filename)}`, import.meta.url);

export function openLongLists(clock: Clock, code = threadCode): LongLists {
  const kept = openRememberedLists(clock);
  const waiting = openLine<Job>();
  const underWay = new Map<number, Job>();
  let thread: Worker | undefined;
  let rest = new AbortController();
  let isClosed = false;
  let count = 0;

  function begin(): void {
    for (let next = nextJob(); next; next = nextJob()) {
      underWay.set(next.order.nth, next);
      rest.abort('work');
      thread ??= start();
      thread.postMessage(next.order);
    }
  }

  /** One answer is read at a time. Beside one for which nobody waits, another one may be. */
  function nextJob(): Job | undefined {
    const [first, second] = underWay.values();
    if (!first) return waiting.next();
    const mayShare = !second && first.deaths === 0 && first.order.turn.urgency === 'watching';
    return mayShare
      ? waiting.next(({ deaths, order }) => deaths === 0 && order.turn.urgency !== 'watching')
      : undefined;
  }

  function start(): Worker {
    const started = new Worker(code, { resourceLimits: heap, env: {} });
    let isFull = false;
    started.unref();
    started.on('message', ({ nth, ...reading }: ReadReport) => {
      const job = underWay.get(nth);
      underWay.delete(nth);
      job?.done(reading);
      begin();
      if (underWay.size === 0) void endAfterRest(started);
    });
    // What an error says may quote the answer.
    started.on('error', error => {
      isFull ||= 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    });
    started.on('exit', () => {
      // One that was ended after its rest may end while the next one works.
      if (thread !== started) return;
      thread = undefined;
      const all = [...underWay.values()];
      underWay.clear();
      for (const job of all) died(job, all.length === 1 && isFull);
      if (!isClosed) begin();
    });
    return started;
  }

  async function endAfterRest(resting: Worker): Promise<void> {
    rest = new AbortController();
    const { signal } = rest;
    await clock.wait(restTime, signal);
    if (signal.aborted) return;
    if (thread === resting) thread = undefined;
    await resting.terminate();
  }

  /** Lets an answer be read once more, by itself, unless it is what the thread died of. */
  function died(job: Job, isTooLarge: boolean): void {
    const deaths = job.deaths + 1;
    if (isClosed) job.failed(stopped());
    else if (isTooLarge) job.done({ is: 'too large' });
    else if (deaths < maxDeaths) waiting.add(job.order.turn, { ...job, deaths });
    else job.failed(new Failure('unreadable', 'The service’s list could not be read: the thread that reads it died.'));
  }

  return {
    async read({ bytes, size }, { token, path, nouns, mapping, pages }) {
      if (isClosed) throw stopped();
      const key = createHash('sha256')
        .update(`${path}\n${token}\n${JSON.stringify(pages)}`)
        .digest('base64');
      const before = kept.get(key);
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<ReadResult>();
      const what = { nth: count++, bytes, size, known: before?.digest };
      const order = { ...what, token, nouns, mapping, pages, turn: presentTurn() };
      waiting.add(order.turn, { order, done, failed, deaths: 0 });
      begin();
      const reading = await promise;
      if (reading.is === 'too large') throw tooLarge();
      if (reading.is === 'refusal') return 'refusal';
      const list = reading.is === 'list' ? new LongList(reading.packed, mapping) : before;
      if (reading.is === 'no record' || !list) return 'no record';
      kept.set(key, list);
      return list;
    },
    async close() {
      isClosed = true;
      rest.abort('closed');
      for (let job = waiting.next(); job; job = waiting.next()) job.failed(stopped());
      await thread?.terminate();
    },
  };
}

function tooLarge(): Failure {
  return new Failure('unreadable', 'The service’s list is too large for Dolly: its records do not fit into memory.');
}

function stopped(): Failure {
  return new Failure('unreadable', 'Dolly was stopped while it read the service’s list.');
}
