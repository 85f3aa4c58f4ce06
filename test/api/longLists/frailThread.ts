import { parentPort } from 'node:worker_threads';
import type { Order } from '../../../src/api/longLists/listThread.ts';

/* The thread that reads long lists, and dies of an answer that begins with "?"; of one with "!" only the first time. */
parentPort?.on('message', ({ bytes }: Order) => {
  const [first] = Buffer.from(bytes, 0, 1).toString();
  if (first === '!') Buffer.from(bytes)[0] = 0x20;
  if (first === '!' || first === '?') process.exit(1);
});
await import('../../../src/api/longLists/listThread.ts');
