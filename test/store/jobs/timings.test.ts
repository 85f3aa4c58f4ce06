import { describe, expect, test } from 'vitest';
import { readTimings, timingReach } from '../../../src/jobs/timing/readTimings.ts';
import type { Store } from '../../../src/store/database.ts';
import { fresh } from '../../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { jobsOf, stores } from '../folder.ts';

const now = Date.UTC(2026, 10, 25, 12);
const from = Date.UTC(2026, 10, 23);
let count = 0;

/** The row of a confirmed clone, with what a test changes in it. */
function row(change: Partial<JobRow> = {}): JobRow {
  count += 1;
  const endedAt = change.endedAt ?? now - 60_000;
  return {
    ...fresh,
    ...{ id: `job-${String(count).padStart(6, '0')}`, requestKey: `request-${count}`, team: 'T1', person: 'U1' },
    ...{ operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-1', targetName: 'orders', channel: 'C1', purpose: null },
    inputs: '{"cloneType":"VIRTUALCLONE","targetEnvironment":"HOST_ENVIRONMENT-4"}',
    ...{ labels: '{"HOST_ENVIRONMENT-4":"dev"}', state: 'succeeded', createdAt: now, dueAt: null, tellAt: null },
    ...{ sentAt: (endedAt ?? now) - 5_000, endedAt, ...change },
  };
}

async function add(store: Store, rows: readonly JobRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 80)
    await store
      .insertInto('jobs')
      .values(rows.slice(at, at + 80))
      .execute();
}

const nobody = { list: async () => ({ records: [], cut: false }) };
const asker = { team: 'T1', person: 'U1', channel: 'C9', now };

describe.each(stores)('how long jobs took is read in %s:', (_, open) => {
  test('timings are read of one workspace’s confirmed jobs, in pages that leave out none and repeat none', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    // Many end in the same millisecond.
    const mine = Array.from({ length: 25 }, (_row, at) => row({ endedAt: from + (at % 3) }));
    await add(store, [
      ...mine,
      row({ team: 'T2', endedAt: from }),
      row({ endedAt: from - 1 }),
      row({ endedAt: now }),
      row({ state: 'failed', endedAt: from }),
      row({ state: 'unconfirmed', endedAt: from }),
      row({ state: 'running', endedAt: null }),
      row({ endedAt: from, inputs: 'not JSON' }),
      row({ endedAt: from, sentAt: from + 1 }),
    ]);
    const read: string[] = [];
    let before: { at: number; id: string } | undefined = { at: from + 3, id: '' };
    for (let turn = 0; before && turn < 20; turn++) {
      const page: Awaited<ReturnType<typeof jobs.timings>> = await jobs.timings('T1', { from, before }, 4);
      expect(page.timings.length).toBeLessThanOrEqual(4);
      read.push(...page.timings.map(({ id }) => id));
      before = page.next;
    }
    expect(read.toSorted()).toEqual(mine.map(({ id }) => id).toSorted());
    const [latest] = (await jobs.timings('T1', { from, before: { at: from + 3, id: '' } }, 1)).timings;
    expect(latest).toMatchObject({ operation: 'clone.create', took: 5_000, endedAt: from + 2, person: 'U1' });
  });

  test('of a week with very many jobs, only the latest timings are read, and that is told', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const many = timingReach.jobsOfWeek + timingReach.page;
    await add(
      store,
      Array.from({ length: many }, (_row, at) => row({ endedAt: now - at, sentAt: now - at - (at === 0 ? 1 : 9_000) })),
    );
    let pages = 0;
    const counting = {
      timings: (...asked: Parameters<typeof jobs.timings>) => {
        pages += 1;
        return jobs.timings(...asked);
      },
    };
    const read = await readTimings({ jobs: counting, records: nobody }, asker);
    expect(read).toMatchObject({ isPart: true, isBlind: false });
    expect(read.jobs).toHaveLength(timingReach.jobsOfWeek);
    expect(Math.min(...read.jobs.map(({ took }) => took))).toBe(1);
    expect(pages).toBeLessThanOrEqual(timingReach.jobsOfWeek / timingReach.page + timingReach.weeks);
  });
});
