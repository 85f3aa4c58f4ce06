import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLongJson as parseLongBytes } from '../../../src/api/reading/longJson.ts';
import { parseJson } from '../../../src/ground/json.ts';

const parseLongJson = (text: string, length?: number) => parseLongBytes(Buffer.from(text), length);
const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

describe('a text in pieces is read as JSON.parse reads it at once', () => {
  test('a text read in pieces gives what JSON.parse gives, wherever it is cut', async () => {
    const written = fc.tuple(value, fc.constantFrom(undefined, ' ', '\t', '\n'), fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(written, async ([json, blanks, length]) => {
        const text = JSON.stringify(json, undefined, blanks);
        expect(await parseLongJson(text, length)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a faulty text read in pieces gives what JSON.parse gives', async () => {
    const broken = fc.tuple(
      value,
      fc.nat(),
      fc.constantFrom('', ',', ',,', '[', ']', '{', '}', '"', ':', 'x', ' ', '\\'),
    );
    await fc.assert(
      fc.asyncProperty(broken, fc.integer({ min: 0, max: 2 }), async ([json, place, wrong], left) => {
        const text = JSON.stringify(json);
        const at = place % (text.length + 1);
        const faulty = text.slice(0, at) + wrong + text.slice(at + left);
        // Half a character has no bytes of its own.
        const written = faulty.toWellFormed();
        expect(await parseLongJson(written, 2)).toStrictEqual(parseJson(written));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['[1,2,]'],
    ['[,1,2]'],
    ['[1,,2]'],
    ['{"a":1,}'],
    ['{"a":[1,2,3]"b":2}'],
    ['{"a":[1,2,3][4,5,6]}'],
    ['[[1,2,3]4]'],
    ['[-[1,2,3]]'],
    ['[4[1,2,3]]'],
    ['[[1,2,3].5]'],
    ['[[1,2,3]e5]'],
    ['{[1,2,3]:4,"a":5}'],
    ['[1,2,3][4,5,6]'],
    ['[1,2,3]}'],
    ['\u00a0[1,2,3,4]'],
    ['{"a":1,"b":[1,2,3],"a":2}'],
    ['{"__proto__":[1,2,3],"1":2,"__proto__":{}}'],
    ['{"a\\"":"\\\\","]":["[",","]}'],
    [`${'['.repeat(200)}${']'.repeat(200)}`],
    [`[${' '.repeat(100)}]`],
    [`["${'x'.repeat(100)}"]`],
  ])('a tricky text read in pieces gives what JSON.parse gives: %.40s', async text => {
    expect(await parseLongJson(text, 1)).toStrictEqual(parseJson(text));
  });
});

test('other work has its turn as a long text is read', async () => {
  const text = JSON.stringify(
    Array.from({ length: 100_000 }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, name: 'orders' })),
  );
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  const read = await parseLongJson(text);
  clearInterval(turn);
  expect(read).toHaveLength(100_000);
  expect(turns).toBeGreaterThan(2);
});
