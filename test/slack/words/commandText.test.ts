import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Command, readCommand, takeReason, writeCommand } from '../../../src/slack/words/commandText.ts';

describe('a command', () => {
  test.each<[string, readonly string[], Record<string, string>]>([
    ['', [], {}],
    ['   ', [], {}],
    ['list', ['list'], {}],
    ['  clone \t orders\n', ['clone', 'orders'], {}],
    ['clone "my orders"', ['clone', 'my orders'], {}],
    ["clone 'my orders'", ['clone', 'my orders'], {}],
    ['clone “my orders”', ['clone', 'my orders'], {}],
    ['clone ‘my orders’', ['clone', 'my orders'], {}],
    ['clone „my orders“', ['clone', 'my orders'], {}],
    ['clone «my orders»', ['clone', 'my orders'], {}],
    ['clone ""', ['clone', ''], {}],
    ['clone orders port=3310 mountBase=/mnt/c1', ['clone', 'orders'], { port: '3310', mountBase: '/mnt/c1' }],
    ['port=3310 clone', ['clone'], { port: '3310' }],
    ['clone mountBase="/mnt/my clones" x', ['clone', 'x'], { mountBase: '/mnt/my clones' }],
    ['clone mountBase=“/mnt/my clones”', ['clone'], { mountBase: '/mnt/my clones' }],
    ['clone databaseParams=a=1', ['clone'], { databaseParams: 'a=1' }],
    ['clone databaseParams="a=1 b"', ['clone'], { databaseParams: 'a=1 b' }],
    ['clone port=', ['clone'], { port: '' }],
    ['clone port=1 port=2', ['clone'], { port: '2' }],
    ['clone "port=3310"', ['clone', 'port=3310'], {}],
    ['clone =3 3=x a-b=c', ['clone', '=3', '3=x', 'a-b=c'], {}],
    ["clone ben's", ['clone', "ben's"], {}],
    ['clone "unclosed orders', ['clone', '"unclosed', 'orders'], {}],
    ["clone 12'6", ['clone', "12'6"], {}],
    ['clone a"b c"', ['clone', 'a"b', 'c"'], {}],
    ['clone a &amp; b &lt;!channel&gt;', ['clone', 'a', '&', 'b', '<!channel>'], {}],
    ['clone &amp;lt;', ['clone', '&lt;'], {}],
    ['clone &quot;x&quot;', ['clone', '&quot;x&quot;'], {}],
    ['clone “orders" x', ['clone', '“orders"', 'x'], {}],
  ])('the command %j is read as it is meant', (text, words, inputs) => {
    expect(readCommand(text)).toEqual({ words, inputs });
  });

  test.each([
    ["convert qa dbFileNameConvert='/a','/b' x", { dbFileNameConvert: "'/a','/b'" }],
    [
      'convert qa x dbFileNameConvert="/a" ,  "/b" logFileNameConvert=“/l”',
      {
        dbFileNameConvert: '"/a" ,  "/b"',
        logFileNameConvert: '/l',
      },
    ],
    ["convert x qa f='a b','c' g='d'", { f: "'a b','c'", g: 'd' }],
  ])('a command keeps the quotes of a list behind a field: %s', (line, inputs) => {
    const read = readCommand(line);
    expect(read.words.toSorted()).toEqual(['convert', 'qa', 'x']);
    expect(read.inputs).toEqual(inputs);
    expect(readCommand(writeCommand(read))).toEqual(read);
  });

  test('a command cannot set a field that every object has, such as __proto__', () => {
    const { inputs } = readCommand('clone __proto__=1 constructor=2');
    expect(Object.entries(inputs)).toEqual([['constructor', '2']]);
    expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype);
  });

  // A word may hold anything but closing quotes of every style at once.
  const word = fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...`ab =/"'“”‘’„«»&;<>lt\n`) }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('port=1', '&amp;'),
    )
    .filter(text => [...`"'“”’»`].some(quote => !text.includes(quote)));
  const command: fc.Arbitrary<Command> = fc.record({
    words: fc.array(word, { maxLength: 5 }),
    inputs: fc.dictionary(fc.stringMatching(/^[A-Za-z]{1,12}$/), word, { maxKeys: 4, noNullPrototype: true }),
  });
  test('a command that is written out is read back the same', () => {
    fc.assert(
      fc.property(command, given => {
        expect(readCommand(writeCommand(given))).toEqual(given);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a command read from any text has no word or value that the text does not have', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter(text => !text.includes('&')),
        text => {
          const { words, inputs } = readCommand(text);
          for (const part of [...words, ...Object.values(inputs)]) expect(text).toContain(part);
        },
      ),
    );
  });
});

test('a reason typed in a command is trimmed and cut as in a form', () => {
  expect(takeReason({ Reason: '  The disk is full. ', port: '3310' })).toEqual({
    why: 'The disk is full.',
    others: { port: '3310' },
  });
  expect(takeReason({ reason: '   ' }).why).toBeNull();
  expect(takeReason({ reason: 'x'.repeat(4_000) }).why).toHaveLength(500);
});
