import { expect, test } from 'vitest';
import { provocations } from '../../../src/sandbox/service/failures.ts';
import { accepted, field, rows, type Sandbox, type Send, startSandbox } from './client.ts';

const clone = (word: string) => ({
  vendor: 'MYSQL',
  cloneType: 'VIRTUALCLONE',
  port: 3400,
  mountBase: `/mnt/${word}_1`,
  environmentUser: 'ENVIRONMENT_USER-8',
  install: 'MYSQL_INSTALL-2',
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  targetEnvironment: 'HOST_ENVIRONMENT-4',
});
const create = 'POST /database/clone/create';

async function begin(): Promise<{ sandbox: Sandbox; send: Send; made(): Promise<unknown> }> {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ben');
  const made = async () =>
    rows((await send('GET /database/list')).body).find(record => field(record, 'id') === 'MYSQL_CLONE_SERVER-4');
  return { sandbox, send, made };
}

test('a simulated clone with the word "fail" fails in the background with a text of its vendor, and can be deleted', async () => {
  const { sandbox, send, made } = await begin();
  expect((await send(create, clone('fail'))).body).toEqual(accepted);
  expect(await made()).toMatchObject({ state: 'CREATING' });
  await sandbox.clock.advance(3_000);
  expect(await made()).toMatchObject({ state: 'FAILED', error: expect.stringContaining('InnoDB') });
  expect((await send('PUT /database/start', 'MYSQL_CLONE_SERVER-4')).status).toBe(409);
  expect((await send('DELETE /database/delete?input=MYSQL_CLONE_SERVER-4')).body).toEqual(accepted);
  await sandbox.clock.advance(2_000);
  expect(await made()).toBeUndefined();
});

test('a simulated clone with "fail" in its Oracle name fails with Oracle’s text, and can be deleted all the same', async () => {
  const { sandbox, send } = await begin();
  const { port: _, ...rest } = clone('x');
  const body = {
    ...rest,
    vendor: 'ORACLE',
    databaseName: 'PAYFAIL',
    environmentUser: 'ENVIRONMENT_USER-7',
    install: 'ORACLE_INSTALL-2',
    sourceDatabase: 'ORACLE_LIVE_DATABASE-1',
  };
  expect((await send(create, body)).body).toEqual(accepted);
  await sandbox.clock.advance(3_000);
  const path = 'GET /database/ORACLE_CLONE_DATABASE-4';
  expect((await send(path)).body).toMatchObject({ state: 'FAILED', error: expect.stringContaining('ORA-19504') });
  await send('DELETE /database/delete?input=ORACLE_CLONE_DATABASE-4');
  await sandbox.clock.advance(2_000);
  expect((await send(path)).status).toBe(404);
});

test('a simulated clone with the word "slow" takes ten times as long', async () => {
  const { sandbox, send, made } = await begin();
  await send(create, clone('slow'));
  await sandbox.clock.advance(29_999);
  expect(await made()).toMatchObject({ state: 'CREATING' });
  await sandbox.clock.advance(1);
  expect(await made()).toMatchObject({ state: 'RUNNING' });
});

test('a simulated clone with the word "stuck" is never done', async () => {
  const { sandbox, send, made } = await begin();
  await send(create, clone('stuck'));
  await sandbox.clock.advance(7 * 3_600_000);
  expect(await made()).toMatchObject({ state: 'CREATING' });
});

test('a simulated clone with the word "vanish" is accepted, and its record never appears', async () => {
  const { sandbox, send, made } = await begin();
  expect((await send(create, clone('vanish'))).body).toEqual(accepted);
  await sandbox.clock.advance(60_000);
  expect(await made()).toBeUndefined();
});

test.each([
  ['refuse', 400],
  ['soft', 200],
  ['busy', 503],
])(
  'a simulated clone with the word "%s" is answered by an error object with status %i, and is not made',
  async (word, status) => {
    const { send, made } = await begin();
    const answer = await send(create, clone(word));
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ objectType: 'ERROR_RESULT', status: 'FAILED' });
    expect(await made()).toBeUndefined();
  },
);

test.each([
  ['crash', 500, 'application/json'],
  ['html', 200, 'text/html; charset=utf-8'],
  ['huge', 200, 'application/json'],
])(
  'a simulated clone with the word "%s" gets no success envelope as its answer, but is made',
  async (word, status, type) => {
    const { sandbox, send, made } = await begin();
    const answer = await send(create, clone(word));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
    expect(answer.body).not.toEqual(accepted);
    if (word === 'huge') expect(answer.text.length).toBeGreaterThan(50 * 1024 * 1024);
    await sandbox.clock.advance(3_000);
    expect(await made()).toMatchObject({ state: 'RUNNING' });
  },
);

test('a simulated clone with the word "torn" breaks the connection in the middle of the answer, but is made', async () => {
  const { sandbox, send, made } = await begin();
  await expect(send(create, clone('torn'))).rejects.toThrow();
  await sandbox.clock.advance(3_000);
  expect(await made()).toMatchObject({ state: 'RUNNING' });
});

test('a simulated clone with the word "hang" is answered after a minute, long after it was made', async () => {
  const { sandbox, send, made } = await begin();
  const answer = send(create, clone('hang'));
  await expect.poll(made).toMatchObject({ state: 'CREATING' });
  await sandbox.clock.advance(3_000);
  expect(await made()).toMatchObject({ state: 'RUNNING' });
  await sandbox.clock.advance(57_000);
  expect((await answer).body).toEqual(accepted);
});

test('the words that provoke failures count in script paths, too, and not inside of ordinary words', async () => {
  const { sandbox, send, made } = await begin();
  const body = { ...clone('exchange'), specificPostScriptPath: '/opt/software/mask.sh' };
  expect((await send(create, body)).body).toEqual(accepted);
  await sandbox.clock.advance(3_000);
  expect(await made()).toMatchObject({ state: 'RUNNING' });
  const refused = { ...clone('x'), port: 3401, specificPostScriptPath: '/opt/refuse.sh' };
  expect((await send(create, refused)).status).toBe(400);
});

test('an operation that gets an identifier alone fails where the name of that record has the word "fail"', async () => {
  const { sandbox, send } = await begin();
  await send('PUT /database/sync', { database: 'MARIADB_LIVE_SERVER-4' });
  await send('PUT /database/stop', 'MARIADB_CLONE_SERVER-3');
  await sandbox.clock.advance(4_000);
  for (const id of ['MARIADB_LIVE_SERVER-4', 'MARIADB_CLONE_SERVER-3'])
    expect((await send(`GET /database/${id}`)).body).toMatchObject({ state: 'FAILED', error: expect.any(String) });
});

test('some user names provoke bad answers at sign-in', async () => {
  const { bare } = await startSandbox();
  const token = (username: string) => bare('POST /user/user/token', { username, password: 'x' });
  expect((await token('crash')).status).toBe(500);
  expect((await token('html')).text).toContain('<!doctype html>');
  expect((await token('busy')).headers.get('retry-after')).toBe('30');
});

test('every word that provokes a failure fits into a name, and says what it does', () => {
  for (const { word, pattern, meaning } of provocations) {
    expect(word).toMatch(/^[a-z]{4,8}$/);
    expect(`x_${word.toUpperCase()}1`).toMatch(pattern);
    expect(meaning).not.toBe('');
  }
});

test('closing the simulated service ends the jobs that run and the requests that hang', async () => {
  const { sandbox, send } = await begin();
  await send(create, clone('stuck'));
  const hanging = send(create, { ...clone('hang'), port: 3401 });
  await expect.poll(() => sandbox.service.jobs()).toHaveLength(2);
  await sandbox.close();
  expect(sandbox.service.jobs()).toEqual([]);
  await hanging.catch(() => undefined);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});
