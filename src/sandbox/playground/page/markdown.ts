import { type Node, parsePlain } from './mrkdwn.ts';

/** A block of a `markdown` block's text. */
export type MarkdownBlock =
  | { type: 'paragraph' | 'quote'; children: Node[] }
  | { type: 'heading'; level: number; children: Node[] }
  | { type: 'list'; ordered: boolean; start: number; items: Node[][] }
  | { type: 'pre'; text: string }
  | { type: 'rule' };

const FENCE = /^```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
const ITEM = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;

/** Parses the part of standard Markdown that a `markdown` block is used for (not tables, not nested lists). */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const lines = text.split('\n');
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  /** Takes lines as long as `pattern` matches and answers the given group of each. */
  const take = (pattern: RegExp, group: number): string[] => {
    const taken: string[] = [];
    for (let match = pattern.exec(lines[at] ?? ''); at < lines.length && match; match = pattern.exec(lines[at] ?? '')) {
      taken.push(match[group] ?? '');
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (FENCE.test(line)) {
      at += 1;
      blocks.push({ type: 'pre', text: take(/^(?!```)(.*)$/, 1).join('\n') });
      at += 1;
    } else if (heading) {
      blocks.push({ type: 'heading', level: (heading[1] ?? '#').length, children: parseSpan(heading[2] ?? '') });
      at += 1;
    } else if (RULE.test(line)) {
      blocks.push({ type: 'rule' });
      at += 1;
    } else if (QUOTE.test(line)) {
      blocks.push({ type: 'quote', children: parseSpan(take(QUOTE, 1).join('\n')) });
    } else if (item) {
      const ordered = item[2] !== undefined;
      const same = ordered ? /^\s*\d+[.)]\s+(.*)$/ : /^\s*[-*+]\s+(.*)$/;
      blocks.push({ type: 'list', ordered, start: Number(item[2] ?? 1), items: take(same, 1).map(parseSpan) });
    } else if (line.trim() === '') {
      at += 1;
    } else {
      const paragraph = take(/^(?!```|#{1,6}\s|>|\s*[-*+]\s|\s*\d+[.)]\s)(.*\S.*)$/, 1);
      blocks.push({ type: 'paragraph', children: parseSpan(paragraph.join('\n')) });
    }
  }
  return blocks;
}

type Span = { pattern: RegExp; node(inner: string, second: string): Node };

/** Ways to write a span, tried in this order at each place. */
const SPANS: Span[] = [
  { pattern: /`([^`\n]+)`/y, node: text => ({ type: 'code', text }) },
  { pattern: /\*\*(\S(?:.*?\S)?)\*\*/y, node: inner => ({ type: 'bold', children: parseSpan(inner) }) },
  { pattern: /~~(\S(?:.*?\S)?)~~/y, node: inner => ({ type: 'strike', children: parseSpan(inner) }) },
  { pattern: /\*(\S(?:[^*\n]*\S)?)\*/y, node: inner => ({ type: 'italic', children: parseSpan(inner) }) },
  { pattern: /\b_(\S(?:[^_\n]*\S)?)_\b/y, node: inner => ({ type: 'italic', children: parseSpan(inner) }) },
  {
    pattern: /\[([^\]\n]+)\]\(([^)\s]+)\)/y,
    node: (label, url) => ({ type: 'link', url, children: parseSpan(label) }),
  },
  { pattern: /<(https?:[^>\s]+)>/y, node: url => ({ type: 'link', url, children: [{ type: 'text', text: url }] }) },
];

function parseSpan(text: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const found = spanAt(text, at);
    if (found) {
      if (at > from) nodes.push(...parsePlain(text.slice(from, at)));
      nodes.push(found.node);
      at = found.end;
      from = at;
    } else at += 1;
  }
  if (at > from) nodes.push(...parsePlain(text.slice(from)));
  return nodes;
}

function spanAt(text: string, at: number): { node: Node; end: number } | undefined {
  for (const span of SPANS) {
    span.pattern.lastIndex = at;
    const match = span.pattern.exec(text);
    if (match?.[1]) return { node: span.node(match[1], match[2] ?? ''), end: at + match[0].length };
  }
  return undefined;
}
