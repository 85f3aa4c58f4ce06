import { WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

const client = { id: '11.22', secret: 'client-secret' };
const redirect_uri = 'http://dolly.invalid/slack/oauth_redirect';
const home = 'T0PLAYGRND';
const partner = 'T0PARTNER1';
const organisation = 'E0PLAYGRND';
const pia = 'U0PIA00001';
const twelveHours = 12 * 3_600_000;

type Stage = Awaited<ReturnType<typeof stage>>;
const clientOf = (on: Stage, token?: string) =>
  new WebClient(token, { slackApiUrl: on.playground.apiUrl, retryConfig: { retries: 0 } });
const refused = (call: Promise<unknown>, error: string) => expect(call).rejects.toMatchObject({ data: { error } });

/** Allows the installation on Slack's page. @returns the address that the browser is sent back to */
async function allows(on: Stage, who: string, change: Record<string, string> = {}) {
  const asked = { client_id: client.id, scope: 'commands,chat:write', redirect_uri, state: 's1', ...change };
  const url = new URL('/oauth/v2/authorize', on.playground.url);
  const body = new URLSearchParams({ ...asked, who, answer: 'allow', ...change });
  const page = await fetch(`${url}?${new URLSearchParams(asked)}`);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return { page, answer, back: new URL(answer.headers.get('location') ?? 'http://nowhere.invalid') };
}
const credentials = { client_id: client.id, client_secret: client.secret };

async function installs(on: Stage, who: string) {
  const { back } = await allows(on, who);
  const code = back.searchParams.get('code') ?? '';
  return clientOf(on).oauth.v2.access({ ...credentials, code, redirect_uri });
}

describe('an installation', () => {
  test('an installation in a second workspace brings a token, a bot and channels of its own', async () => {
    await using on = await stage(() => undefined, 'http', { client });
    const { page, back } = await allows(on, `${partner} ${pia}`);
    expect(await page.text()).toContain('chat:write');
    expect(back.origin + back.pathname).toBe(redirect_uri);
    expect(back.searchParams.get('state')).toBe('s1');
    const code = back.searchParams.get('code') ?? '';
    const given = await clientOf(on).oauth.v2.access({ ...credentials, code, redirect_uri });
    expect(given).toMatchObject({
      app_id: 'A0DOLLY001',
      authed_user: { id: pia },
      scope: 'commands,chat:write',
      token_type: 'bot',
      access_token: expect.stringMatching(/^xoxb-/),
      bot_user_id: 'U0DOLLY002',
      team: { id: partner, name: 'Partner' },
      enterprise: null,
      is_enterprise_install: false,
    });
    const there = clientOf(on, given.access_token);
    expect(await there.auth.test()).toMatchObject({ team_id: partner, user_id: 'U0DOLLY002', bot_id: 'B0DOLLY002' });
    const someone = await on.someone('Pia');
    expect(someone.sees().channels.map(({ name }) => name)).toEqual(['partner-dev', 'partners', 'dolly']);
    await there.chat.postMessage({ channel: 'C0PARTDEV1', text: 'hello' });
    await someone.reads('#partner-dev', 'hello');
    await refused(clientOf(on).oauth.v2.access({ ...credentials, code, redirect_uri }), 'invalid_code');
  });

  test('the token of an installation in one workspace reaches nothing of another', async () => {
    await using on = await stage(app => app.command('/db', async ({ ack }) => ack()), 'http', { client });
    const there = clientOf(on, (await installs(on, `${partner} ${pia}`)).access_token);
    const here = on.app.client;
    await refused(there.chat.postMessage({ channel: 'C0DATABASE', text: 'a' }), 'channel_not_found');
    await refused(there.conversations.history({ channel: 'C0DATABASE' }), 'channel_not_found');
    await refused(here.chat.postMessage({ channel: 'C0PARTDEV1', text: 'a' }), 'channel_not_found');
    const { ts = '' } = await here.chat.postMessage({ channel: 'C0PARTNERS', text: 'ours' });
    await refused(there.chat.update({ channel: 'C0PARTNERS', ts, text: 'theirs' }), 'cant_update_message');
    const ana = await on.someone('Ana');
    await ana.types('#dev', '/db');
    const request = on.playground.slack.traffic().findLast(({ what }) => what.startsWith('slash command'))?.request;
    const { trigger_id } = Object(request);
    const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'a' }, blocks: [] };
    await refused(there.views.open({ trigger_id, view }), 'invalid_trigger_id');
    const opened = await here.views.open({ trigger_id, view });
    await refused(there.views.update({ view_id: opened.view?.id ?? '', view }), 'not_found');
    expect((await there.users.list({})).members?.map(({ id }) => id)).not.toContain(ana.id);
  });

  test('the app in a second workspace hears of the people there, under their workspace', async () => {
    const heard: unknown[] = [];
    await using on = await stage(
      app => {
        app.event('app_mention', async ({ body }) => {
          heard.push(body);
        });
        app.command('/db', async ({ ack, body }) => {
          heard.push(body);
          await ack();
        });
      },
      'http',
      { client },
    );
    await installs(on, `${partner} ${pia}`);
    const someone = await on.someone('Pia');
    await someone.types('#partner-dev', '/db list');
    await someone.types('#partner-dev', '@dolly list');
    await expect.poll(() => heard.length, { timeout: 5_000, interval: 5 }).toBe(2);
    expect(heard).toMatchObject([
      { team_id: partner, team_domain: 'partner', user_id: pia, is_enterprise_install: 'false' },
      {
        team_id: partner,
        context_team_id: partner,
        authorizations: [{ team_id: partner, user_id: 'U0DOLLY002' }],
        event: { text: '<@U0DOLLY002> list', team: partner },
      },
    ]);
  });

  test('an installation runs the workflows of its own workspace, and ends no step of another’s', async () => {
    const wait = { title: 'Wait', description: '', input_parameters: {}, output_parameters: {} };
    const options = { client, functions: { wait } };
    await using on = await stage(app => app.function('wait', async () => undefined), 'http', options);
    const there = clientOf(on, (await installs(on, `${partner} ${pia}`)).access_token);
    const [someone, ana] = [await on.someone('Pia'), await on.someone('Ana')];
    const workflow = await someone.buildsWorkflow({ name: 'Wait', steps: [{ function: 'wait', inputs: {} }] });
    expect(ana.sees().workflows).toEqual([]);
    await expect(ana.runsWorkflow(workflow)).rejects.toThrow('no such workflow');
    await someone.runsWorkflow(workflow);
    const event = () => on.playground.slack.traffic().find(({ what }) => what.startsWith('event function_executed'));
    await expect.poll(event, { timeout: 5_000, interval: 5 }).toMatchObject({ request: { team_id: partner } });
    const end = { function_execution_id: on.playground.slack.runs()[0]?.steps[0]?.execution ?? '', outputs: {} };
    await refused(on.app.client.functions.completeSuccess(end), 'access_denied');
    await there.functions.completeSuccess(end);
  });

  test('the playground refuses the installations that Slack would refuse', async () => {
    await using on = await stage(() => undefined, 'http', { client });
    const who = `${partner} ${pia}`;
    const { access } = clientOf(on).oauth.v2;
    expect((await allows(on, who, { client_id: 'x' })).page.status).toBe(400);
    expect((await allows(on, who, { redirect_uri: 'javascript:alert(1)' })).answer.status).toBe(400);
    expect((await allows(on, who, { scope: '' })).page.status).toBe(400);
    expect((await allows(on, `${partner} U0ANA00001`)).answer.status).toBe(400);
    expect((await allows(on, `${organisation} U0ANA00001`)).answer.status).toBe(400);
    const { back } = await allows(on, who, { answer: 'cancel' });
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's1' });
    const code = async () => (await allows(on, who)).back.searchParams.get('code') ?? '';
    await refused(access({ ...credentials, client_id: 'x', code: await code() }), 'invalid_client_id');
    await refused(access({ ...credentials, client_secret: 'x', code: await code() }), 'bad_client_secret');
    await refused(access({ ...credentials, code: await code(), redirect_uri: 'http://x.invalid' }), 'bad_redirect_uri');
    await refused(access({ ...credentials, code: 'x', redirect_uri }), 'invalid_code');
    await refused(clientOf(on).apiCall('oauth.v2.access', { ...credentials, grant_type: 'x' }), 'invalid_grant_type');
    expect(on.playground.slack.installs().map(({ team }) => team)).toEqual([home]);
  });
});

test('a token that rotates lives twelve hours, and its refresh token works once', async () => {
  const clock = testClock();
  await using on = await stage(() => undefined, 'http', { client, clock });
  on.playground.slack.settings.tokenRotation = true;
  const first = await installs(on, `${partner} ${pia}`);
  expect(first).toMatchObject({
    access_token: expect.stringMatching(/^xoxe\.xoxb-1-/),
    refresh_token: expect.stringMatching(/^xoxe-1-/),
    expires_in: 43_200,
  });
  const { access } = clientOf(on).oauth.v2;
  const again = { ...credentials, grant_type: 'refresh_token' as const, refresh_token: first.refresh_token ?? '' };
  await clock.advance(twelveHours);
  await refused(clientOf(on, first.access_token).auth.test(), 'token_expired');
  const second = await access(again);
  expect(second).toMatchObject({ team: { id: partner }, token_type: 'bot', expires_in: 43_200 });
  expect(second).not.toHaveProperty('authed_user');
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await clientOf(on, second.access_token).auth.test()).toMatchObject({ team_id: partner });
  await refused(access(again), 'invalid_refresh_token');
});

test.each(['http', 'socket'] as const)(
  'an app that is taken out of a workspace hears of it over %s, and its token is worth nothing',
  async mode => {
    const heard: unknown[] = [];
    await using on = await stage(
      app => {
        app.use(async ({ body, next }) => {
          heard.push(body);
          await next();
        });
        app.event('app_uninstalled', async () => undefined);
      },
      mode,
      { client },
    );
    const there = clientOf(on, (await installs(on, `${partner} ${pia}`)).access_token);
    on.playground.slack.uninstalls(partner);
    await expect.poll(() => heard.length, { timeout: 5_000, interval: 5 }).toBe(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          team_id: partner,
          event: expect.objectContaining({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0DOLLY002'] } }),
        }),
        expect.objectContaining({ team_id: partner, event: expect.objectContaining({ type: 'app_uninstalled' }) }),
      ]),
    );
    await refused(there.auth.test(), 'account_inactive');
    const someone = await on.someone('Pia');
    expect(someone.sees().commands).toEqual([]);
    expect(await on.app.client.auth.test()).toMatchObject({ team_id: home });
  },
);

test('a workspace without the app has none of its commands, and tells it nothing', async () => {
  await using on = await stage(app => app.event('app_mention', async () => undefined));
  const ana = await on.someone('Ana');
  on.playground.slack.uninstalls(home, false);
  expect(await ana.isRefused('#dev', '/db list')).toContain('not a valid command');
  await ana.types('#dev', '@dolly list');
  await ana.types('@dolly', 'list');
  expect(on.playground.slack.traffic().filter(({ direction }) => direction === 'to bot')).toEqual([]);
});

test('a click on a button of another app, or of one that was taken out, reaches no bot', async () => {
  const heard: unknown[] = [];
  await using on = await stage(
    app =>
      app.action('go', async ({ ack, body }) => {
        heard.push(body);
        await ack();
      }),
    'http',
    { client },
  );
  const there = clientOf(on, (await installs(on, `${partner} ${pia}`)).access_token);
  const someone = await on.someone('Pia');
  const button = { type: 'button' as const, action_id: 'go', text: { type: 'plain_text' as const, text: 'Go' } };
  const blocks = [{ type: 'actions' as const, elements: [button] }];
  on.playground.slack.otherApp('#partners', { text: 'theirs', blocks });
  await someone.types('#partners', '/invite @dolly');
  await there.chat.postMessage({ channel: 'C0PARTNERS', text: 'ours', blocks });
  await expect(someone.presses('Go', { message: await someone.reads('#partners', 'theirs') })).rejects.toThrow('app');
  await someone.presses('Go', { message: await someone.reads('#partners', 'ours') });
  expect(heard).toMatchObject([{ team: { id: partner } }]);
  on.playground.slack.uninstalls(partner);
  const ana = await on.someone('Ana');
  await expect(ana.presses('Go', { message: await ana.reads('#partners', 'ours') })).rejects.toThrow('app');
  expect(heard).toHaveLength(1);
});

test('one installation serves a whole organisation, and its payloads say so', async () => {
  const heard: object[] = [];
  await using on = await stage(
    app => {
      app.command('/db', async ({ ack, body }) => {
        heard.push(body);
        await ack();
      });
      app.shortcut('clone', async ({ ack, body }) => {
        heard.push(body);
        await ack();
      });
      app.event('app_mention', async ({ body }) => {
        heard.push(body);
      });
    },
    'http',
    {
      client,
      shortcuts: [{ name: 'Clone', type: 'global', callback_id: 'clone', description: 'Clone' }],
    },
  );
  const { slack } = on.playground;
  slack.settings.organisation = true;
  const given = await installs(on, `${organisation} U0ANA00001`);
  expect(given).toMatchObject({ team: null, enterprise: { id: organisation }, is_enterprise_install: true });
  const whole = clientOf(on, given.access_token);
  expect(await whole.auth.test()).toMatchObject({ team_id: organisation, enterprise_id: organisation });
  expect((await whole.auth.teams.list({})).teams).toMatchObject([{ id: home }, { id: partner }]);
  await refused(whole.users.list({}), 'missing_argument');
  expect((await whole.users.list({ team_id: partner })).members?.map(({ id }) => id)).toContain(pia);
  await whole.chat.postMessage({ channel: 'C0PARTDEV1', text: 'a' });
  await whole.chat.postMessage({ channel: 'C0DATABASE', text: 'a' });
  const someone = await on.someone('Pia');
  await someone.types('#partner-dev', '/db list');
  const sent = (what: string) => slack.traffic().findLast(entry => entry.what.startsWith(what))?.request;
  expect(sent('slash command')).toMatchObject({
    team_id: partner,
    enterprise_id: organisation,
    is_enterprise_install: 'true',
  });
  await someone.shortcut('clone');
  expect(sent('shortcut')).toMatchObject({ team: null, enterprise: { id: organisation }, is_enterprise_install: true });
  await someone.types('#partner-dev', '@dolly list');
  await expect
    .poll(() => sent('event app_mention'), { timeout: 5_000, interval: 5 })
    .toMatchObject({
      team_id: partner,
      enterprise_id: organisation,
      authorizations: [{ enterprise_id: organisation, team_id: partner, is_enterprise_install: true }],
    });
  expect((await allows(on, `${partner} ${pia}`)).answer.status).toBe(400);
});
