import { maskSurePasswords } from '../api/passwords.ts';

/** Slack's limits that Dolly can meet, in characters or items (docs.slack.dev/reference/block-kit). */
export const limits = {
  sectionText: 3000,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  optionValue: 150,
  options: 100,
  /** Buttons in one row of them: 25, of which a person reads fewer. */
  choices: 20,
  fields: 10,
  fieldText: 2000,
  overflow: 5,
  fieldLabel: 2000,
  errorText: 250,
  modalTitle: 24,
  privateMetadata: 3000,
  messageBlocks: 50,
  modalBlocks: 100,
  homeBlocks: 100,
  /** chat.update refuses a longer text. */
  messageText: 4000,
} as const;

/** Cuts text to at most `most` UTF-16 units, marking the cut, never in the middle of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Text of people or of the service, made harmless for mrkdwn: it can neither mention nor link, and shows no password. What
 * comes of it has at most `most` UTF-16 units, though a letter that is escaped takes up to five.
 */
export function plain(text: string, most = 200): string {
  return escaped(legible(text), most);
}

function escaped(text: string, most: number): string {
  const whole = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (whole.length <= most) return whole;
  return `${cut(whole, most)
    .slice(0, -1)
    .replace(/&[a-z]*$/, '')}…`;
}

/**
 * Text for a plain_text object: control characters and marks that reorder text become blanks, half characters whole, and
 * passwords are masked.
 */
export function legible(text: string): string {
  return tidy(maskSurePasswords(text));
}

function tidy(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .trim() || '–'
  );
}

/** Text in mrkdwn code style, which a backtick inside would end. */
export function code(text: string, most = 200): string {
  return `\`${plain(text, most).replaceAll('`', 'ˋ')}\``;
}

/** The same with the passwords in it: for one person's eyes only, who may read the record that it stands in. */
export function unmasked(text: string, most = 500): string {
  return `\`${escaped(tidy(text), most).replaceAll('`', 'ˋ')}\``;
}

/** Bold mrkdwn, which an asterisk inside would end. */
export function bold(text: string, most = 200): string {
  return `*${plain(text, most).replaceAll('*', '∗')}*`;
}

/** A moment as Slack shows it in each reader's own time zone; `at` is milliseconds since the epoch. */
export function moment(at: number, format = '{date_short_pretty} {time}'): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${new Date(at).toISOString()}>`;
}
