import { expect, test } from 'vitest';
import { concealed, concealer } from '../../../src/api/secrets/conceal.ts';

const token = 'tok-4711-abcdef-0815';
const text = JSON.stringify({ id: 'MYSQL_LIVE_SERVER-1', note: `made with ${token}` });

test('a repeated answer is searched for the token again where it quoted it, and for each other token', async () => {
  const conceal = concealer();
  const read = async (by: string) => {
    const body: unknown = JSON.parse(text);
    expect(await conceal({ text, body }, by)).toBe(true);
    return body;
  };
  const left = { id: 'MYSQL_LIVE_SERVER-1', note: concealed };
  expect(await read('another-0123456789')).toEqual(JSON.parse(text));
  expect(await read(token)).toEqual(left);
  expect(await read('another-0123456789')).toEqual(JSON.parse(text));
  expect(await read(token)).toEqual(left);
});

test('an answer that is nested too deep for a record is refused each time', async () => {
  const conceal = concealer();
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  for (let time = 0; time < 2; time++) expect(await conceal({ text: deep, body: JSON.parse(deep) }, token)).toBe(false);
});
