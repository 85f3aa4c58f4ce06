import { expect, test } from 'vitest';
import { announcesMore } from '../../src/api/reading/moreToCome.ts';

const facts = (given: object, under = '') =>
  Object.entries(given).map(([key, value]) => ({ path: `${under}${key}`, value }));

test.each([
  [{ state: 'FAILED', attempt: 1, maxAttempts: 2 }],
  [{ state: 'FAILED', attempt_number: '1', max_attempts: '3' }],
  [{ status: 'ERROR', retryCount: 0, maxRetries: 2 }],
  [{ status: 'ERROR', attemptsLeft: 1 }],
  [{ status: 'ERROR', 'retries-remaining': 2 }],
  [{ status: 'ERROR', nextAttemptAt: '2026-11-21T09:05:00Z' }],
  [{ status: 'ERROR', next_retry_time: 1_795_251_600_000 }],
  [{ status: 'ERROR', willRetry: true }],
  [{ status: 'ERROR', message: 'Attempt 1 of 2 failed: disk full' }],
  [{ status: 'ERROR', message: 'Disk full; will be retried' }],
  [{ status: 'Failure', attempts: '1 of 2' }],
  [{ status: 'Failure', attempt: '1/3' }],
  [{ status: 'ACCEPTED', queuePosition: 3 }],
])('a report that says %j announces another attempt', given => {
  expect(announcesMore(facts(given))).toBe(true);
});

test.each([
  [{ state: 'FAILED', attempt: 1 }],
  [{ state: 'FAILED', attempt: 2, maxAttempts: 2 }],
  [{ state: 'FAILED', attemptsLeft: 0, nextAttemptAt: '2026-11-21T09:05:00Z' }],
  [{ state: 'FAILED', nextAttemptAt: null }],
  [{ state: 'FAILED', nextAttemptAt: '' }],
  [{ state: 'FAILED', willRetry: false }],
  [{ state: 'FAILED', message: 'Attempt 2 of 2 failed: disk full' }],
  [{ state: 'FAILED', message: 'No next attempt' }],
  [{ state: 'FAILED', attempts: '2 of 2' }],
  [{ state: 'FAILED', steps: '1 of 2' }],
  [{ state: 'FAILED', entries: 1, maxEntries: 2 }],
  [{ state: 'FAILED', queuePosition: 0 }],
  [{ state: 'FAILED', nextBackupAt: '2026-11-21T09:05:00Z' }],
])('a report that says %j announces no other attempt', given => {
  expect(announcesMore(facts(given))).toBe(false);
});
test('the keys around a count of attempts tell what it counts', () => {
  expect(announcesMore(facts({ attempt: 1, max: 2 }, 'retry.'))).toBe(true);
});
