import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { textOf } from './blockText.ts';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const form = (vendor: string) => ({
  type: 'modal' as const,
  callback_id: 'clone.create',
  title: plain('Clone a database'),
  submit: plain('Clone'),
  notify_on_close: true,
  blocks: [
    {
      type: 'input' as const,
      block_id: 'sourceDatabase',
      label: plain('Source'),
      dispatch_action: true,
      element: { type: 'external_select' as const, action_id: 'value', min_query_length: 0 },
    },
    {
      type: 'input' as const,
      block_id: `install:${vendor}`,
      label: plain('Install'),
      element: {
        type: 'static_select' as const,
        action_id: 'value',
        options: [
          { text: plain(`${vendor} 8`), value: 'I-8' },
          { text: plain(`${vendor} 9`), value: 'I-9' },
        ],
      },
    },
    {
      type: 'input' as const,
      block_id: 'port',
      label: plain('Port'),
      element: {
        type: 'number_input' as const,
        action_id: 'value',
        is_decimal_allowed: false,
        min_value: '1',
        max_value: '65535',
        initial_value: '3306',
      },
    },
    {
      type: 'input' as const,
      block_id: 'script',
      label: plain('Script'),
      optional: true,
      element: { type: 'plain_text_input' as const, action_id: 'value' },
    },
  ],
});

type Seen = Record<string, unknown>[];

/** A small bot that uses every kind of request. */
const bot = (seen: Seen) => (app: App) => {
  app.command('/clone', async ({ ack, client, command }) => {
    await ack();
    await client.views.open({ trigger_id: command.trigger_id, view: form('MYSQL') });
  });
  app.command('/db', async ({ ack, command, respond, client }) => {
    if (command.text === 'text') await ack('plain answer');
    else if (command.text === 'json') await ack({ text: 'for all', response_type: 'in_channel' });
    else if (command.text === 'later') {
      await ack();
      await respond({ text: 'by response URL' });
    } else {
      await ack();
      await client.chat.postMessage({
        channel: command.channel_id,
        text: 'A job',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: 'A job' } },
          {
            type: 'actions',
            block_id: 'buttons',
            elements: [{ type: 'button', action_id: 'stop', text: plain('Stop checking'), value: '17' }],
          },
        ],
        metadata: { event_type: 'job', event_payload: { id: 17 } },
      });
    }
  });
  app.options('value', async ({ ack, payload }) => {
    const all = ['orders (MYSQL)', 'billing (MARIADB)'];
    const fit = all.filter(text => text.includes(payload.value));
    await ack({ options: fit.map(text => ({ text: plain(text), value: text })) });
  });
  app.action('value', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions' || body.view === undefined) return;
    await client.views.update({ view_id: body.view.id, hash: body.view.hash, view: form('MARIADB') });
  });
  app.action('stop', async ({ ack, body, respond }) => {
    seen.push({ body });
    await ack();
    await respond({ replace_original: true, text: 'Stopped' });
  });
  app.view('clone.create', async ({ ack, view, body }) => {
    seen.push({ body });
    const port = view.state.values.port?.value?.value;
    await (port === '1' ? ack({ response_action: 'errors', errors: { port: 'This port is taken.' } }) : ack());
  });
  app.view({ callback_id: 'clone.create', type: 'view_closed' }, async ({ ack, body }) => {
    seen.push({ body });
    await ack();
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'header', text: plain('Your jobs') }] },
    });
  });
};

describe.each(['http', 'socket'] as const)('over %s', mode => {
  test('a slash command is answered by text, by JSON, and by its response URL', async () => {
    await using on = await stage(bot([]), mode);
    const ana = await on.someone('Ana');
    const ben = await on.someone('Ben');
    await ana.types('#databases', '/db text');
    await ana.reads('#databases', 'plain answer');
    await ana.types('#databases', '/db later');
    const later = await ana.reads('#databases', 'by response URL');
    expect(later.onlyFor).toBe(ana.id);
    await ana.types('#databases', '/db json');
    await ben.reads('#databases', 'for all');
    expect(ben.messages('#databases').map(message => message.text)).toEqual(['/db json', 'for all']);
    expect(on.playground.slack.violations()).toEqual([]);
  });

  test('a form opens, asks for choices, is redrawn, refused at a field, and taken', async () => {
    const seen: Seen = [];
    await using on = await stage(bot(seen), mode);
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/clone');
    expect((await ana.modal()).title).toBe('Clone a database');
    await ana.fills({ script: '/opt/after.sh', port: 1 });
    await ana.chooses('sourceDatabase', 'billing');
    await ana.fills({ install: '9' });
    expect(await ana.submits()).toMatchObject({ errors: { port: 'This port is taken.' }, open: true });
    await ana.fills({ port: 3310 });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    expect(seen.at(-1)?.body).toMatchObject({
      type: 'view_submission',
      view: {
        state: {
          values: {
            sourceDatabase: { value: { selected_option: { value: 'billing (MARIADB)' } } },
            'install:MARIADB': { value: { selected_option: { value: 'I-9' } } },
            port: { value: { value: '3310' } },
            script: { value: { value: '/opt/after.sh' } },
          },
        },
      },
    });
    expect(on.playground.slack.violations()).toEqual([]);
  });

  test('the bot hears of a cancelled form with notify_on_close', async () => {
    const seen: Seen = [];
    await using on = await stage(bot(seen), mode);
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/clone');
    await ana.modal();
    await ana.cancels();
    expect(seen).toMatchObject([{ body: { type: 'view_closed', is_cleared: false } }]);
    expect(ana.hasModal()).toBe(false);
  });

  test('a button in a message reaches the bot with the message, its metadata, and a response URL', async () => {
    const seen: Seen = [];
    await using on = await stage(bot(seen), mode);
    const ben = await on.someone('Ben');
    await ben.types('#dev', '/db');
    const job = await ben.reads('#dev', 'A job');
    await ben.presses('Stop checking', { message: job });
    await ben.reads('#dev', 'Stopped');
    expect(ben.messages('#dev').map(textOf)).toEqual(['Stopped']);
    expect(seen[0]?.body).toMatchObject({
      type: 'block_actions',
      container: { type: 'message', message_ts: job.ts, is_ephemeral: false },
      message: { metadata: { event_payload: { id: 17 } } },
      actions: [{ action_id: 'stop', block_id: 'buttons', value: '17', action_ts: expect.any(String) }],
    });
  });

  test('App Home is published when it is opened', async () => {
    await using on = await stage(bot([]), mode);
    const ana = await on.someone('Ana');
    expect(await ana.opensHome()).toContain('Your jobs');
  });
});
