import { performance } from 'node:perf_hooks';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** The length of a slice, in milliseconds. An ack takes several turns of the event loop, and may wait in each of them. */
const slice = 4;

/** The turn of the loop in which the next slice begins. */
let nextTurn = Promise.resolve();

/** Lets other work have its turn. Of all work in slices, one slice runs in each turn of the event loop. */
function breath(): Promise<void> {
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
