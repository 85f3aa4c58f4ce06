import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

type Heard = Record<string, unknown>;
const eventually = (ready: () => boolean) => expect.poll(ready, { timeout: 5_000, interval: 5 }).toBe(true);

/** Remembers the envelope of each event, with how often Slack had sent it before. */
const listener = (heard: Heard[]) => (app: App) => {
  app.use(async ({ body, context, next }) => {
    if (body.type === 'event_callback') heard.push({ ...body, retryNum: context.retryNum });
    await next();
  });
  app.event('app_mention', async () => undefined);
  app.message(async () => undefined);
};
const eventsOf = (heard: Heard[]) => heard.map(({ event }) => event);

describe.each(['http', 'socket'] as const)('over %s', mode => {
  test('the playground sends a mention and a direct message as Slack does, without a trigger', async () => {
    const heard: Heard[] = [];
    await using on = await stage(listener(heard), mode);
    const ana = await on.someone('Ana');
    await ana.types('#dev', 'a thread');
    const root = ana.lastMessage('#dev');
    await ana.types('#dev', '@Dolly clone shop.example.com port=3310', root);
    await eventually(() => heard.length === 1);
    await ana.types('@dolly', 'list <all> & see #dev or mail dba@shop.example');
    await eventually(() => heard.length === 2);
    expect(eventsOf(heard)).toMatchObject([
      {
        type: 'app_mention',
        user: ana.id,
        text: '<@U0DOLLY001> clone <http://shop.example.com|shop.example.com> port=3310',
        channel: 'C0DEV00001',
        thread_ts: root.ts,
        parent_user_id: ana.id,
        team: 'T0PLAYGRND',
        client_msg_id: expect.any(String),
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'user', user_id: 'U0DOLLY001' },
                  { type: 'text', text: ' clone ' },
                  { type: 'link', url: 'http://shop.example.com', text: 'shop.example.com' },
                  { type: 'text', text: ' port=3310' },
                ],
              },
            ],
          },
        ],
      },
      {
        type: 'message',
        channel_type: 'im',
        text: 'list &lt;all&gt; &amp; see <#C0DEV00001|dev> or mail <mailto:dba@shop.example|dba@shop.example>',
      },
    ]);
    expect(JSON.stringify(heard)).not.toMatch(/trigger|response_url/);
  });

  test('an event that was not acknowledged comes again with the same id', async () => {
    const heard: Heard[] = [];
    await using on = await stage(listener(heard), mode, { clock: testClock() });
    const ana = await on.someone('Ana');
    on.playground.slack.deafTo('event app_mention');
    await ana.types('#dev', '@dolly list');
    await eventually(() => heard.length === 2);
    await on.playground.slack.redelivers('event app_mention');
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ event_id }) => event_id)).size).toBe(1);
    expect(heard.map(({ retryNum }) => retryNum ?? 0)).toEqual([0, 1, 1]);
    expect(on.playground.slack.violations()).toEqual([]);
  });
});

test('an edited mention comes once more with an id of its own, and an edited direct message as a hidden change', async () => {
  const heard: Heard[] = [];
  await using on = await stage(listener(heard));
  const ana = await on.someone('Ana');
  await ana.types('#dev', '@dolly lst');
  await ana.edits(ana.lastMessage('#dev'), '@dolly list');
  await ana.types('@dolly', 'lst');
  await ana.edits(ana.lastMessage('@dolly'), 'list');
  await ana.deletes(ana.lastMessage('@dolly'));
  await eventually(() => heard.length === 5);
  const byTime = eventsOf(heard);
  expect(byTime).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'app_mention',
        text: '<@U0DOLLY001> list',
        edited: { user: ana.id, ts: expect.any(String) },
      }),
      expect.objectContaining({
        subtype: 'message_changed',
        hidden: true,
        channel_type: 'im',
        message: expect.objectContaining({ text: 'list' }),
        previous_message: expect.objectContaining({ text: 'lst' }),
      }),
      expect.objectContaining({ subtype: 'message_deleted', hidden: true }),
    ]),
  );
  expect(new Set(heard.map(({ event_id }) => event_id)).size).toBe(5);
});

test('the bot hears its own direct messages, too, since its app subscribes to direct messages', async () => {
  await using on = await stage(listener([]));
  const { client } = on.app;
  // Bolt drops such events before its listeners.
  const echoes = () => on.playground.slack.traffic().filter(({ what }) => what === 'echo message');
  const { ts = '' } = await client.chat.postMessage({ channel: 'U0ANA00001', text: 'a' });
  await client.chat.update({ channel: 'D0ANA00001', ts, text: 'b' });
  await client.chat.postMessage({ channel: 'C0DEV00001', text: 'to all' });
  await client.chat.delete({ channel: 'D0ANA00001', ts });
  await eventually(() => echoes().length === 3);
  const byTime = echoes().map(({ request }) => Object(request).event);
  expect(byTime).toMatchObject([
    { type: 'message', user: 'U0DOLLY001', bot_id: 'B0DOLLY001', channel_type: 'im', text: 'a' },
    { subtype: 'message_changed', message: { text: 'b', bot_id: 'B0DOLLY001' }, previous_message: { text: 'a' } },
    { subtype: 'message_deleted', deleted_ts: ts },
  ]);
});

test('the bot gets no event to which its app has not subscribed', async () => {
  const heard: Heard[] = [];
  await using on = await stage(listener(heard));
  const ana = await on.someone('Ana');
  on.playground.slack.settings.events = ['message.im'];
  await ana.types('#dev', '@dolly list');
  await ana.types('@dolly', 'list');
  await eventually(() => heard.length === 1);
  expect(eventsOf(heard)).toMatchObject([{ type: 'message' }]);
});

test('the bot does not hear a mention in a channel where it is no member, until somebody invites it', async () => {
  const heard: Heard[] = [];
  await using on = await stage(listener(heard));
  const ana = await on.someone('Ana');
  await ana.types('#random', '@dolly one');
  await ana.types('#random', '/invite @dolly');
  await ana.types('#random', '@dolly two');
  await eventually(() => heard.length === 1);
  expect(eventsOf(heard)).toMatchObject([{ text: '<@U0DOLLY001> two' }]);
});
