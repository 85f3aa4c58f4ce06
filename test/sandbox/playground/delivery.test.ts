import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage, tokens } from './bolt.ts';

const never = () => new Promise<void>(() => undefined);
const eventually = (ready: () => boolean) => expect.poll(ready, { timeout: 5_000, interval: 5 }).toBe(true);

describe('a bot that does not acknowledge', () => {
  test.each(['http', 'socket'] as const)(
    'a command over %s that the bot does not acknowledge in three seconds fails before the person’s eyes',
    async mode => {
      const clock = testClock();
      await using on = await stage(app => app.command('/db', never), mode, { clock });
      const ana = await on.someone('Ana');
      const refusal = ana.isRefused('#databases', '/db list');
      await clock.advance(2_900);
      expect(on.playground.slack.violations()).toEqual([]);
      await clock.advance(100);
      expect(await refusal).toBe('/db failed with the error "operation_timeout"');
      expect(on.playground.slack.violations()).toMatchObject([{ what: 'operation_timeout' }]);
    },
  );

  test('an event that the bot does not acknowledge comes again at once, after a minute and after five, then no more', async () => {
    const clock = testClock();
    const tries: unknown[] = [];
    const server = createServer((request, response) => {
      tries.push([request.headers['x-slack-retry-num'], request.headers['x-slack-retry-reason']]);
      request.resume();
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await using on = await stage(() => undefined, 'http', { clock, botUrl: () => `http://127.0.0.1:${port}/` });
    const ana = await on.someone('Ana');
    const failures = () => on.playground.slack.violations().length;
    await ana.types('@dolly', 'hello');
    await eventually(() => failures() === 2);
    await clock.advance(60_000);
    await eventually(() => failures() === 3);
    await clock.advance(300_000);
    await eventually(() => failures() === 4);
    await clock.advance(3_600_000);
    expect(tries).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    server.closeAllConnections();
    server.close();
  });

  test('a command to a bot that cannot be reached fails with dispatch_failed', async () => {
    await using on = await stage(() => undefined, 'http', { botUrl: () => 'http://127.0.0.1:9/slack/events' });
    const ana = await on.someone('Ana');
    expect(await ana.isRefused('#databases', '/db list')).toBe('/db failed with the error "dispatch_failed"');
  });
});

test('Bolt refuses a command that the playground signed with a wrong secret', async () => {
  await using on = await stage(app => app.command('/db', async ({ ack }) => ack()), 'http', {
    signingSecret: `not-${tokens.signingSecret}`,
  });
  const ana = await on.someone('Ana');
  expect(await ana.isRefused('#databases', '/db list')).toContain('dispatch_failed');
  expect(on.playground.slack.violations()).toMatchObject([
    { what: 'http_error', detail: expect.stringContaining('401') },
  ]);
});

test('a playground that lives in another year still signs requests that Bolt takes', async () => {
  const clock = testClock(Date.UTC(2001, 0));
  await using on = await stage(app => app.command('/db', async ({ ack }) => ack('here')), 'http', { clock });
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  expect((await ana.reads('#databases', 'here')).ts).toMatch(/^978307200\./);
});

test('Socket Mode clients come back after a disconnect', async () => {
  await using on = await stage(app => app.command('/db', async ({ ack }) => ack('here')), 'socket');
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  on.playground.slack.disconnectSockets();
  const opened = () => on.playground.slack.traffic().filter(({ what }) => what === 'apps.connections.open').length;
  await expect.poll(opened, { timeout: 15_000 }).toBe(2);
  await expect
    .poll(() =>
      ana.types('#databases', '/db').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

describe('what people type', () => {
  test('the playground refuses an unknown command, and a command in a thread', async () => {
    await using on = await stage(app => app.command('/db', async ({ ack }) => ack()));
    const ana = await on.someone('Ana');
    expect(await ana.isRefused('#dev', '/nothing')).toContain('not a valid command');
    await ana.types('#dev', 'a thread');
    expect(await ana.isRefused('#dev', '/db list', ana.lastMessage('#dev'))).toContain('not supported in threads');
  });

  test('a message reaches the bot directly, or where the bot is mentioned and a member', async () => {
    const heard: unknown[] = [];
    await using on = await stage(app => {
      app.message(async ({ message }) => {
        heard.push(message);
      });
      app.event('app_mention', async ({ event }) => {
        heard.push(event);
      });
    });
    const ana = await on.someone('Ana');
    await ana.types('#dev', 'just talking');
    await ana.types('#random', '@dolly are you here?');
    await ana.types('@dolly', 'is 1 < 2 & 2 > 1?');
    await eventually(() => heard.length === 1);
    await ana.types('#dev', '@dolly help');
    await eventually(() => heard.length === 2);
    expect(heard).toMatchObject([
      { type: 'message', channel_type: 'im', channel: 'D0ANA00001', text: 'is 1 &lt; 2 &amp; 2 &gt; 1?' },
      { type: 'app_mention', text: '<@U0DOLLY001> help' },
    ]);
  });

  test('a command from the playground carries everything that Slack sends, and where it was typed', async () => {
    const seen: object[] = [];
    await using on = await stage(app =>
      app.command('/clone', async ({ ack, command }) => {
        seen.push(command);
        await ack();
      }),
    );
    const ana = await on.someone('Ana');
    await ana.types('#dev', '/clone  orders port=3310');
    await ana.types('@dolly', '/clone');
    await ana.types('#dba-private', '/clone');
    expect(seen).toMatchObject([
      {
        token: expect.any(String),
        team_id: 'T0PLAYGRND',
        team_domain: 'playground',
        channel_id: 'C0DEV00001',
        channel_name: 'dev',
        user_id: ana.id,
        user_name: 'ana',
        command: '/clone',
        text: 'orders port=3310',
        api_app_id: 'A0DOLLY001',
        is_enterprise_install: 'false',
        response_url: expect.stringContaining('/response/'),
        trigger_id: expect.any(String),
      },
      { channel_name: 'directmessage', text: '' },
      { channel_name: 'privategroup' },
    ]);
  });
});
