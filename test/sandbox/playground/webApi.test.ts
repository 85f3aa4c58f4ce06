import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { type TestClock, testClock } from '../../clock.ts';
import { commands, tokens } from './bolt.ts';

const databases = 'C0DATABASE';
const random = 'C0RANDOM01';
const secretChannel = 'C0PRIVATE1';
const ana = 'U0ANA00001';
const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

let clock: TestClock;
let playground: Playground;
let client: WebClient;

const bot = (token: string = tokens.botToken, timeout = 5_000) =>
  new WebClient(token, {
    logLevel: LogLevel.ERROR,
    slackApiUrl: playground.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout,
  });

beforeEach(async () => {
  clock = testClock(1_700_000_000_000);
  playground = await startPlayground({ port: 0, clock, ...tokens, commands });
  client = bot();
});
afterEach(() => playground.close());

const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toThrow(`: ${code}`);

describe('who may ask', () => {
  test('auth.test with the bot token names the bot and its workspace', async () => {
    expect(await client.auth.test()).toMatchObject({ ok: true, user_id: 'U0DOLLY001', team_id: 'T0PLAYGRND' });
  });

  test('the playground refuses a wrong token, the app token in the wrong place and an unknown method', async () => {
    await refused(bot('xoxb-wrong').auth.test(), 'invalid_auth');
    await refused(bot(tokens.appToken).auth.test(), 'not_allowed_token_type');
    await refused(client.apps.connections.open({}), 'not_allowed_token_type');
    await refused(client.apiCall('chat.sing'), 'unknown_method');
  });
});

describe('where the bot can post', () => {
  test('the bot posts by a channel’s name where it is a member', async () => {
    const { channel, ts } = await client.chat.postMessage({ channel: '#databases', text: 'hello' });
    expect(channel).toBe(databases);
    expect(playground.slack.messages('#databases')).toMatchObject([{ ts, text: 'hello', user: 'U0DOLLY001' }]);
  });

  test('a public channel without the bot answers not_in_channel, a private one as if it were not there', async () => {
    playground.slack.settings.postToPublic = false;
    await refused(client.chat.postMessage({ channel: random, text: 'a' }), 'not_in_channel');
    await refused(client.conversations.history({ channel: random }), 'not_in_channel');
    await refused(client.chat.postMessage({ channel: secretChannel, text: 'a' }), 'channel_not_found');
    await refused(client.conversations.info({ channel: secretChannel }), 'channel_not_found');
    expect(await client.conversations.info({ channel: random })).toMatchObject({ channel: { is_member: false } });
  });

  test('with chat:write.public the bot posts in any public channel, and in no private one', async () => {
    await client.chat.postMessage({ channel: random, text: 'a' });
    await refused(client.chat.postMessage({ channel: secretChannel, text: 'a' }), 'channel_not_found');
  });

  test('a person’s id stands for their direct message in a post, but an update needs that channel’s own id', async () => {
    const { channel, ts = '' } = await client.chat.postMessage({ channel: ana, text: 'a' });
    expect(channel).toBe('D0ANA00001');
    await refused(client.chat.update({ channel: ana, ts, text: 'b' }), 'channel_not_found');
    await client.chat.update({ channel: 'D0ANA00001', ts, text: 'b' });
    expect(await client.conversations.open({ users: ana })).toMatchObject({ channel: { id: 'D0ANA00001' } });
  });
});

describe('messages', () => {
  test('an update with text alone takes away the blocks of a message, and keeps its metadata', async () => {
    const metadata = { event_type: 'job', event_payload: { id: 1 } };
    const { ts = '' } = await client.chat.postMessage({
      channel: databases,
      text: 'a',
      blocks: [section('a')],
      metadata,
    });
    await client.chat.update({ channel: databases, ts, text: 'b' });
    expect(playground.slack.messages(databases)).toMatchObject([{ text: 'b', blocks: [], metadata }]);
  });

  test('an update leaves alone what it does not send, and marks only texts as edited', async () => {
    const attachments = [{ text: 'below', fallback: 'below' }];
    const blocks = [section('a')];
    const { ts = '' } = await client.chat.postMessage({ channel: databases, text: 'a', blocks, attachments });
    await client.chat.update({ channel: databases, ts, blocks: [section('b')] });
    expect(playground.slack.messages(databases)).toMatchObject([{ text: 'a', attachments, edited: false }]);
    await client.chat.update({ channel: databases, ts, text: 'c' });
    expect(playground.slack.messages(databases)).toMatchObject([{ text: 'c', attachments: [], edited: true }]);
  });

  test('a block that is posted without a block_id gets one', async () => {
    const { message } = await client.chat.postMessage({ channel: databases, blocks: [section('a')], text: 'a' });
    expect(message).toMatchObject({ blocks: [{ block_id: expect.any(String) }] });
  });

  test('the bot cannot change a message that is not there, is a person’s own, or is for one person alone', async () => {
    const { message_ts = '' } = await client.chat.postEphemeral({ channel: databases, user: ana, text: 'a' });
    await refused(client.chat.update({ channel: databases, ts: '1.000001', text: 'b' }), 'message_not_found');
    await refused(client.chat.update({ channel: databases, ts: message_ts, text: 'b' }), 'message_not_found');
    await refused(client.chat.delete({ channel: databases, ts: message_ts }), 'message_not_found');
    await fetch(`${playground.url}/play/say`, {
      method: 'POST',
      body: JSON.stringify({ as: ana, channel: databases, text: 'mine' }),
    });
    const ts = playground.slack.messages(databases).at(-1)?.ts ?? '';
    await refused(client.chat.update({ channel: databases, ts, text: 'b' }), 'cant_update_message');
    await refused(client.chat.delete({ channel: databases, ts }), 'cant_delete_message');
  });

  test('messages that are too long, empty or have broken blocks are refused, and shown as violations', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: databases, text: 'x'.repeat(40_000) });
    await refused(client.chat.postMessage({ channel: databases, text: 'x'.repeat(40_001) }), 'msg_too_long');
    await refused(client.chat.update({ channel: databases, ts, text: 'x'.repeat(4_001) }), 'msg_too_long');
    await refused(client.chat.postMessage({ channel: databases, text: '' }), 'no_text');
    const long = Array.from({ length: 4 }, () => section('x'.repeat(2_900)));
    await refused(client.chat.postMessage({ channel: databases, text: 'a', blocks: long }), 'msg_blocks_too_long');
    const broken = client.chat.postMessage({ channel: databases, text: 'a', blocks: [section('x'.repeat(3_001))] });
    await expect(broken).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        response_metadata: {
          messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
        },
      },
    });
    expect(playground.slack.violations().map(({ what }) => what)).toEqual([
      'chat.postMessage: msg_too_long',
      'chat.update: msg_too_long',
      'chat.postMessage: no_text',
      'chat.postMessage: msg_blocks_too_long',
      'chat.postMessage: invalid_blocks',
    ]);
  });

  test('the history of a channel gives the newest first, between two times, with metadata if asked', async () => {
    const metadata = { event_type: 'job', event_payload: { id: 7 } };
    const stamps: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      const { ts = '' } = await client.chat.postMessage({ channel: databases, text, metadata });
      stamps.push(ts);
      await clock.advance(1_000);
    }
    const [first = '', second = ''] = stamps;
    await client.chat.postMessage({ channel: databases, text: 'reply', thread_ts: first });
    const texts = async (more: object) =>
      (await client.conversations.history({ channel: databases, ...more })).messages?.map(({ text }) => text);
    expect(await texts({})).toEqual(['three', 'two', 'one']);
    expect(await texts({ oldest: first })).toEqual(['three', 'two']);
    expect(await texts({ oldest: first, latest: second, inclusive: true })).toEqual(['two', 'one']);
    expect(await texts({ limit: 1 })).toEqual(['three']);
    expect((await client.conversations.history({ channel: databases, limit: 1 })).messages?.[0]).not.toHaveProperty(
      'metadata',
    );
    const told = await client.conversations.history({ channel: databases, limit: 1, include_all_metadata: true });
    expect(told.messages).toMatchObject([{ metadata }]);
    const thread = await client.conversations.replies({ channel: databases, ts: first });
    expect(thread.messages?.map(({ text }) => text)).toEqual(['one', 'reply']);
  });

  test('a reply in a thread that does not exist is refused', async () => {
    const lost = client.chat.postMessage({ channel: databases, text: 'a', thread_ts: '1.000001' });
    await refused(lost, 'thread_not_found');
  });

  test('the permalink of a message leads to the playground’s page', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: databases, text: 'a' });
    const { permalink = '' } = await client.chat.getPermalink({ channel: databases, message_ts: ts });
    expect((await fetch(permalink)).headers.get('content-type')).toContain('text/html');
  });
});

describe('who is who', () => {
  test('the bot finds people by id and by e-mail', async () => {
    expect(await client.users.info({ user: ana })).toMatchObject({ user: { real_name: 'Ana' } });
    const found = await client.users.lookupByEmail({ email: 'ben@playground.example' });
    expect(found).toMatchObject({ user: { id: 'U0BEN00001' } });
    await refused(client.users.info({ user: 'U0NOBODY' }), 'user_not_found');
    await refused(client.users.lookupByEmail({ email: 'x@y.example' }), 'users_not_found');
  });

  test.each([
    ['Europe/Berlin', { tz: 'Europe/Berlin', tz_label: 'Central European Standard Time', tz_offset: 3_600 }],
    ['America/St_Johns', { tz: 'America/St_Johns', tz_offset: -12_600 }],
    ['Asia/Kolkata', { tz: 'Asia/Kolkata', tz_offset: 19_800 }],
    ['No/Where', { tz: 'Etc/UTC', tz_offset: 0 }],
  ])(
    'a person whose browser is in %s has that time zone, or UTC where there is no such zone',
    async (zone, expected) => {
      const events = await fetch(`${playground.url}/play/events?${new URLSearchParams({ as: ana, zone })}`);
      await events.body?.cancel();
      expect((await client.users.info({ user: ana })).user).toMatchObject(expected);
      expect((await client.users.info({ user: 'U0BEN00001' })).user).toMatchObject({ tz: 'Etc/UTC' });
    },
  );

  test('user groups have members in the playground, and are refused without a paid plan', async () => {
    const { usergroups } = await client.usergroups.list({ include_users: true });
    expect(usergroups).toMatchObject([{ handle: 'dbas', users: ['U0ANA00001', 'U0DEV00001'] }]);
    const members = await client.usergroups.users.list({ usergroup: usergroups?.[0]?.id ?? '' });
    expect(members.users).toHaveLength(2);
    await refused(client.usergroups.users.list({ usergroup: 'S0NOBODY01' }), 'no_such_subteam');
    playground.slack.settings.userGroups = false;
    await refused(client.usergroups.list(), 'plan_upgrade_required');
  });
});

test('a user group that changes while the playground runs has its new members', async () => {
  const [group] = playground.slack.workspace.groups;
  const members = async () =>
    (await client.usergroups.users.list({ usergroup: group?.id ?? '', include_disabled: true })).users;
  expect(await members()).toEqual(['U0ANA00001', 'U0DEV00001']);
  group?.users.push('U0BEN00001');
  expect(await members()).toEqual(['U0ANA00001', 'U0DEV00001', 'U0BEN00001']);
  if (group !== undefined) group.users = [];
  expect(await members()).toEqual([]);
  expect((await client.usergroups.list({ include_count: true, include_disabled: true })).usergroups).toMatchObject([
    { id: group?.id, user_count: 0 },
  ]);
});

describe('ordered faults', () => {
  const post = () => client.chat.postMessage({ channel: databases, text: 'a' });
  const count = () => playground.slack.messages(databases).length;

  test('a rate limit that a test orders of the playground comes as often as ordered, and says when to come back', async () => {
    playground.slack.faults.add({ method: 'chat.postMessage', kind: 'rate-limit', times: 2, retryAfter: 7 });
    await expect(post()).rejects.toMatchObject({ retryAfter: 7 });
    await expect(post()).rejects.toMatchObject({ retryAfter: 7 });
    await post();
    expect(count()).toBe(1);
  });

  test('a call does nothing where a test orders an error, and does its work where a test has its answer lost', async () => {
    playground.slack.faults.add({ method: 'chat.postMessage', kind: 'error' });
    await expect(post()).rejects.toMatchObject({ statusCode: 500 });
    expect(count()).toBe(0);
    playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
    await expect(post()).rejects.toThrow();
    expect(count()).toBe(1);
  });

  test('a call that a test makes hang does nothing, and does not keep the playground from closing', async () => {
    playground.slack.faults.add({ method: 'chat.postMessage', kind: 'hang' });
    const impatient = bot(tokens.botToken, 100);
    await expect(impatient.chat.postMessage({ channel: databases, text: 'a' })).rejects.toThrow();
    expect(count()).toBe(0);
  });
});
