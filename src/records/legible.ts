import { maskSurePasswords } from '../api/secrets/passwords.ts';

/**
 * Text for a plain_text object: control characters and marks that reorder text become blanks, half characters whole, and
 * passwords are masked; what nobody sees becomes a sign, and no emoji comes out of it.
 */
export function legible(text: string): string {
  return withoutShortcodes(withoutHidden(maskSurePasswords(text)));
}

/** What nobody sees, save what joins and varies letters and emoji of other scripts. */
const unseen =
  /[[\p{Default_Ignorable_Code_Point}\u2800]--[\u200c\u200d\ufe0e\ufe0f]]|(?<=\p{ASCII}|^)[\u200c\u200d\ufe0e\ufe0f]/gv;
/** The colon before a name of an emoji: names have a letter, save four. */
const shortcodes = /:(?=(?:[\p{M}\p{N}_'+-]*\p{L}[\p{L}\p{M}\p{N}_'+-]*|[+-]1|100|1234):)/gu;

/** Text with nothing in it that hides: blanks for what breaks or reorders lines, a sign for what cannot be seen. */
export function withoutHidden(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .replace(unseen, '\ufffd')
      .trim() || '–'
  );
}

/** Text in which no `:name:` stands for an emoji; times and addresses stay as they are. */
function withoutShortcodes(text: string): string {
  return text.replace(shortcodes, '꞉');
}
