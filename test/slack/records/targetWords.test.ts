import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { lengthOf, lossAsked, lossSentence, meetingLines } from '../../../src/slack/records/targetWords.ts';
import type { Impact } from '../../../src/store/jobs/rows/data.ts';

const at = Date.UTC(2026, 10, 22, 12);
const snapshot = { id: 'MYSQL_SNAPSHOT-1', takenAt: at - (6 * hour + 12 * minute), isLatest: false };
const impact: Impact = { at, snapshot, jobs: [] };
/** Moments as a reader in UTC sees them. */
const read = (text: string | undefined) => text?.replace(/<!date[^|]*\|([^>]*)>/g, '$1');

test.each([
  [0, 'a minute'],
  [59_999, 'a minute'],
  [minute, '1 minute'],
  [hour, '1 hour'],
  [6 * hour + 12 * minute + 1, '6 hours 13 minutes'],
  [day, '1 day'],
  [day - 1, '1 day'],
  [day + minute, '1 day 1 hour'],
  [3 * day + 2 * hour + 30 * minute, '3 days 3 hours'],
])('a length of %i milliseconds is told as at most %s', (milliseconds, words) => {
  expect(lengthOf(milliseconds)).toBe(words);
});

describe('the loss by a restore is said', () => {
  test.each([
    [
      impact,
      'asked',
      '*Up to 6 hours 12 minutes of changes, and all later ones, will be lost*: the snapshot is of 2026-11-22 05:48:00 UTC.',
    ],
    [impact, 'sent', '*Up to 6 hours 12 minutes of changes will be lost*: the snapshot is of 2026-11-22 05:48:00 UTC.'],
    [impact, 'done', '*Up to 6 hours 12 minutes of changes are lost*: the snapshot was of 2026-11-22 05:48:00 UTC.'],
    [
      { ...impact, snapshot: { ...snapshot, isLatest: true } },
      'sent',
      '*Up to 6 hours 12 minutes of changes will be lost*: the latest snapshot is of 2026-11-22 05:48:00 UTC.',
    ],
  ] as const)(
    'a restore tells how much will be lost and of when its snapshot is (case %#)',
    (known, stage, sentence) => {
      expect(read(lossSentence(known, stage))).toBe(sentence);
    },
  );
  test.each([
    ['whose snapshot is not known', { at, jobs: [] }],
    ['whose snapshot has no time', { at, jobs: [], snapshot: { id: 'MYSQL_SNAPSHOT-1', isLatest: true } }],
    ['whose snapshot is of the future', { ...impact, snapshot: { ...snapshot, takenAt: at + minute } }],
  ])('a restore %s tells no loss', (_, known) => {
    expect(lossSentence(known, 'asked')).toBeUndefined();
  });
});

test('a restore warns of a snapshot that cannot be used, and names the latest one that can', () => {
  const unfit = { name: 'new <!here>', why: 'is being made', isChosen: false };
  const left: Impact = { ...impact, snapshot: { ...snapshot, isLatest: true }, unfit };
  expect(lossSentence(left, 'sent')).toContain('lost*: the latest snapshot that can be used is ');
  expect(lossSentence(left, 'done')).toMatch(/, unless the service took an older one\.$/);
  expect(meetingLines(left)).toEqual([
    ':warning: The service chooses the snapshot, perhaps an older one: new &lt;!here&gt;, the newest one shown, is being made.',
  ]);
  const chosen: Impact = { at, jobs: [], unfit: { ...unfit, isChosen: true } };
  expect(lossSentence(chosen, 'sent')).toBeUndefined();
  expect(meetingLines(chosen)).toEqual([
    ':warning: The snapshot new &lt;!here&gt; is being made. The service may refuse it.',
  ]);
});

test('a restore says how far it goes back, whether a backup comes first or not', () => {
  const restore = { rewinds: 'It goes back.' };
  expect(read(lossAsked(restore, impact, false))).toContain('Up to 6 hours 12 minutes of changes');
  expect(read(lossAsked(restore, impact, true))).toMatch(
    /^\*It goes back 6 hours 12 minutes\*, to the snapshot of 2026-11-22 05:48:00 UTC\. The backup made first keeps/,
  );
  const undated = { ...impact, snapshot: { id: 'MYSQL_SNAPSHOT-1', isLatest: true } };
  expect(lossAsked(restore, undated, true)).toMatch(/^The backup made first keeps/);
});

describe('what a restore meets', () => {
  test('a restore tells in lines which newer snapshots, clones and jobs it meets, and nothing unknown', () => {
    expect(meetingLines(impact)).toEqual([]);
    const all: Impact = {
      ...impact,
      newer: { names: ['a', 'b'], more: 0 },
      clones: { names: ['shop-1'], more: 0 },
      jobs: [{ title: 'Backup', by: 'Ben' }],
      backup: { by: 'Dev *x*', at },
    };
    expect(meetingLines(all).map(read)).toEqual([
      '2 snapshots are newer than it: a, b.',
      '1 clone depends on it: shop-1.',
      'Under way on it: Backup (asked by Ben).',
      'Dev ∗x∗ asked for the last backup that I saw finish, 2026-11-22 12:00:00 UTC.',
    ]);
    const many = { names: Array.from({ length: 5 }, () => `<!channel>${'x'.repeat(300)}`), more: 7 };
    const jobs = Array.from({ length: 5 }, () => ({ title: 'y'.repeat(300), by: 'z'.repeat(300) }));
    const long = meetingLines({ ...all, newer: many, clones: many, jobs }).join('\n');
    expect(long).toContain('12 clones depend on it');
    expect(long).not.toContain('<!channel>');
    expect(long.length).toBeLessThan(1_500);
  });
});
