import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { isTree, leaves, plainKey, type Tree } from './jsonTree.ts';
import { labelIn, nameBeside } from './labels.ts';
import { innerId, isRecord, loneId, ownId } from './ownIdentifier.ts';
import { type Condition, conditionIn } from './snapshotCondition.ts';
import { noTimes, type OwnTimes, timesIn } from './times.ts';

/** An identifier that a record mentions, with the best label at hand. */
export type Mention = OwnTimes &
  Readonly<{
    id: Identifier;
    label: string | undefined;
    key: string;
    /** The dotted keys that lead to it. */
    path: string;
    inList: boolean;
    /** What the object that stands for a snapshot says of its use. */
    condition?: Condition | undefined;
    /** The identifier of the record around it, if that has one. `depth` counts the keys and lists that lead to it. */
    of: string | undefined;
    depth: number;
  }>;

/** Whether a mention in the record `holder` shows that a snapshot is its own. */
export function isOwnSnapshot(holder: Identifier, { key, inList }: Mention): boolean {
  return inList || (holder.noun === 'live' && !/restor|source|parent|orig|from/.test(key));
}

/** Every identifier of the given noun anywhere in an answer, once each, with the best label found. */
export function mentionsIn(body: unknown, noun: Noun): readonly Mention[] {
  return bestOf(findMentions(body).filter(({ id }) => id.noun === noun));
}

/** Of each identifier, the first mention with a label, else the first one, with what the others say beside. */
export function bestOf(mentions: readonly Mention[]): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const mention of mentions) {
    const before = found.get(mention.id.text);
    found.set(mention.id.text, before ? together(before, mention) : mention);
  }
  return [...found.values()];
}

/** Two mentions of one identifier. One may be the bare identifier, and the other the object that stands for it. */
function together(one: Mention, other: Mention): Mention {
  const [best, beside] = !one.label && other.label ? [other, one] : [one, other];
  if (beside.time === undefined && beside.shown === undefined && beside.condition === undefined) return best;
  const { time, local } = best.time === undefined ? beside : best;
  const [createdAt, shown] = [best.createdAt ?? beside.createdAt, best.shown ?? beside.shown];
  const condition = (beside.condition || best.condition) && { ...beside.condition, ...best.condition };
  return { ...best, time, local, createdAt, shown, condition };
}

/** What an object says of the use of a snapshot. Of other records, their own answers are asked. */
function usesIn(tree: Tree, { noun }: Identifier): Condition | undefined {
  return noun === 'snapshot' ? conditionIn(leaves(tree, isRecord)) : undefined;
}

/** An object around values. What all that it mentions have in common is found once: it may mention thousands. */
type Holder = Readonly<{
  tree: Tree;
  keys: readonly string[];
  /** The identifier of its record. */
  id: string | undefined;
  /** The list entry around it. It may have its name apart from its identifier. */
  entry: Readonly<{ tree: Tree; id: Identifier }> | undefined;
}> & { facts?: FactsOfMention };

/** What the object that stands for a mention says of it. */
type FactsOfMention = Pick<Mention, 'label' | 'condition' | keyof OwnTimes>;

/** A place in the tree: its key, the object that holds it, and the record to which that object belongs. */
type MentionPlace = Readonly<{
  key: string;
  path: string;
  inList: boolean;
  depth: number;
  holder?: Holder | undefined;
  /** The record around the holder. */
  of?: string | undefined;
}>;

/** A search below `body`, with what it has found so far. */
type Search = Readonly<{ body: unknown; root: Identifier | undefined; withLists: boolean; found: Mention[] }>;

/** The number of keys and lists down to which identifiers are read. */
const maxDepth = 14;

/**
 * Every identifier below `body`. If `body` is the record `root`, that record's own identifier is left out. Without
 * `withLists`, lists and objects keyed by identifier are left out.
 */
export function findMentions(body: unknown, root?: Identifier, withLists = true): Mention[] {
  const found: Mention[] = [];
  visit({ body, root, withLists, found }, body, { key: '', path: '', inList: false, depth: 0 });
  return found;
}

function visit(search: Search, node: unknown, place: MentionPlace): void {
  if (place.depth > maxDepth) return;
  if (typeof node === 'string') {
    const id = parseIdentifier(node);
    if (id && id.text !== search.root?.text) search.found.push(mentionAt(place, id));
  } else if (isTree(node)) visitTree(search, node, place);
  else if (Array.isArray(node) && search.withLists) {
    const { key, path, depth, of } = place;
    for (const item of node) visit(search, item, { key, path, inList: true, depth: depth + 1, of });
  }
}

function mentionAt({ key, path, inList, of, depth, holder }: MentionPlace, id: Identifier): Mention {
  const place = { id, key, path, inList, of, depth };
  if (holder?.id !== id.text)
    return { ...place, label: holder && nameBeside(key, holder.tree, holder.keys), ...noTimes };
  holder.facts ??= factsIn(holder, id);
  return { ...place, ...holder.facts };
}

/** The facts of the mention by an object's own identifier, which may stand for the list entry around it. */
function factsIn({ tree, entry }: Holder, id: Identifier): FactsOfMention {
  const whole = entry?.id.text === id.text ? entry.tree : undefined;
  const label = labelIn(tree, id) ?? (whole && labelIn(whole, id));
  const inner = timesIn(tree);
  const times = whole && inner.time === undefined ? timesIn(whole) : inner;
  return { label, ...times, condition: usesIn(whole ?? tree, id) };
}

function visitTree(search: Search, tree: Tree, place: MentionPlace): void {
  const { key, path, inList, depth, holder, of } = place;
  const isRoot = search.root !== undefined && tree === search.body;
  const id = isRoot ? search.root : identityOf(tree, place);
  const own = id?.text;
  // The outermost object with an identifier is the list entry in which its values stand.
  const entry = id && !isRoot && !holder ? { tree, id } : holder?.entry;
  const around: Holder = { tree, keys: Object.keys(tree), id: own, entry };
  for (const rawKey of around.keys) {
    const value = tree[rawKey];
    const keyed = keyOf(rawKey, value);
    if (!keyed && !mayMention(value)) continue;
    // An object keyed by identifier is a list, too.
    if (!search.withLists && (keyed || Array.isArray(value))) continue;
    if (keyed) search.found.push(mentionOfKey(keyed, isTree(value) ? value : { time: value }, place));
    const inner = { path: path === '' ? rawKey : `${path}.${rawKey}`, inList, holder: around };
    // `environment: {id: "…"}` means the same as `environment: "…"`.
    if (value === own && key !== '') visit(search, value, { ...inner, key, depth, of });
    else visit(search, value, { ...inner, key: plainKey(rawKey), depth: depth + 1, of: keyed?.text ?? own ?? of });
  }
}

function identityOf(tree: Tree, { key, holder }: MentionPlace): Identifier | undefined {
  return holder ? innerId(tree, key) : (ownId(tree, undefined) ?? loneId(tree, undefined));
}

/** The identifier under which an object stands, or the time of a snapshot: `"MYSQL_SNAPSHOT-4": "2026-11-01T10:00:00Z"`. */
function keyOf(key: string, value: unknown): Identifier | undefined {
  return isTree(value) || (typeof value === 'string' && /-\d+$/.test(key)) ? parseIdentifier(key) : undefined;
}

/** Most values mention nothing, and lists have millions of values. */
function mayMention(value: unknown): boolean {
  return typeof value === 'string' ? parseIdentifier(value) !== undefined : typeof value === 'object' && value !== null;
}

/** The mention of the object `value` by its key `id`. `place` is the one of the object around it. */
function mentionOfKey(id: Identifier, value: Tree, { key, path, of, depth }: MentionPlace): Mention {
  const facts = { label: labelIn(value, id), ...timesIn(value), condition: usesIn(value, id) };
  return { id, key, path, inList: true, of, depth, ...facts };
}
