import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList, readRecord } from '../../../src/api/reading/recordList.ts';
import { databases, id, ids } from '../reading.ts';

describe('lists', () => {
  const rows = [
    { id: 'MYSQL_LIVE_SERVER-1', name: 'orders' },
    { id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa' },
  ];
  test.each([
    ['bare', rows],
    ['at any key', { whatever: rows }],
    ['in the success envelope', { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: rows }],
    ['in a page of data', { data: { page: { number: 0 }, content: rows } }],
    ['split by kind', { live: [rows[0]], clones: [rows[1]] }],
    [
      'keyed by identifier',
      { 'MYSQL_LIVE_SERVER-1': { name: 'orders' }, 'MYSQL_CLONE_SERVER-2': { name: 'orders_qa' } },
    ],
    [
      'keyed inside an envelope',
      { result: { 'MYSQL_LIVE_SERVER-1': { name: 'orders' }, 'MYSQL_CLONE_SERVER-2': { name: 'orders_qa' } } },
    ],
    ['as a list of lists', [[rows[0]], [rows[1]]]],
    ['with each record wrapped', { items: rows.map(row => ({ database: row })) }],
    ['with clones inside their live database', [{ ...rows[0], clones: [rows[1]] }]],
  ])('a list of records is read in each shape of answer: %s', (_, body) => {
    expect(readList(body, databases).records.map(record => [record.id.text, record.name])).toEqual([
      ['MYSQL_LIVE_SERVER-1', 'orders'],
      ['MYSQL_CLONE_SERVER-2', 'orders_qa'],
    ]);
  });

  test('a list of bare identifiers gives records without facts', () => {
    expect(readList(['MYSQL_LIVE_SERVER-1', 'PROJECT-1'], databases).records).toMatchObject([
      { id: { text: 'MYSQL_LIVE_SERVER-1' }, name: undefined, state: undefined, values: [] },
    ]);
  });

  test('a list holds each record once, with the most that is shown of it', () => {
    const clone = { id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa', state: 'RUNNING', port: 3310 };
    const live = { id: 'MYSQL_LIVE_SERVER-1', clones: [{ id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa' }] };
    for (const body of [
      [clone, live],
      [live, clone],
    ]) {
      const { records } = readList(body, databases);
      expect(records).toHaveLength(2);
      expect(records.find(record => record.id.noun === 'clone')).toMatchObject({ port: 3310, state: { class: 'ok' } });
    }
  });

  test('a list gives no record for one that only another record mentions', () => {
    const others = [
      { id: 'MYSQL_SNAPSHOT-1', database: 'MYSQL_LIVE_SERVER-1' },
      { id: 'HOST_ENVIRONMENT-1', server: 'MYSQL_LIVE_SERVER-1' },
    ];
    expect(ids(others)).toEqual([]);
    expect(ids({ lists: others })).toEqual([]);
  });

  test.each([
    [[]],
    [{}],
    [null],
    [undefined],
    [0],
    [''],
    ['MYSQL_LIVE_SERVER'],
    [{ status: 'SUCCESS', object: null }],
    [{ data: [] }],
    [[null, 1, 'x', [], {}]],
  ])('a list without records is read as empty: %j', body => {
    expect(readList(body, databases)).toEqual({ records: [], cut: false });
  });
});

describe('a record by its identifier', () => {
  const own = { id: 'MYSQL_CLONE_SERVER-1', name: 'qa', state: 'FAILED' };
  test.each([
    ['bare', own],
    ['in the success envelope', { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: own }],
    ['beside errors and metadata', { status: 'SUCCESS', data: own, errors: [], meta: { took: 3 } }],
    ['beside links', { links: { self: '/x' }, record: own, state: 'OK' }],
    ['in a list of one', [own]],
    ['in a list of several', { list: [{ ...own, id: 'MYSQL_CLONE_SERVER-2', state: 'UP' }, own] }],
    ['keyed by its identifier', { 'MYSQL_CLONE_SERVER-1': { name: 'qa', state: 'FAILED' } }],
    ['without its identifier', { name: 'qa', state: 'FAILED' }],
    [
      'without its identifier, in envelopes',
      { status: 'OK', response: { code: 0, body: { name: 'qa', state: 'FAILED' } } },
    ],
  ])('a single record is read in each shape of answer: %s', (_, body) => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))).toMatchObject({
      id: { text: 'MYSQL_CLONE_SERVER-1' },
      name: 'qa',
      state: { word: 'FAILED', class: 'failed' },
    });
  });

  test.each([
    [null],
    [[]],
    [{}],
    ['qa'],
    [3],
    [{ object: null }],
    [{ object: {} }],
    [{ id: 'MYSQL_CLONE_SERVER-2', name: 'other' }],
  ])('a single record gets no facts from %j', body => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))?.name).toBeUndefined();
  });

  test('a single record of an unknown kind is read, too', () => {
    expect(readRecord({ data: { id: 'POSTGRES_CLONE-1', name: 'qa' } }, id('POSTGRES_CLONE-1'))?.name).toBe('qa');
  });
});

describe('a list that is cut', () => {
  const rows = [{ id: 'MYSQL_LIVE_SERVER-1' }, { id: 'MYSQL_CLONE_SERVER-1' }];
  test.each([
    [{ items: rows, total: 3 }],
    [{ items: rows, totalCount: '40' }],
    [{ _embedded: { databases: rows }, page: { totalElements: 40, number: 0 } }],
    [{ content: rows, totalPages: 2 }],
    [{ items: rows, hasMore: true }],
    [{ items: rows, next: '/database/list?page=2' }],
    [{ items: rows, links: { next: { href: '/database/list?page=2' } } }],
    [{ items: rows, meta: { nextPageToken: 'abc' } }],
    [{ items: rows, truncated: 'true' }],
    [{ value: rows, '@odata.nextLink': 'https://db/service/database/list?$skip=2' }],
    [{ value: rows, '@odata.count': 40 }],
    [{ data: { edges: rows, pageInfo: { hasNextPage: true, endCursor: 'abc' } } }],
    [{ items: rows, metadata: { continue: 'abc', remainingItemCount: 3 } }],
    [{ content: rows, first: true, last: false, number: 0, size: 2 }],
    [{ items: rows, pagination: { page: 1, pages: 3 } }],
    [{ data: rows, current_page: 1, last_page: 2, next_page_url: '/database/list?page=2' }],
  ])('a list is read as cut where it says so: %j', body => {
    expect(readList(body, databases).cut).toBe(true);
  });
  test.each([
    [rows],
    [{ items: rows, total: 2 }],
    [{ live: [rows[0]], clones: [rows[1]], total: 2 }],
    [{ items: rows, hasMore: false, next: null }],
    [{ items: rows, nextPageToken: '' }],
    [{ content: rows, totalPages: 1, totalElements: 2 }],
    [{ content: rows, last: true, number: 0, size: 20 }],
    [{ items: rows, metadata: { continue: '', remainingItemCount: 0 }, links: { last: '/database/list?page=1' } }],
    [{ data: rows, pageInfo: { hasNextPage: false, endCursor: 'abc' }, pages: 1, last_page: 1 }],
    [{ 'MYSQL_LIVE_SERVER-1': { disk: { total: 500 } }, 'MYSQL_CLONE_SERVER-1': {} }],
    [{ id: 'MYSQL_LIVE_SERVER-1', total: 500 }],
    [rows.map(row => ({ ...row, next: 'tomorrow', total: 500 }))],
  ])('a list is read as whole where nothing says otherwise: %j', body => {
    expect(readList(body, databases).cut).toBe(false);
  });
  test('a list counts as cut by all that was answered, not by what was asked for', () => {
    expect(readList({ items: rows, total: 2 }, ['live'])).toMatchObject({ cut: false, records: [{}] });
  });
});

describe('an answer that holds nothing', () => {
  const wrapped = ['object', 'data', 'result', 'record', 'item', 'payload', 'body', 'content'];
  test.each([
    [{ status: 'SUCCESS', object: null }],
    [{ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null }],
    [{ status: 'SUCCESS', object: {} }],
    [{ data: [] }],
    [{ data: [{}] }],
    [{ data: null, errors: [] }],
    [{ result: {} }],
    [{ result: { data: {} } }],
    [{ status: 'OK', result: { data: null, total: 0 } }],
    [{ total: 0, items: [], data: [] }],
    [{ databases: [] }],
    [{ status: 'SUCCESS', database: null }],
    [{ objectType: 'OK_RESULT', status: 'SUCCESS', object: null, action: null, job: null }],
    [{ status: 'SUCCESS' }],
    [{ status: 'SUCCESS', message: 'Done', code: 0, timestamp: '2026-11-21T09:00:00Z' }],
    [{ message: 'Nothing here' }],
    [{ success: true, content: [] }],
    [{}],
    [[]],
    [null],
    [undefined],
    [''],
  ])('an answer that holds nothing is not read as a record: %j', body => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))).toBeUndefined();
  });

  test('an answer that holds nothing is not read as a record in any envelope, however deep', () => {
    const nothing = fc.constantFrom<unknown>(null, {}, [], '');
    const around = fc.constantFrom(
      {},
      { status: 'SUCCESS' },
      { code: 0, message: 'ok' },
      { success: true, errors: [] },
    );
    const levels = fc.array(fc.tuple(fc.constantFrom(...wrapped), around), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(nothing, levels, (inner, outer) => {
        const body = outer.reduce<unknown>((value, [key, about]) => ({ ...about, [key]: value }), inner);
        expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))).toBeUndefined();
      }),
    );
  });

  test.each([
    [{ status: 'RUNNING' }],
    [{ status: 'RUNNING', snapshots: [], lastError: null }],
    [{ name: 'qa', state: 'RUNNING', disk: {} }],
    [{ name: 'qa', state: 'RUNNING', disk: { size: 3 } }],
    [{ state: 'DELETED' }],
    [{ name: 'qa' }],
    [{ port: 3310 }],
    [{ status: 'SUCCESS', object: { status: 'RUNNING' } }],
    [{ data: { name: 'qa' } }],
    [{ id: 'MYSQL_CLONE_SERVER-1' }],
    [{ object: { id: 'MYSQL_CLONE_SERVER-1' } }],
    [['MYSQL_CLONE_SERVER-1']],
  ])('a record that says little is still read as a record: %j', body => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))?.id.text).toBe('MYSQL_CLONE_SERVER-1');
  });
});
