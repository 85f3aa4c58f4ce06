import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { section } from '../../../src/slack/blocks/blocks.ts';
import { message } from '../../../src/slack/blocks/message.ts';
import * as words from '../../../src/slack/words/withoutPasswords.ts';
import { ownCommands } from '../../house.ts';

const { withWarning } = words;
const withoutSignIn = (typed: string) => words.withoutSignIn(typed, ownCommands);
const withoutPasswords = (typed: string) => words.withoutPasswords(typed, ownCommands);

test.each([
  ['clone shop port=3310', 'clone shop port=3310', false],
  ["clone shop databaseParams='password=hunter22' port=3310", 'clone shop port=3310', true],
  ['clone shop password=hunter22', 'clone shop', true],
  ['show mysql://ana:hunter22@db:3306', 'show mysql://ana:•••@db:3306', true],
  ['show --password hunter22', 'show --password •••', true],
  ['why clone shop reason="for QA" secret=x', 'why clone shop reason=“for QA“', true],
  ['', '', false],
])('the command “%s” loses its password, if it has one, and nothing else', (typed, line, hadPassword) => {
  const read = withoutPasswords(typed);
  expect(read.hadPassword).toBe(hadPassword);
  expect(read.line.replace(/["”“]/g, '“')).toBe(line);
});

test('the warning of a typed password stands in every form of an answer', () => {
  const warned = withWarning({ ...message([section('Done')]), plain: [section('Done')] });
  expect(warned.text).toContain('looks like a password');
  for (const blocks of [warned.blocks, warned.plain ?? []])
    expect(JSON.stringify(blocks)).toContain('looks like a password');
});

test.each([
  ['show shop -phunter22', 3],
  ['clone port=1 shop "-phunter22" reason="for QA"', 4],
  ["clone shop databaseParams='password=hunter22' port=3310", 3],
  ['show --password hunter22', 3],
  ['login alice hunter22', 2],
  ['alice -phunter22 please', 0],
  ['show ora-prod-01', 0],
])('the warning of a typed password tells at which word it stood, if any was left out: %s', (typed, place) => {
  const read = words.withPlace(withoutPasswords, typed);
  expect(read.place).toBe(place);
  const { text } = withWarning(message([section('Done')]), true, read.place);
  expect(/word (\d+)/.exec(text)?.[1]).toBe(place === 0 ? undefined : String(place));
});

describe('what stands behind a sign-in or the name of a password is left out, however that is spelt:', () => {
  test.each([
    'login alice hunter22',
    'LogIn alice hunter22',
    'lgoin alice hunter22',
    'loign alice hunter22',
    'logn alice hunter22',
    'logiin alice/hunter22',
    'log in alice hunter22',
    'l o g i n alice hunter22',
    'sign in alice hunter22',
    'sing-in alice hunter22',
    'Log_In alice hunter22',
    'lo gni alice hunter22',
    'login:alice:hunter22',
    'login=alice:hunter22',
    'loginalice hunter22',
    '"login alice hunter22"',
    'lo\u200bgin alice hunter22',
    'login\nalice\nhunter22',
    'login user=alice password=hunter22',
    'login user=alice pass word = hunter22',
    'authenticate alice hunter22',
    'please login alice hunter22',
    'help login alice hunter22',
    'why login alice hunter22',
    'lgoin alice passwrod=hunter22',
    'clone shop PassWord = hunter22 port=3310',
    'clone shop password : hunter22',
    'clone shop pasword=hunter22',
    'clone shop password: hunter22',
    'clone shop pwd hunter22',
    'password hunter22',
    'pass word hunter22',
    'clone shop password="hunter22 and more"',
    'login password: hunter22',
    'login alice my password is hunter22',
    'sign me in with password hunter22',
    'please log me in as alice hunter22',
    'use password hunter22 to login',
    'my password is hunter22',
    'hunter22 is my password',
    'alice hunter22 password',
    'passwort=hunter22',
    'mein Passwort ist hunter22',
    'mot de passe: hunter22',
    'contraseña hunter22',
    'пароль hunter22',
    'パスワードhunter22',
    'p@ssw0rd: hunter22',
    'my pa$$word hunter22',
    'password->hunter22',
    'password (hunter22)',
    '*password* hunter22',
    '/login alice hunter22',
    'token=hunter22',
    'secret hunter22',
    'api key: hunter22',
    'credentials alice hunter22',
    'mysql -u alice -phunter22',
    '-phunter22',
    'alice -phunterxhunter22',
    '-u alice -phunter22',
    'alice -phunter22 please',
    'show shop -phunter22',
    "show shop -p'hunter22'",
    'show shop "-phunter22"',
    'show shop “-phunter22”',
    'show shop `-phunter22`',
    'show shop (-phunter22)',
    'show shop _-phunter22_',
    'show ora-prod-01 -phunter22',
    'alice "-phunterxhunter22"',
    'mysql -p hunter22 password',
    'reconnect alice hunter22',
    'relogin alice hunter22',
    'please reconnect alice hunter22',
    're-authenticate alice hunter22',
    'api key hunter22',
    'api-key hunter22',
    'apikey hunter22',
    'my API_KEY hunter22',
    'access key hunter22',
    'show shop secret key hunter22',
    'my private key is hunter22',
    'mysql://alice:hunter22@host/db',
    'schedule backup shop every=day password hunter22',
    'why sign me in with password hunter22',
    'presets password is hunter22',
    'clone shop preset=nightly pw: hunter22',
    'clone shop reason="my password is hunter22"',
    "delete shop reason='password: hunter22'",
  ])('the password in “%s” is left out', typed => {
    for (const read of [withoutPasswords(typed), withoutSignIn(typed)]) {
      expect(read).toEqual({ line: expect.not.stringContaining('hunter22'), hadPassword: true });
      expect(read.line).not.toContain('more');
    }
  });

  test.each([
    'login',
    'LOGIN',
    'help login',
    'show login-db',
    'why login',
    'audit login since=7d',
    'list passages',
    'list token',
    'list -prod',
    'show -port',
    'list keys',
    'show api key',
    'show api-keys',
    'show secret-santa',
    'clone shop reason="the password was reset"',
    'backup pass-db',
    'password',
    'log',
    '',
    'show ora-prod-01',
    'clone "ora-prod-01"',
    'clone “shop-prod-01” port=3310',
    'clone `orcl-pdb1`',
    'clone source=ora-prod-01 name="app-preprod2"',
    'why clone ORA-prod-01 shop-p1',
    'why is x-prod.eu slow',
    'schedule backup ora-prod-01 every=day at=02:00',
    'ora-prod-01',
    'is the (ora-prod-01) down?',
    'tell me of shop-prod',
    'show é-prod-1',
    'show 🚀-prod-01',
    'list /-prod1',
    'show login-prod1',
    'show password-prod1',
  ])('nothing is left out of “%s”', typed => {
    expect(withoutSignIn(typed)).toEqual({ line: typed, hadPassword: false });
  });

  test.each([
    'show vault-secret qa',
    'why clone app-pass shop',
    'clone vault-token port=3310',
    'list db-pw prod',
    'show é-token qa',
    'why clone ora-prod-01 orcl-pdb1 x-prod.eu',
  ])('nothing is left out of the mention “%s”', typed => {
    expect(withoutPasswords(typed)).toEqual({ line: typed, hadPassword: false });
  });

  test('no command but login is taken for a sign-in', () => {
    const first = [...catalogue.map(({ words }) => words[0] ?? ''), ...ownCommands.map(({ word }) => word)];
    const taken = first.filter(word => withoutSignIn(`${word} alice hunter22`).hadPassword);
    expect(taken).toEqual(['login']);
  });

  test('the other fields of a command stay where its password is left out', () => {
    expect(withoutSignIn('clone shop password = hunter22 port=3310').line).toBe('clone shop port=3310');
    expect(withoutSignIn("clone shop databaseParams='password=hunter22'").hadPassword).toBe(false);
  });
});
