import { describe, expect, test } from 'vitest';
import { day, minute } from '../../../src/ground/durations.ts';
import { lastWeeks } from '../../../src/jobs/timing/readTimings.ts';
import { type CountedJob, spreadOf, spreadRows, spreadWeeks } from '../../../src/jobs/timing/spread.ts';

const now = Date.UTC(2026, 10, 25, 12);

function counted(took: number, change: Partial<CountedJob> = {}): CountedJob {
  return { operation: 'clone.create', title: 'Virtual clone', environment: 'dev', took, endedAt: now, ...change };
}

/** The least of these times that so many percent of them do not exceed, found by counting them for each candidate. */
function reckoned(times: readonly number[], percent: number): number {
  const enough = times.filter(one => times.filter(other => other <= one).length * 100 >= percent * times.length);
  return Math.min(...enough);
}

describe('a spread', () => {
  test('a spread of times gives the median and 95th percentile that counting gives, however many there are', () => {
    let seed = 7;
    const drawn = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let run = 0; run < 200; run++) {
      const times = Array.from({ length: 1 + drawn(60) }, () => drawn(run % 2 === 0 ? 12 : 9_000_000));
      const before = [...times];
      expect(spreadOf(times)).toEqual({
        jobs: times.length,
        median: reckoned(times, 50),
        most: reckoned(times, 95),
      });
      expect(times).toEqual(before);
    }
  });

  test('a spread of no times is an error', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

test('the rows of timings are kinds of jobs on environments, the most frequent first', () => {
  const jobs = [
    counted(1),
    counted(3, { title: 'Physical clone' }),
    counted(5, { environment: 'prod' }),
    counted(2),
    counted(7, { operation: 'snapshot.delete', title: 'Deletion', environment: null }),
    counted(8, { operation: 'user.delete', title: 'Deletion', environment: null }),
  ];
  expect(spreadRows(jobs).map(({ title, environment, jobs: many }) => [title, environment, many])).toEqual([
    ['Virtual clone', 'dev', 2],
    ['Deletion', null, 1],
    ['Deletion', null, 1],
    ['Physical clone', 'dev', 1],
    ['Virtual clone', 'prod', 1],
  ]);
});

test('the weeks of timings begin on Mondays, the last one is under way, and each job counts in its own', () => {
  const weeks = lastWeeks(now);
  expect(weeks).toHaveLength(12);
  expect(weeks.every(from => new Date(from).getUTCDay() === 1 && from % day === 0)).toBe(true);
  expect(new Date(weeks.at(-1) ?? 0).toISOString()).toBe('2026-11-23T00:00:00.000Z');
  expect(lastWeeks(Date.UTC(2026, 10, 23)).at(-1)).toBe(Date.UTC(2026, 10, 23));
  expect(lastWeeks(Date.UTC(2026, 10, 23) - 1).at(-1)).toBe(Date.UTC(2026, 10, 16));
  const jobs = [
    counted(4 * minute, { endedAt: weeks[3] ?? 0 }),
    counted(2 * minute, { endedAt: (weeks[4] ?? 0) - 1 }),
    counted(9 * minute, { endedAt: now }),
    counted(minute, { endedAt: (weeks[0] ?? 0) - 1 }),
  ];
  expect(spreadWeeks(jobs, weeks)).toEqual([
    { from: weeks[3], jobs: 2, median: 2 * minute, most: 4 * minute },
    { from: weeks[11], jobs: 1, median: 9 * minute, most: 9 * minute },
  ]);
});
