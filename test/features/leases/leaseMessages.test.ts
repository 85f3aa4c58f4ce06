import { expect, test } from 'vitest';
import { leaseMessage, wishMessage } from '../../../src/features/leases/leaseMessages.ts';
import type { LeaseNotice } from '../../../src/features/leases/leaseNotice.ts';
import { readKeepFor } from '../../../src/operations/requests/keepFor.ts';
import { readCommand } from '../../../src/slack/words/commandText.ts';

const hostile = '<!channel> <https://evil.example|click> *bold* `code` \u202e';
const said: Omit<LeaseNotice, 'what'> = {
  ...{ record: 'MYSQL_CLONE_SERVER-7', name: hostile, person: 'U1', by: 'U2', endsAt: 1_000, graceUntil: 2_000 },
  ...{ why: hostile, rule: hostile, choices: ['1d'], end: 'delete', isEndless: false, grace: 3_600_000 },
  ...{ lacksSignIn: false, isHeld: true, isHeldBack: false },
};
const told = [
  ...['begun', 'cut', 'warned', 'warned late', 'asked', 'unanswered', 'stopped', 'left', 'changed'],
  ...['granted', 'declined'],
] as const;

test.each(told)('a lease’s message that tells “%s” carries hostile names as text', what => {
  for (const [outcome, isHeld] of [
    [null, true],
    [null, false],
    [hostile, true],
  ] as const) {
    // A label for screen readers is plain text: nothing in it is read as anything else.
    const isText = (key: string, value: unknown) => (key === 'accessibility_label' ? undefined : value);
    const text = JSON.stringify(leaseMessage({ ...said, what, isHeld }, outcome), isText);
    expect(text).toContain('click');
    expect(text).not.toMatch(/<!channel|<https|\u202e/);
  }
});

test('a question to a lease’s owner carries hostile names as text, and its buttons the end that is wished', () => {
  const [endsAt, wish] = [Date.UTC(2026, 11, 21, 9), { record: 'MYSQL_CLONE_SERVER-7', person: 'U1', by: 'U2' }];
  const question = wishMessage({ ...wish, name: hostile, endsAt }, null, 'n1');
  expect(JSON.stringify(question?.blocks[0])).not.toMatch(/<!channel|<https|\u202e/);
  expect(JSON.stringify(question?.blocks)).toContain('2026-12-21T09:00Z');
  expect(JSON.stringify(wishMessage({ ...wish, name: 'shop', endsAt }, 'It stays as it was.', 'n1'))).not.toContain(
    'n1',
  );
  expect(wishMessage({ what: 'warned' }, null, 'n1')).toBeUndefined();
});

/** The texts of a message’s buttons, each with its value. */
function buttonsOf(notice: Partial<LeaseNotice> & Pick<LeaseNotice, 'what'>): Record<string, string> {
  const blocks = leaseMessage({ ...said, name: 'shop-3310', ...notice }, null)?.blocks ?? [];
  const buttons = blocks.flatMap(block => (block.type === 'actions' ? block.elements : []));
  return Object.fromEntries(
    buttons.flatMap(button => (button.type === 'button' ? [[button.text.text, button.value ?? '']] : [])),
  );
}

test('a button that extends a lease says from which end, and leads to the same end after a sign-in', () => {
  const [endsAt, day] = [Date.UTC(2026, 11, 20, 9), 86_400_000];
  const warned = JSON.parse(buttonsOf({ what: 'warned', endsAt })['1 day longer'] ?? '{}');
  expect(warned).toEqual({ r: 'MYSQL_CLONE_SERVER-7', k: '1d', e: endsAt, u: '2026-12-21T09:00Z' });
  expect(readCommand(`lease ${warned.r} until=${warned.u}`).inputs).toEqual({ until: warned.u });
  expect(readKeepFor(warned.u)).toEqual({ type: 'until', at: endsAt + day });
  // Once it is over, a day counts from the click.
  const asked = JSON.parse(buttonsOf({ what: 'asked', endsAt })['1 day longer'] ?? '{}');
  expect(asked).toEqual({ r: 'MYSQL_CLONE_SERVER-7', k: '1d', e: endsAt });
  // A lease without an end has none for its buttons.
  expect(JSON.parse(buttonsOf({ what: 'asked', endsAt: undefined })['1 day longer'] ?? '{}')).not.toHaveProperty('e');
});

test.each([
  ['delete', 'you are not signed in. If you do not sign in before then, I do nothing to it, and ask you'],
  ['stop', 'you are not signed in. If you do not sign in before then, I do nothing to it, and ask you'],
  ['ask', 'will ask you what to do with it. If you sign in before then, the policy decides.'],
] as const)('a warning tells an owner who is signed out to sign in, where the lease’s end is to %s', (end, words) => {
  const notice = { ...said, what: 'warned', end, rule: 'dev' };
  expect(leaseMessage({ ...notice, lacksSignIn: true }, null)?.text).toContain(words);
  expect(leaseMessage(notice, null)?.text).not.toContain('sign');
  expect(buttonsOf({ what: 'warned', end, lacksSignIn: true })).toHaveProperty('Sign in');
  expect(buttonsOf({ what: 'warned', end })).not.toHaveProperty('Sign in');
  expect(buttonsOf({ what: 'asked', end, lacksSignIn: true })).not.toHaveProperty('Sign in');
});

test('a lease’s message whose kind only another release knows is left to that release', () => {
  expect(leaseMessage({ ...said, what: 'sold' }, null)).toBeUndefined();
});
