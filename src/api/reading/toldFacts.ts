import { keysOf } from '../../ground/keys.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { readTime, writeNumbers } from '../../ground/timeText.ts';
import { withMeaning } from '../../ground/wording.ts';
import { assumed } from './assumedKeys.ts';
import { isTree, type Leaf, memoByKey, mostRead, plainKey, type Tree } from './jsonTree.ts';
import type { Mapping, Path, Paths } from './recordMapping.ts';

/* What an operator's mapping tells of a record: the values at its paths, and the meanings of its words. */

/** The maximum number of entries that are read at each end of a list. The newest stands at one of them. */
const maxAtEnd = 100;

export function endsOf(list: readonly unknown[]): readonly unknown[] {
  return list.length <= 2 * maxAtEnd ? list : [...list.slice(0, maxAtEnd), ...list.slice(-maxAtEnd)];
}

/** A fact that the mapping places, read there, else the guess. */
export function toldOr<T>(path: Path | undefined, read: (path: Path) => T, guess: () => T): T {
  return path === undefined ? guess() : read(path);
}

export function pathsIn(path: Path): readonly string[] {
  return typeof path === 'string' ? [path] : path;
}

/** A value with its path as dotted keys. */
type Placed = Readonly<{ path: string; value: unknown }>;

/** What stands at a path of `node`, those of each entry where lists are on the way; of several paths, at the first that is there. */
export function valuesAt(node: unknown, path: Path): readonly Placed[] {
  for (const one of pathsIn(path)) {
    const found = valuesBelow(node, one);
    if (found.length > 0) return found.map(value => ({ path: one, value }));
  }
  return [];
}

/** The number of keys and lists down to which a path leads. */
const maxDepth = 14;

function valuesBelow(node: unknown, path: string, depth = 0): readonly unknown[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(node)) return endsOf(node).flatMap(item => valuesBelow(item, path, depth + 1));
  if (!isTree(node)) return [];
  return beginningsOf(path).flatMap(([key, rest]) => {
    const value = Object.hasOwn(node, key) ? node[key] : undefined;
    if (value === undefined || value === null) return [];
    return rest === '' ? [value] : valuesBelow(value, rest, depth + 1);
  });
}

/** The first key of a path and the rest: a key may have dots in it. */
const beginningsOf = memoByKey(path => {
  const keys = path.split('.');
  return keys.map((_, at) => [keys.slice(0, at + 1).join('.'), keys.slice(at + 1).join('.')] as const);
});

type Plain = Leaf['value'];

/** The plain value at a path that is fit for its fact; a time may come as its numbers, and errors as a list. */
export function leafAt(node: unknown, path: Path | undefined, isFit: (value: Plain) => boolean = () => true) {
  if (path === undefined) return undefined;
  for (const { path: shown, value } of valuesAt(node, path)) {
    const keys = shown.split('.').map(plainKey);
    const isOfErrors = assumed.error.includes(keys.at(-1) ?? '');
    const plain = Array.isArray(value) ? (writeNumbers(value) ?? (isOfErrors ? value[0] : undefined)) : value;
    if (!isPlainValue(plain) || !isFit(plain)) continue;
    const cut = typeof plain === 'string' ? plain.slice(0, mostRead.characters) : plain;
    return { key: keys.at(-1) ?? '', path: keys, shown, value: cut } satisfies Leaf;
  }
  return undefined;
}

function isPlainValue(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether a value is words or a number, and no yes or no. */
export function isWords(value: Plain): boolean {
  return typeof value !== 'boolean';
}

/** The facts at the paths of an object that are fit, each under its own name. */
export function factsAt(
  node: unknown,
  paths: Readonly<Record<string, Path | undefined>>,
  isFit: (value: Plain) => boolean,
): Tree {
  const found = Object.entries(paths).flatMap(([name, path]) => {
    const leaf = leafAt(node, path, isFit);
    return leaf ? [[name, leaf.value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** A time with the work of which the mapping says that it is. */
export type TimeOfWork = Leaf & Readonly<{ work: string }>;

/** The values at the paths of times by work. */
export function toldTimes(tree: Tree, { times }: Paths): readonly TimeOfWork[] {
  if (!times) return [];
  return keysOf(times).flatMap(work => {
    const leaf = leafAt(tree, times[work], isWords);
    return leaf ? { ...leaf, work } : [];
  });
}

/** Whether a value stands at one of these places. */
export function isToldAt(told: readonly TimeOfWork[], { shown }: Leaf): boolean {
  return told.some(one => one.shown === shown);
}

/** Its path, with the work behind it, and its moment, where it has one. */
export function timeOfWork({ shown, work, value }: TimeOfWork): readonly (readonly [path: string, at: number])[] {
  const at = readTime(value)?.at;
  return at === undefined ? [] : [[withMeaning(shown, work), at]];
}

export function valueOfWork({ shown, work, value }: TimeOfWork) {
  return { path: withMeaning(shown, work), value: String(value) };
}

/** Tells which paths lead into a report that the mapping places; `undefined` where it places none. */
export const inToldReports = memoByObject(({ reports = [] }: Paths): ((path: string) => boolean) | undefined => {
  const places = reports.flatMap(({ at }) => (at === undefined ? [] : pathsIn(at))).map(at => `${at}.`);
  return places.length === 0 ? undefined : path => places.some(place => path.startsWith(place));
});

const tables = memoByObject(({ works = {}, outcomes = {} }: Mapping) => {
  const byWord = <Name extends string>(table: Readonly<Partial<Record<Name, readonly string[] | undefined>>>) =>
    new Map(keysOf<Name>(table).flatMap(name => (table[name] ?? []).map(word => [word.toLowerCase(), name] as const)));
  return { works: byWord(works), outcomes: byWord(outcomes) };
});

/** A word with the meaning that the mapping gives it as the name of a work, or as an outcome. */
export function withTold(table: 'works' | 'outcomes', word: string, mapping: Mapping): string {
  return withMeaning(word, tables(mapping)[table].get(word.trim().toLowerCase()));
}
