import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { legible, withoutHidden } from '../../records/legible.ts';
import { cutMarkup, cutMiddle } from './limits.ts';

/* Text of people and of the service as Slack’s mrkdwn: it shows letter for letter, and does nothing. */

/**
 * Text of people or of the service as mrkdwn that shows it letter for letter. It cannot mention or link, and shows no
 * password. It makes no bold, quote or emoji, which might pass for Dolly's own words. The result has at most `max`
 * UTF-16 units, although an escaped letter takes up to five.
 */
export function plain(text: string, max = 200): string {
  const shown = legible(text).replace(pictures, '□').replace(/^>/, '›');
  return cutMarkup(escaped(shown.replace(edges, '＿').replace(/[*`~]/g, mark => lookalikes[mark] ?? mark)), max);
}

/** A text without the blanks around it, and those blanks. */
export function withinBlanks(text: string): Readonly<{ before: string; inner: string; after: string }> {
  const inner = text.trim();
  if (inner === '') return { before: text, inner, after: '' };
  const before = text.slice(0, text.length - text.trimStart().length);
  return { before, inner, after: text.slice(before.length + inner.length) };
}

/** Text in mrkdwn code style. Backticks in it are replaced, because one would end the code. */
export function code(text: string, max = 200): string {
  return unmasked(maskSurePasswords(text), max);
}

/** The same as {@link code}, of any length: only for what was found to fit. An escaped letter takes up to five. */
export function inFull(text: string): string {
  return code(text, 5 * text.length + 1);
}

/** The same as {@link code}, but with passwords: only for the eyes of a person who may read the record. */
export function unmasked(text: string, max = 500): string {
  return `\`${cutMarkup(escaped(withoutHidden(text)), max).replaceAll('`', 'ˋ')}\``;
}

/**
 * A record in mrkdwn: its name, shortened in its middle, beside its whole identifier. Names repeat, and long ones often
 * differ at their ends alone.
 */
export function recordNamed(id: string, name: string | undefined, style: typeof plain = plain): string {
  return name === undefined || name === id
    ? code(id)
    : `${style(cutMiddle(name, longestName), 5 * longestName)} (${code(id)})`;
}

/** Max characters of a name beside its identifier. */
const longestName = 60;

/** Bold mrkdwn. */
export function bold(text: string, max = 200): string {
  return `*${plain(text, max)}*`;
}

/** Marks of mrkdwn, each with a character that looks like it and has no effect. */
const lookalikes: Readonly<Record<string, string>> = { '*': '∗', '`': 'ˋ', '~': '∼' };
/** Underscores that may begin or end italics. Underscores inside a name cannot. Each run of them is looked at once. */
const edges = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;
/** Characters that Slack shows as emoji. The three exceptions are ordinary text. */
const pictures = /[[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}]--[©®™]]/gv;

/** Text with Slack's escapes, by which it can neither mention nor link (docs.slack.dev/messaging/formatting-message-text). */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text without Slack's escapes. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
