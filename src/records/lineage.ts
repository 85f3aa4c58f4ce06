import { assumed } from '../api/reading/assumedKeys.ts';
import { isOwnSnapshot, type Mention } from '../api/reading/mentions.ts';
import type { RecordView } from '../api/reading/recordView.ts';

/**
 * The place of a database among others, as its record shows it: its sources, its own snapshots, the clones that it
 * lists, and the databases that it mentions otherwise. Only a key that names sources makes a mention a source, since a
 * clone may also mention the clones that were made of it.
 */
export function lineageOf(record: RecordView) {
  const { id, name, isPhysical, environment, source, mentions } = record;
  const isDatabase = ({ id: { noun } }: Mention) => noun === 'live' || noun === 'clone';
  const isSource = (mention: Mention) =>
    mention.id.text === source?.id.text || (!mention.inList && assumed.source.test(mention.key));
  const snapshots = mentions.filter(mention => mention.id.noun === 'snapshot');
  const own = snapshots.filter(mention => isOwnSnapshot(id, mention));
  const isOwn = (mention: Mention) => own.some(other => other.id.text === mention.id.text);
  const databases = mentions.filter(isDatabase);
  return {
    id: id.text,
    noun: id.noun === 'clone' ? ('clone' as const) : ('live' as const),
    name,
    isPhysical,
    environment: environment?.id.text,
    sources: texts([...databases.filter(isSource), ...snapshots.filter(mention => !isOwn(mention))]),
    snapshots: texts(own),
    clones: texts(databases.filter(({ id: other, inList }) => inList && other.noun === 'clone')),
    mentions: texts(databases.filter(mention => !mention.inList && !isSource(mention))),
  };
}

function texts(mentions: readonly Mention[]): readonly string[] {
  return [...new Set(mentions.map(({ id }) => id.text))];
}
