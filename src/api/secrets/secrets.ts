import { folded, someReading, withoutEscapes } from './spellings.ts';

/** A part of a secret of this many characters in a row tells too much. */
const tellingPart = 8;
/** A secret with fewer characters than this counts only where it stands apart: its letters are in every sentence. */
const tellingWhole = 4;
/** The maximum part of a text that is searched, in characters. Nothing shows or keeps more of one. */
const maxText = 1_000;

/** Whether a text quotes a secret. */
export type Quotes = (text: string) => boolean;

/**
 * Makes a test for texts that quote one of the secrets in any spelling: escaped, encoded, broken by blanks or line
 * ends, in other case or composition, or several of these over each other. Leave such a text out whole: a gap inside it
 * would tell its readers something.
 *
 * A secret of eight characters or more is quoted where eight of them stand in a row. One of four to seven is quoted
 * where all of it stands, even inside a word: that costs a few sentences of a service, and none of Dolly's own, since
 * only texts of the service are tested. One of up to three is quoted only where it stands apart: the password `a` is
 * quoted by "password a", not by "Bad credentials". A secret without visible characters cannot be recognised.
 */
export function quotesAny(secrets: readonly string[]): Quotes {
  const seen = secrets.filter(secret => folded(secret) !== '');
  const { test, shortest } = testFor(seen);
  return text => seen.length > 0 && someReading(text.slice(0, maxText), shortest, test);
}

/**
 * The same for texts of records, most of which are data. A part of eight characters counts only if it has both letters
 * and other characters, so that it is no word and no date. Sixteen in a row, or all of a shorter token, always count.
 * `mayHold` rules most texts out quickly. `layers` is the maximum number of spellings over each other that are undone.
 */
export function quotesInRecords(token: string, mayHold: Quotes): (text: string, layers: number) => boolean {
  const { test, shortest } = testFor([token], part => /\p{L}/u.test(part) && /\P{L}/u.test(part));
  const isIn = (reading: string) => mayHold(reading) && test(reading);
  return (text, layers) => someReading(text.slice(0, maxText), shortest, isIn, layers);
}

function testFor(secrets: readonly string[], isTelling: (part: string) => boolean = () => true) {
  const wanted = secrets.flatMap(secret => needleOf(secret, isTelling));
  // The secret itself may hold what looks like an escape, and escapes are undone in the text.
  const needles = [...wanted, ...secrets.flatMap(secret => needleOf(withoutEscapes(secret), isTelling))];
  const test = (reading: string) => {
    const plain = folded(reading);
    return needles.some(needle => needle.isIn(plain, reading));
  };
  return { test, shortest: Math.min(tellingPart, ...wanted.map(({ length }) => length)) };
}

/** Something to look for in a text. `length` is the number of its characters that a text must hold. */
type Needle = Readonly<{ length: number; isIn(plain: string, reading: string): boolean }>;

function needleOf(secret: string, isTelling: (part: string) => boolean): Needle[] {
  const wanted = folded(secret);
  const { length } = wanted;
  if (length === 0) return [];
  if (length < tellingWhole) return [{ length, isIn: apart(wanted) }];
  if (length < tellingPart) return [{ length, isIn: plain => plain.includes(wanted) }];
  const parts = new Set(partsOf(wanted, tellingPart).filter(isTelling));
  const wide = Math.min(length, 2 * tellingPart);
  const wideParts = new Set(partsOf(wanted, wide));
  const isIn = (plain: string) =>
    partsOf(plain, tellingPart).some(part => parts.has(part)) || partsOf(plain, wide).some(part => wideParts.has(part));
  return [{ length: tellingPart, isIn }];
}

/** Every run of `size` characters in a text. */
function partsOf(text: string, size: number): string[] {
  return Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size));
}

/** Finds a short secret without a letter or digit next to it. Blanks may stand between its characters. */
function apart(wanted: string): Needle['isIn'] {
  const letters = [...wanted].map(letter => letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'u');
  return (_, reading) => pattern.test(reading.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase());
}
