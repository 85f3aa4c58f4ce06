import { type Identifier, parseIdentifier } from '../identifiers.ts';
import { isTree, leaves, plainKey, type Tree, textAt } from './jsonTree.ts';
import { isOwnSnapshot, type Mention } from './mentions.ts';
import type { Mapping, SnapshotPaths } from './recordMapping.ts';
import { conditionIn } from './snapshotCondition.ts';
import { timeOf, timesIn } from './times.ts';
import { endsOf, factsAt, isWords, leafAt, valuesAt, withTold } from './toldFacts.ts';

/** The mentions of a record with the snapshots that the mapping places in it, and without those that were guessed to be its own. */
export function withSnapshots(
  found: readonly Mention[],
  tree: Tree,
  holder: Identifier,
  paths: SnapshotPaths,
  mapping: Mapping,
): readonly Mention[] {
  const others = found.filter(mention => mention.id.noun !== 'snapshot' || !isOwnSnapshot(holder, mention));
  const told = valuesAt(tree, paths.at).flatMap(({ path, value }) =>
    entriesIn(value).flatMap(({ key, entry }) => {
      const text = paths.id === undefined ? key : textAt(leafAt(entry, paths.id, isWords));
      const id = text === undefined ? undefined : parseIdentifier(text);
      return id?.noun === 'snapshot' ? mentionOf(id, { path, entry, paths, mapping }) : [];
    }),
  );
  return [...others, ...told];
}

/** The entries of a list, or of an object by identifier, each with the identifier that it is or stands under. */
function entriesIn(value: unknown): readonly Readonly<{ key: string | undefined; entry: unknown }>[] {
  if (Array.isArray(value))
    return endsOf(value).map(entry => ({ key: typeof entry === 'string' ? entry : undefined, entry }));
  if (!isTree(value)) return typeof value === 'string' ? [{ key: value, entry: undefined }] : [];
  const keyed = Object.entries(value).filter(([key]) => parseIdentifier(key));
  return keyed.length > 0 ? keyed.map(([key, entry]) => ({ key, entry })) : [{ key: undefined, entry: value }];
}

type ToldSnapshot = Readonly<{ path: string; entry: unknown; paths: SnapshotPaths; mapping: Mapping }>;

function mentionOf(id: Identifier, { path, entry, paths, mapping }: ToldSnapshot): Mention {
  const isTime = (value: unknown) => timeOf(value) !== undefined;
  const times = factsAt(entry, { createdat: paths.time, expiresat: paths.expires }, isTime);
  const state = leafAt(entry, paths.state);
  const word = state && withTold('outcomes', String(state.value), mapping);
  const facts = { ...times, ...(state && { [typeof state.value === 'boolean' ? state.key : 'state']: word }) };
  return {
    ...{ id, key: plainKey(path.split('.').at(-1) ?? ''), path, inList: true, of: undefined, depth: 1 },
    label: textAt(leafAt(entry, paths.name, isWords)),
    ...timesIn(times),
    condition: conditionIn(leaves(facts)),
  };
}
