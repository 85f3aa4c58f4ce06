import { performance } from 'node:perf_hooks';
import { setImmediate as breath } from 'node:timers/promises';

/** For so long work goes on at a time, in milliseconds. */
const slice = 10;

/** What `make` gives for each of many items; whatever else waits has its turn in between, since an ack has three seconds. */
export async function mapInSlices<T, U>(items: Iterable<T>, make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  let began = performance.now();
  for (const item of items) {
    made.push(make(item));
    if (performance.now() - began < slice) continue;
    await breath();
    began = performance.now();
  }
  return made;
}
