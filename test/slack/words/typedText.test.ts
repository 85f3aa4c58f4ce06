import { expect, test } from 'vitest';
import { readCommand } from '../../../src/slack/words/commandText.ts';
import { typedText } from '../../../src/slack/words/typedText.ts';

const bot = 'U0DOLLY001';
/** The words and fields that Dolly reads in a message. */
const read = (text: string) => {
  const { words, inputs } = readCommand(typedText(text, bot));
  return [...words, inputs];
};

test.each([
  ['a mention alone', '<@U0DOLLY001>', [{}]],
  ['a mention in front', '<@U0DOLLY001> clone shop port=3310', ['clone', 'shop', { port: '3310' }]],
  ['a mention with a comma', '<@U0DOLLY001>, clone shop', ['clone', 'shop', {}]],
  ['a mention with its name', '<@U0DOLLY001|dolly>: list', ['list', {}]],
  ['a mention at the end', 'backup shop <@U0DOLLY001>!', ['backup', 'shop', {}]],
  ['a mention in the middle, and another one', 'clone <@U0DOLLY001> shop <@U0DOLLY001>', ['clone', 'shop', {}]],
  ['another person', '<@U0DOLLY001> audit by=<@U0ANA00001>', ['audit', { by: '<@U0ANA00001>' }]],
  ['another person with a name', '<@U0DOLLY001> audit by=<@U0ANA00001|ana>', ['audit', { by: '@ana' }]],
  ['a channel', 'report daily <#C0DEV00001|dev>', ['report', 'daily', '#dev', {}]],
  ['a channel without a name', 'list <#C0DEV00001>', ['list', '<#C0DEV00001>', {}]],
  ['a group', 'list <!subteam^S0DBAS0001|@dbas>', ['list', '@dbas', {}]],
  ['everybody', 'list <!here>', ['list', '@here', {}]],
  ['a moment', 'show <!date^1392734382^{date}|2026-02-18>', ['show', '2026-02-18', {}]],
  ['a domain that Slack links', 'show <http://shop.example.com|shop.example.com>', ['show', 'shop.example.com', {}]],
  ['an address', 'show <https://shop.example.com/a?b=1&amp;c=2>', ['show', 'https://shop.example.com/a?b=1&c=2', {}]],
  ['an address in a field', 'audit by=<mailto:ana@example.com|ana@example.com>', ['audit', { by: 'ana@example.com' }]],
  ['escapes', 'show a&amp;b &lt;c&gt; &amp;lt;', ['show', 'a&b', '<c>', '&lt;', {}]],
  ['a mention that was only typed', 'show &lt;@U0DOLLY001&gt;', ['show', '<@U0DOLLY001>', {}]],
  ['smart quotes', 'show “big shop” reason=„it’s late“', ['show', 'big shop', { reason: 'it’s late' }]],
  ['smart quotes around a field', 'clone shop reason=“for QA”', ['clone', 'shop', { reason: 'for QA' }]],
  ['dashes of a phone', 'lease shop—qa until=2026–12–24 −1', ['lease', 'shop--qa', '-1', { until: '2026-12-24' }]],
  ['blanks of all kinds', '  clone\u00a0shop \t port=3310\u2003 ', ['clone', 'shop', { port: '3310' }]],
  ['what shows nothing', '\u2060clone\u200b sh\u00adop\ufeff', ['clone', 'shop', {}]],
  ['several lines', '<@U0DOLLY001>\nclone shop\nport=3310', ['clone', 'shop', { port: '3310' }]],
  ['code', '<@U0DOLLY001> `clone shop` port=`3310`', ['clone', 'shop', { port: '3310' }]],
  ['a block of code', '<@U0DOLLY001> ```\nclone shop\nport=3310\n```', ['clone', 'shop', { port: '3310' }]],
  ['a block of code in one line', '```clone shop```', ['clone', 'shop', {}]],
  ['bold', '*clone* shop *port=3310*', ['clone', 'shop', { port: '3310' }]],
  ['stars that are no marks', 'list shop* *', ['list', 'shop*', '*', {}]],
  ['underscores of a name', 'show _my_db_', ['show', '_my_db_', {}]],
  ['a quote', '&gt; clone shop', ['clone', 'shop', {}]],
  [
    'values over several lines',
    "clone shop databaseParams='a=1\nb=2'",
    ['clone', 'shop', { databaseParams: 'a=1\nb=2' }],
  ],
  ['an entity that never ends', 'show <@U0DOLLY001 shop', ['show', '<@U0DOLLY001', 'shop', {}]],
  ['nothing at all', '', [{}]],
])('a message with %s is read as it was typed', (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('the mention that a text begins with counts as Dolly’s where the id of Dolly’s user is not known', () => {
  expect(typedText('<@U0DOLLY002> audit by=<@U0ANA00001>', undefined)).toBe('audit by=<@U0ANA00001>');
});
