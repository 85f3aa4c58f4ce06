import unhomoglyph from 'unhomoglyph';

/*
 * Names are compared as people see them: two that look the same must not count as two. Lookalikes come from Unicode's
 * own table of confusable letters (UTS #39).
 */

/** Marks on letters, invisible characters, and blanks that Unicode does not count as such. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu;
/** The same without marks on letters: the characters that hide in a name. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/** Characters that show nothing. What varies the look of another one does so behind a sign alone. */
const invisible =
  /[[\p{Default_Ignorable_Code_Point}\u2800]--[\ufe0e\ufe0f]]|(?<=[\p{L}\p{N}\p{P}\s]|^)[\ufe0e\ufe0f]/gv;
/** What people put around a name: marks of code, bold, italics and quotes. Behind it, a sign may end a part of a sentence. */
const marks = ' `´*_~"\'“”„‘’‚«»‹›';
const signs = ',.;:!?';

/**
 * A text as a keyboard types it: with plain dashes where a phone or a web page made others, with one spelling of letters
 * with marks, and without the characters that show nothing.
 */
export function keyed(text: string): string {
  // Most texts have none of these, and a list has thousands.
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(invisible, '')
    .replaceAll('ˋ', '`')
    .replace(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, '-')
    .replace(/[\u2014\u2015]/g, '--');
}

/** A name as a keyboard types it, without what stands around it in a message from which it was copied. */
export function keyedName(name: string): string {
  const text = keyed(name).trim();
  let [from, to] = [0, text.length];
  while (from < to && marks.includes(text.charAt(from))) from += 1;
  while (from < to && (marks + signs).includes(text.charAt(to - 1))) to -= 1;
  return from < to ? text.slice(from, to) : text;
}

/**
 * The two forms of a text, in lower case, that stand for its looks. There are two, since a capital I looks like an l
 * and is an i.
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

/** A name without the domain around it: `CORP\ana`, `ana@corp.example` and `ana+x@corp.example` may be `ana`. */
export function bareName(name: string): string {
  return name.replace(/^.*[\\/]/, '').replace(/(?<=.)[+@].*$/, '');
}

/** Whether a text has visible letters or digits. */
export function canBeRead(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.normalize('NFKD').replace(unseen, ''));
}

/** Whether a text holds invisible characters. */
export function hidesCharacters(text: string): boolean {
  return hidden.test(text);
}

/** A cache of the lookalike of each letter, since the table's own function tries all entries. */
const looks = new Map<string, string>();

function skeletonOf(text: string): string {
  const letters = [...text].map(letter => {
    const known = looks.get(letter) ?? lowerCase(unhomoglyph(letter).normalize('NFKD').replace(unseen, ''));
    looks.set(letter, known);
    return known;
  });
  return letters.join('').replace(/\s+/gu, ' ').trim();
}

/** Lower case, letter by letter, since that of some letters depends on their neighbours. */
function lowerCase(text: string): string {
  return Array.from(text.toUpperCase(), letter => letter.toLowerCase()).join('');
}
