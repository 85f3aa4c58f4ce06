import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { minute } from '../../ground/durations.ts';
import { readTime } from '../../ground/timeText.ts';
import { offsetIn } from '../../ground/zone.ts';
import { legible, withoutHidden } from '../../records/legible.ts';

/** Slack's limits that Dolly can meet, in characters or items (docs.slack.dev/reference/block-kit). */
export const limits = {
  sectionText: 3000,
  inputText: 3000,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  optionValue: 150,
  options: 100,
  /** Buttons in one row. Slack takes 25; a person reads fewer. */
  choices: 20,
  fields: 10,
  fieldText: 2000,
  overflow: 5,
  errorText: 250,
  modalTitle: 24,
  privateMetadata: 3000,
  messageBlocks: 50,
  modalBlocks: 100,
  homeBlocks: 100,
  /** chat.update refuses a longer text. */
  messageText: 4000,
  /** All `text` of a message's blocks together; Slack names no number, and refuses somewhat more. */
  messageCharacters: 11_000,
  /** Data tables of a message (docs.slack.dev/reference/block-kit/blocks/data-table-block); a header comes beside the rows. */
  tableRows: 100,
  tableColumns: 20,
  tableCharacters: 10_000,
  tablePage: 100,
  /** Charts (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). */
  chartTitle: 50,
  chartLabel: 20,
  chartAxis: 50,
  chartSeries: 6,
  chartCategories: 20,
  /** Slack's page names no number; the Web API refuses a third one (github.com/vercel/chat/pull/696). */
  charts: 2,
  /** Alerts, in modals only (docs.slack.dev/reference/block-kit/blocks/alert-block; github.com/slackapi/java-slack-sdk/pull/1624). */
  alertText: 200,
  /** Cards (docs.slack.dev/reference/block-kit/blocks/card-block); the page names no number of buttons, and shows three at most. */
  cardTitle: 150,
  cardSubtitle: 150,
  cardBody: 200,
  cardActions: 3,
  /** Containers, in messages only (docs.slack.dev/reference/block-kit/blocks/container-block). */
  containerTitle: 150,
  containerBlocks: 10,
  /**
   * Plans, in messages only (docs.slack.dev/reference/block-kit/blocks/plan-block). The page names no number: 256 is that
   * of streamed tasks, and others saw 50 tasks taken, and details count twice (github.com/openclaw/openclaw/pull/143882).
   */
  planTitle: 256,
  planTasks: 50,
  taskTitle: 256,
  taskDetails: 256,
} as const;

/** Cuts text to at most `max` UTF-16 units and marks the cut. Never cuts in the middle of a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Cuts text to at most `max` UTF-16 units in its middle: names that are alike often differ at their ends. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.slice(text.length - Math.floor((max - 1) / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${cut(text, max - end.length)}${end}`;
}

/** Cuts mrkdwn to at most `max` UTF-16 units and marks the cut. Never cuts inside of a mention, a link or a date. */
export function cutMarkup(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${cut(text, max)
    .slice(0, -1)
    .replace(/(?:<[^>]*|&[a-z]*)$/, '')}…`;
}

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

/** Max times of a text that become local: each makes the text longer. */
const maxTimes = 5;

const writtenTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| UTC(?:[+-]\d\d:\d\d)?)/g;

/**
 * A sentence in parts: its texts, and as numbers the times with their distance from UTC that Dolly or the service wrote
 * into it, in milliseconds since the epoch.
 */
export function partsByTime(text: string): readonly (string | number)[] {
  const times = [...text.matchAll(writtenTime)].slice(0, maxTimes).map(({ 0: written, index }) => ({ written, index }));
  let from = 0;
  const parts = times.flatMap(({ written, index }) => {
    const before = text.slice(from, index);
    from = index + written.length;
    return [before, readTime(written)?.at ?? written];
  });
  return [...parts, text.slice(from)].filter(part => part !== '');
}

/** Makes each time with its distance from UTC that Dolly or the service wrote into a sentence one of the reader's own time zone. */
export function localTimes(text: string): string {
  return partsByTime(text)
    .map(part => (typeof part === 'string' ? part : moment(part)))
    .join('');
}

/**
 * A moment as plain text in a time zone (`Europe/Berlin`): "2026-11-22 03:00 UTC+01:00". It is for places where Slack
 * shows no time of the reader's own; {@link localTimes} reads it.
 */
export function momentIn(zone: string | undefined, at: number): string {
  const offset = zone === undefined ? 0 : offsetIn(zone, at);
  const local = new Date(at + offset * minute).toISOString().slice(0, 16).replace('T', ' ');
  const pad = (part: number) => String(part).padStart(2, '0');
  const far = Math.abs(offset);
  const distance = offset === 0 ? '' : `${offset < 0 ? '-' : '+'}${pad(Math.floor(far / 60))}:${pad(far % 60)}`;
  return `${local} UTC${distance}`;
}

/** A moment after words of its sentence: “until today 9:00 AM”. On its own, Slack writes “Today”. */
export function momentAfter(words: string, at: number): string {
  return moment(at, `${words} {date_short_pretty} {time}`);
}

/**
 * A moment that Slack shows in each reader's own time zone; `at` is milliseconds since the epoch. Words before the first
 * of the marks belong to it, so that “today” is not written like the beginning of a sentence. Where nothing can be
 * shown in the reader’s own zone, UTC stands in its place.
 */
export function moment(at: number, format = '{date_short_pretty} {time}'): string {
  const [words = ''] = format.split('{', 1);
  return `<!date^${Math.floor(at / 1000)}^${format}|${words}${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC>`;
}
