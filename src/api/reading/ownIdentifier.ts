import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { isTree, memoByKey, plainKey, type Tree } from './jsonTree.ts';

/* An object's own identifier is found among those inside it by the names of their keys and by their depth. */

/** The identifier of the object itself: the shallowest, under the best key, never one under a reference key. */
export function ownId(tree: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  const own = bestId(tree, nouns);
  if (own) return own;
  let level: readonly Tree[] = [tree];
  for (let depth = 0; depth < 4 && level.length > 0; depth++) {
    const found = level.flatMap(object => bestId(object, nouns) ?? []);
    if (found.length === 1) return found[0];
    if (found.length > 1) {
      // Several records side by side are a collection, except a clone beside its live database.
      const clones = found.filter(id => id.noun === 'clone');
      return clones.length === 1 && found.length === 2 ? clones[0] : undefined;
    }
    level = level.flatMap(treesIn);
  }
  return undefined;
}

/**
 * Whether an identifier is the object's own whatever stood at the place of a `fault`: it is there under a better key than
 * any of these, or less deep.
 */
export function isSurelyOwn(tree: Tree, id: Identifier, fault: string): boolean {
  for (let level = [tree]; level.length > 0; level = level.flatMap(treesIn)) {
    const found = level
      .flatMap(Object.entries)
      .filter(([key, value]) => key === fault || [fault, id.text].includes(value));
    const ranks = found.map(([key, value]) => ({ rank: key === fault ? 1 : rankOf(key), isOwn: value === id.text }));
    const best = Math.min(...ranks.flatMap(({ rank }) => rank ?? []));
    const all = ranks.filter(({ rank }) => rank === best);
    if (all.length > 0) return all.every(({ isOwn }) => isOwn);
  }
  return false;
}

function treesIn(object: Tree): readonly Tree[] {
  return Object.entries(object).flatMap(([key, value]) => (isTree(value) && !isReference(key) ? [value] : []));
}

/** The identifier of one of the nouns under the best key for an own identifier, directly in the object. */
export function bestId(object: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  return bestEntry(object, nouns)?.id;
}

function bestEntry(object: Tree, nouns: readonly Noun[] | undefined): { id: Identifier; key: string } | undefined {
  let first: { id: Identifier; key: string; rank: number } | undefined;
  let best: typeof first;
  for (const rawKey of Object.keys(object)) {
    const rank = rankOf(rawKey);
    const value = object[rawKey];
    const id = rank === undefined || typeof value !== 'string' ? undefined : parseIdentifier(value);
    if (rank === undefined || !id) continue;
    const entry = { id, key: plainKey(rawKey), rank };
    if (!first || rank < first.rank) first = entry;
    if (isOneOfNouns(id, nouns) && (!best || rank < best.rank)) best = entry;
  }
  // A snapshot that names its database is no database.
  if (first && assumed.plainId.includes(first.key) && first.id.noun && !isOneOfNouns(first.id, nouns)) return undefined;
  return best;
}

/**
 * The identifier of an object that stands under `key` in another one. `{environment: "…", port: 1}` is an environment
 * only if its key says so: in a record, it may group facts of that record.
 */
export function innerId(object: Tree, key: string): Identifier | undefined {
  const best = bestEntry(object, undefined);
  const isOwn = best && (assumed.plainId.includes(best.key) || key.includes(best.key.replace(/id$/, '')));
  return isOwn ? best.id : undefined;
}

const idKeys = [...assumed.plainId, ...assumed.id];

/** The rank of a key for the object's own identifier, the likeliest 0; `undefined` for any other key. */
const rankOf = memoByKey(key => {
  const rank = idKeys.indexOf(plainKey(key));
  return rank < 0 || isReference(key) ? undefined : rank;
});

/**
 * The only identifier of the nouns directly in the object, under any key that is no reference. `undefined` where a key
 * for an own identifier has one.
 */
export function loneId(object: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  if (bestId(object, undefined)) return undefined;
  const found = Object.keys(object).flatMap(key => {
    const value = object[key];
    const id = typeof value === 'string' && !isReference(key) ? parseIdentifier(value) : undefined;
    return id && isOneOfNouns(id, nouns) ? [id] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Whether something inside an object has facts of its own: a list, or an object with an identifier. */
export function isRecord(key: string, value: unknown): boolean {
  return Array.isArray(value) || (isTree(value) && innerId(value, key) !== undefined);
}

/** Whether something inside the record `own` is another record. */
export function isOtherRecord(key: string, value: unknown, own: Identifier): boolean {
  const id = isTree(value) ? innerId(value, key) : undefined;
  return id !== undefined && id.text !== own.text;
}

/** Whether an identifier is of one of the nouns; without nouns, any is. */
export function isOneOfNouns(id: Identifier, nouns: readonly Noun[] | undefined): boolean {
  return nouns === undefined || (id.noun !== undefined && nouns.includes(id.noun));
}

const references = new RegExp(`^(?:${assumed.reference.join('|')})`);

/** Whether the value of a key is another record. */
export const isReference = memoByKey(key => references.test(plainKey(key)));
