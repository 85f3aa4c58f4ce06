import { expect, test } from 'vitest';
import { jobOperation } from '../../src/operations/catalogue.ts';
import { doubtsAboutTexts } from '../../src/operations/doubts.ts';

function doubts(name: string, texts: Readonly<Record<string, string>>) {
  const operation = jobOperation(name);
  if (!operation) throw new Error(`there is no ${name}`);
  return doubtsAboutTexts(operation, texts);
}

const mysql = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'VIRTUALCLONE' };
const oracle = { sourceDatabase: 'ORACLE_LIVE_DATABASE-1', cloneType: 'PHYSICAL' };

test.each([
  [{ ...mysql, parallel: '0' }, ['Parallel threads: 0 may mean none, or as many as the service likes.']],
  [{ ...oracle, rmanChannel: '500' }, ['RMAN channels: 500 is a large number.']],
  [{ ...mysql, port: '80' }, ['Port: most hosts keep ports below 1024 for the system.']],
  [{ ...mysql, mountBase: '+DATA' }, ['Mount base: MySQL has no disk groups.']],
  [{ ...oracle, mountBase: '$BASE/x' }, ['Mount base: the service may not know the variable in it.']],
  [
    { ...mysql, databaseParams: 'a:INT=5' },
    ['Database parameters: “a:INT” is sent as the name of a parameter. The types are STRING, NUMBER and BOOLEAN.'],
  ],
  [{ ...oracle, mountBase: '+DATA', rmanChannel: '4', databaseParams: 'a.b=5' }, []],
  [{ ...mysql, mountBase: 'D:\\\\clones', port: '3310', parallel: '8' }, []],
  // What cannot be read has a fault, and what the vendor does not have is not sent.
  [{ ...mysql, port: '70000', rmanChannel: '0' }, []],
])('a clone’s form with %j has each doubtful value told', (texts, expected) => {
  expect(doubts('clone.create', texts)).toEqual(expected);
});

test.each([
  ...['8G ; raised', '8G -- raised', '8G // raised', '8G /* raised */', '500# raised', '500;', '500, # raised'],
  ...['# only comment', '"A,B" -- c', 'on,', 'utf8 ; was latin1', '30s#old', '; none', 'SET a=1 -- b'],
])('a database parameter’s value with what looks like a comment or end mark is doubted: %s', value => {
  const sent = value.replace(/ # raised$/, '');
  expect(doubts('clone.create', { ...mysql, databaseParams: `x = ${value}` })).toEqual([
    `Database parameters: “x” is sent with what looks like a comment or a mark: “${sent}”.`,
  ]);
});

test.each([
  ...['500 # raised', '500 ; raised', '#fff', 'a#b', '1,2,3', "'a ; b'", '"# x"', 'http://x/y', '//server/share', '-5'],
  ...["SET a=1; SET b='x -- y'", '--skip', '-a --b', 'A,B', '8G # raised', ''],
])('a database parameter’s value without a doubtful comment is not doubted: %s', value => {
  expect(doubts('clone.create', { ...mysql, databaseParams: `x = ${value}` })).toEqual([]);
});

test('a conversion of file names without pairs is doubted', () => {
  const clone = { database: 'ORACLE_CLONE_DATABASE-1' };
  expect(doubts('clone.convert', { ...clone, dbFileNameConvert: "'/a','/b','/c'" })).toEqual([
    'Data file path (DB_FILE_NAME_CONVERT): Oracle expects pairs, but this has 3 parts.',
  ]);
  expect(doubts('clone.convert', { ...clone, logFileNameConvert: "'/a','/b'" })).toEqual([]);
});
