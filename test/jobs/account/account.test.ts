import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openAccount } from '../../../src/app/account.ts';
import { type Config, readConfig } from '../../../src/app/config/config.ts';
import { schedules } from '../../../src/features/schedules/schedule.ts';
import { hour, minute } from '../../../src/ground/durations.ts';
import { noMeter } from '../../../src/ground/meter.ts';
import { approve } from '../../../src/jobs/approval/decide.ts';
import { breakGlass } from '../../../src/jobs/approval/people/breakGlass.ts';
import { mayUseAccount } from '../../../src/jobs/approval/policy/mayUseAccount.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { send } from '../../../src/jobs/send.ts';
import { openRecords } from '../../../src/records/records.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import { accountMessage } from '../../../src/slack/messages/accountMessage.ts';
import type { Store } from '../../../src/store/database.ts';
import { accountOwner } from '../../../src/store/serviceOwner.ts';
import { signInOf } from '../../../src/store/things/kind.ts';
import { aSchedule } from '../../features/schedules/aSchedule.ts';
import { scratchFolder } from '../../scratch.ts';
import { folder, storeIn, stores, wish } from '../../store/folder.ts';
import { tokenKey } from '../../world.ts';
import { type Board, board } from '../deciding.ts';

const account = accountOwner('T1');
const login = '/service/user/user/token';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type AccountWorld = { password?: string; username?: string; middleware?: Middleware | undefined };

/** The service account `svc`, with the password that its file has at first. */
async function accountBoard(
  given?: Store,
  { password = 'svc-password', username = 'svc', middleware }: AccountWorld = {},
) {
  const store = given ?? (await storeIn(folder()));
  const here: Board = await board(store, {}, () => undefined, middleware);
  const place = scratchFolder('account');
  const file = join(place, 'password');
  const holds = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  holds(password);
  ends.push(here.end, () => rmSync(place, { recursive: true, force: true }));
  const users = here.service.estate.users;
  const [ben] = [...users.values()].filter(one => one.username === 'ben');
  if (!ben) throw new Error('there is no Ben');
  users.set('USER-900', { ...ben, id: 'USER-900', username: 'svc', password: 'svc-password' });
  const config = configOf({ SERVICE_USER: username, SERVICE_PASSWORD_FILE: file });
  /** Opens the account as a process does that has just started. */
  const opens = (of: Config = config) => {
    const needs = { ...here.parts, config: of, policy: here.parts.policy };
    const credentials = openAccount({ ...needs, config: { ...of, policy: here.parts.policy } });
    const records = openRecords({
      ...{ service: here.parts.service, credentials, lastEnd: async () => 0, mapping: {} },
      ...{ clock: here.clock, log: here.parts.log, meter: noMeter },
    });
    return { credentials, records, reads: async () => (await records.session(account))?.records.list('live') };
  };
  const notices = () => store.selectFrom('outbox').selectAll().where('kind', '=', 'account').execute();
  const signIns = () => here.service.requests.filter(({ path }) => path === login).length;
  return { ...here, store, holds, opens, notices, signIns: countFrom(signIns) };
}

function configOf(keys: Record<string, string>): Config {
  return readConfig({
    ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 's', SERVICE_URL: 'http://service.invalid' },
    ...{ TOKEN_KEYS: tokenKey, APPROVAL_CHANNEL: 'C0APPROVAL', APPROVERS: 'S0DBAS0001', ...keys },
  });
}

function countFrom(count: () => number): () => number {
  const before = count();
  return () => count() - before;
}

describe('the service account', () => {
  test('the service account signs in when needed, once for all who ask at the same time, and keeps its token sealed', async () => {
    const here = await accountBoard();
    const { credentials, reads } = here.opens();
    expect(here.signIns()).toBe(0);
    const found = await Promise.all([1, 2, 3].map(() => credentials.find(account)));
    expect(new Set(found.map(one => one?.token)).size).toBe(1);
    expect((await reads())?.records.length).toBeGreaterThan(3);
    expect(here.signIns()).toBe(1);
    const rows = await here.store.selectFrom('credentials').selectAll().where('person', '=', 'service').execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(found[0]?.token ?? 'nothing');
    expect(JSON.stringify(rows)).not.toContain('svc-password');
    // Another process, or this one after a restart, goes on with the token that is kept.
    await here.opens().reads();
    expect(here.signIns()).toBe(1);
  });

  test('the audit trail says that the bot signed in the service account', async () => {
    const here = await accountBoard();
    await here.opens().reads();
    const [entry] = (await here.parts.audit.read('T1', { words: [] }, 1)).entries;
    expect(entry).toMatchObject({ event: 'signed in', actor: 'dolly', person: 'service', login: 'svc' });
  });

  test('the service account gets a new token as soon as the service refuses the old one', async () => {
    const here = await accountBoard();
    const { credentials, reads } = here.opens();
    const before = await credentials.find(account);
    await here.clock.advance(3 * minute);
    here.service.signOut('svc');
    await expect(reads()).rejects.toThrow();
    expect((await reads())?.records.length).toBeGreaterThan(3);
    expect((await credentials.find(account))?.token).not.toBe(before?.token);
    expect(here.signIns()).toBe(2);
  });

  test('the service account does not sign in again and again where each new token is refused at once', async () => {
    const here = await accountBoard();
    const { reads } = here.opens();
    for (let passed = 0; passed < 4 * hour; passed += minute) {
      here.service.signOut('svc');
      await reads().catch(() => undefined);
      await here.clock.advance(minute);
    }
    expect(here.signIns()).toBeGreaterThan(4);
    // Once a minute would be 240 times. The pauses are drawn by lot.
    expect(here.signIns()).toBeLessThan(40);
  });

  test('the service account tries a wrong password less and less often, and reads a new one without a restart', async () => {
    const here = await accountBoard(undefined, { password: 'wrong' });
    const { reads } = here.opens();
    for (let passed = 0; passed < 6 * hour; passed += minute) {
      expect(await reads()).toBeUndefined();
      await here.clock.advance(minute);
    }
    expect(here.signIns()).toBeLessThan(60);
    here.holds('svc-password\n');
    await here.clock.advance(75 * minute);
    expect((await reads())?.records.length).toBeGreaterThan(3);
  });

  test('the service account signs in soon after an outage, and not before the time that the service asked for', async () => {
    const outage = { status: 503, headers: {} };
    let isOut = false;
    const here = await accountBoard(undefined, {
      middleware: (request, next) => (isOut && request.method === 'POST' ? new Response('', outage) : next()),
    });
    isOut = true;
    const { reads } = here.opens();
    for (let passed = 0; passed < 3 * hour; passed += minute) {
      expect(await reads()).toBeUndefined();
      await here.clock.advance(minute);
    }
    Object.assign(outage, { status: 429, headers: { 'retry-after': '600' } });
    await here.clock.advance(2 * minute);
    expect(await reads()).toBeUndefined();
    isOut = false;
    await here.clock.advance(9 * minute);
    expect(await reads()).toBeUndefined();
    await here.clock.advance(minute);
    expect((await reads())?.records.length).toBeGreaterThan(3);
    expect(await here.notices()).toEqual([]);
  });

  test('Dolly does not use the token of a service account that the configuration no longer names', async () => {
    const here = await accountBoard();
    await here.opens().reads();
    const other = here.opens({ ...configOf({}), account: undefined });
    expect(await other.credentials.find(account)).toBeUndefined();
    expect(await other.reads()).toBeUndefined();
    expect(here.signIns()).toBe(1);
  });

  test('a schedule that waits for the service account becomes due once the account has signed in', async () => {
    const here = await accountBoard();
    const asked = aSchedule({ waitsFor: signInOf(account) });
    await here.parts.things.act(schedules, asked.id, () => ({ as: asked }), 0);
    const due = () => here.store.selectFrom('due').select('dueAt').executeTakeFirst();
    expect(await due()).toEqual({ dueAt: null });
    await here.opens().reads();
    expect(await due()).toEqual({ dueAt: here.clock.now() });
  });

  test('the service account does not sign in for a person who is signed out', async () => {
    const here = await accountBoard();
    const { credentials } = here.opens();
    const ana = { team: 'T1', person: 'U0ANA' };
    expect(await credentials.find(ana)).toMatchObject({ username: 'ana' });
    await credentials.forget(ana, here.clock.now());
    expect(await credentials.find(ana)).toBeUndefined();
    expect(here.signIns()).toBe(0);
  });
});

describe.each(stores)('in %s, those who approve', (_, open) => {
  test('approvers hear once a day that the service account is refused, and once more when it works again', async () => {
    const here = await accountBoard(await open(), { password: 'wrong' });
    const [one, other] = [here.opens(), here.opens()];
    for (let passed = 0; passed < 20 * hour; passed += 30 * minute) {
      await Promise.all([one.reads(), other.reads()]);
      await here.clock.advance(30 * minute);
    }
    expect(await here.notices()).toMatchObject([{ channel: 'C0APPROVAL', outcome: null }]);
    await here.clock.advance(5 * hour);
    await Promise.all([one.reads(), other.reads()]);
    expect(await here.notices()).toHaveLength(2);
    here.holds('svc-password');
    await here.clock.advance(2 * hour);
    await one.reads();
    const told = await here.notices();
    expect(told.map(({ outcome }) => outcome)).toEqual(['It is signed in again.', 'It is signed in again.']);
    expect(JSON.stringify(told)).not.toMatch(/wrong|svc-password/);
  });

  test('a job that waits for the service account goes on once that can sign in, and a person’s job does not', async () => {
    const here = await accountBoard(await open(), { password: 'wrong' });
    const { credentials } = here.opens();
    await here.parts.jobs.add(wish({ id: 'run', runsAs: 'service' }));
    await here.parts.jobs.add(wish({ id: 'own' }));
    const held = { hold: 'sign-in', dueAt: here.clock.now() + 24 * hour } as const;
    await here.store.updateTable('jobs').set(held).where('id', 'in', ['run', 'own']).execute();
    expect(await credentials.find(account)).toBeUndefined();
    expect(await here.parts.jobs.teamsAwaitingAccount()).toEqual(['T1']);
    here.holds('svc-password');
    await here.clock.advance(2 * minute);
    await credentials.find(account);
    const jobs = await here.store.selectFrom('jobs').select(['id', 'hold']).where('id', 'in', ['run', 'own']).execute();
    expect(jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'own', hold: 'sign-in' },
      { id: 'run', hold: null },
    ]);
    expect(await here.parts.jobs.teamsAwaitingAccount()).toEqual([]);
  });
});

describe('a run of the service account that the policy lets others approve each time', () => {
  async function awaiting() {
    const here = await accountBoard();
    const { credentials, records } = here.opens();
    const policy = policyOf(PolicyFile.parse({ breakGlass: { people: 'U0ANA' } }), ['S0DBAS']);
    const parts = { ...here.parts, credentials, records, policy };
    const target = 'MARIADB_LIVE_SERVER-5';
    const asked = { operation: 'database.delete', values: { database: target }, target, purpose: 'It is old.' };
    const by = { team: 'T1', person: 'U0ANA', createdAt: here.clock.now() };
    const { job } = await parts.jobs.add(wish({ id: 'run', ...by, ...asked, runsAs: 'service' }));
    if (job.state !== 'new') throw new Error('it is not new');
    await send(parts, job);
    const read = async () => {
      const found = await parts.jobs.find('run');
      if (found?.state !== 'awaiting') throw new Error(`it is ${found?.state}`);
      return found;
    };
    const click = async (person: string) => ({
      ...{ team: 'T1', channel: 'C1', person },
      digest: (await read()).approval.digest,
    });
    return { ...here, parts, read, click };
  }

  test('nobody can break the glass for a request that runs with the service account', async () => {
    const here = await awaiting();
    expect((await here.read()).login).toBe('svc');
    const broken = await breakGlass(here.parts, await here.read(), await here.click('U0ANA'), 'The disk is full.');
    expect(broken).toMatchObject({ type: 'refused', sentence: expect.stringContaining('only what others approved') });
    await here.read();
  });

  test('nobody approves a run of the service account until Dolly knows that they are another user than its owner', async () => {
    const here = await awaiting();
    await here.signsIn('U0DEV', 'ana');
    const same = await approve(here.parts, await here.read(), await here.click('U0DEV'));
    expect(same).toMatchObject({
      type: 'refused',
      sentence: expect.stringContaining('and so is the person who asked'),
    });
    await here.parts.credentials.forget({ team: 'T1', person: 'U0ANA' }, here.clock.now());
    const untold = await approve(here.parts, await here.read(), await here.click('U0DEV'));
    expect(untold).toMatchObject({ type: 'refused', sentence: expect.stringContaining('must be signed in') });
    await here.signsIn('U0ANA', 'ana');
    await here.signsIn('U0DEV', 'dev');
    expect(await approve(here.parts, await here.read(), await here.click('U0DEV'))).toMatchObject({ type: 'counted' });
  });
});

describe('the message to those who approve', () => {
  test.each<[string, Middleware | undefined, (text: string) => void]>([
    ['quotes the service', undefined, text => expect(text).toContain('the user name or the password is wrong')],
    [
      'leaves out the password that the service echoes',
      async (request, next) => {
        if (!request.url.includes('/user/user/')) return next(request);
        const { password = '' }: Record<string, string> = await request.clone().json();
        return Response.json({ error: `No user svc with ${password}` }, { status: 401 });
      },
      text => expect(text).not.toContain('swordfish'),
    ],
  ])('The message to approvers about the service account %s', async (_, middleware, holds) => {
    const passage: Middleware = (request, next) => (isOn && middleware ? middleware(request, next) : next(request));
    let isOn = false;
    const here = await accountBoard(undefined, { password: 'swordfish-9', middleware: passage });
    isOn = true;
    await here.opens().reads();
    const [notice] = await here.notices();
    const text = JSON.stringify(accountMessage(JSON.parse(notice?.data ?? '{}'), null));
    expect(text).toContain('`svc` cannot sign in');
    expect(text).not.toContain('swordfish');
    holds(text);
  });

  test('the message about the service account says that the password file is empty, and does not name the path', async () => {
    const here = await accountBoard();
    const { reads } = here.opens();
    here.holds('');
    expect(await reads()).toBeUndefined();
    const [notice] = await here.notices();
    expect(JSON.parse(notice?.data ?? '{}')).toEqual({
      username: 'svc',
      why: 'The file that SERVICE_PASSWORD_FILE names is empty.',
    });
  });

  test('an outage of the service sends approvers no message about the service account', async () => {
    let isDown = false;
    const here = await accountBoard(undefined, {
      middleware: (request, next) => (isDown ? new Response('', { status: 503 }) : next(request)),
    });
    isDown = true;
    expect(await here.opens().reads()).toBeUndefined();
    expect(await here.notices()).toEqual([]);
  });
});

test.each([
  ['a member whom the policy names', 'U0DEV', true],
  ['somebody whom it does not name', 'U0ZOE', false],
  ['somebody of whom Slack does not tell it', 'U0KIM', undefined],
  ['a named person who has left', 'U0EVE', false],
])('%s (%s) may have reports read with the service account: %s', async (_, person, may) => {
  const here = await accountBoard();
  here.group.set('U0ZOE', false);
  here.group.set('U0KIM', undefined);
  here.strangers.add('U0EVE');
  const parts = { ...here.parts, account: { username: 'svc' } };
  expect(await mayUseAccount(parts, { team: 'T1', person })).toBe(may);
  expect(await mayUseAccount({ ...parts, account: undefined }, { team: 'T1', person })).toBe(false);
  const policy = { ...parts.policy, approvers: [] };
  expect(await mayUseAccount({ ...parts, policy }, { team: 'T1', person })).toBe(false);
});
