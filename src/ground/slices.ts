import { performance } from 'node:perf_hooks';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** The length of a slice, in milliseconds. An ack takes several turns of the event loop, and may wait in each of them. */
const slice = 4;

/** The turn of the loop in which the next slice begins. */
let nextTurn = Promise.resolve();

/** Lets other work have its turn. Of all work in slices, one slice runs in each turn of the event loop. */
export function breath(): Promise<void> {
  nextTurn = nextTurn.then(() => turnOfLoop());
  return nextTurn;
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
