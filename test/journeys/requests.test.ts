import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { signingSecret, type World, world } from '../world.ts';

let earth: World;
/** The response URLs that a listener answered to, by their paths, and who waits for one. */
const heard: string[] = [];
const waiting = new Map<string, () => void>();
const ear = createServer((request, response) => {
  request.resume().on('end', () => {
    const path = request.url ?? '';
    heard.push(path);
    response.end('ok');
    waiting.get(path)?.();
  });
});
let earUrl = '';

beforeAll(async () => {
  await once(ear.listen(0, '127.0.0.1'), 'listening');
  earUrl = `http://127.0.0.1:${portOf(ear.address())}`;
  earth = await world();
});
beforeEach(() => {
  heard.length = 0;
});
afterAll(async () => {
  await earth.close();
  ear.close();
});

const portOf = (address: AddressInfo | string | null) =>
  typeof address === 'object' && address ? address.port : Number.NaN;
const mebibyte = 1024 * 1024;

/** `/db help` of Ana as Slack sends it; a listener that gets it answers to `path`. */
function command(path: string, size = 0): string {
  const fields = {
    command: '/db',
    text: 'help',
    team_id: earth.playground.slack.workspace.team.id,
    user_id: 'U0ANA00001',
    channel_id: 'C0DATABASE',
    trigger_id: 'trigger',
    response_url: earUrl + path,
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
  test('that is right is taken', onlyTheRightOneIsHeard);

  test('whose signature is wrong is refused', async () => {
    const body = command('/wrong');
    expect(await sends(body, signed(body, 0, 'another-secret'))).toBe(401);
    expect(await sends(body, signed(`${body}&more=1`))).toBe(401);
    expect(await sends(body, { ...signed(body), 'X-Slack-Signature': 'v0=' })).toBe(401);
    expect(await sends(body, { ...signed(body), 'X-Slack-Signature': '' })).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('that is not signed is refused', async () => {
    const body = command('/unsigned');
    const { 'X-Slack-Signature': signature = '', 'X-Slack-Request-Timestamp': time = '' } = signed(body);
    expect(signature).toMatch(/^v0=/);
    expect(await sends(body, {})).toBe(401);
    expect(await sends(body, { 'X-Slack-Signature': signature })).toBe(401);
    expect(await sends(body, { 'X-Slack-Request-Timestamp': time })).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('that is older than five minutes is refused, though its signature is right', async () => {
    const body = command('/old');
    expect(await sends(body, signed(body, 5 * 60 + 5))).toBe(401);
    await onlyTheRightOneIsHeard();
  });

  test('that asks only whether the connection is good brings in nothing else unsigned', async () => {
    expect(await sends(`${command('/smuggled')}&ssl_check=1`, {})).toBe(200);
    await onlyTheRightOneIsHeard();
  });

  test('of one mebibyte is taken', async () => {
    const body = command('/large', mebibyte);
    expect(body).toHaveLength(mebibyte);
    const answer = new Promise<void>(resolve => waiting.set('/large', resolve));
    expect(await sends(body, signed(body))).toBe(200);
    await answer;
  });

  test('that says to be larger is refused before it comes', async () => {
    const body = command('/larger', mebibyte + 1);
    expect(await answered(await begins({ ...length(body), ...signed(body) }))).toBe(413);
    expect(await sends(body, signed(body))).toBe(413);
    await onlyTheRightOneIsHeard();
  });

  test('that turns out to be larger is refused as soon as it does', async () => {
    const body = command('/chunked', mebibyte + 1);
    const socket = await begins({ ...signed(body), 'Transfer-Encoding': 'chunked' });
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    // Its end never comes.
    expect(await answered(socket)).toBe(413);
    await onlyTheRightOneIsHeard();
  });

  test('that dies half-way harms nothing', async () => {
    const body = command('/half');
    for (const headers of [length(body), { 'Transfer-Encoding': 'chunked' }]) {
      const socket = await begins({ ...signed(body), ...headers });
      socket.write('Content-Length' in headers ? body.slice(0, 50) : `${body.length.toString(16)}\r\n${body}`);
      socket.destroy();
      await once(socket, 'close');
    }
    await onlyTheRightOneIsHeard();
  });

  test('that is no JSON or no form is refused', async () => {
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

test('anything else is not there', async () => {
  const at = (path: string, method = 'GET') => fetch(earth.dolly().url + path, { method }).then(({ status }) => status);
  expect(await at('/slack/events')).toBe(404);
  expect(await at('/slack/events/more', 'POST')).toBe(404);
  expect(await at('/', 'POST')).toBe(404);
  await onlyTheRightOneIsHeard();
});
