import { distance } from 'fastest-levenshtein';

/** Max characters of a text for which similar ones are looked for: nobody misspells a longer name. */
const longestName = 300;

/** At most five entries whose text is similar to `wanted`, the most similar first. */
export function closest<T>(wanted: string, entries: readonly T[], textOf: (entry: T) => string): readonly T[] {
  if (wanted.length > longestName) return [];
  const farOf = (entry: T) => {
    const text = textOf(entry).slice(0, longestName).toLowerCase();
    const inside = wanted.length > 2 && (text.includes(wanted) || wanted.includes(text));
    return inside ? 1 : share(wanted, text) + 1;
  };
  return entries
    .map(entry => ({ entry, far: farOf(entry) }))
    .filter(({ far }) => far <= 1 + mostChanged)
    .sort((a, b) => a.far - b.far)
    .slice(0, 5)
    .map(({ entry }) => entry);
}

/** The largest part of a text that may be misspelt. */
const mostChanged = 0.45;

/** The part of two texts in which they differ, from 0 to 1. Where their lengths differ too much, that is not counted out. */
function share(wanted: string, text: string): number {
  const most = Math.max(wanted.length, text.length, 1);
  const apart = Math.abs(wanted.length - text.length) / most;
  if (apart > mostChanged) return apart;
  return (isSwap(wanted, text) ? 1 : distance(wanted, text)) / most;
}

/**
 * Whether a text is surely a word that was misspelt: two letters are swapped in it, or one is left out. Another letter, or
 * one more, makes another word (`deplete`, Granada), and so does one left out of a short word (`rest`).
 */
export function isSlip(word: string, typed: string): boolean {
  return isSwap(word, typed) || (word.length > 5 && typed.length === word.length - 1 && distance(word, typed) === 1);
}

/** Whether two texts differ only in the order of two neighbouring letters. */
export function isSwap(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  const at = [...left].findIndex((letter, index) => letter !== right[index]);
  return at >= 0 && left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}
