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
  const wanted = secrets.flatMap(needleOf);
  // What is undone in a text may look like an escape in the secret itself.
  const needles = [...wanted, ...secrets.map(unescaped).flatMap(needleOf)];
  const shortest = Math.min(tellingPart, ...wanted.map(({ length }) => length));
  return text => {
    if (needles.length === 0) return false;
    return someReading(text.slice(0, mostOfText), shortest, reading => {
      const plain = folded(reading);
      return needles.some(needle => needle.isIn(plain, reading));
    });
  };
}

/** Something to look for in what a text says. `length` is how many characters of it a text must hold. */
type Needle = Readonly<{ length: number; isIn(plain: string, reading: string): boolean }>;

function needleOf(secret: string): Needle[] {
  const wanted = folded(secret);
  if (wanted.length === 0) return [];
  if (wanted.length < tellingWhole) return [{ length: wanted.length, isIn: apart(wanted) }];
  if (wanted.length < tellingPart) return [{ length: wanted.length, isIn: plain => plain.includes(wanted) }];
  const parts = new Set<string>();
  for (let at = 0; at + tellingPart <= wanted.length; at++) parts.add(wanted.slice(at, at + tellingPart));
  const isIn = (plain: string) => {
    for (let at = 0; at + tellingPart <= plain.length; at++)
      if (parts.has(plain.slice(at, at + tellingPart))) return true;
    return false;
  };
  return [{ length: tellingPart, isIn }];
}

/** Finds a short secret between what is neither letter nor digit; its own characters may be apart. */
function apart(wanted: string): Needle['isIn'] {
  const letters = [...wanted].map(letter => letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'u');
  return (_, reading) => pattern.test(reading.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase());
}
