import { EMOJI_CHARACTER, emojiCalled } from './emoji.ts';

/** A piece of formatted text. Line breaks stay in the texts. */
export type Node =
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike' | 'quote'; children: Node[] }
  | { type: 'code' | 'pre'; text: string }
  | { type: 'link'; url: string; children: Node[] }
  | { type: 'user' | 'channel' | 'group'; id: string; label: string }
  | { type: 'broadcast'; range: string }
  | { type: 'date'; seconds: number; pattern: string; url: string; fallback: string }
  | { type: 'emoji'; name: string; character: string };

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** Undoes Slack's three escapes, and no other: `&quot;` stays as it is, as in Slack. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp);/g, entity => ENTITIES[entity] ?? entity);
}

/** Parses Slack's mrkdwn: emphasis, code, quotes, links, mentions, dates and emoji. */
export function parseMrkdwn(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(/```\n?([\s\S]+?)\n?```\n?/g)) {
    nodes.push(...parseLines(text.slice(end, match.index)));
    nodes.push({ type: 'pre', text: literal(match[1] ?? '') });
    end = match.index + match[0].length;
  }
  nodes.push(...parseLines(text.slice(end)));
  return nodes;
}

/** Parses a plain_text: nothing but emoji shortcodes (unless switched off) and the three escapes. */
export function parsePlain(text: string, emoji = true): Node[] {
  if (!emoji) return [{ type: 'text', text: unescaped(text) }];
  return scan(text, [readShortcode, readEmojiCharacter]);
}

const QUOTED = /^(?:>|&gt;) ?/;

/** Gathers neighbouring quoted lines into one quote; the rest is parsed inline. */
function parseLines(text: string): Node[] {
  const nodes: Node[] = [];
  let plain: string[] = [];
  let quoted: string[] = [];
  const endPlain = (): void => {
    nodes.push(...parseInline(plain.join('\n')));
    plain = [];
  };
  const endQuote = (): void => {
    if (quoted.length > 0) nodes.push({ type: 'quote', children: parseInline(quoted.join('\n')) });
    quoted = [];
  };
  for (const line of text.split('\n')) {
    if (QUOTED.test(line)) {
      endPlain();
      quoted.push(line.replace(QUOTED, ''));
    } else {
      endQuote();
      plain.push(line);
    }
  }
  endPlain();
  endQuote();
  return nodes;
}

/** Reads one node that begins at `at`; answers it and where the text goes on. */
type Reader = (text: string, at: number) => { node: Node; end: number } | undefined;

function parseInline(text: string): Node[] {
  return scan(text, [readControl, readCode, readEmphasis, readShortcode, readEmojiCharacter, readUrl]);
}

function scan(text: string, readers: Reader[]): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  let at = 0;
  const flush = (): void => {
    if (at > from) nodes.push({ type: 'text', text: unescaped(text.slice(from, at)) });
  };
  while (at < text.length) {
    const found = firstOf(readers, text, at);
    if (!found) {
      at += 1;
      continue;
    }
    flush();
    nodes.push(found.node);
    at = found.end;
    from = at;
  }
  flush();
  return nodes;
}

function firstOf(readers: Reader[], text: string, at: number): ReturnType<Reader> {
  for (const read of readers) {
    const found = read(text, at);
    if (found) return found;
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern, pattern.flags.includes('u') ? 'uy' : 'y');
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

const CONTROL = /<([^<>\n]+)>/;
const CODE = /`([^`\n]+)`/;

/** Reads the text between `<` and `>`: a link, a mention, a date. */
function readControl(text: string, at: number): ReturnType<Reader> {
  if (text[at] !== '<') return undefined;
  const match = matchAt(CONTROL, text, at);
  return match?.[1] ? { node: controlNode(match[1]), end: at + match[0].length } : undefined;
}

function controlNode(content: string): Node {
  const bar = content.indexOf('|');
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? '' : content.slice(bar + 1);
  if (target.startsWith('@')) return { type: 'user', id: target.slice(1), label: unescaped(label) };
  if (target.startsWith('#')) return { type: 'channel', id: target.slice(1), label: unescaped(label) };
  if (target.startsWith('!')) return specialNode(target.slice(1), unescaped(label));
  const url = unescaped(target);
  return { type: 'link', url, children: label ? parsePlain(label) : [{ type: 'text', text: bareAddress(url) }] };
}

function specialNode(target: string, label: string): Node {
  const [name, first = '', pattern = '', url = ''] = target.split('^');
  if (name === 'subteam') return { type: 'group', id: first, label };
  if (name === 'date') return { type: 'date', seconds: Number(first), pattern, url: unescaped(url), fallback: label };
  return { type: 'broadcast', range: label || (name ?? '') };
}

/** Slack shows a mailto: or tel: link without its scheme. */
function bareAddress(url: string): string {
  return url.replace(/^(?:mailto|tel):/, '');
}

function readCode(text: string, at: number): ReturnType<Reader> {
  if (text[at] !== '`') return undefined;
  const match = matchAt(CODE, text, at);
  return match?.[1] ? { node: { type: 'code', text: literal(match[1]) }, end: at + match[0].length } : undefined;
}

/** Text inside code: links show their label, nothing else is formatted. */
function literal(text: string): string {
  const links = text.replaceAll(/<([^<>\n|]+)(?:\|([^<>\n]*))?>/g, (_, url: string, label?: string) => label || url);
  return unescaped(links);
}

const EMPHASIS = { '*': 'bold', _: 'italic', '~': 'strike' } as const;
const WORD = /[\p{L}\p{N}]/u;

function emphasisOf(mark: string | undefined): 'bold' | 'italic' | 'strike' | undefined {
  return mark === '*' || mark === '_' || mark === '~' ? EMPHASIS[mark] : undefined;
}

/** `*bold*` and the like: a mark counts only at the edge of a word, so snake_case_names stay whole. */
function readEmphasis(text: string, at: number): ReturnType<Reader> {
  const type = emphasisOf(text[at]);
  if (!type || isWordOr(text[at - 1], text[at]) || /\s|^$/.test(text[at + 1] ?? '')) return undefined;
  const close = closingMark(text, at);
  if (close === undefined) return undefined;
  return { node: { type, children: parseInline(text.slice(at + 1, close)) }, end: close + 1 };
}

function isWordOr(character: string | undefined, mark: string | undefined): boolean {
  return character !== undefined && (character === mark || WORD.test(character));
}

/** Where the emphasis that opens at `at` closes, on the same line and outside of links and code. */
function closingMark(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i += 1) {
    const skipped = readControl(text, i) ?? readCode(text, i);
    if (skipped) {
      i = skipped.end - 1;
      continue;
    }
    const closes = text[i] === text[at] && i > at + 1 && !/\s/.test(text[i - 1] ?? ' ');
    if (closes && !isWordOr(text[i + 1], text[at])) return i;
  }
  return undefined;
}

function readShortcode(text: string, at: number): ReturnType<Reader> {
  if (text[at] !== ':') return undefined;
  const match = matchAt(/:([a-z0-9_+'-]+):/, text, at);
  const name = match?.[1];
  const character = name ? emojiCalled(name) : undefined;
  return match && name && character
    ? { node: { type: 'emoji', name, character }, end: at + match[0].length }
    : undefined;
}

function readEmojiCharacter(text: string, at: number): ReturnType<Reader> {
  if ((text.codePointAt(at) ?? 0) < 0x80) return undefined;
  const match = matchAt(EMOJI_CHARACTER, text, at);
  return match ? { node: { type: 'emoji', name: '', character: match[0] }, end: at + match[0].length } : undefined;
}

/** A bare address becomes a link, without the punctuation that ends the sentence. */
function readUrl(text: string, at: number): ReturnType<Reader> {
  if (text[at] !== 'h' || isWordOr(text[at - 1], undefined)) return undefined;
  const match = matchAt(/https?:\/\/[^\s<>|`]+/, text, at);
  if (!match) return undefined;
  const written = match[0].replace(/[.,!?;:)'"*_~]+$/, '');
  const url = unescaped(written);
  return { node: { type: 'link', url, children: [{ type: 'text', text: url }] }, end: at + written.length };
}
