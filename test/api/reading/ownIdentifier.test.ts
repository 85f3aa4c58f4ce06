import { describe, expect, test } from 'vitest';
import { ids, only } from '../reading.ts';

describe('an identifier', () => {
  test.each([
    'id',
    '_id',
    '@id',
    'ID',
    'identifier',
    'reference',
    'ref',
    'oid',
    'objectId',
    'databaseId',
    'database_id',
    'DATABASE-ID',
    'serverId',
    'cloneId',
    'self',
    'database',
  ])('a record’s identifier is found under the key %s', key => {
    expect(only([{ [key]: 'MYSQL_CLONE_SERVER-7', name: 'qa' }])).toMatchObject({
      id: { text: 'MYSQL_CLONE_SERVER-7' },
      name: 'qa',
    });
  });

  test('a record’s identifier is found under a key that nobody thought of, where it is the only one', () => {
    expect(ids([{ cosmicHandle: 'MYSQL_CLONE_SERVER-7', name: 'qa' }])).toEqual(['MYSQL_CLONE_SERVER-7']);
  });

  test.each([
    ['a number beside it', { id: 7, oid: 'MYSQL_CLONE_SERVER-7' }],
    ['a source beside it', { source: 'MYSQL_LIVE_SERVER-1', id: 'MYSQL_CLONE_SERVER-7' }],
    ['the live database under a lesser key', { databaseId: 'MYSQL_LIVE_SERVER-1', cloneId: 'MYSQL_CLONE_SERVER-7' }],
    ['the host under a like key', { hostId: 'HOST_ENVIRONMENT-1', serverId: 'MYSQL_CLONE_SERVER-7' }],
    ['a parent object', { parent: { id: 'MYSQL_LIVE_SERVER-1' }, reference: 'MYSQL_CLONE_SERVER-7' }],
    ['an environment object', { environment: { id: 'HOST_ENVIRONMENT-1' }, id: 'MYSQL_CLONE_SERVER-7' }],
    ['its own nested', { meta: { id: 'MYSQL_CLONE_SERVER-7' }, source: { id: 'MYSQL_LIVE_SERVER-1' } }],
    [
      'the clone beside its database',
      { clone: { id: 'MYSQL_CLONE_SERVER-7' }, database: { id: 'MYSQL_LIVE_SERVER-1' } },
    ],
  ])('a record’s own identifier is told from others beside it: %s', (_, record) => {
    expect(ids([record])).toEqual(['MYSQL_CLONE_SERVER-7']);
  });

  test.each([
    ['a reference alone', { name: 'x', source: 'MYSQL_LIVE_SERVER-1' }],
    ['a referenced object alone', { name: 'x', parent: { id: 'MYSQL_LIVE_SERVER-1' } }],
    ['two of unknown keys', { first: 'MYSQL_LIVE_SERVER-1', second: 'MYSQL_LIVE_SERVER-2' }],
    ['one in lower case', { id: 'mysql_live_server-1' }],
    ['one with a tail', { id: 'MYSQL_LIVE_SERVER-1x' }],
    ['one without a number', { id: 'MYSQL_LIVE_SERVER-' }],
    ['one in a sentence', { id: 'see MYSQL_LIVE_SERVER-1' }],
  ])('a record’s identifier is not taken from %s', (_, record) => {
    expect(ids([record])).toEqual([]);
  });
});
