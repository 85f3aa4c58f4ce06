import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quotesAny } from '../../../src/api/secrets/secrets.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const each = (text: string, write: (letter: string) => string) => [...text].map(write).join('');
const units = (text: string, write: (unit: number) => string) =>
  each(text.split('').join(''), letter =>
    letter
      .split('')
      .map(unit => write(unit.charCodeAt(0)))
      .join(''),
  );
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const bytes = (text: string, write: (byte: number) => string) => [...utf8(text)].map(write).join('');
const broken = (text: string, width: number, by: string) =>
  text.match(new RegExp(`.{1,${width}}`, 'gsu'))?.join(by) ?? '';

function inHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
    ö: 'ouml',
  };
  return text.replace(/[&<>"'ö]/g, sign => `&${names[sign]};`);
}

/** How a service may write what it quotes. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': text => text,
  JSON: text => JSON.stringify(text).slice(1, -1),
  'JSON, signs escaped': text =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[&<>']/g, sign => `\\u${hex(sign.charCodeAt(0), 4)}`),
  'JSON in ASCII': text =>
    units(text, unit =>
      unit < 0x7f && unit > 0x1f && unit !== 0x22 && unit !== 0x5c ? String.fromCharCode(unit) : `\\u${hex(unit, 4)}`,
    ),
  'JSON, everything escaped': text => units(text, unit => `\\u${hex(unit, 4).toUpperCase()}`),
  'JSON with slashes escaped': text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JavaScript bytes': text => bytes(text, byte => `\\x${hex(byte, 2)}`),
  braces: text => each(text, letter => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`),
  percent: encodeURIComponent,
  'percent in lower case': text => encodeURIComponent(text).replace(/%../g, found => found.toLowerCase()),
  'percent, everything': text => bytes(text, byte => `%${hex(byte, 2)}`),
  'percent twice': text => encodeURIComponent(encodeURIComponent(text)),
  'a form': text => String(new URLSearchParams({ a: text })).slice(2),
  'old scripts': text => units(text, unit => `%u${hex(unit, 4)}`),
  HTML: inHtml,
  'HTML in decimal': text => each(text, letter => `&#${letter.codePointAt(0)};`),
  'HTML in hexadecimal': text => each(text, letter => `&#X${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()};`),
  base64: text => utf8(text).toString('base64'),
  'base64 in lines': text => broken(utf8(text).toString('base64'), 16, '\r\n'),
  'base64 without padding': text => utf8(text).toString('base64').replaceAll('=', ''),
  base64url: text => utf8(text).toString('base64url'),
  'base64 after one letter': text => utf8(`x${text}`).toString('base64'),
  'base64 after two letters': text => utf8(`xy${text}z`).toString('base64'),
  'basic authentication': text => `Basic ${utf8(`ben:${text}`).toString('base64')}`,
  hexadecimal: text => utf8(text).toString('hex'),
  'hexadecimal in upper case': text => utf8(text).toString('hex').toUpperCase(),
  'hexadecimal with colons': text => bytes(text, byte => `${hex(byte, 2)}:`),
  numbers: text => JSON.stringify([...utf8(text)]),
  mail: text => bytes(text, byte => `=${hex(byte, 2).toUpperCase()}`),
  'upper case': text => text.toUpperCase(),
  'lower case': text => text.toLowerCase(),
  composed: text => text.normalize('NFC'),
  decomposed: text => text.normalize('NFD'),
  lines: text => broken(text, 5, '\n'),
  blanks: text => broken(text, 3, '  '),
  'mark-up': text => (text.match(/.{1,4}/gsu) ?? []).map(inHtml).join('<wbr>'),
};
/** What loses a letter's case is a spelling of the secret, but of no code that stands for it. */
const first = ['upper case', 'lower case', 'composed', 'decomposed'];

const spelt = (names: readonly string[], secret: string) =>
  names.reduce((text, name) => spellings[name]?.(text) ?? text, secret);

const letter = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789') },
  { weight: 3, arbitrary: fc.constantFrom(...'&/\\%+<>"\'=;:@#?!$ .,-_~(){}[]|^`*') },
  { weight: 1, arbitrary: fc.constantFrom(...'öäüßéñçøåŁšžİıΣς漢字пароль€') },
);
const secrets = fc
  .string({ unit: letter, minLength: 8, maxLength: 48 })
  .filter(text => text.replace(/[\s+]/g, '').length >= 8);
const around = fc.string({ unit: fc.constantFrom(...'abc XYZ 019 .,:;"\'(){}[]<>/=?!-_ö\n'), maxLength: 40 });
const chains = fc
  .tuple(
    fc.array(fc.constantFrom(...first), { maxLength: 1 }),
    fc.array(fc.constantFrom(...Object.keys(spellings).filter(name => !first.includes(name))), { maxLength: 3 }),
  )
  .map(both => both.flat());

describe('a secret that a text quotes', () => {
  test.each(Object.keys(spellings))('a quoted secret is found in the spelling: %s', name => {
    for (const secret of [
      'Fal&sch-und/lang ö"ß',
      'tok-en.of~ben_0123456789+/=',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJiZW4ifQ.c2ln',
    ])
      expect(quotesAny([secret])(`Wrong: ${spelt([name], secret)} (try again)`)).toBe(true);
  });

  test('a quoted secret is found in any chain of spellings, whatever stands around it', () => {
    fc.assert(
      fc.property(secrets, chains, around, around, (secret, names, before, after) => {
        const text = `${before}${spelt(names, secret)}${after}`;
        fc.pre(text.length < 1_000);
        expect(quotesAny([secret])(text)).toBe(true);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });

  test('a quoted secret is found by any eight of its characters in a row', () => {
    fc.assert(
      fc.property(secrets, chains, fc.nat(), fc.nat(), around, (secret, names, from, more, before) => {
        const letters = [...secret].filter(one => /[^\s+]/.test(one));
        const at = from % Math.max(1, letters.length - 8);
        const part = letters.slice(at, at + 8 + (more % letters.length)).join('');
        const text = `${before}: ${spelt(names, part)}…`;
        fc.pre(text.length < 1_000);
        expect(quotesAny([secret])(text)).toBe(true);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });

  test.each([
    ['Fal&sch', '{"error":"Password Fal\\u0026sch is wrong"}'],
    ['Fal&sch', 'user=ben&password=Fal%26sch'],
    ['geheim', 'Login failed for ben/geheim'],
    ['geheim', 'Basic YmVuOmdlaGVpbQ=='],
    ['pass', 'benpass'],
    ['abc', 'The password abc is wrong'],
    ['abc', '{"user":"ben","password":"ABC"}'],
    ['abc', 'Basic YmVuOmFiYw=='],
    ['ab', 'ben:a b'],
    ['7', 'PIN 7 is wrong'],
    ['+-', 'password=%2B-'],
  ])('a secret that is as short as %j is found in %j', (secret, text) => {
    expect(quotesAny([secret])(text)).toBe(true);
  });

  test('each of several secrets is found in a text', () => {
    const quotes = quotesAny(['first-secret', 'second-secret']);
    expect(['the first-secret', 'a SECOND-secret', 'neither'].map(quotes)).toEqual([true, true, false]);
  });
});

describe('a text that quotes no secret is left as it is:', () => {
  const sentences = [
    'Bad credentials',
    'Invalid username or password.',
    'The user name or the password is wrong (attempt 3 of 5, 2026-11-22T07:15:00.123Z).',
    '{"timestamp":"2026-11-22T07:15:00.123Z","status":401,"error":"Unauthorized","path":"/service/user/user/token"}',
    '<html><head><title>HTTP Status 401 – Unauthorized</title></head><body><h1>Bad credentials</h1></body></html>',
    'Konto gesperrt: wenden Sie sich an die Administration!',
  ];
  test.each([
    'a',
    'e',
    's',
    '1',
    'in',
    'or',
    'red',
    'word',
    'ABCD',
    'Fal&sch',
    'correct horse battery',
    'tok-en.of-ben',
  ])('a service’s sentences are not taken to quote the secret %j, except where it is a word of theirs', secret => {
    const word = new RegExp(secret.length > 3 ? secret : `\\b${secret}\\b`, 'i');
    for (const text of sentences) expect([text, quotesAny([secret])(text)]).toEqual([text, word.test(text)]);
  });

  test('a service’s sentences are not taken to quote a random token', () => {
    const token = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
      minLength: 20,
      maxLength: 200,
    });
    fc.assert(
      fc.property(token, fc.array(fc.constantFrom(...sentences), { minLength: 1, maxLength: 4 }), (secret, some) => {
        expect(quotesAny([secret])(some.join(' '))).toBe(false);
      }),
    );
  });

  test('no text is taken to quote a secret that is empty or cannot be seen', () => {
    expect(quotesAny([' \u200b '])('nothing to see')).toBe(false);
    expect(quotesAny([])('nothing to see')).toBe(false);
    expect(quotesAny([''])('nothing to see')).toBe(false);
  });
});
