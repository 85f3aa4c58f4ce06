import { mapInSlices } from '../../ground/slices.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { isTree, leaves, plainKey, type Tree } from './jsonTree.ts';
import type { Names } from './labels.ts';
import { isOutcome } from './outcomes.ts';
import { bestId, isOneOfNouns, isRecord, isReference, loneId, ownId } from './ownIdentifier.ts';
import type { Mapping } from './recordMapping.ts';
import { type RecordView, viewRecord } from './recordView.ts';

/** A list as read. `cut` if the answer says that there are more records than it holds. */
export type RecordList = Readonly<{ records: readonly RecordView[]; cut: boolean }>;

/**
 * Reads the records of the given nouns out of a list answer of any shape: bare, wrapped, or keyed by identifier. Never
 * throws; other values are skipped.
 */
export function readList(body: unknown, nouns: readonly Noun[], mapping: Mapping = {}): RecordList {
  const found = uniqueIn([...recordsIn(body, nouns, false)], mapping);
  return { records: found.map(({ tree, id }) => viewRecord(tree, id, mapping)), cut: saysMore(body) };
}

/** The same in slices, for an answer that may be huge: other work is not kept waiting. */
export async function readLongList(
  body: unknown,
  nouns: readonly Noun[],
  mapping: Mapping = {},
  names: Names = new Map(),
): Promise<RecordList> {
  const found = await recordTreesIn(body, nouns, mapping);
  return {
    records: await mapInSlices(found, ({ tree, id }) => viewRecord(tree, id, mapping, names)),
    cut: saysMore(body),
  };
}

/** A record before it is read: its fields, and its identifier. */
export type RecordTree = Readonly<{ tree: Tree; id: Identifier }>;

/** The records of the given nouns in a list answer, each once, in slices. */
export async function recordTreesIn(
  body: unknown,
  nouns: readonly Noun[],
  mapping: Mapping,
): Promise<readonly RecordTree[]> {
  return uniqueIn(await mapInSlices(recordsIn(body, nouns, false), found => found), mapping);
}

function uniqueIn(found: readonly RecordTree[], mapping: Mapping): readonly RecordTree[] {
  const unique = new Map<string, RecordTree>();
  const factsOf = ({ tree, id }: RecordTree) => viewRecord(tree, id, mapping).values.length;
  for (const record of found) {
    // A record inside another one may show fewer facts than in its own place.
    const before = unique.get(record.id.text);
    if (!before || factsOf(before) < factsOf(record)) unique.set(record.id.text, record);
  }
  return [...unique.values()];
}

/** Reads the answer to a GET of the record `id`, bare or wrapped. `undefined` where it holds no such record. */
export function readRecord(
  body: unknown,
  id: Identifier,
  mapping: Mapping = {},
  names: Names = new Map(),
): RecordView | undefined {
  const found = [...recordsIn(body, id.noun ? [id.noun] : undefined, false)];
  const exact = found.find(record => record.id.text === id.text);
  if (exact) return viewRecord(exact.tree, exact.id, mapping, names);
  // The record was asked for by its identifier, so an object that does not repeat it is still that record.
  const bare = unwrapped(body);
  return found.length === 0 && bare && !isEmpty(bare) ? viewRecord(bare, id, mapping, names) : undefined;
}

type Nouns = readonly Noun[] | undefined;

/** The records in `node` and below. `item` if the node is an element of a list, and so one record at most. */
export function recordsIn(node: unknown, nouns: Nouns, item: boolean, depth = 0): Iterable<RecordTree> {
  if (depth > 12) return [];
  if (Array.isArray(node)) return recordsInList(node, nouns, depth);
  return isTree(node) ? recordsInTree(node, nouns, item, depth) : [];
}

function* recordsInList(list: readonly unknown[], nouns: Nouns, depth: number): Generator<RecordTree> {
  for (const element of list) {
    const id = typeof element === 'string' ? parseIdentifier(element) : undefined;
    if (id && isOneOfNouns(id, nouns)) yield { tree: {}, id };
    else yield* recordsIn(element, nouns, true, depth + 1);
  }
}

function* recordsInTree(tree: Tree, nouns: Nouns, item: boolean, depth: number): Generator<RecordTree> {
  let isKeyed = false;
  for (const key of Object.keys(tree)) {
    const id = parseIdentifier(key);
    const value = id && tree[key];
    if (!id || !isOneOfNouns(id, nouns) || !isTree(value)) continue;
    isKeyed = true;
    yield { tree: value, id };
  }
  if (isKeyed) return;
  const own = item ? (ownId(tree, nouns) ?? loneId(tree, nouns)) : innerOf(tree) ? undefined : ownId(tree, nouns);
  if (own) {
    yield { tree, id: own };
    // A live database may hold the list of its clones, and they may stand nowhere else.
    for (const list of Object.values(tree).filter(Array.isArray)) {
      const held = list.filter(element => isTree(element) && bestId(element, nouns));
      yield* recordsIn(held, nouns, true, depth + 1);
    }
    return;
  }
  for (const [key, value] of Object.entries(tree)) {
    // In the entry of a list, `parent: {…}` only refers to a record.
    if (!(item && isTree(value) && isReference(key))) yield* recordsIn(value, nouns, item && isTree(value), depth + 1);
  }
}

/**
 * The record inside an object that is no element of a list and has facts about the answer. In `{status, object: {…}}`,
 * the status is not the record's.
 */
function innerOf(tree: Tree): Tree | undefined {
  if (bestId(tree, undefined)) return undefined;
  const inner = Object.entries(tree).filter(([, value]) => typeof value === 'object' && value !== null);
  const named = inner.find(([key, value]) => assumed.wrapper.includes(plainKey(key)) && isTree(value))?.[1];
  // An object with a state is a record, not an envelope around the only object in it.
  const isRecord = Object.entries(tree).some(
    ([key, value]) => assumed.state.includes(plainKey(key)) && typeof value === 'string' && !isOutcome(value),
  );
  const only = inner.length === 1 && !isRecord ? inner[0]?.[1] : undefined;
  return isTree(named) ? named : isTree(only) ? only : undefined;
}

/** The innermost object of a chain of envelopes. */
function unwrapped(body: unknown): Tree | undefined {
  let node = isTree(body) ? body : undefined;
  // An object with a name of its own (`{name, state, disk: {…}}`) is no envelope.
  const ownWords = (tree: Tree) =>
    Object.entries(tree).some(([key, value]) => typeof value === 'string' && assumed.name.includes(plainKey(key)));
  for (let inner = node && innerOf(node); node && inner && !ownWords(node); inner = innerOf(inner)) node = inner;
  return node && Object.keys(node).length > 0 ? node : undefined;
}

/**
 * Whether an answer holds only facts about itself: `{status: "SUCCESS", object: null}` means that there is no such
 * record.
 */
function isEmpty(tree: Tree): boolean {
  const entries = Object.entries(tree).map(([key, value]) => [plainKey(key), value] as const);
  const hasNothing = ([key, value]: (typeof entries)[number]) =>
    assumed.wrapper.includes(key) && (isTree(value) ? isEmpty(value) : leaves(value).length === 0);
  const isBlank = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  if (!entries.every(entry => assumed.envelope.includes(entry[0]) || isBlank(entry[1]) || hasNothing(entry)))
    return false;
  // `{status: "RUNNING"}` is a record that says little.
  const status = entries.find(([key]) => key === 'status')?.[1];
  return entries.some(hasNothing) || typeof status !== 'string' || isOutcome(status);
}

/** The body of an answer with what its headers say of further pages. */
export function withPages<Body>(body: Body, pages: Tree | undefined): Body | Tree {
  return pages ? { ...pages, items: body } : body;
}

/** Whether the answer says that there are more records than it holds. */
export function saysMore(body: unknown): boolean {
  if (isTree(body) && bestId(body, undefined)) return false;
  const here = sizeOf(body);
  const keyed = isTree(body) && isKeyed(body);
  const isContent = (key: string, value: unknown) =>
    isRecord(key, value) || (isTree(value) && (keyed || isKeyed(value)));
  return leaves(body, isContent).some(({ key, path, value }) => {
    if (value === false) return assumed.last.test(key);
    if (assumed.total.includes(key)) return Number(value) > here;
    if (assumed.pages.includes(key)) return Number(value) > 1;
    const more = path.some(part => assumed.more.includes(part));
    return more && !['', 'false', '0'].includes(String(value));
  });
}

/** The number of entries of an answer: those of its outermost lists, and those keyed by identifier. */
function sizeOf(node: unknown, depth = 0): number {
  if (Array.isArray(node)) return node.length;
  if (!isTree(node) || depth > 6) return 0;
  if (isKeyed(node)) return Object.keys(node).filter(key => parseIdentifier(key)).length;
  return Object.values(node).reduce((sum: number, value) => sum + sizeOf(value, depth + 1), 0);
}

function isKeyed(tree: Tree): boolean {
  return Object.keys(tree).some(key => parseIdentifier(key));
}
