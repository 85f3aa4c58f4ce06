import { expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/ground/durations.ts';
import { wasMadeBefore } from '../../../src/jobs/evidence/madeBefore.ts';
import { recordOf } from '../rows.ts';

const sentAt = Date.parse('2026-11-21T10:00:00Z');

/** Whether a record is told as made before a job, where it shows this time and is looked at so long after the sending. */
function isBefore(createdAt: string | number, after: number, ahead = 0): boolean {
  const record = recordOf('MYSQL_CLONE_SERVER-9', { createdAt });
  return wasMadeBefore(record, { sentAt, baseline: { ahead }, now: sentAt + after });
}

const shownAt = (from: number, zone = '') => new Date(sentAt + from).toISOString().replace(/\.\d+Z$/, zone);

test.each([
  ['a minute before the sending', shownAt(-minute, 'Z'), true],
  ['in the second of the sending', shownAt(-second, 'Z'), false],
  ['as a number, a minute before', sentAt - minute, true],
  ['as a number, a minute after', sentAt + minute, false],
])('a creation time with a zone tells whether a record was made before the sending: %s', (_, shown, is) => {
  expect(isBefore(shown, 2 * minute)).toBe(is);
});

test('a creation time is compared with the sending by the clock of the service', () => {
  expect(isBefore(shownAt(minute, 'Z'), 2 * minute, 5 * minute)).toBe(true);
  expect(isBefore(shownAt(minute), 10 * second, 5 * minute)).toBe(true);
});

test.each([-5 * hour, 0, 5.5 * hour, 12.75 * hour])(
  'a creation time without a zone, %i ms off, is compared by its minutes within a quarter of an hour',
  offset => {
    expect(isBefore(shownAt(offset - 20 * second), 30 * second)).toBe(true);
    expect(isBefore(shownAt(offset + 20 * second), 30 * second)).toBe(false);
    expect(isBefore(shownAt(offset - second), 30 * second)).toBe(false);
  },
);

test('a creation time without a zone tells less the longer ago the sending was, and nothing without seconds', () => {
  const early = shownAt(-3 * minute);
  expect(isBefore(early, 10 * minute)).toBe(true);
  expect(isBefore(early, 13 * minute)).toBe(false);
  expect(isBefore(shownAt(-20 * second), 3 * hour)).toBe(true);
  expect(isBefore(early.slice(0, 16), 30 * second)).toBe(false);
});

test('a time under a key that does not mean creation does not tell when a record was made', () => {
  const record = recordOf('MYSQL_CLONE_SERVER-9', { changedAt: shownAt(-minute, 'Z') });
  expect(wasMadeBefore(record, { sentAt, baseline: undefined, now: sentAt + minute })).toBe(false);
});
