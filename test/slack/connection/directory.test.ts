import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LogLevel, WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { People } from '../../../src/jobs/approval/people/people.ts';
import { type Allowed, peopleIn } from '../../../src/slack/connection/directory.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { type TestClock, testClock } from '../../clock.ts';

type Answer = object | 'hang' | 'break' | { status: number };

/** A Slack of its own for each test: what it answers by method, and what it was asked. */
let answers: Record<string, (args: URLSearchParams) => Answer>;
let asked: string[];
let hanging: ServerResponse[];
let log: string[];
let clock: TestClock;
let end: () => Promise<unknown>;
let people: (allowed?: Partial<Allowed>) => People;

beforeEach(async () => {
  [asked, hanging, log] = [[], [], []];
  answers = { 'auth.test': () => ({ ok: true, team_id: 'T1', enterprise_id: 'E1' }) };
  clock = testClock(1_000_000);
  const server = createServer(async (request, response) => {
    const method = request.url?.split('/').pop() ?? '';
    const args = new URLSearchParams(String(await buffer(request)));
    asked.push([method, args.get('user') ?? args.get('usergroup') ?? ''].join(' ').trim());
    const answer = answers[method]?.(args) ?? { ok: false, error: 'unknown_method' };
    if (answer === 'break') request.socket.destroy();
    else if (answer === 'hang') hanging.push(response);
    else if ('status' in answer) response.writeHead(answer.status, { 'retry-after': '30' }).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const slack = new WebClient('xoxb-test', {
    slackApiUrl: `http://127.0.0.1:${port}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
  const stream = { write: (line: string) => void log.push(line) };
  people = ({ guests = false, teams = [] } = {}) =>
    peopleIn(oneForAll(slack), clock, pino({ level: 'info' }, stream), { guests, teams });
  end = () => {
    server.closeAllConnections();
    return once(server.close(), 'close');
  };
});
afterEach(() => end());

const ana = { team: 'T1', person: 'UANA' };
const ben = { team: 'T1', person: 'UBEN' };
const minutes = (count: number) => clock.advance(count * 60_000);
const groups: Record<string, string[]> = {};
const group = (args: URLSearchParams) => ({ ok: true, users: groups[args.get('usergroup') ?? ''] ?? [] });
/** Turns the clock until some work is done: the work goes over a real connection. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(100);
  return done;
}

describe('whether somebody is among approvers', () => {
  beforeEach(() => {
    Object.assign(groups, { SDBA: ['UANA'], SOPS: ['UBEN'] });
    answers['usergroups.users.list'] = group;
  });

  test('whether a person is an approver is known at once for listed users, and asked of Slack for user groups', async () => {
    const { isAmong } = people();
    expect(await isAmong(ana, ['UBEN', 'UANA', 'SDBA'])).toBe(true);
    expect(asked).toEqual([]);
    expect(await isAmong(ana, ['UBEN', 'SDBA'])).toBe(true);
    expect(await isAmong(ana, ['SOPS'])).toBe(false);
    expect(await isAmong(ana, [])).toBe(false);
    expect(asked).toEqual(['usergroups.users.list SDBA', 'usergroups.users.list SOPS']);
  });

  test('the members of a user group are remembered for five minutes, and read anew on demand', async () => {
    const { isAmong } = people();
    expect(await isAmong(ana, ['SDBA'])).toBe(true);
    groups.SDBA = ['UBEN'];
    await minutes(4);
    expect(await isAmong(ana, ['SDBA'])).toBe(true);
    expect(await isAmong(ana, ['SDBA'], 'now')).toBe(false);
    expect(await isAmong(ben, ['SDBA'])).toBe(true);
    groups.SDBA = [];
    await minutes(6);
    expect(await isAmong(ben, ['SDBA'])).toBe(false);
    expect(asked).toHaveLength(3);
  });

  test('Slack is asked once for a user group’s members by all who want to know at the same time', async () => {
    const { isAmong } = people();
    await Promise.all([ana, ben, ana, ben].map(who => isAmong(who, ['SDBA'])));
    await Promise.all([ana, ben].map(who => isAmong(who, ['SDBA'], 'now')));
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Answer]>([
    ['a plan without groups', { ok: false, error: 'plan_upgrade_required' }],
    ['a right that is missing', { ok: false, error: 'missing_scope' }],
    ['too many requests', { status: 429 }],
    ['an error of Slack', { status: 500 }],
    ['a broken connection', 'break'],
    ['silence', 'hang'],
  ])('membership in a user group is unknown after %s, but not for people listed elsewhere', async (_, answer) => {
    answers['usergroups.users.list'] = args => (args.get('usergroup') === 'SDBA' ? answer : group(args));
    const { isAmong } = people();
    expect(await inTime(isAmong(ana, ['SDBA']))).toBeUndefined();
    expect(await inTime(isAmong(ana, ['SDBA', 'SOPS'], 'now'))).toBeUndefined();
    expect(await inTime(isAmong(ben, ['SDBA', 'SOPS'], 'now'))).toBe(true);
    expect(await isAmong(ana, ['SDBA', 'UANA'])).toBe(true);
    expect(log).toHaveLength(1);
    await minutes(11);
    await inTime(isAmong(ana, ['SDBA']));
    expect(log).toHaveLength(2);
  });

  test('the last known members of a user group count for an hour of Slack’s trouble, but not for decisions', async () => {
    const { isAmong } = people();
    expect(await isAmong(ana, ['SDBA'])).toBe(true);
    answers['usergroups.users.list'] = () => ({ status: 429 });
    await minutes(30);
    expect(await isAmong(ana, ['SDBA'])).toBe(true);
    // A decision does not rest on what was.
    for (const who of [ana, ben]) expect(await isAmong(who, ['SDBA'], 'now')).toBeUndefined();
    await minutes(31);
    expect(await isAmong(ana, ['SDBA'])).toBeUndefined();
  });

  test('a question for a user group’s members is given up after two seconds, and its late answer serves the next', async () => {
    answers['usergroups.users.list'] = () => 'hang';
    const { isAmong } = people();
    const before = clock.now();
    expect(await inTime(isAmong(ana, ['SDBA']))).toBeUndefined();
    expect(clock.now() - before).toBeLessThanOrEqual(2_100);
    hanging[0]?.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, users: ['UANA'] }));
    await expect.poll(() => isAmong(ana, ['SDBA'])).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test('a failed question for a user group’s members is not repeated at once, unless they must be known now', async () => {
    answers['usergroups.users.list'] = () => ({ status: 500 });
    const { isAmong } = people();
    for (const _ of Array(3)) expect(await isAmong(ana, ['SDBA'])).toBeUndefined();
    expect(asked).toHaveLength(1);
    answers['usergroups.users.list'] = group;
    expect(await isAmong(ana, ['SDBA'], 'now')).toBe(true);
  });
});

test('people out of users and user groups are listed once each, as far as Slack names the members', async () => {
  Object.assign(groups, { SDBA: ['UANA', 'UDEV'], SOPS: ['UBEN'] });
  answers['usergroups.users.list'] = args => (args.get('usergroup') === 'SOPS' ? { status: 500 } : group(args));
  expect(await people().membersOf('T1', ['UBEN', 'SDBA', 'UANA', 'SOPS'])).toEqual(['UBEN', 'UANA', 'UDEV']);
});

describe('what somebody is in the workspace:', () => {
  const is = (user: object) => {
    answers['users.info'] = () => ({ ok: true, user });
  };

  test.each<[string, object, string]>([
    ['a person of the workspace', { team_id: 'T1' }, 'member'],
    ['a person of the organisation', { team_id: 'E1' }, 'member'],
    [
      'a person of another workspace of the organisation',
      { team_id: 'T2', enterprise_user: { enterprise_id: 'E1' } },
      'member',
    ],
    ['a person of several workspaces', { team_id: 'T2', enterprise_user: { teams: ['T3', 'T1'] } }, 'member'],
    ['a guest', { team_id: 'T1', is_restricted: true }, 'guest'],
    ['a guest of one channel', { team_id: 'T1', is_restricted: true, is_ultra_restricted: true }, 'guest'],
    ['a person of another workspace', { team_id: 'T2' }, 'outsider'],
    [
      'a person of another organisation',
      { team_id: 'T2', enterprise_user: { enterprise_id: 'E2', teams: ['T2'] } },
      'outsider',
    ],
    ['a stranger', { team_id: 'T2', is_stranger: true }, 'outsider'],
    ['a guest of another workspace', { team_id: 'T2', is_restricted: true }, 'outsider'],
    ['a bot', { team_id: 'T1', is_bot: true }, 'outsider'],
    ['somebody who left', { team_id: 'T1', deleted: true }, 'outsider'],
    ['somebody of whom no workspace is told', { name: 'ana' }, 'member'],
    ['a guest of whom no workspace is told', { name: 'gus', is_restricted: true }, 'guest'],
  ])('the standing of %s in the workspace is read from Slack', async (_, user, standing) => {
    is(user);
    expect(await people().standingOf(ana)).toBe(standing);
  });

  test.each(['user_not_found', 'user_not_visible', 'users_not_found'])(
    'a person for whom Slack answers %s is an outsider',
    async error => {
      answers['users.info'] = () => ({ ok: false, error });
      expect(await people().standingOf(ana)).toBe('outsider');
    },
  );

  test('a standing that Slack tells after three seconds is known to who waits for five, and unknown by default', async () => {
    const { standingOf } = people();
    const tells = async () => {
      await clock.wait(3_000);
      const body = JSON.stringify({ ok: true, user: { team_id: 'T1' } });
      for (const response of hanging.splice(0)) response.setHeader('content-type', 'application/json').end(body);
    };
    for (const [wait, standing] of [
      [undefined, 'unknown'],
      [5_000, 'member'],
    ] as const) {
      answers['users.info'] = () => 'hang';
      const told = tells();
      expect(await inTime(standingOf(ana, 'now', wait))).toBe(standing);
      await inTime(told);
    }
  });

  test('guests count as members where they are allowed', async () => {
    is({ team_id: 'T1', is_restricted: true });
    expect(await people({ guests: true }).standingOf(ana)).toBe('member');
    is({ team_id: 'T2', is_restricted: true });
    expect(await people({ guests: true }).standingOf(ben)).toBe('outsider');
  });

  test('people of another workspace or organisation count as members where that is allowed; its guests do not', async () => {
    is({ team_id: 'T2', is_stranger: true });
    expect(await people({ teams: ['T2'] }).standingOf(ana)).toBe('member');
    expect(await people({ teams: ['T3'] }).standingOf(ana)).toBe('outsider');
    is({ team_id: 'T2', enterprise_user: { enterprise_id: 'E2' } });
    expect(await people({ teams: ['E2'] }).standingOf(ana)).toBe('member');
    is({ team_id: 'T2', is_restricted: true });
    expect(await people({ teams: ['T2'] }).standingOf(ana)).toBe('guest');
    expect(await people({ teams: ['T2'], guests: true }).standingOf(ana)).toBe('member');
    is({ team_id: 'T2', deleted: true });
    expect(await people({ teams: ['T2'] }).standingOf(ana)).toBe('outsider');
  });

  test('a person’s standing in the workspace is remembered for ten minutes', async () => {
    is({ team_id: 'T1' });
    const { standingOf } = people();
    await standingOf(ana);
    is({ team_id: 'T1', is_restricted: true });
    await minutes(9);
    expect(await standingOf(ana)).toBe('member');
    await minutes(2);
    expect(await standingOf(ana)).toBe('guest');
    expect(asked.filter(what => what === 'users.info UANA')).toHaveLength(2);
    expect(asked.filter(what => what === 'auth.test')).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['refuses', { ok: false, error: 'missing_scope' }],
    ['is in trouble', { status: 500 }],
    ['asks me to wait', { status: 429 }],
    ['is silent', 'hang'],
  ])('a person’s standing is unknown for half a minute where Slack %s', async (_, answer) => {
    answers['users.info'] = () => answer;
    const { standingOf } = people();
    const before = clock.now();
    expect(await inTime(standingOf(ana))).toBe('unknown');
    expect(clock.now() - before).toBeLessThanOrEqual(1_100);
    is({ team_id: 'T1', is_restricted: true });
    expect(await standingOf(ana)).toBe('unknown');
    await clock.advance(31_000);
    expect(await standingOf(ana)).toBe('guest');
    expect(log).toHaveLength(1);
  });

  test('a guest still counts as a guest for a day while Slack is in trouble', async () => {
    is({ team_id: 'T1', is_restricted: true });
    const { standingOf } = people();
    await standingOf(ana);
    answers['users.info'] = () => ({ status: 500 });
    await minutes(23 * 60);
    expect(await standingOf(ana)).toBe('guest');
    await minutes(61);
    expect(await standingOf(ana)).toBe('unknown');
  });

  test('a guest is known as a guest even where Slack does not tell which workspace this is', async () => {
    answers['auth.test'] = () => 'break';
    is({ team_id: 'T1', is_restricted: true });
    expect(await people().standingOf(ana)).toBe('guest');
    is({ team_id: 'T1' });
    expect(await people().standingOf(ana)).toBe('unknown');
  });

  test('a person who comes back after nine minutes does not wait for Slack, whose answer counts the next time', async () => {
    is({ team_id: 'T1' });
    const { standingOf } = people();
    await standingOf(ana);
    answers['users.info'] = () => 'hang';
    await minutes(9);
    const before = clock.now();
    expect(await standingOf(ana)).toBe('member');
    expect(clock.now()).toBe(before);
    const user = { team_id: 'T1', is_restricted: true };
    await expect.poll(() => hanging.length).toBe(1);
    hanging[0]?.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, user }));
    await expect.poll(() => standingOf(ana)).toBe('guest');
  });
});
