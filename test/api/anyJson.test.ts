import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Noun } from '../../src/api/identifiers.ts';
import { LongList } from '../../src/api/longLists/longList.ts';
import { packList } from '../../src/api/longLists/packedList.ts';
import { type Mention, mentionsIn } from '../../src/api/reading/mentions.ts';
import { readList, readLongList, readRecord } from '../../src/api/reading/recordList.ts';
import type { RecordView } from '../../src/api/reading/recordView.ts';
import { matches } from '../../src/records/find.ts';
import { id, ids, only } from './reading.ts';

describe('hostile answers', () => {
  const long = 'x'.repeat(2000);
  test('the name, state and error of a hostile record are cut to one line of 300 characters', () => {
    const record = only([{ id: 'MYSQL_LIVE_SERVER-1', name: `a\u0000b\r\n${long}`, state: long, error: long }]);
    expect(record.name).toMatch(/^a b x{295}…$/);
    expect(record.state).toMatchObject({ class: 'unknown', word: expect.stringMatching(/^x{299}…$/) });
    expect(record.error).toHaveLength(300);
  });

  test.each(['', ' \t', '\u200b\u202e'])('a record is given no name that cannot be seen: %j', name => {
    expect(only([{ id: 'MYSQL_LIVE_SERVER-1', name }]).name).toBeUndefined();
    expect(only([{ id: 'MYSQL_LIVE_SERVER-1', name, label: 'orders' }]).name).toBe('orders');
  });

  test('a hostile answer cannot change what every object has', () => {
    const text =
      '[{"id":"MYSQL_LIVE_SERVER-1","__proto__":{"name":"evil","state":"FAILED"},"constructor":{"id":"MYSQL_LIVE_SERVER-2"},"hasOwnProperty":"x"}]';
    expect(ids(JSON.parse(text))).toEqual(['MYSQL_LIVE_SERVER-1']);
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
    expect(JSON.parse('{"__proto__":{"id":"MYSQL_LIVE_SERVER-3"}}')).not.toHaveProperty('id');
  });

  test('an answer nested 5,000 deep is given up without harm', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(2500)}"MYSQL_LIVE_SERVER-1"${']}'.repeat(2500)}`);
    expect(ids(deep)).toEqual([]);
    expect(readRecord(deep, id('MYSQL_LIVE_SERVER-1'))).toMatchObject({ name: undefined });
    expect(mentionsIn(deep, 'live')).toEqual([]);
  });
});

const keys = fc.oneof(
  fc.constantFrom(
    'id',
    'reference',
    'name',
    'state',
    'status',
    'source',
    'environment',
    'error',
    'object',
    'data',
    '__proto__',
    'snapshots',
    'total',
    'next',
    'MYSQL_LIVE_SERVER-1',
  ),
  fc.string(),
);
const values = fc.oneof(
  fc.constantFrom(
    'MYSQL_LIVE_SERVER-1',
    'MYSQL_CLONE_SERVER-22',
    'HOST_ENVIRONMENT-3',
    'ORACLE_SNAPSHOT-4',
    'PROJECT-5',
    'RUNNING',
    '<!channel>',
  ),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 5 },
    values,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 5 }),
  ),
}));
const nouns = fc.subarray<Noun>(['live', 'clone', 'environment', 'project', 'user', 'snapshot'], { minLength: 1 });

/** Every fact of a record, read in any order. */
function whole(record: RecordView) {
  const { error, times, counters, reports, lists, parts, readFrom, values, mentions, port } = record;
  const { name, vendor, state, isPhysical, isTombstone, askedBy, createdAt, createdFrom } = record;
  const { source, environment, project } = record;
  return {
    ...{ id: record.id, name, vendor, state, error, source, environment, project, port, isPhysical, times, counters },
    ...{ reports, isTombstone, createdAt, createdFrom, askedBy, lists, mentions, parts, readFrom, values },
  };
}

const textOf = ({ id: { text } }: Mention) => text;

describe('whatever JSON is answered', () => {
  test('reading any JSON never throws, and gives no identifier that is not in it', () => {
    fc.assert(
      fc.property(json, nouns, (body, wanted) => {
        const text = JSON.stringify(body);
        const { records } = readList(body, wanted);
        for (const record of records) {
          expect(wanted).toContain(record.id.noun);
          expect(text).toContain(record.id.text);
          for (const mention of record.mentions) expect(text).toContain(mention.id.text);
        }
        expect(new Set(records.map(record => record.id.text)).size).toBe(records.length);
        for (const noun of wanted)
          for (const mention of mentionsIn(body, noun)) expect(text).toContain(mention.id.text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a long list of any JSON is read as a short one is', async () => {
    await fc.assert(
      fc.asyncProperty(json, nouns, async (body, wanted) => {
        const [list, long] = [readList(body, wanted), await readLongList(body, wanted)];
        expect(long.records.map(({ values }) => values)).toEqual(list.records.map(({ values }) => values));
        expect(long.cut).toBe(list.cut);
      }),
      { numRuns: 500 },
    );
  });

  test('a list that another thread read shows the same records', async () => {
    const names = new Map([['HOST_ENVIRONMENT-3', 'lab']]);
    const mapping = { database: { name: 'data' }, states: { stopped: ['RUNNING'] } };
    await fc.assert(
      fc.asyncProperty(json, nouns, async (body, wanted) => {
        const list = await readLongList(JSON.parse(JSON.stringify(body)), wanted, mapping, names);
        const packed = await packList(
          JSON.parse(JSON.stringify(body)),
          { nouns: wanted, mapping },
          { size: 1, digest: '' },
        );
        const answer = new LongList(structuredClone(packed), mapping);
        const long = await answer.read(names);
        expect(long.records.map(whole)).toEqual(list.records.map(whole));
        expect(long.cut).toBe(list.cut);
        for (const word of ['running', '-1', 'e', '\\', '3.5', 'fal'])
          expect(long.records.map(record => matches(record, [word]))).toEqual(
            list.records.map(record => matches(record, [word])),
          );
        const snapshots = mentionsIn(JSON.parse(JSON.stringify(body)), 'snapshot');
        expect((await answer.mentions('snapshot')).map(textOf).toSorted()).toEqual(snapshots.map(textOf).toSorted());
      }),
      { numRuns: 2_000 },
    );
  });

  test('a record that is asked for is read as that record or as none, whatever is answered', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('MYSQL_LIVE_SERVER-1', 'PROJECT-5', 'OTHER-9'), (body, asked) => {
        const record = readRecord(body, id(asked));
        if (record) expect(record.id.text).toBe(asked);
      }),
      { numRuns: 1_000 },
    );
  });
});
