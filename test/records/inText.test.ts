import { describe, expect, test } from 'vitest';
import { identifiersIn, namedInText } from '../../src/records/inText.ts';
import { recordOf } from '../jobs/rows.ts';

const found = (text: string) => identifiersIn(text).map(({ text: id }) => id);
const records = (...names: readonly (string | undefined)[]) =>
  names.map((name, at) => recordOf(`MYSQL_LIVE_SERVER-${at + 1}`, name === undefined ? {} : { name }));
const named = async (text: string, ...names: readonly (string | undefined)[]) =>
  (await namedInText(text, records(...names))).map(({ name }) => name);

describe('the identifiers in a text', () => {
  test.each([
    ['MYSQL_LIVE_SERVER-3 is down', ['MYSQL_LIVE_SERVER-3']],
    ['in any case and order: host_environment-2, ORACLE_SNAPSHOT-10.', ['HOST_ENVIRONMENT-2', 'ORACLE_SNAPSHOT-10']],
    ['once each: USER-1 USER-1 (USER-1)', ['USER-1']],
    ['as a typed server: ORACLE_CLONE_SERVER-4', ['ORACLE_CLONE_DATABASE-4']],
    ['https://x.example/db/MARIADB_LIVE_SERVER-7?tab=1', ['MARIADB_LIVE_SERVER-7']],
    ['none: UTF-8, SHA-256, CVE-2026, COVID-19, shop-3310', []],
    ['none inside of words: XUSER-1, USER-1a, USER-1-2, A_USER-1, user-', []],
    [`no longer than the service writes them: USER-${'1'.repeat(31)}`, []],
    [String.raw`{"msg":"lost\nMYSQL_LIVE_SERVER-3\tand\r\nUSER-1"}`, ['MYSQL_LIVE_SERVER-3', 'USER-1']],
    [String.raw`{"log":"{\"at\":\"\\nPROJECT-2\"}"} USER-1`, ['PROJECT-2', 'USER-1']],
    [String.raw`\u001b[31mUSER-1\u001b[0m, MYSQL_SNAPSHOT\u20114`, ['USER-1', 'MYSQL_SNAPSHOT-4']],
    [
      'of a web page: USER\u20111, \u200bPROJECT-2\u200b, HOST_ENVIRONMENT\u22123',
      ['USER-1', 'PROJECT-2', 'HOST_ENVIRONMENT-3'],
    ],
    [
      'ˋUSER-1ˋ, `PROJECT-2, _USER-3_ ´USER-4´ »USER-5« *USER-6*',
      [1, 2, 3, 4, 5, 6].map(at => `${at === 2 ? 'PROJECT' : 'USER'}-${at}`),
    ],
    ['MYSQL\u034f_LIVE\u061c_SER\ufe0fVER\u3164-3', ['MYSQL_LIVE_SERVER-3']],
    ['\u001b[01;31m\u001b[KUSER-1\u001b[m\u001b[K:x', ['USER-1']],
    [
      String.raw`\x1b[1;32mUSER-1\x1b[0m \033[KUSER-2 \e[3mUSER-3\e[0m \u001B[2KUSER-4`,
      ['USER-1', 'USER-2', 'USER-3', 'USER-4'],
    ],
    ['MYSQL_LIVE_\u001b[1mSERVER\u001b[0m-3', ['MYSQL_LIVE_SERVER-3']],
    ['\u001b]8;;https://x.example\u001b\\USER-1\u001b]8;;\u001b\\ \u001b[?25lUSER-2', ['USER-1', 'USER-2']],
    ['none inside of words with lines: A__USER-1, USER-1__a', []],
    ['', []],
  ])('identifiers are found in the text "%s"', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });
});

describe('the records that a text names', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['Shop is slow, and so is crm.', ['crm', 'shop', 'sales'], ['shop', 'crm']],
    ['_shop_ "crm" (hr) `fin`', ['shop', 'crm', 'hr', 'fin'], ['shop', 'crm', 'hr', 'fin']],
    ['orders-3320 failed', ['orders', 'orders-3320', '3320'], ['orders-3320']],
    ['pre_shop shop_old workshop shop2', ['shop'], []],
    ['workshop, shop', ['shop'], ['shop']],
    ['the  data\n warehouse', ['data warehouse'], ['data warehouse']],
    ['ünïcødé БАЗА 顧客', ['Ünïcødé', 'база', '顧客'], ['Ünïcødé', 'база', '顧客']],
    ['a (.*) [x] \\d+ $1', ['a', '(.*)', '[x]', '\\d+', '$1'], ['[x]', '\\d+', '$1']],
    [String.raw`{"msg":"slow:\nshop-users\tcrm"}`, ['shop-users', 'crm', 'users'], ['shop-users', 'crm']],
    [String.raw`D:\data\nightly\reports`, ['nightly', 'ightly', 'reports'], ['ightly', 'nightly', 'reports']],
    ['shop\u2011users, cr\u00adm\u200b', ['shop-users', 'crm'], ['shop-users', 'crm']],
    ['shop-users, café', ['shop\u2010users', 'cafe\u0301'], ['shop\u2010users', 'cafe\u0301']],
    ['_shop_, ˋcrmˋ, »hr« ´fin´', ['shop', 'crm', 'hr', 'fin'], ['shop', 'crm', 'hr', 'fin']],
    ['sh\u034fop and crm\u200e-eu', ['shop', 'crm\u200e-eu'], ['shop', 'crm\u200e-eu']],
    ['\u001b[01;31m\u001b[Kshop\u001b[m\u001b[K:x', ['shop'], ['shop']],
    ['', ['shop'], []],
  ])('the records that a text names are found in "%s"', async (text, names, those) => {
    // A name without a letter or a digit is none, and one of a single character is never found.
    const expected = those.filter(name => name !== '[x]' || text.includes('[x]'));
    expect(await named(text, ...names)).toEqual(expected);
  });

  test('a text that names a record names all with the same name, and none without a name', async () => {
    expect(await named('the shop', 'shop', undefined, 'SHOP', '')).toEqual(['shop', 'SHOP']);
  });

  test('records are found in 40,000 characters among 20,000 that begin alike within five seconds', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `a-${at}`);
    const before = process.threadCpuUsage();
    expect(await named(`${'a-a-1 '.repeat(6_600)} a-19999`, ...many)).toEqual(['a-19999']);
    expect(await named('a'.repeat(40_000), ...many)).toEqual([]);
    expect(found('A_'.repeat(20_000))).toEqual([]);
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
