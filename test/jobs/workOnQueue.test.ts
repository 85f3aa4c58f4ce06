import { pino } from 'pino';
import { expect, test } from 'vitest';
import { lockTime } from '../../src/ground/loop.ts';
import { type QueueLoop, workOnQueue } from '../../src/jobs/workOnQueue.ts';
import { addDue, type DueQueue, queueOf } from '../../src/store/dueQueue.ts';
import { type TestClock, testClock } from '../clock.ts';
import { folder, storeIn } from '../store/folder.ts';

/** A row that is due, and a process whose work on rows goes on until the test ends it. */
async function atWork() {
  const clock = testClock();
  const store = await storeIn(folder());
  const queue = queueOf(store, 'test', async ids => new Map(ids.map(id => [id, id])));
  const work = Promise.withResolvers<void>();
  const loop = workOnQueue(
    { clock, log: pino({ level: 'silent' }), isUninstalled: async () => false },
    {
      ...{ name: 'tests', queue, maxAtOnce: 10, groupsAtOnce: 10 },
      groupOf: id => id,
      shared: () => undefined,
      async step({ due }) {
        await work.promise;
        await queue.rest(due, null, { now: clock.now() });
      },
      pauseAfter: () => lockTime,
    },
  );
  const row = { kind: 'test', id: 'one', team: 'T1' };
  return { clock, store, queue, work, loop, row };
}

/** Whether another process gets the row, so long after this one began to stop. */
async function isTakenWhileStopping(
  { clock, queue, work }: Readonly<{ clock: TestClock; queue: DueQueue<string>; work: PromiseWithResolvers<void> }>,
  loop: QueueLoop,
): Promise<boolean> {
  const stopped = loop.stop();
  await clock.advance(lockTime + 1_000);
  const taken = await queue.take(clock.now(), 1);
  work.resolve();
  await stopped;
  return taken.length > 0;
}

test('a process that stops keeps the lock of a row until its work on it is done', async () => {
  const { loop, row, ...parts } = await atWork();
  await addDue(parts.store, [{ ...row, dueAt: parts.clock.now(), now: parts.clock.now() }]);
  loop.wake();
  await parts.clock.advance(0);
  expect(await isTakenWhileStopping(parts, loop)).toBe(false);
  expect(await parts.queue.nextTime(parts.clock.now())).toBeUndefined();
});

test('a process that stops also keeps the lock of a row that it took by itself, until its work is done', async () => {
  const { loop, row, ...parts } = await atWork();
  const { clock, store, work } = parts;
  await clock.advance(0);
  const now = clock.now();
  await addDue(store, [{ ...row, dueAt: now, now, lockedUntil: now + lockTime }]);
  const kept = loop.keep({ ...row, dueAt: now, setAt: now, fence: 0, tries: 0 }, () => work.promise);
  expect(await isTakenWhileStopping(parts, loop)).toBe(false);
  await kept;
});
