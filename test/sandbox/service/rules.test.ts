import { expect, test } from 'vitest';
import { accepted, field, rows, type Sandbox, type Send, startSandbox } from './client.ts';

async function begin(): Promise<{ sandbox: Sandbox; send: Send }> {
  const sandbox = await startSandbox();
  return { sandbox, send: await sandbox.as('ana') };
}
const code = ({ body }: { body: unknown }) => field(body, 'error.code');
const snapshotsOf = async (send: Send, id: string) =>
  rows(field((await send(`GET /database/${id}`)).body, 'snapshots'));

test('rule 1: nothing is executed on a disabled environment until it is enabled', async () => {
  const { sandbox, send } = await begin();
  const attempts = async () => [
    code(await send('PUT /environment/refresh', 'HOST_ENVIRONMENT-6')),
    code(await send('PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-4' })),
    code(await send('DELETE /database/delete?input=MYSQL_LIVE_SERVER-4')),
    code(
      await send('POST /database/clone/create', {
        vendor: 'MYSQL',
        cloneType: 'VIRTUALCLONE',
        sourceDatabase: 'MYSQL_LIVE_SERVER-1',
        targetEnvironment: 'HOST_ENVIRONMENT-6',
        install: 'MYSQL_INSTALL-4',
        environmentUser: 'ENVIRONMENT_USER-16',
        mountBase: '/mnt/x',
        port: 3500,
      }),
    ),
  ];
  expect(new Set(await attempts())).toEqual(new Set(['ENVIRONMENT_DISABLED']));
  expect((await send('PUT /environment/enable', 'HOST_ENVIRONMENT-6')).body).toEqual(accepted);
  expect(code(await send('PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-4' }))).toBe('ENVIRONMENT_DISABLED');
  await sandbox.clock.advance(1_000);
  expect((await send('PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-4' })).body).toEqual(accepted);
});

test('rule 1: nothing is executed on an environment from the moment at which its disabling is accepted', async () => {
  const { sandbox, send } = await begin();
  expect((await send('PUT /environment/disable', '"HOST_ENVIRONMENT-4"')).body).toEqual(accepted);
  expect(code(await send('PUT /database/stop', 'MYSQL_CLONE_SERVER-1'))).toBe('ENVIRONMENT_DISABLED');
  await sandbox.clock.advance(1_000);
  expect((await send('GET /environment/HOST_ENVIRONMENT-4')).body).toMatchObject({ state: 'DISABLED' });
  expect((await send('GET /database/MYSQL_CLONE_SERVER-1')).status).toBe(200);
});

test('rule 2: a database with dependent clones is deleted only after them', async () => {
  const { sandbox, send } = await begin();
  const refused = await send('DELETE /database/delete?input=MARIADB_LIVE_SERVER-1');
  expect([refused.status, code(refused)]).toEqual([409, 'HAS_DEPENDENT_CLONES']);
  expect(field(refused.body, 'error.message')).toContain('MARIADB_CLONE_SERVER-1');
  expect((await send('DELETE /database/delete?input=MARIADB_CLONE_SERVER-1')).body).toEqual(accepted);
  expect(code(await send('DELETE /database/delete?input=MARIADB_LIVE_SERVER-1'))).toBe('HAS_DEPENDENT_CLONES');
  await sandbox.clock.advance(2_000);
  expect((await send('DELETE /database/delete?input=MARIADB_LIVE_SERVER-1')).body).toEqual(accepted);
  expect((await send('GET /database/MARIADB_LIVE_SERVER-1')).body).toMatchObject({ state: 'DELETING' });
  await sandbox.clock.advance(2_000);
  expect((await send('GET /database/MARIADB_LIVE_SERVER-1')).status).toBe(404);
});

test('rule 2: a database whose only clone is physical can be deleted', async () => {
  const { send } = await begin();
  expect((await send('DELETE /database/delete?input=MYSQL_LIVE_SERVER-2')).body).toEqual(accepted);
});

test('rule 3: a snapshot that clones reference stays, and so does the last one', async () => {
  const { sandbox, send } = await begin();
  expect(code(await send('PUT /snapshot/delete?input=MYSQL_SNAPSHOT-2'))).toBe('SNAPSHOT_IN_USE');
  const [only] = await snapshotsOf(send, 'MARIADB_LIVE_SERVER-3');
  expect(code(await send(`PUT /snapshot/delete?input=${field(only, 'id')}`))).toBe('LAST_SNAPSHOT');
  expect((await send('PUT /snapshot/delete?input=MYSQL_SNAPSHOT-1')).body).toEqual(accepted);
  await sandbox.clock.advance(1_000);
  expect((await snapshotsOf(send, 'MYSQL_LIVE_SERVER-1')).map(snapshot => field(snapshot, 'id'))).toEqual([
    'MYSQL_SNAPSHOT-2',
    'MYSQL_SNAPSHOT-3',
    'MYSQL_SNAPSHOT-4',
  ]);
});

test('rule 3: a snapshot that is being deleted counts as gone, so the last other one stays', async () => {
  const { send } = await begin();
  const answers = [];
  for (const number of [5, 6, 7, 8])
    answers.push(code(await send(`PUT /snapshot/delete?input=MYSQL_SNAPSHOT-${number}`)));
  expect(answers).toEqual([undefined, undefined, undefined, 'LAST_SNAPSHOT']);
});

test('rule 4: without a snapshot, a mount takes the latest one', async () => {
  const { sandbox, send } = await begin();
  expect((await send('PUT /database/sync', { database: 'ORACLE_LIVE_DATABASE-3' })).body).toEqual(accepted);
  await sandbox.clock.advance(4_000);
  const latest = field((await snapshotsOf(send, 'ORACLE_LIVE_DATABASE-3')).at(-1), 'id');
  expect((await send('POST /database/snapshot/mount', { database: 'ORACLE_LIVE_DATABASE-3' })).body).toEqual(accepted);
  await sandbox.clock.advance(3_000);
  expect(rows((await send('GET /database/list')).body).at(-1)).toMatchObject({
    cloneType: 'STAGING',
    state: 'RUNNING',
    snapshot: latest,
    environmentName: 'oracle-prod',
  });
});

test('a backup adds one incremental snapshot, a backup of the logs none', async () => {
  const { sandbox, send } = await begin();
  const database = 'MARIADB_LIVE_SERVER-1';
  expect((await send('PUT /database/sync', { database, syncType: 'LOG' })).body).toEqual(accepted);
  await sandbox.clock.advance(2_000);
  expect(await snapshotsOf(send, database)).toHaveLength(4);
  expect(field((await send(`GET /database/${database}`)).body, 'lastLogBackupAt')).toBe(
    new Date(sandbox.clock.now()).toISOString(),
  );
  expect((await send('PUT /database/sync', { database })).body).toEqual(accepted);
  expect((await send('PUT /database/sync', { database })).status).toBe(409);
  expect(await snapshotsOf(send, database)).toHaveLength(4);
  await sandbox.clock.advance(4_000);
  expect((await snapshotsOf(send, database)).at(-1)).toMatchObject({ type: 'INCREMENTAL' });
  expect((await send(`GET /database/${database}`)).body).toMatchObject({ state: 'RUNNING' });
});

test('the first backup after a restore is a full one', async () => {
  const { sandbox, send } = await begin();
  const database = 'MYSQL_LIVE_SERVER-1';
  const body = { objectType: 'MYSQL_SERVER_RECOVERY_PARAMS', database, snapshot: 'MYSQL_SNAPSHOT-1' };
  expect((await send('POST /database/restore', body)).body).toEqual(accepted);
  await sandbox.clock.advance(8_000);
  expect((await send(`GET /database/${database}`)).body).toMatchObject({ restoredSnapshot: 'MYSQL_SNAPSHOT-1' });
  await send('PUT /database/sync', { database });
  await sandbox.clock.advance(4_000);
  expect((await snapshotsOf(send, database)).at(-1)).toMatchObject({ type: 'FULL' });
});

test('a disabled database takes no backup until it is enabled', async () => {
  const { sandbox, send } = await begin();
  expect(code(await send('PUT /database/sync', { database: 'MARIADB_LIVE_SERVER-5' }))).toBe('WRONG_STATE');
  expect((await send('PUT /database/enable', 'MARIADB_LIVE_SERVER-5')).body).toEqual(accepted);
  await sandbox.clock.advance(1_000);
  expect((await send('PUT /database/sync', { database: 'MARIADB_LIVE_SERVER-5' })).body).toEqual(accepted);
});

test('a refresh discovers new databases, and once more one that was deleted from the service', async () => {
  const { sandbox, send } = await begin();
  const names = async () =>
    rows((await send('GET /database/list')).body)
      .filter(record => field(record, 'environmentName') === 'mysql-prod')
      .map(record => field(record, 'name'));
  expect(await names()).toEqual(['orders', 'shop', 'slow_reports']);
  await send('DELETE /database/delete?input=MYSQL_LIVE_SERVER-2');
  await sandbox.clock.advance(2_000);
  expect((await send('PUT /environment/refresh', 'HOST_ENVIRONMENT-2')).body).toEqual(accepted);
  await sandbox.clock.advance(3_000);
  expect(await names()).toEqual(['orders', 'slow_reports', 'newsletter', 'shop']);
  expect(code(await send('POST /database/snapshot/mount', { database: 'MYSQL_LIVE_SERVER-5' }))).toBe('NO_SNAPSHOT');
});

test('an environment is deleted when it is empty, a project at any time', async () => {
  const { sandbox, send } = await begin();
  expect(code(await send('DELETE /environment/delete?input=HOST_ENVIRONMENT-1'))).toBe('IN_USE');
  expect((await send('PUT /environment/disable', 'HOST_ENVIRONMENT-7')).body).toEqual(accepted);
  await sandbox.clock.advance(1_000);
  expect((await send('DELETE /environment/delete?input=HOST_ENVIRONMENT-7')).body).toEqual(accepted);
  expect((await send('DELETE /project/delete?input=PROJECT-1')).body).toEqual(accepted);
  await sandbox.clock.advance(1_000);
  expect((await send('GET /environment/HOST_ENVIRONMENT-7')).status).toBe(404);
  expect((await send('GET /project/PROJECT-1')).status).toBe(404);
  expect(field((await send('GET /database/MYSQL_LIVE_SERVER-1')).body, 'project')).toBeUndefined();
});
