import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { commands, tokens } from './bolt.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ port: 0, ...tokens, commands });
});
afterAll(() => playground.close());

/** The status of a request with headers that fetch would not let us set. */
function status(path: string, method: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(playground.url + path, { method, headers }, response => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{"as":"U0ANA00001"}' : undefined);
  });
}

describe('the playground serves this machine only', () => {
  test('the playground does not start on an address other than loopback', async () => {
    await expect(startPlayground({ port: 0, host: '0.0.0.0', ...tokens, commands })).rejects.toThrow('loopback');
  });

  test('the playground refuses a request under another host name than its own', async () => {
    expect(await status('/', 'GET', { host: 'attacker.example' })).toBe(403);
    expect(await status('/', 'GET', { host: 'localhost:1' })).toBe(200);
  });

  test('another website may link to the playground’s page, but not act or read there', async () => {
    const foreign = { origin: 'https://attacker.example' };
    expect(await status('/play/dm', 'POST', foreign)).toBe(403);
    expect(await status('/play/dm', 'POST', { origin: 'null' })).toBe(403);
    expect(await status('/api/auth.test', 'POST', foreign)).toBe(403);
    expect(await status('/play/state', 'GET', { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status('/', 'GET', { 'sec-fetch-site': 'cross-site' })).toBe(200);
    expect(await status('/play/dm', 'POST', { origin: playground.url, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  test('the playground refuses a malformed request, and does not know a stranger', async () => {
    const post = (body: string) => fetch(`${playground.url}/play/say`, { method: 'POST', body });
    expect((await post('{')).status).toBe(400);
    expect((await post('{"as":"U0ANA00001"}')).status).toBe(400);
    expect((await post('{"as":"U0NOBODY","channel":"C","text":"a"}')).status).toBe(404);
  });
});

test('the playground serves the bundled script and style of its page', async () => {
  const script = await fetch(`${playground.url}/assets/main.js`);
  expect(script.headers.get('content-type')).toContain('javascript');
  expect((await script.text()).length).toBeGreaterThan(1_000);
  expect((await (await fetch(`${playground.url}/assets/main.css`)).text()).length).toBeGreaterThan(100);
});
