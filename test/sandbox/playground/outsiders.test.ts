import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const oli = 'U0OLI00001';
const partners = 'C0PARTNERS';
const home = { id: 'T0PLAYGRND', domain: 'playground' };
const partner = { id: 'T0PARTNER1', domain: 'partner' };

/** Posts a button when it is mentioned, opens a form when that is pressed; remembers all that it is told. */
const bot = (heard: object[]) => (app: App) => {
  app.command('/db', async ({ ack, body }) => {
    heard.push(body);
    await ack();
  });
  app.event('app_mention', async ({ body, event, client }) => {
    heard.push(body);
    const elements = [{ type: 'button' as const, action_id: 'go', text: plain('Go') }];
    await client.chat.postMessage({ channel: event.channel, text: 'a', blocks: [{ type: 'actions', elements }] });
  });
  app.action('go', async ({ ack, body, client }) => {
    heard.push(body);
    await ack();
    if (body.type !== 'block_actions') return;
    const view = { type: 'modal' as const, callback_id: 'form', title: plain('Form'), submit: plain('Go'), blocks: [] };
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
  app.view('form', async ({ ack, body }) => {
    heard.push(body);
    await ack();
  });
};
const silent = () => undefined;

describe('a guest', () => {
  test('the playground’s users.info tells a guest from a member', async () => {
    await using on = await stage(silent);
    const { user } = await on.app.client.users.info({ user: 'U0GUS00001' });
    expect(user).toMatchObject({ is_restricted: true, team_id: home.id, profile: { title: 'Contractor' } });
    expect((await on.app.client.users.info({ user: 'U0ANA00001' })).user).toMatchObject({ is_restricted: false });
  });

  test('a guest sees and uses the channels that they are in, and no others', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard));
    const gus = await on.someone('Gus');
    const ben = await on.someone('Ben');
    expect(gus.sees().channels.map(({ id }) => id)).toEqual(['C0DEV00001', 'D0GUS00001']);
    await ben.types('#databases', 'not for guests');
    await gus.types('#dev', '/db list');
    expect(heard).toMatchObject([{ user_id: gus.id, team_id: home.id, team_domain: home.domain }]);
    await gus.types('@dolly', '/db list');
    await expect(gus.types('C0DATABASE', 'let me in')).rejects.toThrow('sees no channel');
    const body = JSON.stringify({ as: gus.id, channel: 'C0DATABASE', text: 'let me in' });
    const answer = await fetch(`${on.playground.url}/play/say`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ ok: false });
    expect(JSON.stringify(gus.sees())).not.toContain('not for guests');
  });
});

describe('a member of another workspace', () => {
  test('a member of another workspace is found by id with their own team, but is not listed', async () => {
    await using on = await stage(silent);
    const { client } = on.app;
    const { user } = await client.users.info({ user: oli });
    expect(user).toMatchObject({ team_id: partner.id, is_restricted: false });
    expect(user?.profile).not.toHaveProperty('email');
    const { members = [] } = await client.users.list({});
    expect(members.map(({ id }) => id)).not.toContain(oli);
    expect(members.map(({ id }) => id)).toContain('U0GUS00001');
  });

  test('a member of another workspace is called a stranger only while no channel is shared with the app', async () => {
    await using on = await stage(silent);
    const { client } = on.app;
    expect((await client.users.info({ user: oli })).user).toMatchObject({ is_stranger: false });
    const shared = on.playground.slack.workspace.channels.find(({ id }) => id === partners);
    shared?.members.splice(shared.members.indexOf('U0DOLLY001'), 1);
    expect((await client.users.info({ user: oli })).user).toMatchObject({ is_stranger: true });
    expect((await client.users.info({ user: 'U0ANA00001' })).user).not.toHaveProperty('is_stranger');
  });

  test('a member of another workspace sees the shared channel only, which says that it is shared', async () => {
    await using on = await stage(silent);
    const someone = await on.someone('Oli');
    const { channels, team } = someone.sees();
    expect(channels.map(({ id }) => id)).toEqual([partners, 'D0OLI00001']);
    expect(team).toEqual({ id: partner.id, name: 'Partner' });
    const { client } = on.app;
    const info = async (channel: string) => (await client.conversations.info({ channel })).channel;
    expect(await info(partners)).toMatchObject({ is_ext_shared: true, is_shared: true, is_member: true });
    expect(await info('C0DEV00001')).toMatchObject({ is_ext_shared: false });
  });

  test('a member of another workspace has none of the app’s commands, unless that workspace has the app', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard));
    const someone = await on.someone('Oli');
    expect(someone.sees().commands).toEqual([]);
    expect(await someone.isRefused('#partners', '/db list')).toBe('/db is not a valid command.');
    on.playground.slack.settings.installedAtPartner = true;
    await someone.types('#partners', '/db list');
    expect(heard).toMatchObject([{ user_id: oli, team_id: partner.id, team_domain: partner.domain }]);
  });

  test('a mention, a click and a form of a member of another workspace each name that workspace', async () => {
    const heard: object[] = [];
    await using on = await stage(bot(heard));
    const someone = await on.someone('Oli');
    await someone.types('#partners', '@dolly hello');
    await someone.presses('Go');
    await someone.modal();
    await someone.submits();
    const [mention, click, form] = heard;
    expect(mention).toMatchObject({
      team_id: home.id,
      is_ext_shared_channel: true,
      authorizations: [{ team_id: home.id }],
      event: { user: oli, team: partner.id, user_team: partner.id, source_team: partner.id },
    });
    expect(click).toMatchObject({ user: { id: oli, team_id: partner.id }, team: home });
    expect(form).toMatchObject({
      user: { id: oli, team_id: partner.id },
      team: partner,
      view: { team_id: partner.id, app_installed_team_id: home.id },
    });
    expect(on.playground.slack.violations()).toEqual([]);
  });
});

test('a member sees all channels of their workspace, and the shared one begins empty', async () => {
  await using on = await stage(silent);
  const ana = await on.someone('Ana');
  expect(ana.sees().channels.map(({ name }) => name)).toEqual([
    'databases',
    'dev',
    'dba-approvals',
    'random',
    'dba-private',
    'partners',
    'dolly',
  ]);
  const { messages = [] } = await on.app.client.conversations.history({ channel: partners });
  expect(messages).toEqual([]);
});
