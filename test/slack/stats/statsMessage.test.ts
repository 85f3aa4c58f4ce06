import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/ground/durations.ts';
import { lastWeeks } from '../../../src/jobs/timing/readTimings.ts';
import type { CountedJob } from '../../../src/jobs/timing/spread.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { tookWords } from '../../../src/slack/blocks/durationWords.ts';
import { statsMessage } from '../../../src/slack/stats/statsMessage.ts';

const now = Date.UTC(2026, 10, 25, 12);
const weeks = lastWeeks(now);
const frame = { weeks, isPart: false, isBlind: false, words: [], jobsDays: 400 };
const evil = '<!channel> <@U9> <http://x|y> & `*_~ \u202e\u0007 🐑 ';

function counted(took: number, change: Partial<CountedJob> = {}): CountedJob {
  return { operation: 'clone.create', title: 'Virtual clone', environment: 'dev', took, endedAt: now, ...change };
}

/** The table of a message as text, row by row. */
function tableIn(jobs: readonly CountedJob[]): string[][] {
  const table = statsMessage(jobs, frame).blocks.find(block => block.type === 'data_table');
  return table?.type === 'data_table'
    ? table.rows.map(row => row.map(cell => (cell.type === 'rich_text' ? '' : cell.text)))
    : [];
}

test('the statistics name the most frequent kinds of jobs in a line each, and all of them in the table', () => {
  const jobs = [
    ...[10, 20, 30].map(took => counted(took * second)),
    counted(2 * hour, { environment: 'prod' }),
    counted(90 * second, { operation: 'database.backup', title: 'Backup', environment: null }),
  ];
  const { text } = statsMessage(jobs, frame);
  expect(text).toContain('*How long it takes*  ·  5 confirmed jobs');
  expect(text).toContain('*Virtual clone*: half of them within 20 s, 95 % within 2 h');
  expect(text).toContain('With fewer than 20 jobs, 95 % means the longest.');
  expect(tableIn(jobs)).toEqual([
    ['Operation', 'Environment', 'Median', '95 %', 'Jobs'],
    ['Virtual clone', 'dev', '20 s', '30 s', '3'],
    ['Backup', '–', '1 min 30 s', '1 min 30 s', '1'],
    ['Virtual clone', 'prod', '2 h', '2 h', '1'],
  ]);
});

test('the statistics chart the two most frequent kinds of jobs with two weeks, by their median and 95 %', () => {
  const of = (title: string, many: number, at: readonly (number | undefined)[]) =>
    at.flatMap(endedAt => Array.from({ length: many }, () => counted(3 * minute, { title, endedAt: endedAt ?? 0 })));
  const jobs = [
    ...of('Restore', 9, [now]),
    ...of('Virtual clone', 3, [weeks[2], now]),
    ...of('Backup', 2, [weeks[9], weeks[10]]),
    ...of('Stop', 1, [weeks[9], now]),
  ];
  const charts = statsMessage(jobs, frame).blocks.filter(block => block.type === 'data_visualization');
  expect(charts.map(({ title }) => title)).toEqual(['Virtual clone, week by week', 'Backup, week by week']);
  expect(charts[0]?.chart).toMatchObject({
    type: 'line',
    series: [
      {
        name: 'Median',
        data: [
          { label: '21 Sept', value: 3 },
          { label: '23 Nov', value: 3 },
        ],
      },
      { name: '95 %', data: [{ value: 3 }, { value: 3 }] },
    ],
    axis_config: { y_label: 'minutes' },
  });
});

test('the statistics tell deletions of snapshots and of users apart', () => {
  const deletion = (operation: string) => counted(second, { operation, title: 'Deletion', environment: null });
  expect(tableIn([deletion('snapshot.delete'), deletion('user.delete')]).map(([title]) => title)).toEqual([
    'Operation',
    'Deletion (snapshots)',
    'Deletion (users)',
  ]);
});

describe('what is not known is said', () => {
  test('the statistics say so where no job that a person may see was confirmed', () => {
    const { text } = statsMessage([], { ...frame, words: ['<!here>'] });
    expect(text).toContain(
      'Of the jobs that match `&lt;!here&gt;` you may see, none was confirmed in the last 12 weeks',
    );
    expect(statsMessage([], { ...frame, isBlind: true }).text).toContain('only your own jobs count');
  });

  test('the statistics say so where only some jobs count, or jobs are kept for less long', () => {
    const { text } = statsMessage([counted(1)], { ...frame, isPart: true, isBlind: true, jobsDays: 30 });
    expect(text).toContain('the workspace’s latest 1,000 jobs');
    expect(text).toContain('only your own jobs count');
    expect(text).toContain('30 days, as long as jobs are kept');
    expect(text).not.toContain('95 % means the longest');
  });
});

test('statistics with hostile names and very many kinds of jobs break no limit and mention nobody', () => {
  const jobs = Array.from({ length: 400 }, (_, at) =>
    counted(at * minute, { environment: `${evil}${at}`.repeat(9), endedAt: weeks[at % 12] ?? 0 }),
  );
  const { blocks, plain = [], text } = statsMessage(jobs, { ...frame, words: [evil, '&'.repeat(900)] });
  for (const form of [blocks, plain]) expect(messageFaults(form)).toEqual([]);
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(`${text}${JSON.stringify(plain)}`).not.toMatch(/<!channel>|<@U9>|<http/);
});

test.each([
  [0, 'under 1 s'],
  [999, 'under 1 s'],
  [second, '1 s'],
  [59 * second, '59 s'],
  [minute, '1 min'],
  [minute + 5 * second, '1 min 5 s'],
  [2 * hour + 59 * second, '2 h'],
  [day, '1 day'],
  [3 * day + 4 * hour + minute, '3 days 4 h'],
  [-5, 'under 1 s'],
])('a job of %d ms is told to have taken %s', (length, words) => {
  expect(tookWords(length)).toBe(words);
});
