import { decodeHTML } from 'entities/decode';

/*
 * A service may quote a text in another spelling: escaped for JSON or a URL, as HTML, in base64 or hexadecimal digits,
 * or in several of these over each other. These functions undo spellings, so that texts are compared by their content.
 */

/** Undoes one kind of spelling wherever it occurs in a text. `signs` matches every text that has it. */
type Undo = Readonly<{ signs: RegExp; undo(text: string): string }>;

/** Escapes of JSON and most programming languages: `\u0026`, `\x26`, `\046`, `\/`. */
const escapes: Undo = {
  signs: /\\./s,
  undo: text =>
    text.replace(
      /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2})|([0-3][0-7]{2})|([bfnrtv])|([^\p{L}\p{N}]))/giu,
      (whole, braced, four, eight, two, octal, blank, sign) => {
        const hex = braced ?? four ?? eight ?? two;
        if (blank !== undefined) return ' ';
        if (sign !== undefined) return sign;
        return letter(hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16), whole);
      },
    ),
};

/** Escapes of addresses and forms: `%26`, and `%u0026` of old scripts. */
const percent: Undo = {
  signs: /%(u[\da-f]{4}|[\da-f]{2})/i,
  undo: text =>
    text.replace(/%(?:u([\da-f]{4})|([\da-f]{2}))/gi, (whole, four, two) =>
      letter(Number.parseInt(four ?? two, 16), whole),
    ),
};

/** Entities of web pages: `&amp;`, `&#38;`, `&#x26;`. */
const entities: Undo = { signs: /&[#a-z]/i, undo: decodeHTML };

/** All three at once, since they mix. Each is also undone alone, since one may look like part of another. */
const mixed: Undo = {
  signs: /\\.|%[\da-fu]|&[#a-z]/is,
  undo: text => entities.undo(percent.undo(escapes.undo(text))),
};

/** Escapes of mail: `=26`, and a line end after a lone `=`. */
const printable: Undo = {
  signs: /=([\dA-F]{2}|\r?\n)/,
  undo: text =>
    text.replace(/=(?:([\dA-F]{2})|\r?\n)/g, (whole, hex) => (hex ? letter(Number.parseInt(hex, 16), whole) : '')),
};

/** Blanks and line ends, also where they stand inside of an escape. */
const blanks: Undo = { signs: /\s/, undo: text => text.replace(/\s+/g, '') };

/** Mark-up inside of a word. */
const markup: Undo = { signs: /<[^<>]*>/, undo: text => text.replace(/<[^<>]*>/g, '') };

/** A form writes `+` for a blank. */
const pluses: Undo = { signs: /\+/, undo: text => text.replace(/[\s+]+/g, '') };

/** Bytes as a list of numbers: `[70, 97, 108]`. */
const numbers: Undo = {
  signs: /\d\s*,\s*-?\d+\s*,\s*-?\d/,
  undo: text =>
    text.replace(/-?\d{1,3}(?:\s*,\s*-?\d{1,3}){2,}/g, list =>
      String.fromCharCode(...list.split(',').map(part => Number(part) & 0xff)),
    ),
};

const undoing: readonly Undo[] = [mixed, escapes, percent, entities, blanks, markup, pluses, printable, numbers];

/** Finds the parts of a text that may encode bytes, and gives the bytes of each as letters. */
type Decode = (text: string) => string[];

/**
 * Base64 and base64url, broken into lines or not. Decoding skips `from` letters of a run, since a secret may begin at
 * any of four.
 */
function base64(from: number, shortest: number): Decode {
  const run = runOf('\\w+/-', Math.max(4, Math.floor((shortest * 4) / 3)));
  return text => (text.replace(/\s+/g, '').match(run) ?? []).map(found => bytes(found.slice(from), 'base64'));
}

/** Base64 word by word, as in "Basic YmVuOng=": the word before is no part of it. */
function words(shortest: number): Decode {
  const run = runOf('\\w+/-', Math.max(4, Math.floor((shortest * 4) / 3)));
  return text => (text.match(run) ?? []).map(found => bytes(found, 'base64'));
}

/** Hexadecimal digits. Blanks, colons, dashes or commas may separate them. */
function hexadecimal(from: number, shortest: number): Decode {
  const run = runOf('\\da-f', 2 * shortest);
  return text => (text.replace(/\b0x|[\s:,-]+/gi, '').match(run) ?? []).map(found => bytes(found.slice(from), 'hex'));
}

function runOf(letters: string, shortest: number): RegExp {
  return new RegExp(`[${letters}]{${shortest},}`, 'gi');
}

function bytes(text: string, encoding: 'base64' | 'hex'): string {
  return joined(Buffer.from(text, encoding).toString('latin1'));
}

/**
 * The ways to decode a text in the search for `shortest` letters. Fewer than eight occur by chance in the bytes of any
 * word: then decoded bytes count only if they are a text, and that has exactly `shortest` letters or at least six. In
 * the search for fewer than four, it is `name:password`, or exactly three letters.
 */
function decodingOf(shortest: number): readonly Decode[] {
  const all = [words(shortest), ...[0, 1].map(from => hexadecimal(from, shortest))];
  if (shortest >= 8) return [...all, ...[0, 1, 2, 3].map(from => base64(from, shortest))];
  const isMeant = (part: string) =>
    !/\p{Cc}|\ufffd/u.test(part) &&
    ((shortest > 2 && part.length === shortest) || (shortest < 4 ? /.[:=]./.test(part) : part.length > 5));
  const few = shortest < 4 ? all : [...all, ...[0, 1, 2, 3].map(from => base64(from, shortest))];
  return few.map(decode => text => decode(text).filter(isMeant));
}

const decodings = new Map<number, readonly Decode[]>();

function decoding(shortest: number): readonly Decode[] {
  const known = decodings.get(shortest) ?? decodingOf(shortest);
  decodings.set(shortest, known);
  return known;
}

/** Whether decoded bytes are likely to be a text, and so may hold another spelling. */
function isText(part: string): boolean {
  const legible = part.match(/[\0\t\n\r\x20-\x7e\u0100-\uffff]/g)?.length ?? 0;
  return legible > part.length * 0.6;
}

/** The character of a code point; `otherwise` where there is none. */
function letter(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

/** Joins bytes of UTF-8 that stand as a letter each. */
function joined(text: string): string {
  return text.replace(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g, bytes =>
    Buffer.from(bytes, 'latin1').toString('utf8'),
  );
}

/** The maximum number of spellings over each other, and of letters that are read for one text. */
const maxLayers = 8;
const maxRead = 400_000;

/**
 * Whether a text passes the test as it stands or with its spellings undone. `shortest` is the minimum number of letters
 * that the test needs; `layers` is the maximum number of spellings over each other. A text that is too long to be read
 * to its end counts as passing.
 */
export function someReading(
  text: string,
  shortest: number,
  test: (reading: string) => boolean,
  layers = maxLayers,
): boolean {
  const decodes = decoding(shortest);
  const seen = new Set([text]);
  let left = maxRead;
  let layer = [text];
  for (let depth = 0; depth <= layers && layer.length > 0; depth++) {
    const next: string[] = [];
    const add = (reading: string) => {
      if (reading.length < shortest || seen.has(reading)) return;
      seen.add(reading);
      next.push(reading);
    };
    for (const one of layer) {
      left -= one.length;
      if (left < 0 || test(one)) return true;
      for (const { signs, undo } of undoing) if (signs.test(one)) add(joined(undo(one)));
      for (const decode of decodes) {
        const parts = decode(one);
        if (parts.length > 0 && test(parts.join('\n'))) return true;
        add(parts.filter(isText).join('\n'));
      }
    }
    layer = next;
  }
  return false;
}

/** A text with its escapes undone, up to {@link maxLayers} over each other. */
export function withoutEscapes(text: string): string {
  let reading = text;
  for (let layer = 0; layer < maxLayers; layer++) {
    const next = joined(mixed.undo(reading));
    if (next === reading) break;
    reading = next;
  }
  return reading;
}

/**
 * A text for comparison: without case, marks, composition, width, blanks and invisible characters. A `+` counts as a
 * blank, since forms write it for one.
 */
export function folded(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toUpperCase().replace(/[ +]+/g, '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\s+\p{M}\p{C}]+/gu, '');
}
