import { folded, someReading, unescaped } from './spellings.ts';

/** So many characters of a secret in a row are a part of it that tells too much. */
const tellingPart = 8;
/** A secret that is shorter than this counts only where it stands apart: its letters are in every sentence. */
const tellingWhole = 4;
/** So much of a text is looked through; nothing shows or keeps more of one. */
const mostOfText = 1_000;

/** Whether a text quotes a secret. */
export type Quotes = (text: string) => boolean;

/**
 * Tells texts that quote one of the secrets, in any spelling: escaped, encoded, broken by blanks or a line end, in other
 * case or composition, one of these over the other. A text that does is to be left out whole; nothing is replaced inside of
 * it, so that no reader learns from its gaps.
 *
 * A secret of eight characters and more is quoted where eight of it in a row are. One of four to seven is where all of it
 * is, even inside a word: that costs a few sentences of a service, and no word of Dolly's own, since only texts of the
 * service are asked about. One of up to three characters is only where it stands apart: a password `a` is not quoted by
 * "Bad credentials", but by "password a". One without anything that can be seen cannot be recognised, and is not.
 */
export function quotesAny(secrets: readonly string[]): Quotes {
  const seen = secrets.filter(secret => folded(secret) !== '');
  const { test, shortest } = testFor(seen);
  return text => seen.length > 0 && someReading(text.slice(0, mostOfText), shortest, test);
}

/**
 * The same for what records hold, of which most is data: there a part of eight counts only if it can be no word and no date,
 * that is where it has letters and something else; sixteen in a row count whatever they are. `mayHold` rules most texts
 * out quickly; a text is read in as many `layers` of spellings as it is worth.
 */
export function quotesInRecords(token: string, mayHold: Quotes): (text: string, layers: number) => boolean {
  const { test, shortest } = testFor([token], part => /\p{L}/u.test(part) && /\P{L}/u.test(part));
  const isIn = (reading: string) => mayHold(reading) && test(reading);
  return (text, layers) => someReading(text.slice(0, mostOfText), shortest, isIn, layers);
}

function testFor(secrets: readonly string[], isTelling: (part: string) => boolean = () => true) {
  const wanted = secrets.flatMap(secret => needleOf(secret, isTelling));
  // What is undone in a text may look like an escape in the secret itself.
  const needles = [...wanted, ...secrets.flatMap(secret => needleOf(unescaped(secret), isTelling))];
  const test = (reading: string) => {
    const plain = folded(reading);
    return needles.some(needle => needle.isIn(plain, reading));
  };
  return { test, shortest: Math.min(tellingPart, ...wanted.map(({ length }) => length)) };
}

/** Something to look for in what a text says. `length` is how many characters of it a text must hold. */
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

/** Every run of so many characters in a text. */
function partsOf(text: string, size: number): string[] {
  return Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size));
}

/** Finds a short secret between what is neither letter nor digit; its own characters may be apart. */
function apart(wanted: string): Needle['isIn'] {
  const letters = [...wanted].map(letter => letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'u');
  return (_, reading) => pattern.test(reading.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase());
}
