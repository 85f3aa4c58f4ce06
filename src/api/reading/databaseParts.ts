import { keysOf } from '../../ground/keys.ts';
import { type Identifier, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { isTree, leaves, oneLine, plainKey, ranked, type Tree, textAt } from './jsonTree.ts';
import { bestId, isOtherRecord, isRecord } from './ownIdentifier.ts';

/** The types of parts inside a database. A part has a name, and no identifier of its own. */
export type DatabasePartType = keyof typeof assumed.inside;

/** One part of a database; `of` is the name of the part around it, such as a table's schema. */
export type DatabasePart = Readonly<{ type: DatabasePartType; name: string; of: string | undefined }>;

/** The maximum number of parts that are read from one record. */
const maxParts = 5_000;

/** The schemas, pluggable databases, tablespaces and tables that the record `id` lists, in its order. */
export function partsIn(tree: Tree, id: Identifier): readonly DatabasePart[] {
  const found = partsBelow(tree, undefined, id).take(maxParts);
  return [...new Map(found.map(part => [JSON.stringify(part), part] as const)).values()];
}

function* partsBelow(node: Tree, of: string | undefined, id: Identifier, depth = 0): Generator<DatabasePart> {
  if (depth > 6) return;
  for (const [rawKey, value] of Object.entries(node)) {
    const key = plainKey(rawKey);
    const type = types.get(key);
    if (type === undefined) {
      if (isTree(value) && !isOtherRecord(key, value, id)) yield* partsBelow(value, of, id, depth + 1);
      continue;
    }
    for (const { name, inner } of entriesOf(value)) {
      yield { type, name, of };
      if (inner) yield* partsBelow(inner, name, id, depth + 1);
    }
  }
}

const types = new Map(keysOf(assumed.inside).flatMap(type => assumed.inside[type].map(key => [key, type])));

type Entry = Readonly<{ name: string; inner?: Tree }>;

/**
 * The entries of a list of names, of a list of objects with names, of objects by name, or of names in a text. A count
 * has none.
 */
function entriesOf(value: unknown): readonly Entry[] {
  if (typeof value === 'string')
    return value.split(/[,;]/).flatMap(text => (/^\s*\d+\s*$/.test(text) ? [] : named(text)));
  if (Array.isArray(value)) return value.flatMap(entryOf);
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Array.isArray(inner)) return entriesOf(inner);
    return isTree(inner) && !parseIdentifier(name) ? named(name).map(entry => ({ ...entry, inner })) : [];
  });
}

function entryOf(element: unknown): readonly Entry[] {
  if (typeof element === 'string') return named(element);
  // An element with an identifier is a record, and no part of this one.
  if (!isTree(element) || bestId(element, undefined)) return [];
  const name = textAt(ranked(leaves(element, isRecord), assumed.partName)[0]);
  return name === undefined ? [] : named(name).map(entry => ({ ...entry, inner: element }));
}

function named(text: string): readonly Entry[] {
  const name = oneLine(text);
  return name === undefined || parseIdentifier(name)?.noun ? [] : [{ name }];
}
