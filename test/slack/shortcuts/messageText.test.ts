import { expect, test } from 'vitest';
import { identifiersIn, namedInText } from '../../../src/records/inText.ts';
import { textOfMessage } from '../../../src/slack/shortcuts/messageText.ts';
import { recordOf } from '../../jobs/rows.ts';

const words = (message: unknown) => textOfMessage(message).split(/\s+/).filter(Boolean);

test('the text of a person’s message is read without Slack’s escapes, and names inside of its links are found', async () => {
  const text = '<https://x.example/shop|the shop> &amp; <@U1> &lt;crm&gt; <mailto:hr@b.example|hr@b.example> &amp;lt;';
  const read = textOfMessage({ type: 'message', user: 'U1', ts: '1.1', text });
  expect(read).toBe('<https://x.example/shop|the shop> & <@U1> <crm> <mailto:hr@b.example|hr@b.example> &lt;');
  const records = ['crm', 'the shop', 'hr', 'U1'].map((name, at) => recordOf(`USER-${at}`, { name }));
  expect((await namedInText(read, records)).map(({ name }) => name)).toEqual(['the shop', 'U1', 'crm', 'hr']);
});

test('the text of another app’s message is read from attachments, fields, nested blocks and unknown kinds', () => {
  const message = {
    ...{ type: 'message', subtype: 'bot_message', bot_id: 'B1', app_id: 'A1', ts: '1.1', text: '' },
    attachments: [
      {
        ...{ id: 1, color: 'danger', fallback: 'one', pretext: 'two', author_name: 'three', title: 'four' },
        ...{ title_link: 'https://x.example', text: 'five', footer: 'six', ts: 1, mrkdwn_in: ['text'] },
        fields: [{ title: 'seven', value: 'eight', short: true }],
        blocks: [{ type: 'section', block_id: 'nope', fields: [{ type: 'mrkdwn', text: 'nine' }] }],
      },
    ],
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'ten', style: { code: true } }] }],
          },
        ],
      },
      { type: 'table', rows: [[{ type: 'raw_text', text: 'eleven' }]] },
      { type: 'hologram', layers: { front: [{ label: 'twelve' }] } },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'nope', value: 'nope', text: { type: 'plain_text', text: 'thirteen' } },
        ],
      },
      { type: 'image', image_url: 'https://nope.example', alt_text: 'fourteen' },
    ],
    files: [{ id: 'F1', name: 'fifteen.log', mimetype: 'nope', url_private: 'https://nope.example' }],
  };
  const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
  const read = words(message);
  expect(read).toEqual(expect.arrayContaining([...numbers, 'thirteen', 'fourteen', 'fifteen.log']));
  expect(read.join(' ')).not.toMatch(/nope|danger|bullet|hologram|B1|F1|x\.example/);
});

test('a huge message is read in part, and endless, deep or odd blocks in it do no harm', () => {
  let deep: object = { text: 'bottom' };
  for (let at = 0; at < 5_000; at++) deep = { elements: [deep] };
  expect(textOfMessage({ blocks: [deep], text: 'top' })).toBe('top');
  expect(textOfMessage({ text: 'x'.repeat(200_000), blocks: [{ text: 'late' }] })).toHaveLength(100_000);
  const many = Array.from({ length: 20_000 }, (_, at) => ({ text: `USER-${at}` }));
  expect(identifiersIn(textOfMessage({ attachments: many })).length).toBeGreaterThan(5_000);
  for (const odd of [undefined, null, 7, 'plain', [], {}, { text: 5, blocks: 'no', attachments: { a: null } }])
    expect(() => textOfMessage(odd)).not.toThrow();
});
