import { parseJson } from '../../ground/json.ts';
import { parseIdentifier } from '../identifiers.ts';
import { isTree, type Tree } from './jsonTree.ts';
import { ownId } from './ownIdentifier.ts';
import { withPages } from './recordList.ts';

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

/** Parses the answer to a GET of a list; `undefined` where its brackets and commas do not fit either. */
export function parseListJson(text: string): unknown {
  return parseJson(text) ?? withoutFaults(parseJson(replaceFaults(text)));
}

/** A list whose faults were replaced, as one of which some was not read; `undefined` for what is neither list nor object. */
export function withoutFaults(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return withPages(cleaned(body).value, { incomplete: true });
}

/** A value without faults. `isFaulty` where one was in it, and in no record of its own. */
type Cleaned = Readonly<{ value: unknown; isFaulty: boolean }>;

function cleaned(node: unknown): Cleaned {
  if (node === unread) return { value: null, isFaulty: true };
  if (Array.isArray(node)) {
    const items = node.map(cleaned);
    return { value: items.map(({ value }) => value), isFaulty: items.some(({ isFaulty }) => isFaulty) };
  }
  if (!isTree(node)) return { value: node, isFaulty: false };
  const members = Object.entries(node).map(([key, value]) => [key, cleanedUnder(key, value)] as const);
  const isFaulty = members.some(([key, { isFaulty }]) => isFaulty || key === unread);
  const tree: Tree = Object.fromEntries(members.map(([key, { value }]) => [key, value]));
  return isFaulty && ownId(tree, undefined)
    ? { value: identifiersIn(tree), isFaulty: false }
    : { value: tree, isFaulty };
}

/** Some services show a record under its identifier. */
function cleanedUnder(key: string, node: unknown): Cleaned {
  const found = cleaned(node);
  return found.isFaulty && parseIdentifier(key) ? { value: identifiersIn(found.value) ?? {}, isFaulty: false } : found;
}

/** A value with nothing but the identifiers in it; `undefined` where it has none. */
function identifiersIn(node: unknown): unknown {
  if (Array.isArray(node)) return node.flatMap(item => identifiersIn(item) ?? []);
  if (!isTree(node)) return typeof node === 'string' && parseIdentifier(node) ? node : undefined;
  const kept = Object.entries(node).flatMap(([key, value]) => {
    const rest = identifiersIn(value) ?? (parseIdentifier(key) ? {} : undefined);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
