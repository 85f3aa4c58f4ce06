import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** The length of a slice, in milliseconds. An ack takes several turns of the event loop, and may wait in each of them. */
const slice = 4;

/** How urgent work in slices is, the most urgent first: somebody types and waits, somebody waits, nobody waits. */
const urgencies = ['typing', 'asked', 'watching'] as const;
export type Urgency = (typeof urgencies)[number];

/** Whose work in slices is, and how urgent it is. */
export type Turn = Readonly<{ whose: string; urgency: Urgency }>;

const turns = new AsyncLocalStorage<Turn>();
const usual: Turn = { whose: '', urgency: 'asked' };

/** The turn of the work that is under way. */
export function presentTurn(): Turn {
  return turns.getStore() ?? usual;
}

/** Does work whose slices take this turn; what is left out is as around it. */
export function inTurn<T>(turn: Partial<Turn>, work: () => T): T {
  return turns.run({ ...presentTurn(), ...turn }, work);
}

/**
 * A line in which everybody waits for a turn: the most urgent come first, and where several people's are, each person's
 * in turn.
 */
export type Line<T> = {
  add(turn: Turn, entry: T): void;
  /** Takes the first one out, if it is wanted. */
  next(isWanted?: (entry: T) => boolean): T | undefined;
};

export function openLine<T>(): Line<T> {
  const lines = new Map<Urgency, Map<string, T[]>>(urgencies.map(urgency => [urgency, new Map()]));
  return {
    add({ whose, urgency }, entry) {
      const line = lines.get(urgency);
      const own = line?.get(whose);
      if (own) own.push(entry);
      else line?.set(whose, [entry]);
    },
    next(isWanted = () => true) {
      const line = lines.values().find(({ size }) => size > 0);
      const [first] = line ?? [];
      if (!line || !first) return undefined;
      const [whose, [next, ...later]] = first;
      if (next === undefined || !isWanted(next)) return undefined;
      line.delete(whose);
      if (later.length > 0) line.set(whose, later);
      return next;
    },
  };
}

const waiting = openLine<() => void>();
let areTaken = false;

/** Lets other work have its turn. Of all work in slices, one slice runs in each turn of the event loop. */
export function breath(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(presentTurn(), resolve);
  if (!areTaken) void takeTurns();
  return promise;
}

async function takeTurns(): Promise<void> {
  areTaken = true;
  for (;;) {
    await turnOfLoop();
    const next = waiting.next();
    if (!next) break;
    next();
  }
  areTaken = false;
}

/** Runs `work` to its end, in slices, which may end at each `yield`. Returns what `work` returns. */
export async function runInSlices<T>(work: Iterator<unknown, T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < slice) continue;
    await breath();
    began = performance.now();
  }
}

/** Maps many items with `make`, in slices. */
export function mapInSlices<T, U>(items: Iterable<T>, make: (item: T) => U): Promise<U[]> {
  return runInSlices(mapping(items, make));
}

function* mapping<T, U>(items: Iterable<T>, make: (item: T) => U): Generator<undefined, U[]> {
  const made: U[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

/** Sorts many items in slices: short runs of them, and then longer and longer ones. Equal items keep their order. */
export async function sortInSlices<T extends object>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const starts = Array.from({ length: Math.ceil(items.length / runLength) }, (_, run) => run * runLength);
  let runs: T[][] = await mapInSlices(starts, from => items.slice(from, from + runLength).sort(compare));
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await runInSlices(merging(runs[at] ?? [], runs[at + 1] ?? [], compare)));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The number of items that are sorted at once. */
const runLength = 500;

function* merging<T extends object>(left: T[], right: T[], compare: (a: T, b: T) => number): Generator<undefined, T[]> {
  const merged: T[] = [];
  let next = 0;
  for (const item of left) {
    for (let other = right[next]; other !== undefined && compare(other, item) < 0; other = right[next]) {
      merged.push(other);
      next += 1;
      yield;
    }
    merged.push(item);
    yield;
  }
  return merged.concat(right.slice(next));
}
