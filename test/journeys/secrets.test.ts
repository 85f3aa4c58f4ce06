import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../src/ground/log.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { appToken, botToken, loginPath, signInOfferTo, signingSecret, tokenKey, type World, world } from '../world.ts';
import { ends, quickClone, quickLine, refusedClone } from './clones.ts';
import { crossing } from './crossing.ts';

const log: string[] = [];
/** The audit trail as it is exported. */
const exports: string[] = [];
/** Tokens that the service gave out, and passwords that people typed, right ones and wrong ones. */
const tokens = new Set<string>();
const passwords = ['ana-password', 'ben-password', 'a-wrong-guess', 'typed-in-slack', 'typed-as-a-name', 'Fal&sch/9ö'];
/** Secrets as a service may quote them, with the word that their spelling is found by in what must not have it. */
const quoted = ['Fal\\u0026sch', 'Fal%26sch', 'Fal&amp;sch', Buffer.from('ben:Fal&sch/9ö').toString('base64').slice(4)];
const metricsToken = 'metrics-token-of-the-test';
/** What the sign-in page answered to passwords that the service quotes. */
const pages: string[] = [];
let earth: World;
let ana: Someone;

/** A world in which whatever can be logged is logged, lived through with every kind of trouble. */
beforeAll(async () => {
  const road = crossing();
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  earth = await world({
    service: {
      async middleware(request, next) {
        const bearer = request.headers.get('authorization')?.replace('Bearer ', '');
        if (bearer !== undefined) tokens.add(bearer);
        return road.middleware(request, next);
      },
    },
    environment: { LOG_LEVEL: 'trace', METRICS_TOKEN: metricsToken },
    surroundings: { log: openLog('trace', stream) },
  });
  ana = await earth.enters('Ana');
  await ana.types('#databases', '/db login');
  const path = loginPath(await ana.reads('#databases', 'Sign in to the service'));
  const sends = (username: string, password: string) =>
    fetch(`${earth.dolly().url}${path}`, { method: 'POST', body: new URLSearchParams({ username, password }) });
  await sends('ana', 'a-wrong-guess');
  for (const word of ['crash', 'html', 'huge', 'torn', 'hang', 'soft']) await sends(word, 'a-wrong-guess');
  const echo =
    (said: (typed: string) => string): Middleware =>
    async request => {
      const { username = '', password = '' }: Record<string, string> = await request.clone().json();
      return new Response(said(password.startsWith('Fal') ? password : username), { status: 401 });
    };
  const spelt = [
    (typed: string) => `{"error":"No user ${typed.replaceAll('-', '\\u002d').replaceAll('&', '\\u0026')}"}`,
    (typed: string) => `{"error":"No user ${encodeURIComponent(typed)}"}`,
    (typed: string) => `<html><h1>No user ${typed.replaceAll('&', '&amp;').replaceAll('-', '&#45;')}</h1></html>`,
    (typed: string) => `{"error":"Basic ${Buffer.from(`ben:${typed}`).toString('base64')}"}`,
  ];
  const eve = await earth.enters('Eve');
  for (const say of spelt) {
    const anew = loginPath(await signInOfferTo(eve, '#databases'));
    const answers = ['/user/user/token', '/user/user/signin'].map(at => road.meets(at, echo(say)));
    for (const [username, password] of [
      ['typed-as-a-name', 'whatever'],
      ['ben', 'Fal&sch/9ö'],
    ] as const) {
      const body = new URLSearchParams({ username, password });
      pages.push(await (await fetch(`${earth.dolly().url}${anew}`, { method: 'POST', body })).text());
    }
    for (const answer of answers) answer.leave();
  }
  await earth.signsIn(ana, '#databases', 'ana');
  const echoing = road.meets('/database/MYSQL_LIVE_SERVER-1', async (request, next) => {
    const bearer = request.headers.get('authorization') ?? '';
    const text = Buffer.from(bearer).toString('base64');
    const record: object = await (await next()).json();
    return Response.json({
      ...record,
      error: `The agent refused ${bearer}`,
      agent: { url: `https://agent/?auth=${text}` },
    });
  });
  for (const line of ['/db show MYSQL_LIVE_SERVER-1', '/db backup MYSQL_LIVE_SERVER-1']) {
    await ana.types('#databases', line);
    await earth.clock.advance(5_000);
  }
  await ana.reads('#databases', 'left out: it quotes a sign-in');
  echoing.leave();
  const ben = await earth.enters('Ben', 'ben');
  await ben.types('#dev', '/db list orders');
  await ben.reads('#dev', 'orders-3320');

  for (const fault of ['rate-limit', 'error', 'lose-answer'] as const)
    for (const method of [
      'chat.postMessage',
      'chat.update',
      'views.open',
      'views.update',
      'response_url',
      'users.info',
    ])
      earth.playground.slack.faults.add({ method, kind: fault });
  for (const line of ['/db list', '/db list', '/db list', '/clone shop', '/clone shop', '/clone shop'])
    await ana.types('#databases', line);
  const opened = () => earth.playground.slack.traffic().filter(({ what }) => what === 'views.open');
  await ana.until(() => opened().length === 3, 'three forms');
  await earth.clock.advance(60_000);
  earth.playground.slack.faults.clear();
  if (ana.hasModal()) await ana.cancels(true);

  for (const [at, word] of ['fine', 'fail', 'crash', 'hang', 'torn'].entries())
    await ends(earth, await quickClone(earth, ana, 3401 + at, `/mnt/${word}`), word === 'fine' ? 'Confirmed' : 'd');
  for (const word of ['soft', 'refuse']) await refusedClone(earth, ana, quickLine(3406, `/mnt/${word}`));
  const trouble = road.meets('/database/list', () => new Response('<html>', { status: 500 }));
  await ana.types('#databases', '/db list');
  await earth.clock.advance(60_000);
  trouble.leave();
  earth.service.service.signOut('ana');
  await ana.types('#databases', '/db whoami');
  await ana.reads('#databases', 'no longer valid');

  // Who approves reads the whole trail.
  await earth.restart({ PUBLIC_URL: '', APPROVERS: ana.id });
  await ana.presses('Sign in', { message: await signInOfferTo(ana, '#databases') });
  await ana.fills({ username: 'ana', password: 'typed-in-slack' });
  await ana.submits();
  await ana.until(() => JSON.stringify(ana.sees().views).includes('did not accept'), 'the refusal');
  await ana.fills({ username: 'ana', password: 'ana-password' });
  await ana.submits();
  await ana.until(() => JSON.stringify(ana.sees().views).includes('You are signed in'), 'the sign-in');
  for (const button of ['CSV', 'JSON lines']) {
    await ana.types('#dev', '/db audit');
    const page = await ana.until(() => ana.messages('#dev').findLast(({ text }) => text.includes('audit trail')), 'it');
    const before = ana.messages('@dolly').length;
    await ana.presses(button, { message: page });
    const file = await earth.until(
      () =>
        ana
          .messages('@dolly')
          .slice(before)
          .find(({ files }) => files),
      'a file',
    );
    exports.push(await ana.downloads(file));
  }
  await ana.types('#dev', '/db list payroll');
  await ana.reads('#dev', 'ORACLE_LIVE_DATABASE-1');
});
afterAll(() => earth.close());

/** The secrets that stand in a text, by what they are. */
function secretsIn(text: string): string[] {
  const secrets = { botToken, appToken, signingSecret, tokenKey, metricsToken };
  const found = Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
  return [
    ...found,
    ...passwords.filter(password => text.includes(password)),
    ...quoted.filter(spelling => text.includes(spelling)),
    ...[...tokens].flatMap(token => (text.includes(token) ? ['a token of the service'] : [])),
    ...[...tokens].flatMap(token =>
      text.includes(Buffer.from(`Bearer ${token}`).toString('base64').slice(12, -4)) ? ['a token in base64'] : [],
    ),
  ];
}

test('the test’s world had secrets to betray, and a log that could betray them', () => {
  expect(tokens.size).toBeGreaterThanOrEqual(3);
  expect(log.length).toBeGreaterThan(20);
});

test('no secret stands in the log, however much is logged', () => {
  expect(secretsIn(log.join(''))).toEqual([]);
});

test('no password that the service quotes in another spelling stands on the sign-in page', () => {
  expect(pages).toHaveLength(8);
  for (const text of pages) {
    expect(text).toMatch(/did not accept this user name and password|last try/);
    expect(
      secretsIn(text.replaceAll('value="typed-as-a-name"', '')).filter(found => found !== 'typed-as-a-name'),
    ).toEqual([]);
  }
});

test('no secret stands in an export of the audit trail, which tells of the sign-ins', () => {
  expect(exports).toHaveLength(2);
  for (const text of exports) {
    for (const event of ['signed in', 'sign-in refused', 'token refused', 'accepted']) expect(text).toContain(event);
    expect(secretsIn(text)).toEqual([]);
  }
});

test('no secret, and nobody’s name, stands in the metrics', async () => {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${earth.dolly().url}/metrics`, { headers })).text();
  expect(text).toContain('dolly_commands_total{');
  expect(secretsIn(text)).toEqual([]);
  for (const name of ['ana', 'ben', ana.id, 'shop', 'payroll']) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
});

test('no secret stands in a message, a form or any request of the bot to Slack', () => {
  const messages = earth.playground.slack.workspace.channels.map(({ id }) => earth.playground.slack.messages(id));
  expect(secretsIn(JSON.stringify(messages))).toEqual([]);
  const fromBot = earth.playground.slack.traffic().filter(({ direction }) => direction === 'from bot');
  expect(fromBot.length).toBeGreaterThan(20);
  expect(secretsIn(JSON.stringify(fromBot))).toEqual([]);
});

test('no secret stands in the files of the store', () => {
  const folder = earth.environment.DATA_DIR ?? '';
  const files = readdirSync(folder);
  expect(files).toContain('dolly.sqlite');
  for (const file of files) expect(secretsIn(readFileSync(join(folder, file), 'latin1'))).toEqual([]);
});

test('no link to sign in stands in the files of the store or in the log', () => {
  const links = [
    ...JSON.stringify(earth.playground.slack.messages('#databases')).matchAll(/\/login\/([\w-]{43})/g),
  ].map(([, secret = '']) => secret);
  expect(links.length).toBeGreaterThan(0);
  const folder = earth.environment.DATA_DIR ?? '';
  const kept = readdirSync(folder).map(file => readFileSync(join(folder, file), 'latin1'));
  for (const text of [...kept, log.join('')]) expect(links.filter(link => text.includes(link))).toEqual([]);
});

test('the log warns at the start that passwords go unencrypted to another machine', async () => {
  const told = () => log.filter(line => line.includes('SERVICE_URL: passwords and tokens go to'));
  expect(told()).toEqual([]);
  await earth.restart({ SERVICE_URL: 'http://service.invalid:8443' });
  expect(told()).toEqual([expect.stringContaining('"level":40')]);
});
