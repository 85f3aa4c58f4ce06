import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standstill } from './quiet.ts';
import { watch } from './sandbox/playground/watch.ts';
import { type World, world } from './world.ts';

/* A wait in a world of one process ends soon once it is in vain, and not before. */

let earth: World;

beforeAll(async () => {
  earth = await world();
  await earth.enters('Ana');
});
afterAll(() => earth.close());

/** Two seconds: on a busy machine, half a second passes between two moves. */
const soon = (signal: AbortSignal) => standstill(signal, 20);

test('a test’s wait for what never comes ends once nothing moves, and says what it waited for', async () => {
  const watcher = await watch(earth.playground.url, 'U0ANA00001', soon);
  await expect(watcher.until(() => false, 'an answer')).rejects.toThrow(
    'ana waited in vain for an answer: nothing moves any more',
  );
  watcher.stop();
});

test('a test’s wait lasts as long as a clock is turned or a request comes and goes', async () => {
  let stands = false;
  const ended = new AbortController();
  // Two seconds: a busy machine may hold each move up for a while.
  const standing = standstill(ended.signal, 20).then(() => {
    stands = true;
  });
  for (const move of [() => earth.clock.advance(1), () => fetch(`${earth.playground.url}/play/state`)])
    for (let time = 0; time < 15; time++) {
      await move();
      await sleep(80);
    }
  expect(stands).toBe(false);
  ended.abort();
  await expect(standing).rejects.toThrow('aborted');
});

test('a test’s wait lasts as long as a thread works at an order', async () => {
  const works = "require('node:worker_threads').parentPort.on('message', ms => setTimeout(() => process.exit(), ms))";
  const thread = new Worker(works, { eval: true });
  const ended = once(thread, 'exit').then(() => 'the thread');
  thread.postMessage(1_500);
  const standing = standstill(new AbortController().signal, 3).then(() => 'the wait');
  expect(await Promise.race([ended, standing])).toBe('the thread');
  expect(await standing).toBe('the wait');
});

test('a test’s wait ends well where its condition holds at the end, though no event told of it', async () => {
  const watcher = await watch(earth.playground.url, 'U0ANA00001', soon);
  let isThere = false;
  const waiting = watcher.until(() => isThere, 'it');
  isThere = true;
  expect(await waiting).toBe(true);
  watcher.stop();
});
