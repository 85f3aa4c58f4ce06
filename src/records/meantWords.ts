import type { RecordView } from '../api/reading/recordView.ts';
import { closest } from '../ground/closest.ts';
import { mapInSlices } from '../ground/slices.ts';

/** Max other words that are offered. */
const most = 3;

/**
 * The words that a person may have meant by words that match nothing: the names that are similar to all of them
 * together, or the same words with a similar name in place of each that stands in none.
 */
export function meantWords(words: readonly string[], names: readonly string[]): readonly (readonly string[])[] {
  const known = [...new Set(names)];
  const isIn = (word: string) => known.some(name => name.toLowerCase().includes(word.toLowerCase()));
  const mended = words.map(word => (isIn(word) ? word : (closest(word.toLowerCase(), known, name => name)[0] ?? word)));
  const whole = closest(words.join(' ').toLowerCase(), known, name => name).map(name => [name]);
  const isOther = (meant: readonly string[]) => meant.join(' ').toLowerCase() !== words.join(' ').toLowerCase();
  const all = (words.length > 1 ? [mended, ...whole] : whole).filter(isOther);
  return [...new Map(all.map(meant => [meant.join(' '), meant])).values()].slice(0, most);
}

/** The names by which people look for records: their own, and those of the places and projects around them. */
export async function namesOfAll(records: readonly RecordView[]): Promise<readonly string[]> {
  const names = await mapInSlices(records, ({ name, environment, project }) =>
    [name, environment?.label, project?.label].flatMap(text => text ?? []),
  );
  return [...new Set(names.flat())];
}
