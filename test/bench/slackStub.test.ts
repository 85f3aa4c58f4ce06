import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSlackStub } from './slackStub.ts';

const server = createServer(newSlackStub());
let url = '';
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(() => server.close());

const post = (path: string, body: string | URLSearchParams) => fetch(url + path, { method: 'POST', body });
const text = async (path: string) => (await fetch(url + path)).text();

it('the benchmark’s Slack takes any method, and says who the bot is', async () => {
  expect(await (await post('/one/api/auth.test', '')).json()).toMatchObject({ ok: true, bot_id: 'Bone' });
  expect(await (await post('/one/api/no.such', '')).json()).toEqual({ ok: true });
});

it('the benchmark’s Slack counts for each bot, and tells as soon as a number is reached', async () => {
  const second = text('/two/seen/response?count=2');
  await post('/two/response/1', '{"text":"a"}');
  await post('/other/response/1', '{"text":"b"}');
  expect(await text('/two/seen/response')).toBe('1');
  await post('/two/response/trail', '{"text":"c"}');
  expect(await second).toBe('2');
  expect(await text('/two/last/response')).toBe('{"text":"c"}');
  expect(await text('/two/seen/trail')).toBe('1');
  expect(await text('/two/last/1')).toBe('{"text":"a"}');
});

it('the benchmark’s Slack keeps the view that was opened last', async () => {
  await post('/three/api/views.open', new URLSearchParams({ trigger_id: '1', view: '{"type":"modal"}' }));
  expect(await text('/three/last/view')).toBe('{"type":"modal"}');
});
