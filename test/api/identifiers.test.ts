import { expect, test } from 'vitest';
import { nounNames, parseIdentifier, typedIdentifier } from '../../src/api/identifiers.ts';

/** Copied by hand from spec §2. */
const kinds = {
  ORACLE_LIVE_DATABASE: ['live', 'ORACLE'],
  MYSQL_LIVE_SERVER: ['live', 'MYSQL'],
  MARIADB_LIVE_SERVER: ['live', 'MARIADB'],
  ORACLE_CLONE_DATABASE: ['clone', 'ORACLE'],
  ORACLE_CLONE_SERVER: ['clone', 'ORACLE'],
  MYSQL_CLONE_SERVER: ['clone', 'MYSQL'],
  MARIADB_CLONE_SERVER: ['clone', 'MARIADB'],
  ORACLE_SNAPSHOT: ['snapshot', 'ORACLE'],
  MYSQL_SNAPSHOT: ['snapshot', 'MYSQL'],
  MARIADB_SNAPSHOT: ['snapshot', 'MARIADB'],
  HOST_ENVIRONMENT: ['environment', undefined],
  ENVIRONMENT_USER: ['environmentUser', undefined],
  ORACLE_INSTALL: ['install', 'ORACLE'],
  MYSQL_INSTALL: ['install', 'MYSQL'],
  MARIADB_INSTALL: ['install', 'MARIADB'],
  PROJECT: ['project', undefined],
  USER: ['user', undefined],
} as const;

test.each(Object.entries(kinds))('%s is read as a kind of identifier of the specification', (kind, [noun, vendor]) => {
  expect(parseIdentifier(`${kind}-42`)).toEqual({ text: `${kind}-42`, kind, number: '42', noun, vendor });
  expect(nounNames[noun].one).toMatch(/^an? /);
});

test('an identifier of an unknown kind has no noun and no vendor', () => {
  expect(parseIdentifier('POSTGRES_CLONE-3')).toMatchObject({
    kind: 'POSTGRES_CLONE',
    noun: undefined,
    vendor: undefined,
  });
  expect(parseIdentifier('TOSTRING-3')).toMatchObject({ noun: undefined });
});

test.each([
  '',
  'orders',
  'USER',
  'USER-',
  '-1',
  'USER-1a',
  ' USER-1',
  'user-1',
  'USER-1\n',
  'A__B-1',
  '_A-1',
  'USER--1',
  'USER-1.5',
  `USER-${'1'.repeat(31)}`,
  '../USER-1',
])('the text %j is not read as an identifier', text => {
  expect(parseIdentifier(text)).toBeUndefined();
});

test.each([
  ...[
    'mysql_live_server-3',
    '  MYSQL_LIVE_SERVER-3 ',
    'MySQL_Live_Server-3',
    '`MYSQL_LIVE_SERVER-3',
    '_mysql_live_server-3_',
  ],
  ...[
    'ˋMYSQL_LIVE_SERVER-3ˋ',
    'MYSQL\u034f_LIVE_SERVER\u3164-3',
    '»MYSQL_LIVE_SERVER-3«',
    '\u061cMYSQL_LIVE_SERVER-3\ufe0f,',
  ],
])('the typed %j is read as an identifier', text => {
  expect(typedIdentifier(text)?.text).toBe('MYSQL_LIVE_SERVER-3');
});

test('an Oracle clone’s identifier that is typed as a server’s is read as the clone’s', () => {
  expect(typedIdentifier(' oracle_clone_server-7 ')).toEqual(parseIdentifier('ORACLE_CLONE_DATABASE-7'));
});
