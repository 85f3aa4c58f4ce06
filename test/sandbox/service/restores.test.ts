import { expect, test } from 'vitest';
import { accepted, field, startSandbox } from './client.ts';

const oracle = { database: 'ORACLE_LIVE_DATABASE-3', autoRecovery: true, completeRecovery: false, fastRecovery: true };
const mysql = { database: 'MYSQL_LIVE_SERVER-1', autoRecovery: true };
const mariadb = { database: 'MARIADB_LIVE_SERVER-1', autoRecovery: false };
const scopes: readonly [string, object][] = [
  ['ORACLE_DATABASE_RECOVERY_PARAMS', oracle],
  ['ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS', { ...oracle, pdb: 'STOCK' }],
  ['ORACLE_TABLESPACE_RECOVERY_PARAMS', { ...oracle, tablespaceName: 'STOCK_DATA', pdb: 'STOCK' }],
  ['ORACLE_DATAFILE_RECOVERY_PARAMS', { ...oracle, pdb: 'STOCK', datafileName: 7 }],
  ['MYSQL_SERVER_RECOVERY_PARAMS', mysql],
  ['MYSQL_DATABASE_RECOVERY_PARAMS', { ...mysql, databaseName: 'orders' }],
  ['MYSQL_TABLE_RECOVERY_PARAMS', { ...mysql, databaseName: 'orders', tableName: 'lines' }],
  ['MARIADB_SERVER_RECOVERY_PARAMS', mariadb],
  ['MARIADB_DATABASE_RECOVERY_PARAMS', { ...mariadb, databaseName: 'invoices' }],
  ['MARIADB_TABLE_RECOVERY_PARAMS', { ...mariadb, databaseName: 'invoices', tableName: 'lines' }],
];

test.each(scopes)('a restore by %s goes to the latest snapshot when none is named', async (objectType, fields) => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  const path = `GET /database/${field(fields, 'database')}`;
  expect((await send('POST /database/restore', { objectType, ...fields })).body).toEqual(accepted);
  expect((await send(path)).body).toMatchObject({ state: 'RESTORING' });
  await sandbox.clock.advance(8_000);
  const { body } = await send(path);
  expect(body).toMatchObject({ state: 'RUNNING', restoredScope: objectType });
  expect(String(field(body, 'restoredSnapshot'))).toMatch(/_SNAPSHOT-(4|12)$/);
});

test.each(scopes)(
  'a restore by %s takes no field that is not its own, and no database of another vendor',
  async (objectType, fields) => {
    const sandbox = await startSandbox();
    const send = await sandbox.as('ana');
    const more = await send('POST /database/restore', { objectType, ...fields, schema: 'x' });
    expect([more.status, field(more.body, 'error.field')]).toEqual([400, 'schema']);
    const other = objectType.startsWith('ORACLE') ? 'MYSQL_LIVE_SERVER-1' : 'ORACLE_LIVE_DATABASE-1';
    const wrong = await send('POST /database/restore', { objectType, ...fields, database: other });
    expect([wrong.status, field(wrong.body, 'error.field')]).toEqual([400, 'database']);
  },
);

test.each([
  [
    'a pluggable database',
    { objectType: 'ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS', ...oracle, pdb: 'NOPE' },
    'ORA-65011',
  ],
  ['a tablespace', { objectType: 'ORACLE_TABLESPACE_RECOVERY_PARAMS', ...oracle, tablespaceName: 'NOPE' }, 'ORA-00959'],
  ['a database', { objectType: 'MYSQL_DATABASE_RECOVERY_PARAMS', ...mysql, databaseName: 'nope' }, 'ERROR 1049'],
])('a restore of %s that is not there fails in the background', async (_title, body, error) => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  expect((await send('POST /database/restore', body)).body).toEqual(accepted);
  await sandbox.clock.advance(8_000);
  const record = (await send(`GET /database/${body.database}`)).body;
  expect(record).toMatchObject({ state: 'FAILED', error: expect.stringContaining(error) });
  expect((await send('PUT /database/sync', { database: body.database })).body).toEqual(accepted);
});

test('a restore takes only an integer as the id of a datafile, and only booleans as flags', async () => {
  const sandbox = await startSandbox();
  const send = await sandbox.as('ana');
  const datafile = { objectType: 'ORACLE_DATAFILE_RECOVERY_PARAMS', ...oracle };
  for (const [body, name] of [
    [{ ...datafile, datafileName: '7' }, 'datafileName'],
    [{ ...datafile, datafileName: 7, autoRecovery: 'true' }, 'autoRecovery'],
    [{ ...datafile, objectType: 'ORACLE_TABLE_RECOVERY_PARAMS', datafileName: 7 }, 'objectType'],
  ] as const)
    expect(field((await send('POST /database/restore', body)).body, 'error.field')).toBe(name);
});
