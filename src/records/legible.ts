import { maskSurePasswords } from '../api/secrets/passwords.ts';

/**
 * Text for a plain_text object. Control characters and marks that reorder text become blanks. Invisible characters and
 * halves of characters become a sign. Passwords are masked, and no emoji comes out of the text.
 */
export function legible(text: string): string {
  return withoutHidden(maskSurePasswords(text)).replace(shortcodes, '꞉');
}

/** Invisible characters, except those that join or vary letters and emoji of other scripts. */
const unseen =
  /[[\p{Default_Ignorable_Code_Point}\u2800]--[\u200c\u200d\ufe0e\ufe0f]]|(?<=\p{ASCII}|^)[\u200c\u200d\ufe0e\ufe0f]/gv;
/** The colon before a name of an emoji. Names have a letter, except `+1`, `-1`, `100` and `1234`. */
const shortcodes = /:(?=(?:[\p{M}\p{N}_'+-]*\p{L}[\p{L}\p{M}\p{N}_'+-]*|[+-]1|100|1234):)/gu;

/** Text without hidden characters: a blank stands for those that break or reorder lines, a sign for invisible ones. */
export function withoutHidden(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .replace(unseen, '\ufffd')
      .trim() || '–'
  );
}

/**
 * Text for what Slack shows letter for letter in its newer blocks, in which nothing looks like a mention or a link either:
 * whoever copies it into a message, or reads it as mrkdwn, calls nobody.
 */
export function withoutMarkup(text: string): string {
  return text.replace(/<(?=[!@#]|https?:|mailto:|tel:)/gi, '‹');
}
