import { expect, test } from 'vitest';
import type { LeaseNotice } from '../../../src/jobs/leases/leaseNotice.ts';
import { leaseMessage } from '../../../src/slack/leases/leaseMessages.ts';

const hostile = '<!channel> <https://evil.example|click> *bold* `code` \u202e';
const said: Omit<LeaseNotice, 'what'> = {
  ...{ record: 'MYSQL_CLONE_SERVER-7', name: hostile, person: 'U1', by: 'U2', endsAt: 1_000, graceUntil: 2_000 },
  ...{ why: hostile, rule: hostile, choices: ['1d'], end: 'delete', isEndless: false, grace: 3_600_000 },
};
const told = ['begun', 'cut', 'warned', 'warned late', 'asked', 'unanswered', 'stopped', 'left', 'changed'] as const;

test.each(told)('a message that tells “%s” carries hostile names as text', what => {
  for (const outcome of [null, hostile]) {
    // A label for screen readers is plain text: nothing in it is read as anything else.
    const isText = (key: string, value: unknown) => (key === 'accessibility_label' ? undefined : value);
    const text = JSON.stringify(leaseMessage({ ...said, what }, outcome), isText);
    expect(text).toContain('click');
    expect(text).not.toMatch(/<!channel|<https|\u202e/);
  }
});

test('a message of another release is left to it', () => {
  expect(leaseMessage({ ...said, what: 'sold' }, null)).toBeUndefined();
});
