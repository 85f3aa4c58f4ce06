import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const shortcuts = [
  { name: 'Clone a database', type: 'global' as const, callback_id: 'clone', description: 'Clone' },
  { name: 'Ask Dolly about this', type: 'message' as const, callback_id: 'ask', description: 'Ask' },
];

/** Opens a form at each shortcut, and remembers what it was told. */
const bot = (heard: object[]) => (app: App) => {
  app.shortcut(/.*/, async ({ ack, body, client }) => {
    heard.push(body);
    await ack();
    const view = { type: 'modal' as const, callback_id: 'form', title: plain('Form'), blocks: [] };
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
};

describe.each(['http', 'socket'] as const)('over %s', mode => {
  test('a global shortcut has a trigger, and neither channel nor response URL', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard), mode, { shortcuts });
    const ana = await on.someone('Ana');
    await ana.shortcut('clone');
    expect((await ana.modal()).title).toBe('Form');
    expect(heard).toMatchObject([
      {
        type: 'shortcut',
        callback_id: 'clone',
        trigger_id: expect.any(String),
        action_ts: expect.any(String),
        user: { id: ana.id, username: 'ana', team_id: 'T0PLAYGRND' },
        team: { id: 'T0PLAYGRND', domain: 'playground' },
      },
    ]);
    expect(Object.keys(heard[0] ?? {})).not.toEqual(expect.arrayContaining(['channel']));
    expect(JSON.stringify(heard)).not.toContain('response_url');
  });

  test('a shortcut of a message brings the whole message, of other apps, too', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard), mode, { shortcuts });
    const ana = await on.someone('Ana');
    on.playground.slack.otherApp('#dba-private', {
      text: 'shop is down',
      attachments: [{ title: 'I-4711', fields: [{ title: 'Host', value: 'db1' }] }],
    });
    const message = await ana.reads('#dba-private', 'shop is down');
    await ana.messageShortcut('ask', message);
    await ana.modal();
    await ana.types('#dev', 'look at shop');
    await ana.messageShortcut('ask', ana.lastMessage('#dev'));
    expect(heard).toMatchObject([
      {
        type: 'message_action',
        callback_id: 'ask',
        channel: { id: 'C0PRIVATE1', name: 'privategroup' },
        message_ts: message.ts,
        response_url: expect.stringContaining('/response/'),
        message: {
          text: 'shop is down',
          bot_id: 'B0MONITOR1',
          app_id: 'A0MONITOR1',
          attachments: [{ title: 'I-4711' }],
        },
      },
      { message: { user: ana.id, text: 'look at shop', blocks: [{ type: 'rich_text' }] } },
    ]);
  });
});

test('the playground refuses unknown shortcuts, those on private messages, and those of outsiders', async () => {
  const heard: object[] = [];
  await using on = await stage(
    app => {
      bot(heard)(app);
      app.command('/db', async ({ ack }) => ack('only you see this'));
    },
    'http',
    { shortcuts },
  );
  const ana = await on.someone('Ana');
  const oli = await on.someone('Oli');
  await ana.types('#dev', '/db');
  const ephemeral = await ana.reads('#dev', 'only you see this');
  await expect(ana.messageShortcut('ask', ephemeral)).rejects.toThrow('no shortcuts');
  await expect(ana.shortcut('ask')).rejects.toThrow('no such shortcut');
  await expect(ana.shortcut('restore')).rejects.toThrow('no such shortcut');
  await ana.types('#partners', 'hello');
  await expect(oli.messageShortcut('ask', await oli.reads('#partners', 'hello'))).rejects.toThrow('no such shortcut');
  expect(oli.sees().shortcuts).toEqual([]);
  expect(heard).toEqual([]);
});

test('a shortcut that is not acknowledged in time fails before the eyes of its person', async () => {
  const never = () => new Promise<void>(() => undefined);
  const clock = testClock();
  await using on = await stage(app => app.shortcut('clone', never), 'http', { shortcuts, clock });
  const ana = await on.someone('Ana');
  const refused = expect(ana.shortcut('clone')).rejects.toThrow('We had some trouble connecting');
  await clock.advance(3_000);
  await refused;
  expect(on.playground.slack.violations()).toMatchObject([{ what: 'operation_timeout' }]);
});
