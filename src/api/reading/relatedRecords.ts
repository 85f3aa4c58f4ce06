import type { Identifier, Noun } from '../identifiers.ts';
import { assumed } from './assumptions.ts';
import { memoByKey, plainKey, type Tree } from './jsonTree.ts';
import { pathsOf } from './mappedPaths.ts';
import { findMentions, type Mention } from './mentions.ts';
import type { Mapping } from './recordMapping.ts';
import { isReported } from './reportKeys.ts';

/** The records around a record, as it mentions them. */
export type Related = Readonly<Record<'source' | 'environment' | 'project', Mention | undefined>>;

/** The source, the environment and the project of a record. */
export function relatedTo(tree: Tree, id: Identifier, mapping: Mapping): Related {
  const paths = pathsOf(mapping, id.noun);
  // A mention inside another record is that one's environment or source.
  const near = findMentions(tree, id, false)
    .filter(mention => (mention.of === undefined || mention.of === id.text) && !isInReport(mention.path))
    .sort((a, b) => a.depth - b.depth);
  const one: Choose = (nouns, keys) => {
    const fitting = near.filter(mention => mention.id.noun && nouns.includes(mention.id.noun));
    for (const key of keys) {
      const found = fitting.find(mention => key.test(mention.key));
      if (found) return found;
    }
    return undefined;
  };
  const mapped = (path: string | undefined) =>
    path === undefined ? undefined : findMentions(tree, id).find(mention => mention.path === path);
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const place = () => (id.noun === 'environment' ? undefined : one(['environment'], assumed.environment));
  return {
    source: mapped(paths.source) ?? (isDatabase ? sourceOf(id, one) : undefined),
    environment: mapped(paths.environment) ?? place(),
    project: isDatabase ? one(['project'], [/./]) : undefined,
  };
}

/** Whether the dotted keys that lead to a mention lead through a report. */
const isInReport = memoByKey(path => isReported({ path: path.split('.').map(plainKey) }));

type Choose = (nouns: readonly Noun[], keys: readonly RegExp[]) => Mention | undefined;

/** The source of a database, under a key for sources; of a clone, else a live database under any key. */
function sourceOf(id: Identifier, one: Choose): Mention | undefined {
  const said = one(['live', 'clone'], [assumed.source]);
  return said ?? (id.noun === 'clone' ? one(['live'], [/./]) : undefined);
}
