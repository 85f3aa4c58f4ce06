import { describe, expect, test } from 'vitest';
import { accepted, field, rows, type Sandbox, type Send, startSandbox } from './client.ts';

const onDev = { targetEnvironment: 'HOST_ENVIRONMENT-4' };
const oracle = {
  vendor: 'ORACLE',
  cloneType: 'VIRTUALCLONE',
  databaseName: 'PAYQA',
  mountBase: '/mnt/payqa',
  environmentUser: 'ENVIRONMENT_USER-7',
  install: 'ORACLE_INSTALL-2',
  sourceDatabase: 'ORACLE_LIVE_DATABASE-1',
  ...onDev,
};
const mysql = {
  vendor: 'MYSQL',
  cloneType: 'VIRTUALCLONE',
  port: 3400,
  mountBase: '/mnt/orders_qa',
  environmentUser: 'ENVIRONMENT_USER-8',
  install: 'MYSQL_INSTALL-2',
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  ...onDev,
};
const mariadb = {
  ...mysql,
  vendor: 'MARIADB',
  install: 'MARIADB_INSTALL-2',
  environmentUser: 'ENVIRONMENT_USER-9',
  sourceDatabase: 'MARIADB_LIVE_SERVER-1',
  mountBase: '/mnt/billing_qa',
};

async function newest(send: Send): Promise<unknown> {
  return rows((await send('GET /database/list')).body).at(-1);
}
async function begin(): Promise<{ sandbox: Sandbox; send: Send }> {
  const sandbox = await startSandbox();
  return { sandbox, send: await sandbox.as('ben') };
}

describe.each([
  ['ORACLE', oracle, 'PAYQA', 'ORACLE_CLONE_DATABASE-4', 'ORACLE_SNAPSHOT-4'],
  ['MYSQL', mysql, 'orders-3400', 'MYSQL_CLONE_SERVER-4', 'MYSQL_SNAPSHOT-4'],
  ['MARIADB', mariadb, 'billing-3400', 'MARIADB_CLONE_SERVER-4', 'MARIADB_SNAPSHOT-4'],
])('a clone of %s', (_vendor, body, name, id, latest) => {
  test('a clone in the sandbox is accepted at once, created while time goes by, and then runs', async () => {
    const { sandbox, send } = await begin();
    expect((await send('POST /database/clone/create', body)).body).toEqual(accepted);
    expect(await newest(send)).toMatchObject({ id, name, state: 'CREATING', owner: 'ben', simulated: true });
    await sandbox.clock.advance(3_000);
    expect(await newest(send)).toMatchObject({ id, state: 'RUNNING', cloneType: 'VIRTUALCLONE', snapshot: latest });
  });

  test('a physical clone in the sandbox takes longer than a virtual one', async () => {
    const { sandbox, send } = await begin();
    expect((await send('POST /database/duplicate/create', { ...body, cloneType: 'PHYSICAL' })).body).toEqual(accepted);
    await sandbox.clock.advance(3_000);
    expect(await newest(send)).toMatchObject({ state: 'CREATING' });
    await sandbox.clock.advance(9_000);
    expect(await newest(send)).toMatchObject({ state: 'RUNNING', cloneType: 'PHYSICAL' });
  });

  test('a clone in the sandbox comes from the snapshot that is named', async () => {
    const { send } = await begin();
    const snapshot = latest.replace('-4', '-1');
    expect((await send('POST /database/clone/create', { ...body, snapshot })).body).toEqual(accepted);
    expect(await newest(send)).toMatchObject({ snapshot });
  });

  test.each(Object.keys(body))('a clone cannot be asked for without %s, which the refusal names', async missing => {
    const { send } = await begin();
    const rest = Object.fromEntries(Object.entries(body).filter(([key]) => key !== missing));
    const answer = await send('POST /database/clone/create', rest);
    expect(answer.status).toBe(400);
    expect(field(answer.body, 'error.field')).toBe(missing);
  });
});

const wrong: readonly [string, object, number, string][] = [
  ['a cloneType of the other path', { ...oracle, cloneType: 'PHYSICAL' }, 400, 'cloneType'],
  ['a vendor that is none', { ...oracle, vendor: 'POSTGRES' }, 400, 'vendor'],
  ['a port for Oracle', { ...oracle, port: 3306 }, 400, 'port'],
  ['a databaseName for MySQL', { ...mysql, databaseName: 'x' }, 400, 'databaseName'],
  ['rmanChannel for MariaDB', { ...mariadb, rmanChannel: 2 }, 400, 'rmanChannel'],
  ['a port as text', { ...mysql, port: '3400' }, 400, 'port'],
  ['a port out of range', { ...mysql, port: 70_000 }, 400, 'port'],
  ['a port in use on the target', { ...mysql, port: 3320 }, 409, 'port'],
  ['a directory in use on the target', { ...mysql, mountBase: '/mnt/orders-3320' }, 409, 'mountBase'],
  ['a name in use on the target', { ...oracle, databaseName: 'paydev' }, 409, 'databaseName'],
  ['a relative directory', { ...mysql, mountBase: 'mnt/x' }, 400, 'mountBase'],
  ['an install of another environment', { ...mysql, install: 'MYSQL_INSTALL-1' }, 400, 'install'],
  ['an install of another vendor', { ...mysql, install: 'MARIADB_INSTALL-2' }, 400, 'install'],
  ['a user of another environment', { ...mysql, environmentUser: 'ENVIRONMENT_USER-1' }, 400, 'environmentUser'],
  ['a source that is a clone', { ...mysql, sourceDatabase: 'MYSQL_CLONE_SERVER-1' }, 400, 'sourceDatabase'],
  ['a source that is not there', { ...mysql, sourceDatabase: 'MYSQL_LIVE_SERVER-99' }, 404, 'sourceDatabase'],
  ['a snapshot of another database', { ...mysql, snapshot: 'MYSQL_SNAPSHOT-5' }, 404, 'snapshot'],
  ['a project that is not there', { ...mysql, project: 'PROJECT-99' }, 404, 'project'],
  [
    'an environment field instead of targetEnvironment',
    { ...mysql, environment: 'HOST_ENVIRONMENT-4' },
    400,
    'environment',
  ],
  [
    'a BOOLEAN parameter that is no string',
    { ...mysql, databaseParams: [{ name: 'a', type: 'BOOLEAN', value: true }] },
    400,
    'databaseParams.0.value',
  ],
  [
    'a NUMBER parameter that is a string',
    { ...mysql, databaseParams: [{ name: 'a', type: 'NUMBER', value: '1' }] },
    400,
    'databaseParams.0.value',
  ],
];

test.each(wrong)('a clone with %s is refused, and the field is named', async (_title, body, status, name) => {
  const { sandbox, send } = await begin();
  const before = sandbox.service.estate.databases.size;
  const answer = await send('POST /database/clone/create', body);
  expect([answer.status, field(answer.body, 'error.field')]).toEqual([status, name]);
  expect(sandbox.service.estate.databases.size).toBe(before);
});

test('every optional field of a clone is taken and shown in its record', async () => {
  const { send } = await begin();
  const databaseParams = [
    { name: 'sql_mode', type: 'STRING', value: '' },
    { name: 'max_connections', type: 'NUMBER', value: 50 },
    { name: 'event_scheduler', type: 'BOOLEAN', value: 'false' },
  ];
  const more = { databaseParams, project: 'PROJECT-1', parallel: 4, specificPostScriptPath: '/opt/software/mask.sh' };
  expect((await send('POST /database/clone/create', { ...mysql, ...more })).body).toEqual(accepted);
  expect(await newest(send)).toMatchObject({ ...more, projectName: 'web-shop', port: 3400 });
});

test('of two clones that want one port at once, one is refused', async () => {
  const { send } = await begin();
  const answers = await Promise.all([
    send('POST /database/clone/create', mysql),
    send('POST /database/clone/create', { ...mysql, mountBase: '/mnt/other' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a clone is stopped, started and reset by its identifier, bare or as a JSON string', async () => {
  const { sandbox, send } = await begin();
  const state = async () => field((await send('GET /database/MYSQL_CLONE_SERVER-1')).body, 'state');
  expect((await send('PUT /database/stop', 'MYSQL_CLONE_SERVER-1')).body).toEqual(accepted);
  expect(await state()).toBe('STOPPING');
  await sandbox.clock.advance(1_000);
  expect(await state()).toBe('STOPPED');
  expect((await send('PUT /database/stop', 'MYSQL_CLONE_SERVER-1')).status).toBe(409);
  expect((await send('PUT /database/start', '"MYSQL_CLONE_SERVER-1"')).body).toEqual(accepted);
  await sandbox.clock.advance(1_500);
  expect(await state()).toBe('RUNNING');
  expect((await send('PUT /database/reset', 'MYSQL_CLONE_SERVER-1', { 'content-type': 'text/plain' })).status).toBe(
    200,
  );
  await sandbox.clock.advance(2_500);
  expect((await send('GET /database/MYSQL_CLONE_SERVER-1')).body).toMatchObject({
    state: 'RUNNING',
    resetAt: new Date(sandbox.clock.now()).toISOString(),
  });
});

test('a physical clone is neither reset nor converted', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  expect((await send('PUT /database/reset', 'MYSQL_CLONE_SERVER-3')).status).toBe(409);
  const body = { database: 'MYSQL_CLONE_SERVER-3', localDirectory: '/data/x' };
  expect((await send('POST /database/clone/switch', body)).status).toBe(409);
});

test('a clone is shared onto another environment, and then its source cannot be deleted', async () => {
  const { sandbox, send } = await begin();
  const shared = {
    vendor: 'MYSQL',
    mountBase: '/mnt/shared',
    sourceDatabase: 'MYSQL_CLONE_SERVER-1',
    environment: 'HOST_ENVIRONMENT-5',
    environmentUser: 'ENVIRONMENT_USER-12',
    install: 'MYSQL_INSTALL-3',
    port: 3401,
  };
  expect((await send('POST /database/clone/share', { ...shared, snapshot: 'MYSQL_SNAPSHOT-1' })).status).toBe(400);
  expect((await send('POST /database/clone/share', shared)).body).toEqual(accepted);
  await sandbox.clock.advance(3_000);
  expect(await newest(send)).toMatchObject({
    name: 'orders-3401',
    state: 'RUNNING',
    sourceDatabase: 'MYSQL_CLONE_SERVER-1',
    environmentName: 'test',
  });
  const refused = await send('DELETE /database/delete?input=MYSQL_CLONE_SERVER-1');
  expect([refused.status, field(refused.body, 'error.code')]).toEqual([409, 'HAS_DEPENDENT_CLONES']);
});

test('a clone becomes physical and frees its snapshot', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  const inUse = await send('PUT /snapshot/delete?input=ORACLE_SNAPSHOT-2');
  expect(field(inUse.body, 'error.code')).toBe('SNAPSHOT_IN_USE');
  const body = {
    database: 'ORACLE_CLONE_SERVER-1',
    localDirectory: '/u02/oradata',
    dbFileNameConvert: '/u02/a',
    logFileNameConvert: '/u02/b',
  };
  expect((await send('POST /database/clone/switch', body)).body).toEqual(accepted);
  await sandbox.clock.advance(8_000);
  expect((await send('GET /database/ORACLE_CLONE_DATABASE-1')).body).toMatchObject({
    cloneType: 'PHYSICAL',
    state: 'RUNNING',
  });
  expect((await send('PUT /snapshot/delete?input=ORACLE_SNAPSHOT-2')).body).toEqual(accepted);
});

test('file names are converted for Oracle alone, and ORACLE_CLONE_SERVER names a clone in a conversion alone', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  const body = { database: 'MYSQL_CLONE_SERVER-1', localDirectory: '/data/x', dbFileNameConvert: '/a' };
  expect(field((await send('POST /database/clone/switch', body)).body, 'error.field')).toBe('dbFileNameConvert');
  expect((await send('PUT /database/stop', 'ORACLE_CLONE_SERVER-1')).status).toBe(400);
});
