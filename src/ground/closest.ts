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
  return nearest(entries, farOf, 1 + mostChanged).slice(0, 5);
}

/** The largest part of a text that may be misspelt. */
const mostChanged = 0.45;

/** The part of a name that may be misspelt for sure: a letter in four. */
const misspelt = 0.25;

/** The entry of which a text is surely a misspelling, by its text; `undefined` where it is too short to tell. */
export function misspelling<T>(wanted: string, entries: readonly T[], textOf: (entry: T) => string): T | undefined {
  if (wanted.length < 5 || wanted.length > longestName) return undefined;
  return nearest(entries, entry => share(wanted, textOf(entry).toLowerCase()), misspelt)[0];
}

/** The entries that are no farther than `most`, the nearest first. */
function nearest<T>(entries: readonly T[], farOf: (entry: T) => number, most: number): readonly T[] {
  return entries
    .map(entry => ({ entry, far: farOf(entry) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .map(({ entry }) => entry);
}

/** The part of two texts in which they differ, from 0 to 1. Where their lengths differ too much, that is not counted out. */
function share(wanted: string, text: string): number {
  const most = Math.max(wanted.length, text.length, 1);
  const apart = Math.abs(wanted.length - text.length) / most;
  if (apart > mostChanged) return apart;
  return (isSwap(wanted, text) ? 1 : distance(wanted, text)) / most;
}

/** Whether two texts differ only in the order of two neighbouring letters. */
export function isSwap(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  const at = [...left].findIndex((letter, index) => letter !== right[index]);
  return at >= 0 && left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}
