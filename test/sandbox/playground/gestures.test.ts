import type { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { textOf } from './blockText.ts';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const choices = [
  { text: plain('Soon'), value: 'soon' },
  { text: plain('Later'), value: 'later' },
];
const controls = [
  {
    type: 'actions',
    block_id: 'controls',
    elements: [
      { type: 'button', action_id: 'go', text: plain('Go'), value: '1', style: 'danger' },
      { type: 'static_select', action_id: 'when', placeholder: plain('When'), options: choices },
      { type: 'overflow', action_id: 'more', options: [{ text: plain('Check now'), value: 'look' }] },
    ],
  },
];

/** Puts the same controls wherever it is asked to, and remembers every use of them. */
const bot = (bodies: object[]) => (app: App) => {
  app.command('/db', async ({ ack, client, command }) => {
    await ack();
    const message = { channel: command.channel_id, user: command.user_id, text: command.text, blocks: controls };
    if (command.text === 'alone') await client.apiCall('chat.postEphemeral', message);
    else await client.apiCall('chat.postMessage', message);
  });
  app.command('/clone', async ({ ack, client, command }) => {
    await ack();
    const view = { type: 'modal', title: plain('Form'), clear_on_close: true, notify_on_close: true, blocks: controls };
    await client.apiCall('views.open', { trigger_id: command.trigger_id, view: { ...view, callback_id: 'form' } });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.apiCall('views.publish', { user_id: event.user, view: { type: 'home', blocks: controls } });
  });
  app.action(/.*/, async ({ ack, body, client }) => {
    bodies.push(body);
    await ack();
    if (body.type !== 'block_actions' || body.view?.type !== 'modal') return;
    const view = { type: 'modal', title: plain('Deeper'), clear_on_close: true, notify_on_close: true, blocks: [] };
    await client.apiCall('views.push', { trigger_id: body.trigger_id, view: { ...view, callback_id: 'deeper' } });
  });
  app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack, body }) => {
    bodies.push(body);
    await ack();
  });
};

test('a choice in a message reaches the bot as an action, and as the state of the message', async () => {
  const bodies: object[] = [];
  await using on = await stage(bot(bodies));
  const ana = await on.someone('Ana');
  await ana.types('#dev', '/db');
  const message = await ana.reads('#dev', 'Go');
  await ana.presses('Go', { message });
  await ana.chooses('when', 'Later', { message });
  await ana.presses('Check now', { message });
  const unset = { type: 'static_select', selected_option: null };
  const set = { type: 'static_select', selected_option: { value: 'later' } };
  expect(bodies).toMatchObject([
    { actions: [{ type: 'button', value: '1' }], state: { values: { controls: { when: unset } } } },
    { actions: [set], state: { values: { controls: { when: set } } }, response_url: expect.any(String) },
    { actions: [{ type: 'overflow', selected_option: { value: 'look' } }] },
  ]);
});

test('a click on a button in a private message reaches the bot without the message', async () => {
  const bodies: object[] = [];
  await using on = await stage(bot(bodies));
  const ana = await on.someone('Ana');
  const ben = await on.someone('Ben');
  await ana.types('#dev', '/db alone');
  const message = await ana.reads('#dev', 'Go');
  await ana.presses('Go', { message });
  expect(bodies).toMatchObject([{ container: { is_ephemeral: true, message_ts: message.ts } }]);
  expect(bodies[0]).not.toHaveProperty('message');
  expect(ben.messages('#dev')).toEqual([]);
});

test('a click on a button in Home reaches the bot with the Home view', async () => {
  const bodies: object[] = [];
  await using on = await stage(bot(bodies));
  const ana = await on.someone('Ana');
  await ana.opensHome();
  await ana.presses('Go', { home: true });
  expect(bodies).toMatchObject([
    { container: { type: 'view' }, view: { type: 'home' }, actions: [{ action_id: 'go' }] },
  ]);
});

test('closing a modal with clear_on_close closes the whole stack, and tells the bot of each view, top first', async () => {
  const bodies: object[] = [];
  await using on = await stage(bot(bodies));
  const ana = await on.someone('Ana');
  await ana.types('#dev', '/clone');
  await ana.modal();
  await ana.presses('Go');
  await ana.until(() => ana.sees().views.length === 2, 'a second view');
  await ana.cancels();
  expect(ana.hasModal()).toBe(false);
  expect(bodies.slice(1)).toMatchObject([
    { type: 'view_closed', is_cleared: true, view: { callback_id: 'deeper' } },
    { type: 'view_closed', is_cleared: true, view: { callback_id: 'form' } },
  ]);
});

test('a button that is no longer in its message cannot be pressed', async () => {
  const bodies: object[] = [];
  await using on = await stage(bot(bodies));
  const ana = await on.someone('Ana');
  await ana.types('#dev', '/db');
  const { channel, ts } = await ana.reads('#dev', 'Go');
  await on.app.client.chat.update({ channel, ts, text: 'done' });
  const container = { type: 'message', channel, ts };
  const action = { type: 'button', block_id: 'controls', action_id: 'go' };
  const answer = await fetch(`${on.playground.url}/play/action`, {
    method: 'POST',
    body: JSON.stringify({ as: ana.id, container, action, state: {} }),
  });
  expect(await answer.json()).toEqual({ ok: false, error: 'This is no longer there.' });
  expect(bodies).toEqual([]);
});

test('the text of a message in the playground is what a person reads of its blocks', () => {
  const blocks = [
    { type: 'header', text: plain('Clone of orders') },
    { type: 'section', text: plain('Running'), fields: [plain('Port'), plain('3310')] },
    ...controls,
    {
      type: 'table',
      rows: [
        [
          { type: 'raw_text', text: 'a' },
          { type: 'raw_text', text: 'b' },
        ],
      ],
    },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'user', user_id: 'U1' },
            { type: 'text', text: ' is done' },
          ],
        },
      ],
    },
  ];
  expect(textOf(blocks)).toBe('Clone of orders\nRunning\nPort\n3310\nGo\na\tb\n<@U1> is done');
  expect(textOf({ ts: '1', text: 'no blocks', blocks: [], attachments: [] })).toBe('no blocks');
});
