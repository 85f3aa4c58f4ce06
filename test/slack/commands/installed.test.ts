import { expect, test } from 'vitest';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { installedMessage } from '../../../src/slack/commands/installed.ts';

const names = { db: '/db', clone: '/clone', restore: '/restore' };

test('the person who installed Dolly reads what is missing or could not be checked, and nothing of what is well', () => {
  const { text } = installedMessage(names, [
    { good: true, text: 'Store: it answers.' },
    { good: false, text: 'Approvers: nobody is listed.' },
    { good: 'unseen', text: 'Scopes: Slack does not say.' },
  ]);
  expect(text).toContain(':warning: Approvers: nobody is listed.\n:grey_question: Scopes');
  expect(text).not.toContain('Store');
});

test('the message after an installation says that nothing is missing, or fits a long list into what Slack takes', () => {
  expect(installedMessage(names, [{ good: true, text: 'Store: it answers.' }]).text).toContain('Nothing is missing');
  const many = Array.from({ length: 40 }, (_, at) => ({ good: false, text: `${at} ${'x'.repeat(2_900)}` }));
  expect(messageFaults(installedMessage(names, many).blocks)).toEqual([]);
});
