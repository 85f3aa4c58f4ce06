import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closest } from '../../src/ground/closest.ts';
import { find, matches, noneAmong, partsAsList } from '../../src/records/find.ts';
import { recordOf } from '../jobs/rows.ts';

const records = [
  recordOf('MYSQL_LIVE_SERVER-1', {
    name: 'orders',
    state: 'RUNNING',
    environment: 'HOST_ENVIRONMENT-1',
    environmentName: 'prod-1',
  }),
  recordOf('MYSQL_LIVE_SERVER-2', { name: 'Billing' }),
  recordOf('MARIADB_LIVE_SERVER-3', { name: 'billing' }),
  recordOf('MYSQL_CLONE_SERVER-4', { name: 'orders' }),
  recordOf('MYSQL_LIVE_SERVER-5', { name: 'my orders' }),
  recordOf('MYSQL_LIVE_SERVER-6'),
];
const list = { records, cut: false };
const idsOf = (found: readonly { id: { text: string } }[]) => found.map(({ id }) => id.text);

describe('what is typed stands for', () => {
  test.each(['orders', 'ORDERS', ' orders '])(
    'a typed %j finds the only record of its noun with that name, whatever the case',
    typed => {
      expect(find(typed, ['live'], list)).toEqual({ type: 'one', id: 'MYSQL_LIVE_SERVER-1', name: 'orders' });
      expect(find(typed, ['clone'], list)).toMatchObject({ id: 'MYSQL_CLONE_SERVER-4' });
    },
  );

  test('a record is found by its name as it is shown, without what cannot be seen', () => {
    const odd = [recordOf('MYSQL_LIVE_SERVER-7', { name: '\u202esale\u202c  north\u0007' })];
    expect(find('sale north', ['live'], { records: odd, cut: false })).toMatchObject({
      type: 'one',
      id: 'MYSQL_LIVE_SERVER-7',
    });
  });

  const odd = (...names: readonly string[]) => ({
    records: names.map((name, at) => recordOf(`MYSQL_LIVE_SERVER-${at + 1}`, { name })),
    cut: false,
  });

  test.each([
    ['crm-eu', 'crm\u2011eu'],
    ['crm\u2013eu', 'crm-eu'],
    ['\u200bcrm\u00ad-eu\u200b', 'crm-eu'],
    ['crm-eu', 'crm\u200b-eu'],
    ['crm\ufffd-eu', 'crm\u200b-eu'],
    ['cafe\u0301', 'Café'],
    ['crm eu', '`crm` eu`'],
    ['ˋcrmˋ', '`crm'],
    ['CRM\u2014EU', 'crm\u2015eu'],
    ['crm\u200e-eu', 'crm\u200e-eu'],
    ['crm -eu', 'crm\u200e-eu'],
    ['crm\u034f-e\u3164u', 'crm-eu'],
    ['crm-eu', 'crm\u061c-e\ufe0fu'],
    ['_crm_', 'crm'],
    ['´crm´', 'crm'],
    ['»crm«', 'crm'],
    ['`crm,', 'crm'],
    ['~crm~.', 'crm'],
    ['“crm”', 'crm'],
    ['crm', '_crm'],
    ['_', '_'],
  ])('a record is found by a name that looks the same: %j for %j', (typed, name) => {
    expect(find(typed, ['live'], odd(name, 'other'))).toMatchObject({ type: 'one', name });
    const [word] = typed.split(/[\ufffd ]/);
    if (!/^\p{P}|\p{P}$|[´ˋ~]/u.test(typed))
      expect(matches(recordOf('MYSQL_LIVE_SERVER-1', { name }), [word ?? ''])).toBe(true);
  });

  test('of records that differ by marks, the one whose name has the marks that were typed is found', () => {
    const among = odd('tmp', '_tmp', '_tmp_');
    for (const [at, typed] of ['tmp', '_tmp', '_tmp_'].entries())
      expect(find(typed, ['live'], among)).toMatchObject({ id: `MYSQL_LIVE_SERVER-${at + 1}` });
    expect(find('*tmp*', ['live'], among)).toMatchObject({ type: 'several' });
  });

  test('of records that differ in case alone, the one whose name is spelt as typed is found', () => {
    const among = odd('CRM-eu', 'crm-EU', 'crm-eu');
    expect(find('crm-EU', ['live'], among)).toMatchObject({ id: 'MYSQL_LIVE_SERVER-2' });
    expect(find(' crm\u2011eu', ['live'], among)).toMatchObject({ id: 'MYSQL_LIVE_SERVER-3' });
    expect(find('CRM-EU', ['live'], among)).toMatchObject({ type: 'several' });
  });

  test('a typed name finds all records whose names look the same', () => {
    expect(find('crm-eu', ['live'], odd('crm-eu', 'crm\u2011eu', 'CRM-eu'))).toMatchObject({
      type: 'several',
      records: [{ name: 'crm-eu' }, { name: 'crm\u2011eu' }],
    });
  });

  test('a record is found by its identifier with any dash', () => {
    expect(find('mysql_live_server\u20112', ['live'], list)).toMatchObject({ id: 'MYSQL_LIVE_SERVER-2' });
  });

  test('a record is found by its identifier in any case, with its name', () => {
    expect(find(' mysql_live_server-2 ', ['live'], list)).toEqual({
      type: 'one',
      id: 'MYSQL_LIVE_SERVER-2',
      name: 'Billing',
    });
  });

  test('a typed identifier that no record shows is taken as it is, without a name', () => {
    expect(find('MYSQL_LIVE_SERVER-99', ['live'], list)).toEqual({
      type: 'one',
      id: 'MYSQL_LIVE_SERVER-99',
      name: undefined,
    });
  });

  test('a name that several records have finds all of them', () => {
    const found = find('BILLING', ['live'], list);
    expect(found).toMatchObject({ type: 'several' });
    if (found.type === 'several')
      expect(idsOf(found.records)).toEqual(['MYSQL_LIVE_SERVER-2', 'MARIADB_LIVE_SERVER-3']);
  });

  test.each([
    ['MYSQL_CLONE_SERVER-4', 'MYSQL_CLONE_SERVER-4 is a clone; this needs a live database.'],
    ['WHATEVER-4', 'WHATEVER-4 is of an unknown kind; this needs a live database.'],
  ])('the typed identifier %s is refused in a sentence where another noun is needed', (typed, sentence) => {
    expect(find(typed, ['live'], list)).toMatchObject({ type: 'wrong', sentence });
  });

  test('a typed name of a record of another noun is refused in a sentence that names the record', () => {
    expect(find('My Orders', ['clone'], list)).toMatchObject({
      type: 'wrong',
      sentence: 'my orders (MYSQL_LIVE_SERVER-5) is a live database; this needs a clone.',
    });
  });

  test.each([
    ['ordres', 'MYSQL_LIVE_SERVER-1'],
    ['oders', 'MYSQL_LIVE_SERVER-1'],
    ['order', 'MYSQL_LIVE_SERVER-1'],
    ['biling', 'MYSQL_LIVE_SERVER-2'],
  ])('the misspelt %s finds no record, and offers the likest first: %s', (typed, likest) => {
    const found = find(typed, ['live'], list);
    if (found.type !== 'none') throw new Error(`found ${found.type}`);
    expect(found.close[0]?.id.text).toBe(likest);
  });

  test.each(['zzzzzz', '', '%'])('a typed %j finds no record, and none like it', typed => {
    expect(find(typed, ['live'], list)).toEqual({ type: 'none', close: [], among: list });
  });

  test('whatever text is typed, finding a record offers only records of the list, and throws nothing', () => {
    const all = idsOf(records);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), typed => {
        const found = find(typed, ['live', 'clone'], list);
        if (found.type === 'several') expect(all).toEqual(expect.arrayContaining(idsOf(found.records)));
        if (found.type === 'none') expect(all).toEqual(expect.arrayContaining(idsOf(found.close)));
      }),
    );
  });
});

test('a list that is cut is never told as one without the record', () => {
  const say = (cut: boolean) => noneAmong('Nothing is called `x`', { records, cut });
  expect(say(false)).toBe('Nothing is called `x`.');
  expect(say(true)).toBe(
    'Nothing is called `x` among the 6 records that I could read. There may be more: name one by its identifier.',
  );
  expect(partsAsList({ parts: [], cut: false }).cut).toBe(true);
});

test('at most five entries are offered as close to what was typed', () => {
  const many = Array.from({ length: 50 }, (_, number) => `orders${number}`);
  expect(closest('orders', many, entry => entry)).toHaveLength(5);
  expect(closest('orders', [], entry => entry)).toEqual([]);
});

describe('words of a list', () => {
  const [orders] = records;
  test.each([[[]], [['orders']], [['ORD']], [['mysql', 'running']], [['prod']], [['live_server-1']]])(
    'the words %j find a record in a list',
    words => {
      expect(orders && matches(orders, words)).toBe(true);
    },
  );
  test.each([[['stopped']], [['orders', 'oracle']], [['undefined']], [['ordersx']]])(
    'the words %j do not find a record in a list',
    words => {
      expect(orders && matches(orders, words)).toBe(false);
    },
  );
});
