import { type Identifier, identifiersAmong } from '../../../api/identifiers.ts';
import type { Names } from '../../../api/reading/labels.ts';
import type { Mention } from '../../../api/reading/mentions.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure, nothingBut } from '../../../ground/failure.ts';
import type { Values } from '../../../operations/operation.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import { listIfShown, readWhole } from '../../../records/shown.ts';
import { holderOf } from '../../../records/snapshotHolder.ts';
import { isHolder } from '../../../records/snapshots.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import { factsOf, projectsOf, type TargetReading } from './facts.ts';

/** A reading of a target: the facts for approvers, and the names for the rules of the policy. */
export type Inspection = TouchedNames &
  Readonly<{
    facts: readonly Fact[];
    /** The target's record; that of its database where the target is a snapshot. */
    record: RecordView | undefined;
    /** The names of the target and of what the values choose, by identifier, as far as records show them. */
    called: Names;
  }>;

/**
 * Reads a target, and everything around it that a decision rests on: all of it that this sign-in is shown, or nothing.
 * @throws {Failure} where one of the records or lists was not read, `missing` where there is no such record
 */
export async function inspect(records: RecordReader, target: Identifier, values: Values): Promise<Inspection> {
  // The target comes last: a list that is read after it may show what its own facts do not know yet.
  const databases = await listIfShown(records, 'live');
  const record = await readTarget(records, target, values);
  const part = record && target.noun === 'snapshot' ? await records.part(record.id, target) : record;
  const names = part ? await namesAround(records, part) : new Map<string, string>();
  const reading = { target, record, part, names, databases };
  const called = await namesOfChosen(records, reading, values);
  return { facts: await factsOf(reading), ...(await touchedNames(records, reading, values)), record, called };
}

/**
 * Reads the record of a target, which is that of its database where the target is a snapshot.
 * @throws {Failure} where it was not read; `missing` where no record shows the target, unless it is a snapshot, which
 *   records may not show (spec §4)
 */
export async function readTarget(records: RecordReader, target: Identifier, values: Values) {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const found = holder && (await readWhole(records, holder));
  // The database that a person chose beside a snapshot may be another than the snapshot's own.
  const record = found && (holder === target || isHolder(found, target)) ? found : undefined;
  if (!record && target.noun !== 'snapshot') throw new Failure('missing', `No record shows ${target.text}.`);
  return record;
}

/**
 * The names of the environment, the project and the source of a record, out of their own lists: a record may show
 * identifiers alone. A record that this sign-in is not shown has no name here.
 */
async function namesAround(records: RecordReader, { environment, project, source }: RecordView): Promise<Names> {
  const named = await Promise.all(
    [environment, project, source].map(async mention => {
      if (!mention?.id.noun) return [];
      const list = await listIfShown(records, mention.id.noun);
      const name = list?.records.find(({ id }) => id.text === mention.id.text)?.name;
      return name === undefined ? [] : [[mention.id.text, name] as const];
    }),
  );
  return new Map(named.flat());
}

/**
 * The names of the target and of what the values choose: of their own records in lists, else as the record of the target, or
 * that of a chosen environment, mentions them.
 */
async function namesOfChosen(records: RecordReader, { target, record, databases }: TargetReading, values: Values) {
  const chosen = identifiersAmong(Object.values(values));
  const wanted = new Set([target, ...chosen].map(({ text }) => text));
  const listed = (['environment', 'project'] as const).filter(noun => chosen.some(one => one.noun === noun));
  const lists = await Promise.all(listed.map(noun => listIfShown(records, noun)));
  const own = [
    ...(databases?.records ?? []),
    ...lists.flatMap(list => list?.records ?? []),
    ...(record ? [record] : []),
  ];
  const found = own.filter(({ id }) => wanted.has(id.text));
  const names = new Map<string, string>();
  const note = ({ text }: Identifier, name: string | undefined) => wanted.has(text) && name && names.set(text, name);
  for (const { mentions } of found) for (const { id, label } of mentions) note(id, label);
  for (const { id, name } of found) note(id, name);
  const isUnnamed = ({ text }: Identifier) => !names.has(text);
  const places = chosen.filter(
    place => place.noun === 'environment' && chosen.some(one => one !== place && isUnnamed(one)),
  );
  for (const place of places) {
    const alone = await records.alone(place).catch(nothingBut());
    for (const { id, label } of alone?.mentions ?? []) if (isUnnamed(id)) note(id, label);
  }
  return names;
}

/** The names that the rules are compared with (verdict.ts). A list that no record shows is absent. */
export type TouchedNames = Readonly<{
  names: readonly string[] | undefined;
  environments: readonly string[] | undefined;
  projects: readonly string[] | undefined;
}>;

/** Lists the names of everything that a request touches: its target, its environments and its projects. */
async function touchedNames(records: RecordReader, { target, record, part, databases }: TargetReading, values: Values) {
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const labels = [part?.name, mention?.label].filter(label => label !== undefined);
  const chosen = identifiersAmong(Object.values(values));
  // A database is in an environment, shown or not; users and projects are in none.
  const isPlaced = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  const showsProjects = databases?.records.some(({ mentions }) => mentions.some(({ id }) => id.noun === 'project'));
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
  const listed = (await listIfShown(records, noun))?.records ?? [];
  const called = (id: Identifier) => [
    ...own.filter(one => one.id.text === id.text).map(one => ('label' in one ? one.label : one.name)),
    ...listed.filter(record => record.id.text === id.text).map(({ name }) => name),
  ];
  const names = ids.map(id => called(id).filter(name => name !== undefined));
  return names.some(known => known.length === 0) ? undefined : [...ids.map(({ text }) => text), ...names.flat()];
}
