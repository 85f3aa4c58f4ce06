import { type Identifier, parseIdentifier } from '../../../api/identifiers.ts';
import type { Mention } from '../../../api/reading/mentions.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Values } from '../../../operations/operation.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import { projectsOf, type TargetReading } from './facts.ts';

/** The names that the rules are compared with (verdict.ts). A list that no record shows is absent. */
export type TouchedNames = Readonly<{
  names: readonly string[] | undefined;
  environments: readonly string[] | undefined;
  projects: readonly string[] | undefined;
}>;

/** Lists the names of everything that a request touches: its target, its environments and its projects. */
export async function touchedNames(
  records: RecordReader,
  { target, record, part, databases }: TargetReading,
  values: Values,
): Promise<TouchedNames> {
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const labels = [part?.name, mention?.label].filter(label => label !== undefined);
  const chosen = Object.values(values).flatMap(value =>
    typeof value === 'string' ? (parseIdentifier(value) ?? []) : [],
  );
  // A database is in an environment, shown or not; users and projects are in none.
  const isPlaced = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  const showsProjects = databases?.some(({ mentions }) => mentions.some(({ id }) => id.noun === 'project'));
  return {
    names:
      record?.name === undefined || isPlace(record) ? undefined : [target.text, record.id.text, record.name, ...labels],
    environments: await namesOfPlaces(records, {
      noun: 'environment',
      own: target.noun === 'environment' ? record && [record] : record?.environment && [record.environment],
      chosen,
      isHidden: isPlaced,
    }),
    projects: await namesOfPlaces(records, {
      noun: 'project',
      own: target.noun === 'project' ? record && [record] : projectsOf(record),
      chosen,
      isHidden: isPlaced && !(record && showsProjects),
    }),
  };
}

/** Whether a database has only the name of its host: others on that host have the same one. */
function isPlace({ id, readFrom }: RecordView): boolean {
  return id.noun !== 'environment' && /(host|host_?name|address|login)$/i.test(readFrom.name ?? '');
}

type Places = Readonly<{
  noun: 'environment' | 'project';
  /** The target itself, or the places that its record names. */
  own: readonly (RecordView | Mention)[] | undefined;
  chosen: readonly Identifier[];
  /** Whether the target may have a place that is not shown. */
  isHidden: boolean;
}>;

/**
 * Lists the identifiers and names of the environments or projects that a request touches: the target's own, and those
 * that were chosen. Gives `undefined` where the list is not complete: the target may have a place that is not shown
 * (`isHidden`), or one has no name.
 */
async function namesOfPlaces(records: RecordReader, { noun, own = [], chosen, isHidden }: Places) {
  const ids = [...own.map(({ id }) => id), ...chosen].filter(id => id.noun === noun);
  if (own.length === 0 && isHidden) return undefined;
  if (ids.length === 0) return [];
  const listed = await records.list(noun).catch(() => ({ records: [] }));
  const called = (id: Identifier) => [
    ...own.filter(one => one.id.text === id.text).map(one => ('label' in one ? one.label : one.name)),
    ...listed.records.filter(record => record.id.text === id.text).map(({ name }) => name),
  ];
  const names = ids.map(id => called(id).filter(name => name !== undefined));
  return names.some(known => known.length === 0) ? undefined : [...ids.map(({ text }) => text), ...names.flat()];
}
