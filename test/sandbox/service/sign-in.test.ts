import { expect, test } from 'vitest';
import { accepted, field, startSandbox } from './client.ts';

test('every account of the sandbox signs in with its password', async () => {
  const { accounts, bare } = await startSandbox();
  expect(accounts.map(({ username, role }) => `${username} ${role}`)).toEqual([
    'ana DBA',
    'ben DEVELOPER',
    'chi DEVELOPER',
    'dev DBA',
    'eve AUDITOR',
    'expired DEVELOPER',
  ]);
  for (const { username, password } of accounts) {
    expect((await bare('POST /user/user/token', { username, password })).body).toMatchObject({ username });
    expect((await bare('POST /user/user/signin', { username, password })).body).toEqual(accepted);
  }
});

test.each([
  ['a wrong password', { username: 'ana', password: 'x' }, 401],
  ['an unknown user', { username: 'zoe', password: 'x' }, 401],
  ['a user who is locked', { username: 'frank', password: 'frank-password' }, 401],
  ['no password', { username: 'ana' }, 400],
  ['a field too many', { username: 'ana', password: 'ana-password', remember: true }, 400],
])('a sign-in with %s gets no token', async (_title, body, status) => {
  const { bare } = await startSandbox();
  for (const path of ['token', 'signin']) {
    const answer = await bare(`POST /user/user/${path}`, body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('ana-password');
  }
});

test('a sign-in with an Authorization header is refused', async () => {
  const { bare } = await startSandbox();
  const answer = await bare(
    'POST /user/user/token',
    { username: 'ana', password: 'ana-password' },
    { authorization: 'Bearer x' },
  );
  expect(answer.status).toBe(400);
});

test('a token of the sandbox is good for its lifetime and not a moment longer', async () => {
  const sandbox = await startSandbox({ tokenLifetime: 5_000 });
  const send = await sandbox.as('ana');
  await sandbox.clock.advance(4_999);
  expect((await send('GET /project/list')).status).toBe(200);
  await sandbox.clock.advance(1);
  const answer = await send('GET /project/list');
  expect([answer.status, field(answer.body, 'error.code')]).toEqual([401, 'TOKEN_EXPIRED']);
});

test('the tokens of the sandbox’s user "expired" last one minute', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('expired');
  expect((await send('GET /project/list')).status).toBe(200);
  await sandbox.clock.advance(60_000);
  expect((await send('GET /project/list')).status).toBe(401);
});

test('the simulated service refuses a token that it never issued', async () => {
  const { bare } = await startSandbox();
  for (const authorization of ['Bearer nonsense', 'Basic YW5hOmFuYQ==', 'Bearer'])
    expect((await bare('GET /project/list', undefined, { authorization })).status).toBe(401);
});

test('the tokens of a deleted user, or of one signed out by hand, are refused', async () => {
  const sandbox = await startSandbox();
  const [ana, ben, chi] = [await sandbox.as('ana'), await sandbox.as('ben'), await sandbox.as('chi')];
  expect((await ana('DELETE /user/user/delete?input=USER-2')).body).toEqual(accepted);
  expect((await ben('GET /project/list')).status).toBe(200);
  await sandbox.clock.advance(1_000);
  expect((await ben('GET /project/list')).status).toBe(401);
  sandbox.service.signOut('chi');
  expect((await chi('GET /project/list')).status).toBe(401);
  expect((await ana('DELETE /user/user/delete?input=USER-1')).status).toBe(409);
});

const writes = [
  ['PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-1' }],
  ['PUT /database/refresh', 'MYSQL_LIVE_SERVER-1'],
  ['PUT /database/disable', 'MYSQL_LIVE_SERVER-1'],
  ['PUT /database/enable', 'MARIADB_LIVE_SERVER-5'],
  ['DELETE /database/delete?input=MARIADB_LIVE_SERVER-3', undefined],
  ['PUT /snapshot/delete?input=MYSQL_SNAPSHOT-1', undefined],
  ['POST /database/snapshot/mount', { database: 'MYSQL_LIVE_SERVER-1' }],
  ['PUT /database/stop', 'MYSQL_CLONE_SERVER-1'],
  ['PUT /database/reset', 'MYSQL_CLONE_SERVER-2'],
  ['POST /database/clone/switch', { database: 'MARIADB_CLONE_SERVER-1', localDirectory: '/data' }],
  ['POST /database/restore', { objectType: 'MYSQL_SERVER_RECOVERY_PARAMS', database: 'MYSQL_LIVE_SERVER-2' }],
  ['PUT /environment/refresh', 'HOST_ENVIRONMENT-1'],
  ['PUT /environment/disable', 'HOST_ENVIRONMENT-1'],
  ['PUT /environment/enable', 'HOST_ENVIRONMENT-6'],
  ['DELETE /environment/delete?input=HOST_ENVIRONMENT-7', undefined],
  ['DELETE /user/user/delete?input=USER-7', undefined],
  ['DELETE /project/delete?input=PROJECT-4', undefined],
] as const;

test.each([
  ['a DBA may do everything', 'ana', writes.map(([endpoint]) => endpoint)],
  [
    'a developer may back up, mount, refresh, and handle only their own clones',
    'ben',
    [
      'PUT /database/sync',
      'PUT /database/refresh',
      'POST /database/snapshot/mount',
      'PUT /database/stop',
      'POST /database/clone/switch',
      'PUT /environment/refresh',
    ],
  ],
  ['an auditor may only read', 'eve', []],
])('the simulated service keeps to the rights of each role: %s', async (_title, username, permitted) => {
  const done: string[] = [];
  for (const [endpoint, body] of writes) {
    const sandbox = await startSandbox();
    const answer = await (await sandbox.as(username))(endpoint, body);
    if (answer.status === 200) done.push(endpoint);
    else expect([endpoint, answer.status]).toEqual([endpoint, 403]);
  }
  expect(done).toEqual(permitted);
});
