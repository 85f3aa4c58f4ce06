import { performance } from 'node:perf_hooks';
import { setImmediate as breath } from 'node:timers/promises';

/** The length of a slice, in milliseconds. */
const slice = 10;

/** Maps many items with `make`, in slices. Other work has its turn between them, since an ack has three seconds. */
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
