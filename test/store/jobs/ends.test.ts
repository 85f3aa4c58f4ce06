import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasPostgres } from '../../postgresServer.ts';
import { jobsOf, sent, stores, wish } from '../folder.ts';
import { claimFor, moveJob } from '../steps.ts';

test.runIf(hasPostgres)('many jobs that end at the same moment share their transactions in PostgreSQL', async () => {
  const [, open] = stores.at(-1) ?? [];
  const store = await open?.();
  if (!store) throw new Error('there is no PostgreSQL');
  const jobs = jobsOf(store);
  const running = await Promise.all(
    Array.from({ length: 21 }, async () => {
      const { job } = await jobs.add(wish());
      await moveJob(jobs, job.id, 'new', 'sending', sent(0), 0);
      return {
        id: job.id,
        state: await moveJob(jobs, job.id, 'sending', 'running', {}, 0).then(() => 'running' as const),
        sentAt: 0,
      };
    }),
  );
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  const [first] = running;
  if (!first) throw new Error('there are none');
  // The claim and the step that rests on it: one transaction.
  expect(await claimFor(jobs, first, 'MYSQL_CLONE_SERVER-1')).toBe(true);
  expect(spy.mock.calls).toHaveLength(4);
  spy.mockClear();

  const changes = { endedAt: 1, dueAt: null, reason: 'It is there.' };
  const end = { state: 'succeeded', changes, trail: { event: 'succeeded' }, news: true } as const;
  const ended = await Promise.all(running.map(job => jobs.applyAlong(job, end, 1)));
  expect(ended.map(job => job?.state)).toEqual(running.map(() => 'succeeded'));
  // Of the first one alone, and then of twenty: the begin, one statement a job, all their entries in the trail, the end.
  expect(spy.mock.calls).toHaveLength(3 + 1 + (3 + 20));
  expect(await jobs.applyAlong(first, end, 2)).toBeUndefined();
});
