import { describe, expect, test } from 'vitest';
import { partsIn } from '../../../src/api/reading/databaseParts.ts';
import { recordOf } from '../../jobs/rows.ts';

const { id } = recordOf('MYSQL_LIVE_SERVER-1');
const partsOf = (fields: object) =>
  partsIn({ id: id.text, name: 'orders', ...fields }, id).map(({ type, name, of }) =>
    [type, name, of].filter(Boolean).join(' '),
  );

describe('what is inside a database is read', () => {
  test.each<[string, object, readonly string[]]>([
    ['out of names', { databases: ['orders', 'archive'] }, ['database orders', 'database archive']],
    ['out of objects', { schemas: [{ schemaName: 'orders', sizeMb: 4 }] }, ['database orders']],
    ['out of a text', { schemaNames: 'orders, archive' }, ['database orders', 'database archive']],
    ['by name', { databases: { orders: { sizeMb: 1 }, archive: {} } }, ['database orders', 'database archive']],
    ['at any depth', { contents: { tablespaces: ['USERS'] } }, ['tablespace USERS']],
    [
      'with what it is in',
      { pluggable_databases: [{ name: 'STOCK', tablespaces: ['STOCK_DATA'] }] },
      ['pdb STOCK', 'tablespace STOCK_DATA STOCK'],
    ],
    [
      'down to its tables',
      { databases: [{ databaseName: 'orders', tables: [{ tableName: 'lines' }, 'heads'] }] },
      ['database orders', 'table lines orders', 'table heads orders'],
    ],
  ])('the parts of a database are read from its record: %s', (_, fields, parts) => {
    expect(partsOf(fields)).toEqual(parts);
  });

  test('the parts of a database are not made up of records, counts or its snapshots’ contents', () => {
    expect(partsOf({ databases: [{ id: 'MYSQL_LIVE_SERVER-2', name: 'shop' }, 'MYSQL_LIVE_SERVER-3'] })).toEqual([]);
    expect(partsOf({ databases: 3, tables: { count: 5 }, schemas: '12' })).toEqual([]);
    expect(partsOf({ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', databases: ['gone'] }] })).toEqual([]);
    expect(partsOf({ source: { id: 'MYSQL_LIVE_SERVER-2', databases: ['other'] } })).toEqual([]);
  });
});
