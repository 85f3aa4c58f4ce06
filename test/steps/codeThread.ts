import { Session } from 'node:inspector/promises';
import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { hostile } from './shapes.ts';

/* Counts the blocks of code that run, in a thread of its own: where they are counted, all code runs several times as long. */

// Code that was compiled before counts nothing, so the readers are imported after it.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { readers, slow } = await import('./readers.ts');
const known = new Map([...readers, ...slow].map(({ name, read }) => [name, read]));
const orders = z.object({ name: z.string(), text: z.string() });
const warm = new Set<string>();

parentPort?.on('message', async order => {
  const { name, text } = orders.parse(order);
  const read = known.get(name);
  if (!read) throw new Error(`there is no reader ${name}`);
  // What is remembered of the first texts would count for these alone.
  if (!warm.has(name)) for (const shape of hostile) read(shape.of(200));
  warm.add(name);
  await session.post('Profiler.takePreciseCoverage');
  read(text);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counts = result
    .filter(({ url }) => !url.startsWith('node:'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  parentPort?.postMessage(counts.reduce((sum, count) => sum + count, 0));
});
