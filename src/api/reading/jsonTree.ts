/** Reading JSON of unknown shape. Keys are compared in their plain form: lower case, letters and digits only. */

export type Tree = { readonly [key: string]: unknown };

/** A plain value. `path` has the plain keys that lead to it, `shown` the same keys as they came. */
export type Leaf = Readonly<{
  key: string;
  path: readonly string[];
  shown: string;
  value: string | number | boolean;
}>;

/** Whether a value is an object with keys, and no list. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Splits a table's line into its words. */
export function splitWords(text: string): readonly string[] {
  return text.split(' ');
}

/** Text on one line, without control characters, of at most 300 characters; `undefined` where nothing is left. */
export function oneLine(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are taken out
  const clean = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return clean === '' ? undefined : clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

/** The value of a leaf, on one line. */
export function textAt(leaf: Leaf | undefined): string | undefined {
  return leaf && oneLine(String(leaf.value));
}

/**
 * The plain values below `body`, shallow ones first, without the entries that `skip` accepts: at most ten levels deep,
 * and the first 20 elements of each list.
 */
export function* leaves(body: unknown, skip: (key: string, value: unknown) => boolean = () => false): Generator<Leaf> {
  let level: { path: readonly string[]; shown: string; node: unknown }[] = [{ path: [], shown: '', node: body }];
  for (let depth = 0; depth < 10 && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path, shown, node } of level) {
      const entries = Array.isArray(node)
        ? node.slice(0, 20).map(item => ['', item] as const)
        : isTree(node)
          ? Object.entries(node)
          : [];
      for (const [rawKey, value] of entries) {
        const key = plainKey(rawKey);
        if (skip(key, value)) continue;
        const at = key === '' ? path : [...path, key];
        const name = rawKey === '' ? shown : `${shown}${shown ? '.' : ''}${rawKey}`;
        if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
          yield {
            key: key === '' ? (path.at(-1) ?? '') : key,
            path: at,
            shown: name,
            value,
          };
        } else if (typeof value === 'object' && value !== null) next.push({ path: at, shown: name, node: value });
      }
    }
    level = next;
  }
}

/** The leaves at any of the names, best first: an early name beats a late one, a shallow place a deep one. */
export function ranked(from: readonly Leaf[], names: readonly string[]): readonly Leaf[] {
  const found: { leaf: Leaf; score: number }[] = [];
  for (const leaf of from) {
    const rank = names.indexOf(leaf.key);
    if (rank >= 0) found.push({ leaf, score: rank + 6 * leaf.path.length });
  }
  return found.sort((a, b) => a.score - b.score).map(entry => entry.leaf);
}

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
