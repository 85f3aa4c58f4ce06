import { memoByObject } from '../../ground/remembered.ts';
import { writeNumbers } from '../../ground/timeText.ts';

/** Reading JSON of unknown shape. Keys are compared in their plain form: lower case, letters and digits only. */

export type Tree = { readonly [key: string]: unknown };

/** A plain value. `path` has the plain keys that lead to it, `shown` the same keys as they came. */
export type Leaf = Readonly<{ key: string; path: readonly string[]; shown: string; value: string | number | boolean }>;

/** Whether a value is an object with keys, and no list. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a value under any key, `__proto__` included, as `JSON.parse` does. */
export function setValue(node: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') node[key] = value;
  else Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Remembers what `find` gives for each key or word: a service has few, and each of its records has them all. */
export function memoByKey<T>(find: (key: string) => T): (key: string) => T {
  const found = new Map<string, { is: T }>();
  return key => {
    const known = found.get(key);
    if (known) return known.is;
    const is = find(key);
    if (found.size < maxKeys) found.set(key, { is });
    return is;
  };
}

const maxKeys = 2_000;

/** `database_name`, `DatabaseName` and `database-name` are one key: `databasename`. */
export const plainKey = memoByKey(key => key.toLowerCase().replace(/[^a-z0-9]/g, ''));

/** Whether a value is, by its path, the folder in which a clone's files are mounted, or one above it. */
export function isMountBase({ path }: Readonly<{ path: string }>): boolean {
  return /mount(base|path|point|dir(ectory)?)?$/i.test(plainKey(path));
}

export function splitWords(text: string): readonly string[] {
  return text.split(' ');
}

/** Text on one line, without control characters, of at most 300 characters; `undefined` where nothing is left. */
export function oneLine(given: string): string | undefined {
  const text = given.slice(0, mostRead.characters);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are taken out
  const clean = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return clean === '' ? undefined : clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

/** The value of a leaf, on one line. */
export function textAt(leaf: Leaf | undefined): string | undefined {
  return leaf && oneLine(String(leaf.value));
}

/** A place in a tree: the keys that lead to it. The records of a list have their places in common. */
type TreePlace = Omit<Leaf, 'value'> & Readonly<{ ownKey: string; below: Map<string, TreePlace> }>;

const root: TreePlace = { key: '', ownKey: '', path: [], shown: '', below: new Map() };
let placesLeft = 10_000;

/** The place below another one under a key; an element of a list has the key ''. */
function placeBelow(place: TreePlace, rawKey: string): TreePlace {
  const known = place.below.get(rawKey);
  if (known) return known;
  const ownKey = plainKey(rawKey);
  const made: TreePlace = {
    ownKey,
    key: ownKey === '' ? (place.path.at(-1) ?? '') : ownKey,
    path: ownKey === '' ? place.path : [...place.path, ownKey],
    shown: rawKey === '' ? place.shown : `${place.shown}${place.shown ? '.' : ''}${rawKey}`,
    below: new Map(),
  };
  // Keys of hostile or odd answers are not remembered for good.
  if (placesLeft > 0 && made.shown.length < 200) {
    placesLeft -= 1;
    place.below.set(rawKey, made);
  }
  return made;
}

export function memoByPath<T>(find: (path: readonly string[]) => T): (leaf: Pick<Leaf, 'path'>) => T {
  const findOnce = memoByObject(find);
  return ({ path }) => findOnce(path);
}

/** Max characters of a value that are read, and max values of one answer or record: no reader meets more. */
export const mostRead = { characters: 10_000, values: 5_000 } as const;

/**
 * The plain values below `body`, shallow ones first, without the entries that `skip` accepts: at most ten levels deep,
 * the first 20 elements of each list, and no more of them, nor of the text of one, than {@link mostRead}.
 */
export function leaves(body: unknown, skip: (key: string, value: unknown) => boolean = () => false): readonly Leaf[] {
  const found: Leaf[] = [];
  let level: { place: TreePlace; node: object }[] = [];
  let next: typeof level = [];
  const visit = (place: TreePlace, given: unknown) => {
    // A time may come as its numbers, which are one value.
    const value = Array.isArray(given) ? (writeNumbers(given) ?? given) : given;
    const { key, ownKey, path, shown } = place;
    if (found.length >= mostRead.values || skip(ownKey, value)) return;
    if (typeof value === 'string' && value.length > mostRead.characters)
      found.push({ key, path, shown, value: value.slice(0, mostRead.characters) });
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      found.push({ key, path, shown, value });
    else if (typeof value === 'object' && value !== null) next.push({ place, node: value });
  };
  if (typeof body === 'object' && body !== null) next.push({ place: root, node: body });
  for (let depth = 0; depth < 10 && next.length > 0; depth++) {
    level = next;
    next = [];
    for (const { place, node } of level) {
      if (Array.isArray(node)) for (const item of node.slice(0, 20)) visit(placeBelow(place, ''), item);
      else if (isTree(node)) for (const key of Object.keys(node)) visit(placeBelow(place, key), node[key]);
    }
  }
  return found;
}

/** The leaves at any of the names, best first: an early name beats a late one, a shallow place a deep one. */
export function ranked(from: readonly Leaf[], names: readonly string[]): readonly Leaf[] {
  const ranks = ranksOf(names);
  const found: { leaf: Leaf; score: number }[] = [];
  for (const leaf of from) {
    const rank = ranks.get(leaf.key);
    if (rank !== undefined) found.push({ leaf, score: rank + 6 * leaf.path.length });
  }
  if (found.length > 1) found.sort((a, b) => a.score - b.score);
  return found.map(entry => entry.leaf);
}

/** The rank of each name in a table. */
const ranksOf = memoByObject(
  (names: readonly string[]): ReadonlyMap<string, number> =>
    new Map(names.map((name, at) => [name, at] as const).reverse()),
);
