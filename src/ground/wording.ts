/* Small pieces of sentences. */

/** A text with a capital letter at its beginning. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A sentence as it stands within another one: without its full stop. */
export const asClause = (sentence: string) => sentence.replace(/\.$/, '');

/** A number with its noun: `1 clone`, `1,200 clones`; `several` where that is no `s` at the end. */
export function counted(many: number, noun: string, several = `${noun}s`): string {
  return `${many.toLocaleString('en')} ${many === 1 ? noun : several}`;
}

/** Whether each word stands in one of the texts, in whichever case. */
export function hasWords(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return words.every(word => text.includes(word.toLowerCase()));
}

/** The first `most` of some names in a row, and the number of the others: `crm, shop and 3 more`. */
export function inRow(names: readonly string[], most: number, all = names.length): string {
  const shown = names.slice(0, most);
  return `${shown.join(', ')}${all > shown.length ? ` and ${all - shown.length} more` : ''}`;
}

/**
 * A word of others with what somebody said that it means, which stays with the word wherever it is shown, kept and read:
 * “BKP, meaning backup”.
 */
export function withMeaning(word: string, meaning: string | undefined): string {
  return meaning === undefined ? word : `${word}, meaning ${meaning}`;
}

const meaningBehind = /, meaning ([a-z]+(?: [a-z]+)?)$/;

/** The meaning that stands behind a word; `undefined` where none does. */
export function meaningIn(text: string): string | undefined {
  return meaningBehind.exec(text)?.[1];
}

/** The word alone. */
export function withoutMeaning(text: string): string {
  return text.replace(meaningBehind, '');
}
