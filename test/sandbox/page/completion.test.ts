import { expect, test } from 'vitest';
import { asTyped, mentionHints, withHint } from '../../../src/sandbox/playground/page/completion.ts';

const people = [
  { id: 'U1', name: 'ana', realName: 'Ana', title: 'DBA lead', isBot: false },
  { id: 'U9', name: 'dolly', realName: 'Dolly', title: '', isBot: true },
];
const channels = [{ id: 'C1', name: 'dev', topic: '', kind: 'public' as const, members: [] }];

test.each([
  ['@', ['@dolly', '@ana']],
  ['look, @AN', ['@ana']],
  ['@nobody', []],
  ['mail ana@', []],
  ['@dolly clone', []],
])('the playground completes “%s” by the mentions %j', (text, hints) => {
  expect(mentionHints(text, people).map(({ command }) => command)).toEqual(hints);
});

test('a completion that is chosen in the playground takes the place of what was typed of it', () => {
  const [dolly = { command: '', usageHint: '', description: '' }] = mentionHints('now @do', people);
  expect(withHint('now @do', dolly)).toBe('now @dolly ');
  expect(withHint('/cl', { command: '/clone', usageHint: '', description: '' })).toBe('/clone ');
});

test('a message in the playground is edited in the form in which it was typed', () => {
  const stored = '<@U9> clone <http://a.example|a.example> in <#C1|dev> &amp; &lt;b&gt; for <@U7>';
  expect(asTyped(stored, { people, channels })).toBe('@dolly clone a.example in #dev & <b> for @U7');
});
