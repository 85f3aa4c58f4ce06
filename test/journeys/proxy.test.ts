import { afterAll, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { openProxy } from '../proxying.ts';
import { world } from '../world.ts';
import { answerTo } from './asking.ts';

const proxy = await openProxy();
afterAll(() => proxy.close());
const named = { HTTP_PROXY: proxy.url, USE_PROXY: 'true' };

/** Waits until the doctor says something. */
async function isDiagnosed(someone: Someone, said: string): Promise<void> {
  await someone.types('#databases', '/db doctor');
  await someone.until(() => textOf(someone.lastMessage('#databases')).includes(said), said);
}

test('with USE_PROXY, Slack and the service are reached by the proxy, and the doctor says so', async () => {
  const earth = await world({ environment: named });
  const ana = await earth.enters('Ana', 'ana');
  expect(textOf(await answerTo(ana, '/db list'))).toContain('21 databases');
  expect(proxy.passed.some(line => line.endsWith('/service/database/list'))).toBe(true);
  expect(proxy.passed.some(line => line.endsWith('/api/auth.test'))).toBe(true);
  await isDiagnosed(ana, 'I reach Slack and the service through it');
  await earth.close();
});

test('a connection of Socket Mode goes through the proxy, too', async () => {
  const before = proxy.passed.length;
  const earth = await world({ environment: named, socketMode: true });
  const ana = await earth.enters('Ana', 'ana');
  expect(textOf(await answerTo(ana, '/db list'))).toContain('21 databases');
  expect(proxy.passed.slice(before).join('\n')).toMatch(/^websocket http:/m);
  await earth.close();
});

test('without USE_PROXY nothing goes through the proxy, and the doctor names the variable that is set', async () => {
  const before = proxy.passed.length;
  const earth = await world({ environment: { HTTP_PROXY: proxy.url } });
  const ana = await earth.enters('Ana', 'ana');
  await isDiagnosed(ana, 'HTTP_PROXY is set');
  expect(proxy.passed).toHaveLength(before);
  await earth.close();
});

test('a host that NO_PROXY names is reached without the proxy', async () => {
  const before = proxy.passed.length;
  const earth = await world({ environment: { ...named, NO_PROXY: '127.0.0.1, localhost' } });
  const ana = await earth.enters('Ana', 'ana');
  expect(textOf(await answerTo(ana, '/db list'))).toContain('21 databases');
  expect(proxy.passed).toHaveLength(before);
  await earth.close();
});
