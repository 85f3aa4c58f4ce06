import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { signingSecret, type World, world } from '../world.ts';

let earth: World;
/** The response URLs that a listener answered to, by their paths, and who waits for one. */
const heard: string[] = [];
const waiting = new Map<string, () => void>();
const listen = (): Server =>
  createServer((request, response) => {
    request.resume().on('end', () => {
      const path = request.url ?? '';
      if (path.startsWith('/api/')) return response.setHeader('content-type', 'application/json').end(slackSays);
      heard.push(path);
      if (path === '/elsewhere') response.writeHead(307, { location: `${otherUrl}/redirected` });
      response.end('ok');
      return waiting.get(path)?.();
    });
  });
/** Slack, which answers everything alike, and somebody else's server on the same host. */
const [ear, other] = [listen(), listen()];
const slackSays = JSON.stringify({
  ...{ ok: true, team_id: 'T0PLAYGRND', user_id: 'U0DOLLY', bot_id: 'B0DOLLY', channel: { id: 'D0ANA' }, ts: '1.1' },
  user: { id: 'U0ANA00001', team_id: 'T0PLAYGRND' },
});
let [earUrl, otherUrl] = ['', ''];

beforeAll(async () => {
  await Promise.all([ear, other].map(server => once(server.listen(0, '127.0.0.1'), 'listening')));
  [earUrl, otherUrl] = [`http://127.0.0.1:${portOf(ear.address())}`, `http://127.0.0.1:${portOf(other.address())}`];
  earth = await world({ environment: { SLACK_API_URL: `${earUrl}/api/` } });
});
beforeEach(() => {
  heard.length = 0;
});
afterAll(async () => {
  const closed = earth.close();
  // What is still tried again of the answers that nobody took is waited for.
  await earth.clock.advance(60_000);
  await closed;
  for (const server of [ear, other]) server.close();
});

const portOf = (address: AddressInfo | string | null) =>
  typeof address === 'object' && address ? address.port : Number.NaN;
const mebibyte = 1024 * 1024;

/** `/db help` of Ana as Slack sends it; a listener that gets it answers to `path`. */
function command(path: string, size = 0, from = earUrl): string {
  const fields = {
    command: '/db',
    text: 'help',
    team_id: earth.playground.slack.workspace.team.id,
    user_id: 'U0ANA00001',
    channel_id: 'C0DATABASE',
    trigger_id: 'trigger',
    response_url: from + path,
    padding: '',
  };
  const body = new URLSearchParams(fields).toString();
  return body + 'x'.repeat(Math.max(size - body.length, 0));
}

type Headers = Record<string, string>;
const signed = (body: string, age = 0, secret = signingSecret): Headers =>
  signatureHeaders(secret, Math.floor(Date.now() / 1_000) - age, body);
const length = (body: string): Headers => ({ 'Content-Length': String(Buffer.byteLength(body)) });

/** Opens a connection to the bot and sends the head of a request. */
async function begins(headers: Headers): Promise<Socket> {
  const { hostname, port } = new URL(earth.dolly().url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  const all = { Host: 'dolly', 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /slack/events HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** The status with which the bot answers. */
async function answered(socket: Socket): Promise<number> {
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
}

async function sends(body: string, headers: Headers): Promise<number> {
  const socket = await begins({ ...length(body), ...headers });
  socket.write(body);
  return answered(socket);
}

/** Claims that a right request is taken, and that no listener got anything before it. */
async function onlyTheRightOneIsHeard(): Promise<void> {
  const answer = new Promise<void>(resolve => waiting.set('/right', resolve));
  const body = command('/right');
  expect(await sends(body, signed(body))).toBe(200);
  await answer;
  expect(heard).toEqual(['/right']);
}

describe('a request of Slack', () => {
  test('a request of Slack that is signed rightly is taken', onlyTheRightOneIsHeard);

  test('a request of Slack with a wrong signature is refused', async () => {
    const body = command('/wrong');
    expect(await sends(body, signed(body, 0, 'another-secret'))).toBe(401);
    expect(await sends(body, signed(`${body}&more=1`))).toBe(401);
    expect(await sends(body, { ...signed(body), 'X-Slack-Signature': 'v0=' })).toBe(401);
    expect(await sends(body, { ...signed(body), 'X-Slack-Signature': '' })).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('a request of Slack that is not signed is refused', async () => {
    const body = command('/unsigned');
    const { 'X-Slack-Signature': signature = '', 'X-Slack-Request-Timestamp': time = '' } = signed(body);
    expect(signature).toMatch(/^v0=/);
    expect(await sends(body, {})).toBe(401);
    expect(await sends(body, { 'X-Slack-Signature': signature })).toBe(401);
    expect(await sends(body, { 'X-Slack-Request-Timestamp': time })).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('a rightly signed request of Slack that is older than five minutes is refused', async () => {
    const body = command('/old');
    expect(await sends(body, signed(body, 5 * 60 + 5))).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('a rightly signed request of Slack from the future is refused, but for some seconds', async () => {
    const body = command('/early');
    for (const ahead of [90, 5 * 60 + 5, 3_600, 86_400 * 365 * 1_000])
      expect(await sends(body, signed(body, -ahead))).toBe(401);
    // Clocks may differ by some seconds.
    const near = new Promise<void>(resolve => waiting.set('/near', resolve));
    expect(await sends(command('/near'), signed(command('/near'), -20))).toBe(200);
    await near;
    heard.length = 0;
    await onlyTheRightOneIsHeard();
  });

  test.each<[string, string]>([
    ['null', 'null'],
    ['a number', '7'],
    ['a text', '"ssl_check"'],
    ['a list', '[{"type":"url_verification","challenge":"x"}]'],
    ['a deep list', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('a rightly signed request of Slack that is %s is refused', async (_, body) => {
    const form = `payload=${encodeURIComponent(body)}`;
    expect(await sends(body, { ...signed(body), 'Content-Type': 'application/json' })).toBe(400);
    expect(await sends(form, signed(form))).toBe(400);
    const escaped = form.replace('payload=', 'a=b&%70%61yload=');
    expect(await sends(escaped, signed(escaped))).toBe(400);
    await onlyTheRightOneIsHeard();
  });

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['types of another kind', { type: 5, team: [], user: null, command: {}, view: 'x', actions: 7 }],
    ['a click without anything', { type: 'block_actions' }],
    ['a click of nobody', { type: 'block_actions', user: null, team: null, actions: [null] }],
    ['a form without a view', { type: 'view_submission', user: { id: 'U0ANA00001' }, team: { id: 'T0PLAYGRND' } }],
    ['a picker without a value', { type: 'block_suggestion', user: {}, team: {} }],
    ['an event of nothing', { type: 'event_callback', event: null }],
    ['an event without a type', { type: 'event_callback', event: {}, authorizations: 'x' }],
    ['a deep object', `{"type":"block_actions","actions":[${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}]}`],
  ])('a rightly signed request of Slack that holds %s does no harm', async (_, payload) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const form = `payload=${encodeURIComponent(body)}`;
    for (const [sent, type] of [
      [body, 'application/json'],
      [form, 'application/x-www-form-urlencoded'],
    ] as const)
      void (await begins({ ...length(sent), ...signed(sent), 'Content-Type': type })).end(sent);
    await onlyTheRightOneIsHeard();
  });

  test('a command is answered at Slack’s own address alone, and no redirect from there is followed', async () => {
    const { port } = new URL(earUrl);
    for (const from of [otherUrl, `http://127.0.0.1:${port}@${new URL(otherUrl).host}`, `http://localhost:${port}`])
      expect(await sends(command('/foreign', 0, from), signed(command('/foreign', 0, from)))).toBe(200);
    const moved = new Promise<void>(resolve => waiting.set('/elsewhere', resolve));
    expect(await sends(command('/elsewhere'), signed(command('/elsewhere')))).toBe(200);
    await moved;
    heard.length = 0;
    await onlyTheRightOneIsHeard();
  });

  test('an unsigned request that asks only for a check of the connection smuggles in no command', async () => {
    expect(await sends(`${command('/smuggled')}&ssl_check=1`, {})).toBe(200);
    await onlyTheRightOneIsHeard();
  });

  test('a request of Slack of one mebibyte is taken', async () => {
    const body = command('/large', mebibyte);
    expect(body).toHaveLength(mebibyte);
    const answer = new Promise<void>(resolve => waiting.set('/large', resolve));
    expect(await sends(body, signed(body))).toBe(200);
    await answer;
  });

  test('a request of Slack that announces more than one mebibyte is refused before its body comes', async () => {
    const body = command('/larger', mebibyte + 1);
    expect(await answered(await begins({ ...length(body), ...signed(body) }))).toBe(413);
    expect(await sends(body, signed(body))).toBe(413);
    await onlyTheRightOneIsHeard();
  });

  test('a request of Slack that turns out to be larger than one mebibyte is refused at once', async () => {
    const body = command('/chunked', mebibyte + 1);
    const socket = await begins({ ...signed(body), 'Transfer-Encoding': 'chunked' });
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    // Its end never comes.
    expect(await answered(socket)).toBe(413);
    await onlyTheRightOneIsHeard();
  });

  test('a request of Slack that breaks off halfway does no harm', async () => {
    const body = command('/half');
    for (const headers of [length(body), { 'Transfer-Encoding': 'chunked' }]) {
      const socket = await begins({ ...signed(body), ...headers });
      socket.write('Content-Length' in headers ? body.slice(0, 50) : `${body.length.toString(16)}\r\n${body}`);
      socket.destroy();
      await once(socket, 'close');
    }
    await onlyTheRightOneIsHeard();
  });

  test('a request of Slack that is neither JSON nor a form is refused', async () => {
    for (const body of ['{"type":', 'payload=%7B'])
      expect(
        await sends(body, {
          ...signed(body),
          ...(body.startsWith('{') ? { 'Content-Type': 'application/json' } : {}),
        }),
      ).toBe(400);
    await onlyTheRightOneIsHeard();
  });
});

test('a request for another path or by another method is answered with 404', async () => {
  const at = (path: string, method = 'GET') => fetch(earth.dolly().url + path, { method }).then(({ status }) => status);
  expect(await at('/slack/events')).toBe(404);
  expect(await at('/slack/events/more', 'POST')).toBe(404);
  expect(await at('/', 'POST')).toBe(404);
  await onlyTheRightOneIsHeard();
});
