import type { Names } from '../api/reading/labels.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { RecordReader } from './recordReader.ts';

/**
 * The names of the environment, the project and the source of a record, out of their own lists: a record may show
 * identifiers alone. A record that cannot be read has no name here.
 */
export async function namesAround(records: RecordReader, { environment, project, source }: RecordView): Promise<Names> {
  const named = await Promise.all(
    [environment, project, source].map(async mention => {
      if (!mention?.id.noun) return [];
      const list = await records.list(mention.id.noun).catch(() => ({ records: [] }));
      const name = list.records.find(({ id }) => id.text === mention.id.text)?.name;
      return name === undefined ? [] : [[mention.id.text, name] as const];
    }),
  );
  return new Map(named.flat());
}

/** The name of a mention: from its own list, else from the record itself. */
export function calledIn(names: Names, { id, label }: { id: { text: string }; label: string | undefined }) {
  return names.get(id.text) ?? label;
}
