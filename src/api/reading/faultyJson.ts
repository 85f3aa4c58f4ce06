import { parseJson } from '../../ground/json.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { isTree, type Tree } from './jsonTree.ts';
import { isSurelyOwn } from './ownIdentifier.ts';
import { recordsIn, withPages } from './recordList.ts';

/*
 * One value that is no JSON (NaN, Infinity, a text with a bare control character) hides no list. The record around it is
 * there and was not read: its identifiers are left of it, and the list counts as one that does not hold all.
 */

/** The text in place of a value that is no JSON. */
const unread = '(left out: it is no JSON)';
/** The words of a text: its strings, and what stands outside of these between brackets and commas. */
const words = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[^ \t\r\n{}[\],:"]+/g;
const good =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
  /^(?:"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Replaces each word of a text that is no JSON by one that says so. */
export function replaceFaults(text: string): string {
  return text.replace(words, word => (good.test(word) ? word : JSON.stringify(unread)));
}

/** Parses the answer to a GET of a list of `nouns`; `undefined` where its brackets and commas do not fit either. */
export function parseListJson(text: string, nouns: readonly Noun[]): unknown {
  return parseJson(text) ?? withoutFaults(parseJson(replaceFaults(text)), nouns);
}

/**
 * A list whose faults were replaced, as one of which some was not read; `undefined` for what is neither list nor object.
 * What the reader of lists takes for a record ends a fault, and nothing else does: what stands under an identifier inside
 * a record, such as its last job, is a fact about that record.
 */
export function withoutFaults(body: unknown, nouns: readonly Noun[]): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const records = new Map([...recordsIn(body, nouns, false)].map(({ tree, id }) => [tree, id] as const));
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
