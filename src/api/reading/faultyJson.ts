import { parseJson } from '../../ground/json.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { isTree, type Tree } from './jsonTree.ts';
import { isSurelyOwn } from './ownIdentifier.ts';
import { recordsIn, withPages } from './recordList.ts';

/*
 * One value that is no JSON (NaN, `12,5`, a date without quotes, nothing at all) hides no list. The record around it is there
 * and was not read: its identifiers are left of it, and the list counts as one that does not hold all.
 */

/** The text in place of a value that is no JSON. */
const unread = '(left out: it is no JSON)';
const written = JSON.stringify(unread);
const good =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
  /^(?:"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** An open list or object: its members so far, and of the next one its key, the value in brackets, and all other text. */
type OpenNode = {
  readonly isList: boolean;
  readonly members: string[];
  key: string | undefined;
  inner: string | undefined;
  text: string;
};

function opened(isList: boolean): OpenNode {
  return { isList, members: [], key: undefined, inner: undefined, text: '' };
}

/**
 * Replaces each value and key of a text that is no JSON by one that says so. A value goes on to the comma or the bracket
 * behind it, whatever it is. A text whose brackets do not fit stays as it is.
 */
export function replaceFaults(text: string): string {
  const root = opened(true);
  const open = [root];
  for (let at = 0, end = 0; at < text.length; at = end) {
    const inside = open.at(-1) ?? root;
    const sign = text.charAt(at);
    end = endOf(text, at);
    if (sign === '{' || sign === '[') open.push(opened(sign === '['));
    else if (sign === ',') endMember(inside);
    else if (sign === '}' || sign === ']') {
      open.pop();
      const outer = open.at(-1);
      if (!outer || outer.inner !== undefined || inside.isList !== (sign === ']')) return text;
      outer.inner = closed(inside);
    } else if (sign === ':' && !inside.isList && inside.key === undefined) {
      inside.key = goodOr(inside.text);
      inside.text = '';
    } else inside.text += text.slice(at, end);
  }
  return open.length === 1 && root.members.length === 0 && root.text.trim() === '' ? (root.inner ?? text) : text;
}

function closed(open: OpenNode): string {
  const { isList, members, inner, key, text } = open;
  // A comma behind the last member is a fault, too.
  const isEmpty = members.length === 0 && inner === undefined && key === undefined && text.trim() === '';
  if (!isEmpty) endMember(open);
  return isList ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

function endMember(open: OpenNode): void {
  const { isList, key, inner, text } = open;
  const value = inner !== undefined && text.trim() === '' ? inner : goodOr(inner === undefined ? text : '');
  open.members.push(isList ? value : `${key ?? written}:${value}`);
  open.key = undefined;
  open.inner = undefined;
  open.text = '';
}

function goodOr(text: string): string {
  const value = text.trim();
  return good.test(value) ? value : written;
}

/** Signs of JSON, and where a quote ends a string: where such a sign follows. Any other quote is a part of the string. */
const signs = /[{}[\],:"]/g;
const quotes = /\\[\s\S]|"(?=[ \t\r\n]*(?:[,:}\]]|$))/g;

/** The place behind a sign, behind a string, or behind all up to the next one of these. */
function endOf(text: string, from: number): number {
  const isString = text.charAt(from) === '"';
  const pattern = isString ? quotes : signs;
  pattern.lastIndex = isString ? from + 1 : from;
  let found = pattern.exec(text);
  while (isString && found && found[0] !== '"') found = pattern.exec(text);
  const isSign = isString || found?.index === from;
  return found ? found.index + (isSign ? 1 : 0) : text.length;
}

/** Parses the answer to a GET of a list of `nouns`; `undefined` where its brackets and commas do not fit either. */
export function parseListJson(text: string, nouns: readonly Noun[]): unknown {
  return parseJson(text) ?? withoutFaults(parseJson(replaceFaults(text)), nouns);
}

/**
 * A list whose faults were replaced, as one of which some was not read; `undefined` where no record is in it.
 * What the reader of lists takes for a record ends a fault, and nothing else does: what stands under an identifier inside
 * a record, such as its last job, is a fact about that record.
 */
export function withoutFaults(body: unknown, nouns: readonly Noun[]): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const records = new Map([...recordsIn(body, nouns, false)].map(({ tree, id }) => [tree, id] as const));
  if (records.size === 0) return undefined;
  return withPages(cleaner(records)(body, '').value, { incomplete: true });
}

/** A value without faults; `undefined` for a record that may be any. `isFaulty` where one was in it, and in no record of its own. */
type Cleaned = Readonly<{ value: unknown; isFaulty: boolean }>;

function cleaner(records: ReadonlyMap<Tree, Identifier>) {
  /** The records inside others, which are left of these as they are. */
  const kept = new Set<unknown>();
  return function cleaned(node: unknown, under: string): Cleaned {
    if (node === unread) return { value: null, isFaulty: true };
    if (Array.isArray(node)) {
      const items = node.map(item => cleaned(item, ''));
      const value = items.flatMap(item => (item.value === undefined ? [] : [item.value]));
      return { value, isFaulty: items.some(({ isFaulty }) => isFaulty) };
    }
    if (!isTree(node)) return { value: node, isFaulty: false };
    const members = Object.entries(node).map(([key, value]) => [key, cleaned(value, key)] as const);
    const isFaulty = members.some(([key, member]) => member.isFaulty || key === unread);
    const tree: Tree = Object.fromEntries(members.map(([key, { value }]) => [key, value]));
    const id = records.get(node);
    if (!id) return { value: tree, isFaulty };
    const isSure = under === id.text || isSurelyOwn(node, id, unread);
    const value = !isFaulty ? tree : isSure ? (identifiersIn(tree, kept) ?? {}) : undefined;
    kept.add(value);
    return { value, isFaulty: false };
  };
}

/** A value with nothing but the identifiers in it, and what is `kept`; `undefined` where it has neither. */
function identifiersIn(node: unknown, kept: ReadonlySet<unknown>): unknown {
  if (Array.isArray(node)) return node.flatMap(item => identifiersIn(item, kept) ?? []);
  if (kept.has(node)) return node;
  if (!isTree(node)) return typeof node === 'string' && parseIdentifier(node) ? node : undefined;
  const members = Object.entries(node).flatMap(([key, value]) => {
    const rest = identifiersIn(value, kept) ?? (parseIdentifier(key) ? {} : undefined);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
