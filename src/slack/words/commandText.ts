import { isKeyOf } from '../../ground/keys.ts';
import { cut } from '../blocks/limits.ts';
import { unescaped } from '../blocks/mrkdwn.ts';
import { mostWhy, whyBlock } from '../blocks/reasonInput.ts';

/** A parsed command. */
export type Command = Readonly<{
  words: readonly string[];
  /** `field=value` words, by the name as typed. */
  inputs: Readonly<Record<string, string>>;
}>;

const quotes = { '"': '"', "'": "'", '“': '”', '‘': '’', '„': '“', '«': '»' } as const;

/**
 * Splits the text of a slash command into words and `field=value` pairs. Quotes of any style keep blanks together, also
 * behind the `=`; Slack's escapes are undone; an unclosed quote is an ordinary character.
 */
export function readCommand(text: string): Command {
  return assembled(wordsIn(text));
}

/** Splits the text of a slash command into its words, in their order. */
export function wordsIn(text: string): readonly TypedWord[] {
  return [...split(unescaped(text))];
}

/** Tells the `field=value` pairs among some words from the others. */
export function assembled(typed: readonly TypedWord[]): Command {
  const words: string[] = [];
  const inputs: Record<string, string> = {};
  for (const { word, quoted } of typed) {
    const pair = quoted ? null : /^([A-Za-z][A-Za-z]*)=(.*)$/s.exec(word);
    if (pair?.[1] !== undefined && pair[2] !== undefined)
      Object.defineProperty(inputs, pair[1], { value: pair[2], enumerable: true, configurable: true, writable: true });
    else words.push(word);
  }
  return { words, inputs };
}

/** Takes a word such as `reason=…` out of the inputs of a command; its name may be typed in any case. */
export function takeInput(inputs: Command['inputs'], name: string) {
  const entries = Object.entries(inputs);
  const isIt = ([typed]: readonly [string, string]) => typed.toLowerCase() === name;
  return { text: entries.find(isIt)?.[1], others: Object.fromEntries(entries.filter(entry => !isIt(entry))) };
}

/** The reason among what was typed behind a command, as a form has it, or `null`; and what else was typed. */
export function takeReason(inputs: Command['inputs']) {
  const { text = '', others } = takeInput(inputs, whyBlock);
  return { why: text.trim() === '' ? null : cut(text.trim(), mostWhy), others };
}

/**
 * Writes a command so that {@link readCommand} reads the same command. The only exception is a word that has closing
 * quotes of every style.
 */
export function writeCommand({ words, inputs }: Command): string {
  const pairs = Object.entries(inputs).map(([name, value]) => `${name}=${quote(value, false)}`);
  return [...words.map(word => quote(word, true)), ...pairs].join(' ');
}

function quote(text: string, first: boolean): string {
  const escaped = text.replace(/&(?=(lt|gt|amp);)/g, '&amp;');
  const plain = text !== '' && !/[\s"'“”‘’„«»]/.test(text) && !(first && /^[A-Za-z]+=/.test(text));
  if (plain) return escaped;
  const [open, close] = Object.entries(quotes).find(([, end]) => !text.includes(end)) ?? ['"', '"'];
  return `${open}${escaped.replaceAll(close, ' ')}${close}`;
}

/** A word, and whether it began with a quote, so that an `=` inside it is no assignment. */
export type TypedWord = Readonly<{ word: string; quoted: boolean }>;

const inQuotes = Object.entries(quotes).map(([open, close]) => `${open}[^${open}${close}]*${close}`);
/** A list of texts in quotes behind the `=`, which keeps its quotes: `'/old', '/new'`. */
const quotedList = new RegExp(`(?:${inQuotes.join('|')})(?:\\s*,\\s*(?:${inQuotes.join('|')}))+(?=\\s|$)`, 'y');

function quotedListAt(text: string, at: number): string | undefined {
  quotedList.lastIndex = at;
  return quotedList.exec(text)?.[0];
}

/** Where a word may end, or something in quotes begin. */
const stops = /[\s"'“‘„«]/g;

/** Splits text into words, in time that grows with its length alone. */
function* split(text: string): Generator<TypedWord> {
  // A closing quote that is missing once is missing for the rest of the text.
  const missing = new Set<string>();
  const quotedAt = (quote: keyof typeof quotes, at: number, isValue: boolean) => {
    const list = isValue ? quotedListAt(text, at) : undefined;
    if (list !== undefined) return { content: list, end: at + list.length - 1 };
    const close = quotes[quote];
    const end = missing.has(close) ? -1 : text.indexOf(close, at + 1);
    if (end < 0) missing.add(close);
    return end < 0 ? undefined : { content: text.slice(at + 1, end), end };
  };
  let word: string[] = [];
  /** The last character of the word so far. */
  let last = '';
  let quoted = false;
  for (let at = 0; at <= text.length; at++) {
    const start = at;
    stops.lastIndex = start;
    at = stops.exec(text)?.index ?? text.length;
    if (at > start) {
      word.push(text.slice(start, at));
      last = text[at - 1] ?? '';
    }
    // The end is as good as a blank.
    const character = text[at] ?? ' ';
    const isOpening = isKeyOf(quotes, character) && (last === '' || last === '=');
    const found = isOpening ? quotedAt(character, at, last === '=') : undefined;
    if (found) {
      quoted ||= last === '';
      word.push(found.content);
      last = found.content.slice(-1) || last;
      at = found.end;
    } else if (isKeyOf(quotes, character)) {
      word.push(character);
      last = character;
    } else {
      if (word.length > 0) yield { word: word.join(''), quoted };
      word = [];
      last = '';
      quoted = false;
    }
  }
}
