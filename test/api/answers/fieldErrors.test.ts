import { describe, expect, test } from 'vitest';
import { fieldErrorsIn } from '../../../src/api/answers/fieldErrors.ts';
import { refusalOf } from '../../../src/api/answers/refusals.ts';
import { quotesAny } from '../../../src/api/secrets/secrets.ts';

const two = ['port: must not be null', 'mountBase: is required'];

describe('the faults of fields are read from the usual shapes:', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['lists by field', { errors: { port: ['must not be null'], mountBase: ['is required'] } }, two],
    ['words by field', { fieldErrors: { port: 'must not be null', mountBase: 'is required' } }, two],
    ['lists by field at the top', { port: ['must not be null'], mountBase: ['is required'] }, two],
    [
      'a list of fields with words',
      {
        message: 'Validation failed',
        errors: [
          { field: 'port', defaultMessage: 'must not be null', rejectedValue: null, code: 'NotNull' },
          { field: 'mountBase', defaultMessage: 'is required' },
        ],
      },
      two,
    ],
    [
      'a list with paths',
      { detail: [{ loc: ['body', 'port'], msg: 'field required', type: 'missing' }] },
      ['body.port: field required'],
    ],
    [
      'a list with pointers',
      {
        errors: [
          { source: { pointer: '/data/attributes/port' }, title: 'Invalid Attribute', detail: 'can’t be blank' },
        ],
      },
      ['/data/attributes/port: can’t be blank'],
    ],
    [
      'a list inside of an error',
      { error: { code: 'INVALID', message: 'bad', details: [{ field: 'port', message: 'is required' }] } },
      ['port: is required'],
    ],
    ['names of missing fields', { missingFields: ['port', 'mountBase'] }, ['missing: port, mountBase']],
    ['sentences', { errors: ['port is required', 'no project'] }, ['port is required', 'no project']],
    [
      'one sentence',
      { error: { code: 'INVALID_REQUEST', message: 'port: is required', field: 'port' } },
      ['port: is required'],
    ],
    ['words in an object by field', { errors: { port: { message: 'must not be null' } } }, ['port: must not be null']],
    ['one word by field at the top', { port: 'required', action: 'CREATE' }, ['port: required']],
    ['words by field at the top', { port: 'must not be null', mountBase: 'is required' }, two],
    ['a sentence beside other texts', { message: 'port is required', hint: 'ask your admin' }, []],
    ['an answer without any', { status: 'FAILED', object: null }, []],
    ['a text', 'port is required', []],
    ['a list', ['port is required'], []],
  ])('the complaints about fields in a refusal are read from %s', (_, body, expected) => {
    expect(fieldErrorsIn(body)).toEqual(expected);
  });
});

const refused = (body: unknown, secret = '-') =>
  refusalOf({ status: 400, headers: {}, text: JSON.stringify(body), body }, quotesAny([secret])).message;

test('a refusal tells the complaints about fields after its own sentence, and nothing twice', () => {
  expect(refused({ message: 'Validation failed', errors: { port: ['must not be null'] } })).toBe(
    'The service refused: “Validation failed; port: must not be null”.',
  );
  expect(refused({ detail: [{ loc: ['body', 'port'], msg: 'field required' }] })).toBe(
    'The service refused: “body.port: field required”.',
  );
  expect(
    refused({ error: { code: 'INVALID_REQUEST', message: 'port: is required; install: is required', field: 'port' } }),
  ).toBe('The service refused: “port: is required; install: is required”.');
  expect(refused({ missingFields: ['port', 'install'] })).toBe('The service refused: “missing: port, install”.');
});

test('a refusal that quotes a secret tells no words, and a hundred complaints make no long sentence', () => {
  expect(refused({ message: 'no', errors: { port: ['token-4711 is odd'] } }, 'token-4711')).toBe(
    'The service refused.',
  );
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, ['x'.repeat(200)]]));
  expect(refused({ errors: many }).length).toBeLessThan(1_100);
});

test('complaints are read from an answer that is deep, wide or odd', () => {
  let deep: unknown = 'is required';
  for (let at = 0; at < 50; at++) deep = { errors: [deep, null, 7] };
  expect(fieldErrorsIn(deep)).toEqual([]);
  expect(fieldErrorsIn({ errors: [deep, 'port is required'] })).toEqual(['port is required']);
  expect(fieldErrorsIn({ errors: { __proto__: null, constructor: ['is required'] } })).toEqual([
    'constructor: is required',
  ]);
});
