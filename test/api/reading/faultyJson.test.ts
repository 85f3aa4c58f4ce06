import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Noun } from '../../../src/api/identifiers.ts';
import { parseListJson, replaceFaults } from '../../../src/api/reading/faultyJson.ts';
import { readList } from '../../../src/api/reading/recordList.ts';

/* A value that is no JSON hides no list: its record is there and unread, the others are read. */

const good = '{"id":"MYSQL_LIVE_SERVER-1","name":"shop","state":"RUNNING","sizeGb":12.5e2}';
const other = '{"id":"MYSQL_CLONE_SERVER-8","name":"crm-8","state":"STOPPED","note":"a \\"NaN\\" \\u00e9"}';
/** A clone of the first one, with a value where one that is no JSON can stand. */
const faulty = (value: string) =>
  `{"id":"MYSQL_CLONE_SERVER-7","name":"shop-7","size":${value},"source":"MYSQL_LIVE_SERVER-1","state":"RUNNING"}`;

const databases = ['live', 'clone'] as const;
const read = (text: string, nouns: readonly Noun[] = databases) => {
  const { records, cut } = readList(parseListJson(text, nouns), nouns);
  return { cut, shown: records.map(({ id, name, state }) => [id.text, name, state?.word]) };
};
const shown = [
  ['MYSQL_LIVE_SERVER-1', 'shop', 'RUNNING'],
  ['MYSQL_CLONE_SERVER-7', undefined, undefined],
  ['MYSQL_CLONE_SERVER-8', 'crm-8', 'STOPPED'],
];

describe('a list with one record that is no JSON', () => {
  test.each([
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'None',
    'True',
    '007',
    '+1',
    '.5',
    '1.',
    '0x1F',
    '1_000',
    '1e',
    '-',
    '\ufffd',
    '\u0000',
    '"a\nb"',
    '"a\tb"',
    '"\u0007"',
    '"\\x41"',
    '"C:\\data"',
    '"\\u12"',
    '[1, NaN]',
    '{"used": 3, "free": -Infinity}',
    '{"disks": [{"at": "/u01", "free": NaN}]}',
    '12,5',
    '',
    '"12" disk"',
    '1,',
    '2026-11-30T01:02:03Z',
    '12 GB',
    '1 000',
    'ISODate("2026-11-30T01:02:03Z")',
    '5 /* x */',
    '5 // five, or more',
    '"C:\\"',
    '[1,,2]',
    '[1,]',
    '{"a":1,}',
    '[object Object]',
    "'twelve, or so'",
    '"he said "no", and left"',
    '{a: 1}',
    '{"a": {"b": }}',
    'new Date({"at": 1})',
    '50%',
  ])('a list with one record that is not JSON (%j) shows the others, and that one without facts', value => {
    const list = [good, faulty(value), other];
    expect(read(`[${list}]`)).toEqual({ cut: true, shown });
    expect(read(`{"status": "SUCCESS", "object": {"items": [\n${list.join(' ,\r\n')}]}}`)).toEqual({
      cut: true,
      shown,
    });
  });

  test('a list with a comma too many shows its records', () => {
    const list = [good, `${faulty('1').slice(0, -1)},}`, other];
    for (const text of [`[${list}]`, `[${list},]`, `[,${list}]`, `{"items":[${list},],}`])
      expect(read(text)).toEqual({ cut: true, shown });
    expect(read(`[${good},,${other},]`)).toEqual({ cut: true, shown: [shown[0], shown[2]] });
  });

  test('a record that is not JSON keeps its identifiers, so that what it depends on is known', () => {
    const { records } = readList(parseListJson(`[${good},${faulty('NaN')}]`, databases), databases);
    expect(records[1]?.mentions.map(({ id }) => id.text)).toContain('MYSQL_LIVE_SERVER-1');
    expect(records[1]?.name).toBeUndefined();
  });

  test('a list of records under their identifiers is read although one is not JSON', () => {
    const keyed = `{"MYSQL_LIVE_SERVER-1":{"name":"shop","state":"RUNNING"},"MYSQL_CLONE_SERVER-7":{"name":"x","size":NaN}}`;
    expect(read(keyed)).toEqual({ cut: true, shown: shown.slice(0, 2) });
  });

  test('a database is read although a clone inside it is not JSON', () => {
    const holder = `{"id":"MYSQL_LIVE_SERVER-1","name":"shop","state":"RUNNING","clones":[${faulty('NaN')},${other}]}`;
    expect(read(`[${holder}]`)).toEqual({ cut: true, shown });
  });

  test('a list is read although a number beside its records is not JSON', () => {
    expect(read(`{"total":NaN,"items":[${good},${other}]}`)).toEqual({ cut: true, shown: [shown[0], shown[2]] });
  });
});

describe('a fault in what a record says of itself', () => {
  test.each([
    ['lastJob', '{"id":"JOB-7","status":"FAILED","error":"disk full","progress":NaN}'],
    ['recentTasks', '[{"id":"TASK-1","state":"DONE","took":NaN},{"id":"TASK-2","state":"FAILED"}]'],
    ['jobs', '{"JOB-7":{"status":"FAILED","progress":NaN}}'],
    ['task', '{"database":"MYSQL_CLONE_SERVER-7","state":"FAILED","percent":Infinity}'],
    ['snapshots', '[{"id":"MYSQL_SNAPSHOT-3","created":"2026-11-30","size":NaN}]'],
    ['snapshot', '{"id":"MYSQL_SNAPSHOT-3","created":undefined}'],
    ['environment', '{"id":"HOST_ENVIRONMENT-4","cpus":NaN}'],
    ['hosts', '[{"id":"HOST_ENVIRONMENT-4","cpus":NaN}]'],
    ['source', '{"id":"MYSQL_LIVE_SERVER-1","size":NaN}'],
  ])('a fault inside a record leaves that record without facts, whatever stands in it: %s', (key, value) => {
    const clone = `{"id":"MYSQL_CLONE_SERVER-7","name":"shop-7","state":"RUNNING","${key}":${value}}`;
    expect(read(`[${good},${clone},${other}]`)).toEqual({ cut: true, shown });
    expect(read(`{"data":[${good},${clone},${other}],"JOB-1":{"took":NaN}}`)).toEqual({ cut: true, shown });
  });

  test('a fault in a record leaves the records inside it as they are', () => {
    const holder = `{"id":"MYSQL_LIVE_SERVER-1","name":"shop","state":"RUNNING","free":NaN,"clones":[${other}]}`;
    expect(read(`[${holder}]`)).toEqual({
      cut: true,
      shown: [['MYSQL_LIVE_SERVER-1', undefined, undefined], shown[2]],
    });
  });

  test('a fault inside an environment’s database leaves that environment without facts', () => {
    const host = '{"id":"HOST_ENVIRONMENT-4","name":"h4","databases":[{"id":"MYSQL_LIVE_SERVER-1","size":NaN}]}';
    expect(read(`[${host}]`, ['environment'])).toEqual({
      cut: true,
      shown: [['HOST_ENVIRONMENT-4', undefined, undefined]],
    });
  });
});

describe('a fault in an identifier gives the facts around it to no other record', () => {
  const facts = '"name":"crm-9","state":"STOPPED","port":1,"a":1,"b":2';
  test.each([
    `{"id":NaN,${facts},"live":"MYSQL_LIVE_SERVER-1"}`,
    `{"cloneId":NaN,${facts},"liveServer":"MYSQL_LIVE_SERVER-1"}`,
    `{"cloneId":"a	b",${facts},"database":"MYSQL_LIVE_SERVER-1"}`,
    `{"uid":undefined,${facts},"server":"MYSQL_LIVE_SERVER-1"}`,
    `{"identity":{"id":NaN},${facts},"live":"MYSQL_LIVE_SERVER-1"}`,
    `{"clone":{"id":NaN,${facts}},"live":{"id":"MYSQL_LIVE_SERVER-1"}}`,
    `{"number":NaN,${facts},"live":"MYSQL_LIVE_SERVER-1","snapshots":["MYSQL_SNAPSHOT-1","MYSQL_SNAPSHOT-2"]}`,
    `{NaN:"MYSQL_CLONE_SERVER-9",${facts},"live":"MYSQL_LIVE_SERVER-1"}`,
    `{NaN:1,${facts},"database":"MYSQL_LIVE_SERVER-1"}`,
  ])('facts around a faulty identifier are given to no other record: %s', record => {
    for (const list of [`[${good},${record},${other}]`, `[${record},${good},${other}]`])
      expect(read(list)).toEqual({ cut: true, shown: [shown[0], shown[2]] });
  });

  test('a record with a faulty identifier is still known by a better key of its own', () => {
    const clone = `{"id":"MYSQL_CLONE_SERVER-7",${facts},"server":NaN,"live":"MYSQL_LIVE_SERVER-1"}`;
    expect(read(`[${good},${clone},${other}]`)).toEqual({ cut: true, shown });
  });
});

test('a list of good JSON is read as it is', () => {
  expect(parseListJson(`[${good}, ${other}]`, databases)).toEqual([JSON.parse(good), JSON.parse(other)]);
  expect(read(`[${good}, ${other}]`).cut).toBe(false);
});

test('no fault is replaced in good JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', ' ', '\n'), (json, indent) => {
      const text = JSON.stringify([JSON.parse(json)], undefined, indent);
      expect(JSON.parse(replaceFaults(text))).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  '',
  'NaN',
  '"NaN"',
  'null',
  '7',
  'hello',
  '<html>no</html>',
  `[${good}`,
  `[${good} ${other}]`,
  '[NaN NaN]',
  '{"a"}',
])('a text that is no list (%j) is not read as one', text => {
  expect(typeof (parseListJson(text, databases) ?? 0)).not.toBe('object');
});

test.each([
  `${'NaN,'.repeat(100_000)}"${'\\\\'.repeat(100_000)}"`,
  `"${'"x '.repeat(100_000)}`,
  `"${'" '.repeat(100_000)}"`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `"${'\\"'.repeat(100_000)}`,
  ','.repeat(300_000),
])('a long text of JSON faults is read within ten seconds', faults => {
  const long = `[${good},${faults}]`;
  const began = process.cpuUsage();
  parseListJson(long, databases);
  // A way whose steps are the square of its length would take minutes. A busy machine takes none of the processor's time.
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});
