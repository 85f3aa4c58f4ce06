import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { legible, withoutHidden } from '../../records/legible.ts';

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
 * Text of people or of the service as mrkdwn that shows it letter for letter: it can neither mention nor link, shows no
 * password, and no bold, quote or emoji comes out of it, which might be taken for Dolly's own words. What comes of it has
 * at most `most` UTF-16 units, though a letter that is escaped takes up to five.
 */
export function plain(text: string, most = 200): string {
  const shown = legible(text).replace(pictures, '□').replace(/^>/, '›');
  return escaped(
    shown.replace(edges, '＿').replace(/[*`~]/g, mark => lookalikes[mark] ?? mark),
    most,
  );
}

/** Text in mrkdwn code style, which a backtick inside would end. */
export function code(text: string, most = 200): string {
  return unmasked(maskSurePasswords(text), most);
}

/** The same with the passwords in it: for one person's eyes only, who may read the record that it stands in. */
export function unmasked(text: string, most = 500): string {
  return `\`${escaped(withoutHidden(text), most).replaceAll('`', 'ˋ')}\``;
}

/** Bold mrkdwn. */
export function bold(text: string, most = 200): string {
  return `*${plain(text, most)}*`;
}

/** Marks of mrkdwn, and what looks like them and is none. */
const lookalikes: Readonly<Record<string, string>> = { '*': '∗', '`': 'ˋ', '~': '∼' };
/** Underscores that may begin or end italics; those inside a name are none. */
const edges = /(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu;
/** What Slack shows as an emoji; three signs of that table are ordinary text. */
const pictures = /[[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}]--[©®™]]/gv;
function escaped(text: string, most: number): string {
  const whole = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (whole.length <= most) return whole;
  return `${cut(whole, most)
    .slice(0, -1)
    .replace(/&[a-z]*$/, '')}…`;
}

/** A moment as Slack shows it in each reader's own time zone; `at` is milliseconds since the epoch. */
export function moment(at: number, format = '{date_short_pretty} {time}'): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${new Date(at).toISOString()}>`;
}
