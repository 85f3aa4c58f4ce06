import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { textOf } from './blockText.ts';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const ana = 'U0ANA00001';
const header = (text: string) => ({ type: 'header' as const, text: plain(text) });
const home = (text: string, more: object = {}) => ({ type: 'home' as const, blocks: [header(text)], ...more });
const controls = {
  type: 'home' as const,
  blocks: [
    {
      type: 'actions' as const,
      block_id: 'controls',
      elements: [
        { type: 'button' as const, action_id: 'go', text: plain('Go') },
        { type: 'external_select' as const, action_id: 'which', min_query_length: 0, placeholder: plain('Which') },
      ],
    },
  ],
};

/** Keeps what it is told; a press opens a form. */
const bot = (heard: object[]) => (app: App) => {
  app.event('app_home_opened', async ({ event }) => {
    heard.push(event);
  });
  app.action('go', async ({ ack, body, client }) => {
    heard.push(body);
    await ack();
    if (body.type !== 'block_actions') return;
    const view = { type: 'modal' as const, title: plain('Form'), blocks: [] };
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
  app.options('which', async ({ ack, body }) => {
    heard.push(body);
    await ack({ options: [{ text: plain('orders'), value: 'orders' }] });
  });
};
const eventually = (ready: () => boolean) => expect.poll(ready, { timeout: 5_000, interval: 5 }).toBe(true);
const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toThrow(`: ${code}`);

describe('opening the app', () => {
  test('the bot hears which tab of the app is opened, with the view of Home once there is one', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard));
    const open = (tab: 'home' | 'dm') =>
      fetch(`${on.playground.url}/play/${tab}`, { method: 'POST', body: JSON.stringify({ as: ana }) });
    await open('home');
    await eventually(() => heard.length === 1);
    const { view } = await on.app.client.views.publish({ user_id: ana, view: home('Jobs') });
    await open('home');
    await eventually(() => heard.length === 2);
    await open('dm');
    await eventually(() => heard.length === 3);
    const event = { type: 'app_home_opened', user: ana, channel: 'D0ANA00001', event_ts: expect.any(String) };
    expect(heard).toEqual([
      { ...event, tab: 'home' },
      { ...event, tab: 'home', view: expect.objectContaining({ id: view?.id, type: 'home', hash: view?.hash }) },
      { ...event, tab: 'messages' },
    ]);
  });
});

describe('a published Home', () => {
  test('a published Home is seen at once, and anew as soon as it is published anew', async () => {
    await using on = await stage(() => undefined);
    const someone = await on.someone('Ana');
    const { client } = on.app;
    await client.views.publish({ user_id: ana, view: home('One job') });
    await someone.until(() => textOf(someone.sees().home).endsWith('One job'), 'the first Home');
    await client.views.publish({ user_id: ana, view: home('Two jobs') });
    await someone.until(() => textOf(someone.sees().home).endsWith('Two jobs'), 'the second Home');
  });

  test('a published Home has at most 100 blocks', async () => {
    await using on = await stage(() => undefined);
    const { client } = on.app;
    const blocks = (count: number) => ({ blocks: Array.from({ length: count }, () => ({ type: 'divider' })) });
    await client.views.publish({ user_id: ana, view: home('', blocks(100)) });
    await refused(client.views.publish({ user_id: ana, view: home('', blocks(101)) }), 'invalid_arguments');
  });

  test('a Home that was made from an older one than the published one is refused', async () => {
    await using on = await stage(() => undefined);
    const publish = (text: string, hash?: string) =>
      on.app.client.apiCall('views.publish', { user_id: ana, view: home(text), hash });
    await refused(publish('first', '1.made-up'), 'hash_conflict');
    const { view } = await on.app.client.views.publish({ user_id: ana, view: home('one') });
    await publish('two', view?.hash);
    await refused(publish('three', view?.hash), 'hash_conflict');
    await refused(publish('three', ''), 'hash_conflict');
    await publish('three');
    expect(on.playground.slack.violations()).toEqual([]);
  });

  test('a published Home shares its external_id with no other view', async () => {
    await using on = await stage(() => undefined);
    const { client } = on.app;
    const mine = home('Jobs', { external_id: 'home' });
    await client.views.publish({ user_id: ana, view: mine });
    await client.views.publish({ user_id: ana, view: mine });
    await refused(client.views.publish({ user_id: 'U0BEN00001', view: mine }), 'duplicate_external_id');
  });

  test('a published Home has buttons that open forms, and selects that ask for choices', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard));
    const someone = await on.someone('Ana');
    const { view } = await on.app.client.views.publish({ user_id: ana, view: controls });
    await someone.until(() => someone.sees().home, 'Home');
    expect(await someone.choices('which', '', { home: true })).toEqual(['orders']);
    await someone.presses('Go', { home: true });
    expect((await someone.modal()).title).toBe('Form');
    const container = { type: 'view', view_id: view?.id };
    const scene = { container, view: { id: view?.id, type: 'home', hash: view?.hash } };
    expect(heard).toMatchObject([
      { type: 'block_suggestion', ...scene },
      { type: 'block_actions', ...scene, trigger_id: expect.any(String) },
    ]);
    for (const absent of ['channel', 'message', 'response_url', 'state']) expect(heard[1]).not.toHaveProperty(absent);
    expect(on.playground.slack.violations()).toEqual([]);
  });
});
