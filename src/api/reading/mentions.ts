import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import { isTree, leaves, plainKey, type Tree } from './jsonTree.ts';
import { labelIn, nameBeside } from './labels.ts';
import { innerId, isRecord, loneId, ownId } from './ownIdentifier.ts';
import { findState } from './states.ts';
import type { StateClass } from './stateWords.ts';
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
    /** The state of a snapshot, where the object that stands for it shows one. */
    state?: StateClass;
    /** The identifier of the record around it, if that has one. `depth` counts the keys and lists that lead to it. */
    of: string | undefined;
    depth: number;
  }>;

/** Every identifier of the given noun anywhere in an answer, once each, with the best label found. */
export function mentionsIn(body: unknown, noun: Noun): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const mention of findMentions(body)) {
    if (mention.id.noun !== noun) continue;
    const before = found.get(mention.id.text);
    if (!before || (!before.label && mention.label)) found.set(mention.id.text, mention);
  }
  return [...found.values()];
}

/** The state that an object shows for a snapshot. Of other records, their own answers are asked. */
function stateIn(tree: Tree | undefined, { noun }: Identifier): Pick<Mention, 'state'> {
  if (tree === undefined || noun !== 'snapshot') return {};
  const state = findState(leaves(tree, isRecord), {}, undefined)?.state.class;
  return state === undefined ? {} : { state };
}

/** A place in the tree: its key, the object that holds it, and the record to which that object belongs. */
type Place = Readonly<{
  key: string;
  path: string;
  inList: boolean;
  depth: number;
  holder?: Tree | undefined;
  holderId?: string | undefined;
  /** The list entry around the holder. It may have its name apart from its identifier. */
  entry?: Readonly<{ tree: Tree; id: Identifier }> | undefined;
  /** The record around the holder. */
  of?: string | undefined;
}>;

/**
 * Every identifier below `body`. If `body` is the record `root`, that record's own identifier is left out. Without
 * `withLists`, lists and objects keyed by identifier are left out.
 */
export function findMentions(body: unknown, root?: Identifier, withLists = true): Mention[] {
  const out: Mention[] = [];
  const visit = (node: unknown, place: Place): void => {
    const { key, path, inList, depth, holder, holderId, entry, of } = place;
    if (depth > 14) return;
    if (typeof node === 'string') {
      const id = parseIdentifier(node);
      if (!id || id.text === root?.text) return;
      const own = holder !== undefined && holderId === id.text;
      const whole = own && entry?.id.text === id.text ? entry.tree : undefined;
      const label = own ? (labelIn(holder, id) ?? (whole && labelIn(whole, id))) : holder && nameBeside(key, holder);
      const inner = own ? timesIn(holder) : noTimes;
      const times = whole && inner.time === undefined ? timesIn(whole) : inner;
      out.push({
        id,
        label,
        key,
        path,
        inList,
        of,
        depth,
        ...times,
        ...stateIn(whole ?? (own ? holder : undefined), id),
      });
    } else if (Array.isArray(node)) {
      if (!withLists) return;
      for (const item of node) visit(item, { key, path, inList: true, depth: depth + 1, of });
    } else if (isTree(node)) {
      const isRoot = node === body && root !== undefined;
      const id = isRoot || holder ? undefined : (ownId(node, undefined) ?? loneId(node, undefined));
      const own = isRoot ? root.text : (holder ? innerId(node, key) : id)?.text;
      for (const rawKey of Object.keys(node)) {
        const value = node[rawKey];
        if (!withLists && Array.isArray(value)) continue;
        // Most values mention nothing, and lists have millions of values.
        if (typeof value === 'string' ? !parseIdentifier(value) : typeof value !== 'object' || value === null) continue;
        const inner = {
          path: path === '' ? rawKey : `${path}.${rawKey}`,
          inList,
          holder: node,
          holderId: own,
          entry: id ? { tree: node, id } : entry,
        };
        const keyed = isTree(value) ? parseIdentifier(rawKey) : undefined;
        if (keyed && isTree(value)) {
          // An object keyed by identifier is a list, too.
          if (!withLists) continue;
          const facts = { label: labelIn(value, keyed), ...timesIn(value), ...stateIn(value, keyed) };
          out.push({ id: keyed, key, path, inList: true, of, depth, ...facts });
        }
        // `environment: {id: "…"}` means the same as `environment: "…"`.
        if (value === own && key !== '') visit(value, { ...inner, key, depth, of });
        else visit(value, { ...inner, key: plainKey(rawKey), depth: depth + 1, of: keyed?.text ?? own ?? of });
      }
    }
  };
  visit(body, { key: '', path: '', inList: false, depth: 0 });
  return out;
}
