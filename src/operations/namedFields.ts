import type { Field } from './operation.ts';

/** A word of a text, in lower case, with its place. Names such as `mountBase` and `MOUNT_BASE` have two of them. */
export type TextWord = Readonly<{ text: string; at: number; end: number }>;

/** A field that a text names, by the places of the first and the last word of its name among the words of the text. */
export type NamedField = Readonly<{ field: Field; first: number; last: number }>;

/** Words around the name of a field that do not make it the name of something else. */
const plainWords = new Set(
  [
    'a an the this your its all both each either following new it you we s t not due to because',
    'is are was were be been being has have had must should shall need needs please also always still',
    'field fields parameter parameters param params property properties attribute attributes argument arguments',
    'arg args input inputs key keys column columns option options element elements entry value values variable path',
    'string integer int number boolean text type id ids identifier identifiers tag method',
    'request requests body payload json data query form object operation command create post dto',
    'clone clones cloning service api schema',
    'error errors validation failed violates violation constraint invalid bad valid non null blank empty',
    'required missing mandatory necessary obligatory',
    'given set specified provided supplied present passed sent filled defined entered chosen',
  ].flatMap(line => line.split(' ')),
);

/** Whether a word beside the name of a field leaves it what it is, as “field” does, and “range” does not. */
export function isPlainWord(text: string): boolean {
  return plainWords.has(text);
}

export function textWordsIn(text: string): readonly TextWord[] {
  return [...text.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+|\d+/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    at: index,
    end: index + word.length,
  }));
}

/**
 * The fields that a text names, by their names and labels in any spelling, in its order. A longer name is found before a
 * shorter one in it. A word that is joined to others, as in a host name, in a path or in `sshPort`, names no field.
 */
export function namedFieldsIn(text: string, words: readonly TextWord[], fields: readonly Field[]) {
  const names = fields
    .flatMap(field => spellingsOf(field).map(spelling => ({ field, spelling })))
    .toSorted((one, other) => other.spelling.length - one.spelling.length);
  const taken = new Set<number>();
  const found: NamedField[] = [];
  for (const { field, spelling } of names)
    for (const first of words.keys()) {
      const length = taken.has(first) ? 0 : lengthOf(spelling, words, first);
      if (length === 0) continue;
      for (let offset = 0; offset < length; offset++) taken.add(first + offset);
      found.push({ field, first, last: first + length - 1 });
    }
  /** Whether the word at `outer` makes the name a part of a longer one; `left` and `right` meet there. */
  const isLonger = (outer: number, left: number, right: number) => {
    const [word, before, after] = [words[outer], words[left], words[right]];
    if (!word || !before || !after || taken.has(outer)) return false;
    if (isPlainWord(word.text) || /^\d+$/.test(word.text)) return false;
    return /^[._\-/@\\]?$/.test(text.slice(before.end, after.at));
  };
  return found
    .filter(({ first, last }) => !isLonger(first - 1, first - 1, first) && !isLonger(last + 1, last, last + 1))
    .toSorted((one, other) => one.first - other.first);
}

/** The number of the words from `first` on that are a name when they are written together; 0 where they are not. */
function lengthOf(spelling: string, words: readonly TextWord[], first: number): number {
  let left = spelling;
  for (let at = first; ; at++) {
    const word = words[at];
    if (!word || !left.startsWith(word.text)) return 0;
    left = left.slice(word.text.length);
    if (left === '') return at - first + 1;
  }
}

/** The name and the label of a field as one word in lower case; a label also without what stands in brackets. */
function spellingsOf({ name, label }: Field): readonly string[] {
  const texts = [name, label, label.replace(/\s*\(.*\)/, '')];
  return [...new Set(texts.map(text => text.toLowerCase().replace(/[^a-z0-9]/g, '')))].filter(text => text.length > 2);
}
