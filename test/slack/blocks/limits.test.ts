import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legible } from '../../../src/records/legible.ts';
import { parseMrkdwn, parsePlain } from '../../../src/sandbox/playground/page/mrkdwn.ts';
import { cut, cutMarkup } from '../../../src/slack/blocks/limits.ts';
import { localTimes, moment, momentIn } from '../../../src/slack/blocks/moments.ts';
import { bold, code, plain } from '../../../src/slack/blocks/mrkdwn.ts';

const anything = fc.string({ unit: 'binary', maxLength: 300 });

describe('a cut', () => {
  test('a text that fits is not cut, and a cut one ends with an ellipsis', () => {
    expect([cut('abcde', 5), cut('abcdef', 5), cut('', 5)]).toEqual(['abcde', 'abcd…', '']);
  });
  test('a cut text never ends within a character', () => {
    expect(cut('ab🐑🐑', 4)).toBe('ab…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const short = cut(text, most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
      }),
    );
  });
});

test('mrkdwn is never cut inside of a mention, a link, a date or an escaped letter', () => {
  const piece = fc.constantFrom('<!date^1795251600^{date}|2026>', 'orders ', '<@U1>', '&lt;', '🐑');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 80 }), (pieces, most) => {
      const short = cutMarkup(pieces.join(''), most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(short).not.toMatch(/<[^>]*$|&[a-z]*…$|……/);
    }),
  );
});

describe('text of others', () => {
  test.each([
    ['<!channel> & <@U1>', '&lt;!channel&gt; &amp; &lt;@U1&gt;'],
    ['a\u0000b\nc', 'a b c'],
    ['\u202eevil', 'evil'],
    ['', '–'],
    [' \n ', '–'],
  ])('foreign text %j is made harmless', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  test.each([
    'tmp* · Approved by the DBAs :white_check_mark: *x',
    '*bold* _italic_ ~gone~ `code`',
    '> quoted',
    ':+1::100: :skin-tone-2: :größe: a:b:c ::x::',
    '✅ ✔ ❌ 🔒 🇩🇪 1️⃣ ♻️ 👩‍💻',
    '_a_ *b* ~c~ (_d_) x*y*z _ * ~',
    '```pre``` ``x`` `',
    '*\u200bx*\u200b',
  ])('foreign text %j is shown without style or emoji', text => {
    expect(parseMrkdwn(`Deletion of ${plain(text)} · *Failed*`).map(({ type }) => type)).toEqual(['text', 'bold']);
    expect(parseMrkdwn(plain(text)).map(({ type }) => type)).toEqual(['text']);
    expect(parseMrkdwn(bold(text)).map(({ type }) => type)).toEqual(['bold']);
    expect(parsePlain(legible(text)).filter(node => node.type === 'emoji' && /^:/.test(node.name))).toEqual([]);
  });

  test('foreign text of random signs shows no style and no emoji', () => {
    const signs = fc.constantFrom(...'*_~`:>&< x1é·-+(✅'.split(''), ':tada:', '\n', '\u200b', '\ufe0f', 'ab', '100');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), parts => {
        const types = parseMrkdwn(`on ${plain(parts.join(''))} here`).map(({ type }) => type);
        expect(types).toEqual(['text']);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['archive_2023', 'archive_2023'],
    ['at 18:00:30 UTC, http://db.example:8443/x', 'at 18:00:30 UTC, http://db.example:8443/x'],
    ['2026-11-21T09:00:15.000Z', '2026-11-21T09:00:15.000Z'],
    ['Oracle® 19c™', 'Oracle® 19c™'],
    ['می‌خواهم', 'می‌خواهم'],
    ['ad\u200bmin', 'ad\ufffdmin'],
    ['ad\u200dmin', 'ad\ufffdmin'],
    ['x\u3164\u2800', 'x\ufffd\ufffd'],
  ])('foreign text %j is shown as %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  test('foreign text can neither mention nor link nor reorder, nor break its style or line', () => {
    fc.assert(
      fc.property(anything, text => {
        for (const shown of [plain(text), bold(text), code(text)]) {
          expect(shown).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
          expect(shown).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        }
        expect(code(text).slice(1, -1)).not.toContain('`');
      }),
    );
  });

  test('foreign text is cut by its length after escaping, and never within an escape', () => {
    expect(plain('&'.repeat(300), 11)).toBe('&amp;&amp;…');
    expect(plain('&&', 10)).toBe('&amp;&amp;');
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 60 }), (text, most) => {
        expect(plain(text, most).length).toBeLessThanOrEqual(most);
        expect(plain(text, most)).not.toMatch(/&(?!amp;|lt;|gt;)/);
      }),
    );
  });

  test('foreign text in bold is bold to its end', () => {
    expect(bold('orders')).toBe('*orders*');
    expect(bold('a*b')).toMatch(/^\*a[^*]b\*$/);
  });

  test('foreign text in code stays in code', () => {
    expect(code('a`b')).toBe('`aˋb`');
  });

  test('foreign text in a plain text object has no control characters and no broken ones', () => {
    expect(legible('a\r\n\u0007b')).toBe('a b');
    expect(legible('half \ud83d')).toBe('half \ufffd');
  });
});

test('a moment in a message is shown in the reader’s time zone, and falls back on UTC', () => {
  const at = Date.UTC(2026, 10, 21, 9, 0, 0, 500);
  expect(moment(at)).toBe('<!date^1795251600^{date_short_pretty} {time}|2026-11-21 09:00:00 UTC>');
  expect(moment(at, 'by {date_short_pretty} {time}')).toMatch(/\|by 2026-11-21 09:00:00 UTC>$/);
});

describe('a moment in a zone', () => {
  const at = Date.UTC(2026, 10, 22, 23, 30);
  test.each([
    [undefined, '2026-11-22 23:30 UTC'],
    ['Etc/UTC', '2026-11-22 23:30 UTC'],
    ['Europe/Berlin', '2026-11-23 00:30 UTC+01:00'],
    ['America/New_York', '2026-11-22 18:30 UTC-05:00'],
    ['Asia/Kolkata', '2026-11-23 05:00 UTC+05:30'],
    ['Moon/Crater', '2026-11-22 23:30 UTC'],
  ])(
    'a moment in the zone %s is written with its distance from UTC, and becomes local to every reader',
    (zone, text) => {
      expect(momentIn(zone, at)).toBe(text);
      expect(localTimes(`It is of ${text}.`)).toBe(`It is of ${moment(at)}.`);
    },
  );
});
