import unhomoglyph from 'unhomoglyph';

/* Names are compared as people see them: two that look the same must not count as two. Unicode's own table of confusable
 * letters (UTS #39) says what looks the same. */

/** Marks on letters, and what takes no place or none that can be told from a blank. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu;
/** The same, save marks on letters and blanks of a line: what nobody sees in a name. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/**
 * The forms of a text that stand for how it looks, in lower case. They are two, since a capital I looks like an l and is
 * an i.
 */
export function foldings(text: string): readonly [string, string] {
  const bare = text.normalize('NFKD').replace(unseen, '');
  return [skeletonOf(lowerCase(bare)), skeletonOf(bare)];
}

/** Whether two texts may be taken for each other. */
export function looksLike(one: string, other: string): boolean {
  const forms = foldings(other);
  return foldings(one).some(form => forms.includes(form));
}

/** Whether a text has letters or digits that somebody can see. */
export function canBeRead(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.normalize('NFKD').replace(unseen, ''));
}

/** Whether a text holds characters that nobody sees. */
export function hidesCharacters(text: string): boolean {
  return hidden.test(text);
}

/** What letters look like, each once: the table's own function tries them all. */
const looks = new Map<string, string>();

function skeletonOf(text: string): string {
  const letters = [...text].map(letter => {
    const known = looks.get(letter) ?? lowerCase(unhomoglyph(letter).normalize('NFKD').replace(unseen, ''));
    looks.set(letter, known);
    return known;
  });
  return letters.join('').replace(/\s+/gu, ' ').trim();
}

/** Lower case by single letters, since that of some depends on their neighbours. */
function lowerCase(text: string): string {
  return Array.from(text.toUpperCase(), letter => letter.toLowerCase()).join('');
}
