import { expect, test } from 'vitest';
import { faultOfPace } from '../../../src/features/workflows/consent/consentLapse.ts';
import { hour, minute } from '../../../src/ground/durations.ts';
import { aConsent } from './aConsent.ts';

test('a workflow’s step runs at most six times an hour with one consent', () => {
  const now = 100 * hour;
  const fault = (first: number) =>
    faultOfPace({ ...aConsent(), begunAt: [0, 1, 2, 3, 4, 5].map(at => first + at * minute) }, [], now);
  expect(fault(now - 50 * minute)).toContain('has run 6 times within an hour');
  expect(fault(now - 55 * minute - hour)).toBeUndefined();
  expect(fault(now + 30 * minute)).toContain('has run 6 times');
  expect(fault(now + 2 * hour)).toBeUndefined();
});
