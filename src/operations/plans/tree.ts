import { parseIdentifier } from '../../api/identifiers.ts';

/** A database as far as its place in a tree of dependents shows it. All identifiers are texts. */
export type Lineage = Readonly<{
  id: string;
  noun: 'live' | 'clone';
  name?: string | undefined;
  isPhysical?: boolean | undefined;
  environment?: string | undefined;
  /** The databases that it names as its source, and the snapshots of other databases that it names. */
  sources: readonly string[];
  /** Its own snapshots. */
  snapshots: readonly string[];
  /** The clones that it lists. */
  clones: readonly string[];
  /** The other databases that it mentions, in a way that does not say whether it depends on them. */
  mentions: readonly string[];
}>;

/** One record of a tree. */
export type TreeNode = Readonly<{
  id: string;
  name?: string | undefined;
  environment?: string | undefined;
  /** The records of the tree that depend on it, and those that it depends on. */
  dependents: readonly string[];
  dependsOn: readonly string[];
  /** The record under which it is drawn: of those that it depends on, the one that is farthest from the root. */
  under?: string | undefined;
}>;

/**
 * A doubt about a tree, since records do not show everything:
 * - `hidden`: a record of the tree lists a clone that the list of databases does not show.
 * - `unclear`: a clone mentions a record of the tree, or is listed by one, but names another source or none; or it shows
 *   no snapshot, where one of its source is the root.
 * - `sourceless`: clones that show no source may depend on anything of their vendor.
 * - `placeless`: databases that show no environment may be on the one that goes.
 * - `circle`: these depend on each other, so that no order is right.
 * - `copies`: physical clones of a record of the tree depend on nothing, and stay.
 */
export type Doubt =
  | Readonly<{ type: 'hidden' | 'unclear'; id: string; of: string }>
  | Readonly<{ type: 'sourceless' | 'placeless' | 'circle' | 'copies'; ids: readonly string[] }>;

/** A record with all that depends on it. */
export type DependentTree = Readonly<{
  root: string;
  nodes: ReadonlyMap<string, TreeNode>;
  /** All records of the tree, each behind all that depend on it; the root is the last one. */
  order: readonly string[];
  doubts: readonly Doubt[];
}>;

/** The record from which a tree goes down. */
export type TreeRoot = Readonly<{
  id: string;
  noun: 'live' | 'clone' | 'snapshot' | 'environment';
  name?: string | undefined;
  /** For a snapshot: the identifier of its database. */
  holder?: string | undefined;
}>;
type Links = ReadonlyMap<string, readonly string[]>;
type KnownTree = ReadonlyMap<string, Lineage>;

/**
 * Collects everything that depends on a record, as far as records show it. A virtual clone depends on its source and on
 * the database of its snapshot, a physical one on nothing, and every database on its environment where that is the
 * root. No live database depends on another.
 */
export function treeBelow(root: TreeRoot, records: readonly Lineage[]): DependentTree {
  const known = new Map(records.map(record => [record.id, record]));
  const needs = needsOf(records, root.noun === 'environment' ? root.id : undefined);
  const ids = reachedFrom(root.id, turnedRound(needs));
  // The root's own source stays, whatever the records say of it.
  const links = new Map(
    [...ids].map(id => [id, id === root.id ? [] : (needs.get(id) ?? []).filter(other => ids.has(other))] as const),
  );
  const below = turnedRound(links);
  const { order, circles } = leavesFirst([...ids], links, below);
  const unders = placesOf(root.id, order, links);
  const nodes = new Map(
    order.map(id => {
      const { name, environment } = known.get(id) ?? {};
      const place = { dependents: below.get(id) ?? [], dependsOn: links.get(id) ?? [], under: unders.get(id) };
      return [id, { id, environment, name: id === root.id ? (root.name ?? name) : name, ...place }] as const;
    }),
  );
  const around = (needs.get(root.id) ?? []).filter(id => nodes.has(id));
  const wrong = around.length > 0 ? [[root.id, ...around], ...circles] : circles;
  const wrongs = wrong.map(ids => ({ type: 'circle', ids }) as const);
  return { root: root.id, nodes, order, doubts: [...wrongs, ...doubtsOf(root, nodes, known, needs)] };
}

/** The clones that depend on each database and each snapshot, as far as records show it. */
export function directDependents(records: readonly Lineage[]): ReadonlyMap<string, readonly string[]> {
  return turnedRound(needsOf(records, undefined));
}

/** The databases, snapshots and, where it is the root, the environment that each record depends on. */
function needsOf(records: readonly Lineage[], environment: string | undefined): Links {
  const holders = new Map(records.flatMap(({ id, snapshots }) => snapshots.map(snapshot => [snapshot, id] as const)));
  const listers = turnedRound(new Map(records.map(({ id, clones }) => [id, clones])));
  return new Map(
    records.map(record => {
      const { id, sources } = record;
      const named = sources.flatMap(source => [source, holders.get(source) ?? source]);
      // A list of clones counts for those that show no source themselves.
      const above = sources.length > 0 ? named : (listers.get(id) ?? []);
      const place = environment !== undefined && record.environment === environment ? [environment] : [];
      return [id, [...new Set([...place, ...(isVirtual(record) ? above : [])])].filter(other => other !== id)] as const;
    }),
  );
}

function isVirtual({ noun, isPhysical }: Lineage): boolean {
  return noun === 'clone' && isPhysical !== true;
}

/** All records that are reached over the links, nearest first. */
function reachedFrom(first: string, links: Links): ReadonlySet<string> {
  const found = new Set([first]);
  for (const id of found) for (const next of links.get(id) ?? []) found.add(next);
  return found;
}

function turnedRound(links: Links): Links {
  const turned = new Map<string, string[]>();
  for (const [from, all] of links)
    for (const to of all) {
      const list = turned.get(to);
      if (list) list.push(from);
      else turned.set(to, [from]);
    }
  return turned;
}

/**
 * Orders records so that each stands behind all that depend on it. Where they depend on each other in a circle, the one
 * that is farthest from the root begins.
 */
function leavesFirst(ids: readonly string[], links: Links, below: Links) {
  const waiting = new Map(ids.map(id => [id, below.get(id)?.length ?? 0]));
  const order: string[] = [];
  const circles: string[][] = [];
  const free = ids.filter(id => waiting.get(id) === 0).reverse();
  while (waiting.size > 0) {
    const next = free.shift() ?? [...waiting.keys()].at(-1);
    if (next === undefined) break;
    if ((waiting.get(next) ?? 0) > 0) circles.push([next, ...(below.get(next) ?? []).filter(id => waiting.has(id))]);
    waiting.delete(next);
    order.push(next);
    for (const id of links.get(next) ?? []) {
      const left = (waiting.get(id) ?? 0) - 1;
      if (!waiting.has(id)) continue;
      waiting.set(id, left);
      if (left === 0) free.push(id);
    }
  }
  const [root] = ids;
  return { order: [...order.filter(id => id !== root), ...ids.slice(0, 1)], circles };
}

/** The record under which each is drawn. The order has the root last. */
function placesOf(root: string, order: readonly string[], links: Links): ReadonlyMap<string, string> {
  const depths = new Map([[root, 0]]);
  const unders = new Map<string, string>();
  for (const id of order.toReversed()) {
    if (id === root) continue;
    const [under = root] = (links.get(id) ?? [])
      .filter(other => depths.has(other))
      .toSorted((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
    unders.set(id, under);
    depths.set(id, (depths.get(under) ?? 0) + 1);
  }
  return unders;
}

function doubtsOf(
  root: TreeRoot,
  nodes: ReadonlyMap<string, TreeNode>,
  known: KnownTree,
  needs: Links,
): readonly Doubt[] {
  const inTree = [...nodes.keys()].flatMap(id => known.get(id) ?? []);
  const others = [...known.values()].filter(({ id }) => !nodes.has(id));
  const strangers = others.filter(isVirtual);
  const listed = inTree.flatMap(({ id: of, clones }) => clones.map(id => ({ id, of })));
  const vendors = new Set([...nodes.keys()].map(id => parseIdentifier(id)?.vendor));
  const isOfVendor = (id: string) => vendors.has(parseIdentifier(id)?.vendor);
  const strange = new Set(strangers.map(({ id }) => id));
  const sourceless = strangers.filter(({ id }) => (needs.get(id) ?? []).length === 0 && isOfVendor(id));
  const copies = others.filter(
    ({ noun, isPhysical, sources }) => noun === 'clone' && isPhysical === true && sources.some(id => nodes.has(id)),
  );
  const placeless = root.noun === 'environment' ? others.filter(({ environment }) => environment === undefined) : [];
  const mentioned = strangers.flatMap(({ id, mentions }) => {
    const of = mentions.find(other => nodes.has(other));
    return of === undefined ? [] : [{ id, of }];
  });
  const unclear = [...listed.filter(({ id }) => strange.has(id)), ...mentioned, ...withoutSnapshot(root, strangers)];
  const group = (type: 'sourceless' | 'placeless' | 'copies', some: readonly Lineage[]): Doubt[] =>
    some.length > 0 ? [{ type, ids: some.map(({ id }) => id) }] : [];
  return [
    ...firstOfEach(listed.filter(({ id }) => !known.has(id))).map(doubt => ({ type: 'hidden' as const, ...doubt })),
    ...firstOfEach(unclear).map(doubt => ({ type: 'unclear' as const, ...doubt })),
    ...group('sourceless', sourceless),
    ...group('placeless', placeless),
    ...group('copies', copies),
  ];
}

/** Clones of the database of a snapshot that show none: they may have been made of this one. */
function withoutSnapshot({ id: of, noun, holder }: TreeRoot, strangers: readonly Lineage[]) {
  if (noun !== 'snapshot' || holder === undefined) return [];
  const isSnapshot = (id: string) => parseIdentifier(id)?.noun === 'snapshot';
  return strangers
    .filter(({ sources }) => sources.includes(holder) && !sources.some(isSnapshot))
    .map(({ id }) => ({ id, of }));
}

function firstOfEach<T extends { id: string }>(doubts: readonly T[]): readonly T[] {
  return [...new Map(doubts.toReversed().map(doubt => [doubt.id, doubt])).values()].toReversed();
}
