import { expect, test } from 'vitest';
import { endpoints } from '../../../src/sandbox/service/catalogue.ts';
import { endpoints as specified } from '../../specification.ts';
import { field, rows, startSandbox } from './client.ts';

test('the simulated service has the 31 endpoints of the specification and no other', () => {
  expect(specified).toHaveLength(31);
  expect(endpoints.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(specified.toSorted());
});

test('every endpoint of the simulated service but token and signin asks for a bearer token', async () => {
  const { bare } = await startSandbox();
  const open: string[] = [];
  for (const endpoint of specified) {
    const answer = await bare(endpoint.replace('{id}', 'PROJECT-1'), endpoint.startsWith('GET') ? undefined : '{}');
    if (answer.status !== 401) open.push(endpoint);
    else expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect(open).toEqual(['POST /user/user/token', 'POST /user/user/signin']);
});

test('the lists of the sandbox are bare arrays of simulated records, each of which is fetched by its id', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('eve');
  for (const [list, one] of [
    ['/database/list', '/database/'],
    ['/environment/list', '/environment/'],
    ['/user/list', '/user/user/'],
    ['/project/list', '/project/'],
  ]) {
    const records = rows((await send(`GET ${list}`)).body);
    expect(records.length).toBeGreaterThan(3);
    for (const record of records) {
      expect(field(record, 'simulated')).toBe(true);
      expect((await send(`GET ${one}${field(record, 'id')}`)).body).toEqual(record);
    }
  }
});

test('the sandbox has several live databases of every vendor, and clones that run and that are stopped', async () => {
  const sandbox = await startSandbox();
  const all = rows((await (await sandbox.as('eve'))('GET /database/list')).body);
  for (const vendor of ['ORACLE', 'MYSQL', 'MARIADB']) {
    const own = all.filter(record => field(record, 'vendor') === vendor);
    expect(own.filter(record => field(record, 'role') === 'LIVE').length).toBeGreaterThan(2);
    const states = own.filter(record => field(record, 'role') === 'CLONE').map(record => field(record, 'state'));
    expect(states).toEqual(expect.arrayContaining(['RUNNING', 'STOPPED']));
  }
  expect(all.some(record => rows(field(record, 'pluggableDatabases')).length > 1)).toBe(true);
});

test('no user’s record in the sandbox shows a password', async () => {
  const sandbox = await startSandbox();
  expect((await (await sandbox.as('eve'))('GET /user/list')).text).not.toContain('password');
});

test.each([
  ['GET /database/MYSQL_LIVE_SERVER-99', 404],
  ['GET /database/PROJECT-1', 400],
  ['GET /database/sync', 400],
  ['GET /environment/HOST_ENVIRONMENT-99', 404],
  ['GET /nothing/here', 404],
  ['POST /database/list', 405],
  ['GET /database/list?input=x', 400],
  ['DELETE /database/delete', 400],
  ['DELETE /database/delete?id=MYSQL_LIVE_SERVER-1', 400],
  ['DELETE /snapshot/delete?input=MYSQL_SNAPSHOT-1', 405],
  ['PUT /snapshot/delete?input=MYSQL_LIVE_SERVER-1', 400],
])('the request %s is answered with the status %i and an error object', async (endpoint, status) => {
  const sandbox = await startSandbox();
  const answer = await (await sandbox.as('ana'))(endpoint);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ objectType: 'ERROR_RESULT', status: 'FAILED' });
});

test.each([
  ['an object where the identifier is wanted', 'PUT /database/stop', { id: 'MYSQL_CLONE_SERVER-1' }, {}, 400],
  ['a bare word', 'PUT /database/stop', 'orders', {}, 400],
  [
    'JSON of another content type',
    'PUT /database/sync',
    '{"database":"MYSQL_LIVE_SERVER-1"}',
    { 'content-type': 'text/plain' },
    415,
  ],
  ['an array', 'PUT /database/sync', '[]', {}, 400],
  ['no JSON at all', 'PUT /database/sync', 'MYSQL_LIVE_SERVER-1', {}, 400],
  ['another syncType', 'PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-1', syncType: 'FULL' }, {}, 400],
  ['a body on a deletion', 'DELETE /project/delete?input=PROJECT-4', 'PROJECT-4', {}, 400],
  ['two megabytes', 'PUT /database/sync', 'x'.repeat(2 ** 21), {}, 413],
])(
  'a request with %s as its body is refused',
  async (_title, endpoint, body, headers: Record<string, string>, status) => {
    const sandbox = await startSandbox();
    expect((await (await sandbox.as('ana'))(endpoint, body, headers)).status).toBe(status);
  },
);

test('the simulated service shows tests every request, by endpoint, with its body and without passwords', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  await send('PUT /database/stop', '"MYSQL_CLONE_SERVER-1"');
  await send('GET /database/PROJECT-1');
  expect(sandbox.service.count('PUT /database/stop')).toBe(1);
  expect(sandbox.service.requests).toMatchObject([
    { endpoint: 'POST /user/user/token', body: { username: 'ana', password: '(hidden)' }, status: 200 },
    { endpoint: 'PUT /database/stop', body: 'MYSQL_CLONE_SERVER-1', status: 200 },
    { endpoint: 'GET /database/{id}', path: '/service/database/PROJECT-1', body: undefined, status: 400 },
  ]);
});

test('a middleware of the simulated service can answer in another shape', async () => {
  const sandbox = await startSandbox({
    middleware: async (request, next) => {
      const response = await next();
      if (request.method !== 'GET') return response;
      return Response.json({ items: await response.json() });
    },
  });
  const { body } = await (await sandbox.as('ana'))('GET /project/list');
  expect(rows(field(body, 'items')).length).toBe(4);
});

test('the records of the simulated service can be changed behind its API', async () => {
  const { service, as } = await startSandbox();
  const send = await as('ana');
  service.rename('PROJECT-1', 'renamed');
  service.change('MYSQL_LIVE_SERVER-1', { state: 'FAILED', error: 'broken' });
  service.remove('USER-7');
  expect((await send('GET /project/PROJECT-1')).body).toMatchObject({ name: 'renamed' });
  expect((await send('GET /database/MYSQL_LIVE_SERVER-1')).body).toMatchObject({
    state: 'FAILED',
    error: 'broken',
    projectName: 'renamed',
  });
  expect((await send('GET /user/user/USER-7')).status).toBe(404);
  expect(() => service.change('PROJECT-99', { name: 'x' })).toThrow('PROJECT-99');
});

test('the simulated service can have another first path segment than /service', async () => {
  const { url } = await startSandbox({ prefix: '/product' });
  expect((await fetch(`${url}/product/project/list`)).status).toBe(401);
  expect((await fetch(`${url}/service/project/list`)).status).toBe(404);
});

test('a port that is taken stops the start of the simulated service with the system’s reason', async () => {
  const { url } = await startSandbox();
  await expect(startSandbox({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE');
});

test('the simulated service listens on loopback unless it is told another host', async () => {
  const { url } = await startSandbox();
  expect(new URL(url).hostname).toBe('127.0.0.1');
});
