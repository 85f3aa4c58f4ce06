import { AsyncLocalStorage } from 'node:async_hooks';
import { fingerprint, type Random, randomOf } from './random.ts';

/**
 * One process of the simulated world: an incarnation of the bot, the service, Slack, the people. Each callback runs in the
 * name of one, on which its skew, its freeze and its death hang.
 */
export type Host = {
  readonly name: string;
  /** Chance for this process alone. */
  readonly random: Random;
  /** It does all at once and keeps no promise, as a wire does: nothing has to come to its rest after it. */
  readonly isMachinery: boolean;
  isUp: boolean;
  /** Nothing of it runs before this time. */
  frozenUntil: number;
  /** By how much its time of day is ahead, in milliseconds. */
  ahead: number;
};

/** Where a process can be killed: before or after a statement of its store, a request, an answer or a timer. */
export type Point = 'statement' | 'request' | 'answer' | 'timer';
export type Side = 'before' | 'after';
/** What a process does at a point: it asks the service for something, changes something elsewhere, or neither. */
export type Errand = 'service write' | 'service read' | 'write' | 'other';

/** Something that will happen. */
export type Alarm = { readonly at: number; isOver: boolean };

type Event = Alarm & Readonly<{ order: number; host: Host; what: string; act: () => void; errand: Errand }>;

/** Time, order and chance of a simulated world. All times are milliseconds; `now` is the true time, of no process. */
export type Kernel = Readonly<{
  now(): number;
  /** The process in whose name the present callback runs. */
  host(): Host;
  /** Makes a process. */
  raise(name: string, kind?: 'machinery'): Host;
  /** Chance for a purpose of the world's own. */
  random(purpose: string): Random;
  /** Lets something happen after `ms` milliseconds, in the name of a process. It does not, where that one is dead then. */
  after(ms: number, host: Host, what: string, act: () => void, errand?: Errand): Alarm;
  /** Runs `work` in the name of a process. */
  as<T>(host: Host, work: () => T): T;
  /**
   * Says that a process passes a point: whoever waits for it there may kill it or freeze it.
   * @returns whether it is still alive
   */
  pass(host: Host, point: Point, side: Side, errand?: Errand): boolean;
  /** Adds to the fingerprint of the run. */
  note(what: string): void;
  /** A turn took its time: the clock goes on within it. */
  dawdle(ms: number): void;
  /** Lets things happen in their order until `isOver`, or until `end`. */
  run(isOver: () => boolean, end: number): Promise<void>;
  fingerprint(): string;
  /** The number of things that have happened. */
  events(): number;
}>;

/** Events at one moment before the world counts as stuck. */
const mostAtOnce = 20_000;

const contexts = new AsyncLocalStorage<Host>();
let running: Kernel | undefined;

/** The world that runs now, if any: time and chance are tamed only then. */
export const runningKernel = (): Kernel | undefined => running;

/** Hears of each point that a process passes, before it passes it. */
export type Watching = Readonly<{
  passes(host: Host, point: Point, side: Side, errand: Errand): void;
  happened(): void;
  /** Hears of all that goes into the fingerprint. */
  noted?(what: string): void;
}>;

/** Makes a world at a time of day. It runs as soon as {@link Kernel.run} is called. */
export function newKernel(seed: string, start: number, watching: Watching): Kernel {
  const heap: Event[] = [];
  const digest = fingerprint();
  const streams = new Map<string, Random>();
  let now = start;
  let order = 0;
  let count = 0;
  const world: Host = newHost(seed, 'world');

  const note = (what: string) => {
    digest.add(what);
    watching.noted?.(what);
  };
  const kernel: Kernel = {
    now: () => now,
    host: () => contexts.getStore() ?? world,
    raise: (name, kind) => newHost(seed, name, kind !== undefined),
    random(purpose) {
      const known = streams.get(purpose) ?? randomOf(seed, purpose);
      streams.set(purpose, known);
      return known;
    },
    after(ms, host, what, act, errand = 'other') {
      const event: Event = { at: now + Math.max(0, ms), order: order++, host, what, act, errand, isOver: false };
      if (host.isUp) push(heap, event);
      return event;
    },
    as: (host, work) => contexts.run(host, work),
    pass(host, point, side, errand = 'other') {
      if (host.isUp) watching.passes(host, point, side, errand);
      return host.isUp;
    },
    note,
    dawdle(ms) {
      now += ms;
    },
    async run(isOver, end) {
      running = kernel;
      let still = 0;
      try {
        // What began before the first event comes to its rest first.
        await turn();
        while (!isOver()) {
          const event = pop(heap);
          if (event === undefined || event.at > end) return;
          const { host } = event;
          if (event.isOver || !host.isUp) continue;
          if (host.frozenUntil > event.at && host.frozenUntil > now) {
            push(heap, { ...event, at: host.frozenUntil, order: order++ }, event);
            continue;
          }
          if (event.at > now) {
            now = event.at;
            still = 0;
          } else if (++still > mostAtOnce) throw new Error(`the world stands still at ${event.what} of ${host.name}`);
          count += 1;
          note(`${now}|${host.name}|${event.what}`);
          const point = event.what === 'timer' || event.what === 'answer' ? event.what : undefined;
          if (point && !kernel.pass(host, point, 'before', event.errand)) continue;
          // Frozen right there: it goes on with this very thing.
          if (host.frozenUntil > now) {
            push(heap, { ...event, at: host.frozenUntil, order: order++, isOver: false }, event);
            continue;
          }
          event.isOver = true;
          contexts.run(host, event.act);
          if (!host.isMachinery) await turn();
          if (point) kernel.pass(host, point, 'after', event.errand);
          watching.happened();
        }
      } finally {
        running = undefined;
      }
    },
    fingerprint: () => digest.text(),
    events: () => count,
  };
  return kernel;
}

/** A real turn of the event loop: all promises that can be kept are kept by then. */
function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

function newHost(seed: string, name: string, isMachinery = false): Host {
  return { name, random: randomOf(seed, `chance of ${name}`), isMachinery, isUp: true, frozenUntil: 0, ahead: 0 };
}

function isBefore(one: Event, other: Event): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** @param known the same event, if it was in the heap before: whoever holds it can still end it */
function push(heap: Event[], event: Event, known?: Event): void {
  const entered = known ? Object.assign(known, event) : event;
  let at = heap.push(entered) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(entered, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entered;
}

function pop(heap: Event[]): Event | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    let next = heap[below];
    if (next === undefined) break;
    const right = heap[below + 1];
    if (right !== undefined && isBefore(right, next)) {
      below += 1;
      next = right;
    }
    if (!isBefore(next, last)) break;
    heap[at] = next;
    at = below;
  }
  heap[at] = last;
  return first;
}
