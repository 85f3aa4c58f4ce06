import { isWhole } from '../whole.ts';

/* Texts that make slow readers slow: much of the same, and an end that fits nothing. */

/** Pieces that somebody's reader gives a meaning. */
const pieces = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\u00a0',
    '\u200b',
    '\u2800',
    'a',
    'A',
    'é',
    'ß',
    'İ',
    '1',
    '0',
    '\ud800',
    '😀',
    '©',
    'e\u0301',
  ],
  ...[
    '.',
    ',',
    ';',
    ':',
    '-',
    '--',
    '_',
    '+',
    '=',
    '*',
    '`',
    '```',
    '~',
    '|',
    '!',
    '?',
    '@',
    '#',
    '%',
    '\\',
    '/',
    '//',
  ],
  ...['"', "'", '“', '”', '„', '«', '»', '‘', '’', '(', ')', '[', ']', '{', '}', '<', '>', '</', '<!--', '<a ', '<b>'],
  ...['&', '&amp;', '&lt;', '&#', '%41', '\\u0041', '=3D', '0x', '://', 'user:', 'a/b@', 'a:b@', 'a@tcp(', '“x”'],
  ...['password', 'password=', 'pwd', 'pw ', 'pass', 'secret', 'token ', '-p', 'mysql ', 'mysql-', 'sqlplus ', 'rman '],
  ...['identified ', 'by ', 'values ', 'bearer ', 'login ', 'log ', 'in ', 'jdbc:oracle:', 'description', '<password '],
  ...['not ', 'is ', 'may ', 'must ', 'required ', 'no value ', 'or ', 'and ', 'if ', 'port ', 'name: ', 'field '],
  ...[
    'expired ',
    'session ',
    'only ',
    'every ',
    'every=',
    'at ',
    ' at ',
    ' on ',
    'on the ',
    'monday, ',
    'day ',
    '1.0',
    '-1',
  ],
  ...[
    '2026-01-01 00:00',
    '2026-01-01T00:00:00Z',
    ' UTC',
    '+01:00',
    'S0ABC ',
    'MYSQL_LIVE_SERVER-1',
    'A_',
    'aB',
    ':a',
    ':+1',
  ],
  ...[
    '<@U1>',
    '<@U',
    '*a',
    '&gt;',
    '<#C1|x>',
    '<!date^1^',
    'message: ',
    'error ',
    'HTTP 500 ',
    'at a.b(',
    'k=v ',
    'a=“ ',
    'x:STRING=',
    '$',
    '^',
  ],
] as const;

/** A text of about a length, made of a beginning, of much of the same, and of an end. */
export type Shape = Readonly<{ name: string; of(length: number): string }>;

/** Every piece again and again, and as many others that are drawn by a seed. */
export function shapes(drawn: number, seed = 1): readonly Shape[] {
  const draw = dice(seed);
  const one = () => pieces[Math.floor(draw() * pieces.length)] ?? '';
  const some = (most: number) => Array.from({ length: Math.floor(draw() * (most + 1)) }, one).join('');
  const plain = pieces.map((piece, at) => (at % 2 ? shape('', piece, '') : shape('x', piece, 'x')));
  const others = Array.from({ length: drawn }, () => shape(some(2), one() + some(2), some(2)));
  return [...plain, ...others];
}

function shape(before: string, again: string, after: string): Shape {
  return {
    name: JSON.stringify([before, again, after]),
    of(length) {
      const left = Math.max(0, length - before.length - after.length);
      return before + again.repeat(Math.ceil(left / again.length)).slice(0, left) + after;
    },
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The shapes that `npm test`, or `npm run whole`, gives to each reader. */
export const hostile = shapes(isWhole ? 30 : 0);
