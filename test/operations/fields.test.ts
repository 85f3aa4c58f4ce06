import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  choice,
  databaseParams,
  fileNameConvert,
  integer,
  path,
  readDatabaseParams,
  record,
  text,
  vendorFault,
  writeDatabaseParams,
} from '../../src/operations/fields.ts';
import type { DatabaseParam, Field } from '../../src/operations/operation.ts';

function read(field: Field, typed: string): unknown {
  const result = field.schema.safeParse(typed);
  return result.success ? result.data : { says: result.error.issues[0]?.message };
}

describe('a record field', () => {
  const source = record('sourceDatabase', 'Source', ['live', 'clone']);
  test.each(['MYSQL_LIVE_SERVER-1', ' mysql_live_server-1 '])('a field for a record takes the identifier %j', typed => {
    expect(read(source, typed)).toBe('MYSQL_LIVE_SERVER-1');
  });
  test.each([
    ['orders', 'Choose a live database or a clone, or type its identifier.'],
    ['PROJECT-1', 'PROJECT-1 is a project; choose a live database or a clone.'],
    ['WHATEVER-1', 'WHATEVER-1 is of an unknown kind; choose a live database or a clone.'],
    ['MYSQL_LIVE_SERVER-1/../x', 'Choose a live database or a clone, or type its identifier.'],
  ])('a field for a record refuses %j in one sentence', (typed, says) => {
    expect(read(source, typed)).toEqual({ says });
  });
});

describe('a whole number', () => {
  const port = integer('port', 'Port', 65_535);
  const free = integer('parallel', 'Parallel', undefined);
  test.each([
    ['1', 1],
    [' 3310 ', 3310],
    ['65535', 65_535],
    ['007', 7],
  ])('a field for a whole number reads %j as %i', (typed, value) => {
    expect(read(port, typed)).toBe(value);
  });
  test.each(['0', '65536', '-1', '3.5', '1e3', '0x10', 'abc', '', '９', '99999999999999999999'])(
    'a field for a whole number refuses %j',
    typed => {
      expect(read(port, typed)).toEqual({ says: 'Type a whole number from 1 to 65535.' });
    },
  );
  test('a field for a whole number without a limit takes any number from its least on', () => {
    expect(read(free, '999999999')).toBe(999_999_999);
    expect(read(free, '0')).toEqual({ says: 'Type a whole number of at least 1.' });
    const fromNought = integer('parallel', 'Parallel', undefined, {}, 0);
    expect(read(fromNought, '0')).toBe(0);
    expect(read(fromNought, '-1')).toEqual({ says: 'Type a whole number of at least 0.' });
  });
});

describe('a path', () => {
  const base = path('mountBase', 'Mount base', '/mnt/x');
  test.each([
    ...['/', '/mnt/clones', '/mnt/a b/ü', '/mnt/..hidden', '+DATA', '+FRA/QA1/', 'D:\\clones', 'e:/data/a b'],
    ...['\\\\host\\share$\\qa', '$ORACLE_BASE/oradata', '$(X)/x', '%DATA%\\qa', '/a/b..c', '/a,..b'],
  ])('a field for a path takes %j', typed => {
    expect(read(base, typed)).toBe(typed);
  });
  test.each(['mnt', './mnt', '~/mnt', 'D:clones', 'DATA+', '+', '$', 'D:\\a\\..\\b', '+DATA/..', '/mnt\u0085/x'])(
    'a field for a path refuses %j, too',
    typed => {
      expect(read(base, typed)).toEqual({ says: expect.any(String) });
    },
  );
  test.each(['mnt', './mnt', '~/mnt', '/mnt/../etc', '/..', '/mnt\n/x', '/mnt\u0000', `/${'x'.repeat(1_024)}`])(
    'a field for a path refuses %j',
    typed => {
      expect(read(base, typed)).toEqual({ says: expect.any(String) });
    },
  );
});

describe('a conversion of file names', () => {
  const convert = fileNameConvert('dbFileNameConvert', 'Data files', '/data');
  const base = path('mountBase', 'Mount base', '/data');
  test.each([
    ...['/data/files', '+DATA', "'/a','/b'", '"/a", "/b"', '/a,/b', "'+DATA/PROD','+DATA/QA','/x','D:\\y'"],
    ...["'prod','qa'", "'/a','/b','/c'"],
  ])('a conversion of file names may be %s', typed => {
    expect(read(convert, typed)).toBe(typed);
  });
  test('a conversion of file names has a phone’s quotes replaced by plain ones', () =>
    expect(read(convert, '‘/a’,“/b”')).toBe(`'/a',"/b"`));
  test.each([
    ...['/a, ../b', 'D:\\a, ..\\b', '/a ../b', "'/a',' ../b'", '(../a,/b)', '/a/..\u200b/b', '/a/.\u2060./b'],
    ...['/a/..\u2028/b', '/a;../b', '/a/\uff0e\uff0e/b', '/a|..', '[..]/a,/b', '/a=../b', '/a/..:/b', '/a,\u00a0..'],
  ])('a path or conversion that climbs to a folder above is refused: %j', typed => {
    for (const field of [convert, base]) expect(read(field, typed)).toEqual({ says: expect.any(String) });
  });
  test.each(['/a/x..y', '/a/...', '/a/v1..', '/a/..data', '/backup/2026..2027/x'])(
    'a path or conversion may have dots in a name: %s',
    typed => {
      for (const field of [convert, base]) expect(read(field, typed)).toBe(typed);
    },
  );
  test.each(['files', "'/a','/../b'", "'/a','..'", "'/a',\n'/b'", ',', "''"])(
    'a conversion of file names is refused: %j',
    typed => {
      expect(read(convert, typed)).toEqual({ says: expect.any(String) });
    },
  );
});

describe('a line of text', () => {
  const name = text('databaseName', 'Name', 'a name');
  test('a line of text is trimmed', () => expect(read(name, '  QA ')).toBe('QA'));
  test.each([
    ['   ', 'Type a name.'],
    ['a\nb', 'Use one line, without control characters.'],
    ['x'.repeat(256), 'Use at most 255 characters.'],
  ])('a line of text is refused: %j', (typed, says) => expect(read(name, typed)).toEqual({ says }));
});

test('a field for a choice takes one of its values, to the letter', () => {
  const type = choice('cloneType', 'Type', [
    { value: 'VIRTUALCLONE', label: 'Virtual', description: '' },
    { value: 'PHYSICAL', label: 'Physical', description: '' },
  ]);
  expect(read(type, 'PHYSICAL')).toBe('PHYSICAL');
  expect(read(type, 'physical')).toEqual({ says: 'Choose VIRTUALCLONE or PHYSICAL.' });
});

describe('database parameters', () => {
  test.each<[string, DatabaseParam]>([
    ['max_connections=200', { name: 'max_connections', type: 'NUMBER', value: 200 }],
    ['x = -1.5 ', { name: 'x', type: 'NUMBER', value: -1.5 }],
    ['skip_name_resolve=TRUE', { name: 'skip_name_resolve', type: 'BOOLEAN', value: 'true' }],
    ['skip_name_resolve:boolean=False', { name: 'skip_name_resolve', type: 'BOOLEAN', value: 'false' }],
    ['sql_mode=', { name: 'sql_mode', type: 'STRING', value: '' }],
    ['init_connect=SET a=1', { name: 'init_connect', type: 'STRING', value: 'SET a=1' }],
    ['_hidden.param$#-x=a', { name: '_hidden.param$#-x', type: 'STRING', value: 'a' }],
    ['size=16M', { name: 'size', type: 'STRING', value: '16M' }],
    ['code:STRING=007', { name: 'code', type: 'STRING', value: '007' }],
    ['code=007', { name: 'code', type: 'STRING', value: '007' }],
    ['flag : STRING = true', { name: 'flag', type: 'STRING', value: 'true' }],
    ['big=9007199254740993', { name: 'big', type: 'STRING', value: '9007199254740993' }],
    ['exact=9007199254740991', { name: 'exact', type: 'NUMBER', value: 9_007_199_254_740_991 }],
    ['third=0.1', { name: 'third', type: 'NUMBER', value: 0.1 }],
    ['long=0.12345678901234567890', { name: 'long', type: 'STRING', value: '0.12345678901234567890' }],
    ['version=8.0', { name: 'version', type: 'STRING', value: '8.0' }],
    ['ratio:NUMBER=8.50', { name: 'ratio', type: 'NUMBER', value: 8.5 }],
    ['none:NUMBER=0.00', { name: 'none', type: 'NUMBER', value: 0 }],
    ['hex=0x10', { name: 'hex', type: 'STRING', value: '0x10' }],
    ['huge=1e5', { name: 'huge', type: 'STRING', value: '1e5' }],
    ['never=NaN', { name: 'never', type: 'STRING', value: 'NaN' }],
    ['ever=Infinity', { name: 'ever', type: 'STRING', value: 'Infinity' }],
    ['dot=5.', { name: 'dot', type: 'STRING', value: '5.' }],
    ['max_connections = 500 # raised for the sale', { name: 'max_connections', type: 'NUMBER', value: 500 }],
    ['wait=-1.5\t#was 3', { name: 'wait', type: 'NUMBER', value: -1.5 }],
    ['wait = 30 -- seconds', { name: 'wait', type: 'NUMBER', value: 30 }],
    ['skip = true // for now', { name: 'skip', type: 'BOOLEAN', value: 'true' }],
    ['a:NUMBER=8.0 ; minutes', { name: 'a', type: 'NUMBER', value: 8 }],
    ['pool = 2G   # 75 %', { name: 'pool', type: 'STRING', value: '2G' }],
    ["mode = 'ANSI # x' # why", { name: 'mode', type: 'STRING', value: "'ANSI # x'" }],
    ['init=SET a=1; SET b=2 -- x', { name: 'init', type: 'STRING', value: 'SET a=1; SET b=2 -- x' }],
    ['colour=#fff', { name: 'colour', type: 'STRING', value: '#fff' }],
    ['tag=a#b', { name: 'tag', type: 'STRING', value: 'a#b' }],
    ['note:STRING=500 # as it is', { name: 'note', type: 'STRING', value: '500 # as it is' }],
    ['mysqlx:port=33060', { name: 'mysqlx:port', type: 'NUMBER', value: 33_060 }],
    ['a:b:STRING=1', { name: 'a:b', type: 'STRING', value: '1' }],
    ['a:number:boolean=true', { name: 'a:number', type: 'BOOLEAN', value: 'true' }],
    ['a:DATE=1', { name: 'a:DATE', type: 'NUMBER', value: 1 }],
    ['*.open_cursors=500', { name: '*.open_cursors', type: 'NUMBER', value: 500 }],
  ])('the database parameter %j is read as it is meant', (line, param) => {
    expect(readDatabaseParams(line)).toEqual([param]);
  });

  test('database parameters stand on a line each, with blank lines and comments between', () => {
    expect(readDatabaseParams('a=1\r\n\n  # b=2\nc=x\r\n')).toEqual([
      { name: 'a', type: 'NUMBER', value: 1 },
      { name: 'c', type: 'STRING', value: 'x' },
    ]);
    expect(readDatabaseParams(' \n')).toEqual([]);
  });

  test.each([
    ['a=1\nnonsense', 'Line 2, “nonsense”: write it as name=value.'],
    ['=1', 'Line 1, “=1”: write it as name=value.'],
    ['a b=1', 'Line 1, “a b=1”: write it as name=value.'],
    ['a=1\nb=x\u0007', 'Line 2, “b=x\u0007”: it has control characters.'],
    ['a=1\na=2', 'Line 2, “a=2”: a appears twice.'],
    ['a:NUMBER=x', 'Line 1, “a:NUMBER=x”: this number cannot be sent exactly.'],
    ['a:NUMBER=9007199254740993', 'Line 1, “a:NUMBER=9007199254740993”: this number cannot be sent exactly.'],
    ['a:BOOLEAN=1', 'Line 1, “a:BOOLEAN=1”: a BOOLEAN is true or false.'],
    ['a:NUMBER=# none', 'Line 1, “a:NUMBER=# none”: this number cannot be sent exactly.'],
    [`a b${'x'.repeat(500)}=1`, `Line 1, “a b${'x'.repeat(57)}”: write it as name=value.`],
  ])('faulty database parameters get a sentence that names the line: %j', (lines, says) => {
    expect(readDatabaseParams(lines)).toBe(says);
    expect(read(databaseParams(), lines)).toEqual({ says });
  });

  const params = fc.uniqueArray(
    fc
      .record({
        name: fc.stringMatching(/^[\w.$#:*-]{1,20}$/),
        value: fc.oneof(fc.stringMatching(/^[!-~]( ?[!-~])*$/), fc.constant('')),
      })
      .filter(({ name }) => !name.startsWith('#')),
    { selector: ({ name }) => name },
  );
  test('database parameters are read the same again when they are written out', () => {
    fc.assert(
      fc.property(params, drafts => {
        const first = readDatabaseParams(drafts.map(({ name, value }) => `${name}=${value}`).join('\n'));
        if (typeof first === 'string') throw new Error(first);
        expect(first).toHaveLength(drafts.length);
        expect(readDatabaseParams(writeDatabaseParams(first))).toEqual(first);
      }),
    );
  });

  test('database parameters that an earlier release kept are read the same again', () => {
    const kept = [
      { name: 'a', type: 'STRING', value: '500 # raised' },
      { name: 'b:NUMBER', type: 'NUMBER', value: 5 },
      { name: 'c', type: 'STRING', value: "x 'y' # z" },
    ] as const;
    expect(readDatabaseParams(writeDatabaseParams(kept))).toEqual(kept);
  });

  test('database parameters are written out with a type only where another one would be read', () => {
    const lines = 'a=1\nb=true\nc=x\nd:STRING=1\ne:STRING=true\nf:NUMBER=8';
    const params = readDatabaseParams(lines.replace('f:NUMBER=8', 'f:NUMBER=8.0'));
    if (typeof params === 'string') throw new Error(params);
    expect(writeDatabaseParams(params)).toBe(lines.replace('f:NUMBER=8', 'f=8'));
  });

  test('database parameters carry every number exactly, or as its text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?$/), typed => {
        const [param] = readDatabaseParams(`a=${typed}`);
        if (typeof param !== 'object') throw new Error('not read');
        expect(String(param.value)).toBe(typed);
      }),
    );
  });

  test('database parameters are read or refused with their line, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        lines => Array.isArray(readDatabaseParams(lines)) || /^Line \d+, “/.test(String(readDatabaseParams(lines))),
      ),
    );
  });
});

test('a field that the chosen vendor does not use is named in a sentence', () => {
  const port = integer('port', 'Port', 65_535, { vendors: ['MYSQL', 'MARIADB'] });
  expect(vendorFault(port, 'ORACLE_LIVE_DATABASE-1')).toBe('port is not used for Oracle');
  expect(vendorFault(port, 'MYSQL_LIVE_SERVER-1')).toBeUndefined();
  expect(vendorFault(port, 'orders')).toBeUndefined();
  expect(vendorFault(path('mountBase', 'Mount base', '/x'), 'ORACLE_LIVE_DATABASE-1')).toBeUndefined();
});
