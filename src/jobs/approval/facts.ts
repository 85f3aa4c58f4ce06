import { type Identifier, parseIdentifier, vendorNames } from '../../api/identifiers.ts';
import type { Names } from '../../api/reading/labels.ts';
import type { Mention } from '../../api/reading/mentions.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { maskValue } from '../../api/secrets/passwords.ts';
import { Failure } from '../../ground/failure.ts';
import { hidesCharacters, looksLike } from '../../ground/lookalikes.ts';
import { mapInSlices } from '../../ground/slices.ts';
import type { Values } from '../../operations/operation.ts';
import { calledIn, namesAround } from '../../records/namesAround.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { holderOf } from '../../records/snapshotHolder.ts';
import { isHolder } from '../../records/snapshots.ts';
import type { Fact } from '../../store/jobs/data.ts';
import { dependentsOf } from './dependents.ts';
import { factOf, valueFactOf } from './fact.ts';

/** A reading of a target: the facts for approvers, and the names that the policy goes by. A list that no record shows is absent. */
export type Inspection = Readonly<{
  facts: readonly Fact[];
  names: readonly string[] | undefined;
  environments: readonly string[] | undefined;
  projects: readonly string[] | undefined;
  /** The target's record; that of its database where the target is a snapshot. */
  record: RecordView | undefined;
}>;

/** The most dependents, telling values and look-alikes that are shown. */
const maxDependents = 12;
const maxTelling = 6;
const maxTwins = 3;
/** Keys whose values tell people what a record is about, or that another record has taken its place. */
const telling =
  /(owner|descr|comment|tags?|role|tier|purpose|critical|class|edition|version|dbid|incarnation|uuid|guid|serial|e-?mail|full_?name)$/i;
/** Keys whose values change by themselves. */
const moving = /(state|status|health|last|updated|modified|seen|sync|refresh|time|date|at$)/i;

/**
 * Reads all that an approver has to see of a target, as far as records show it: what it is, its place, its state, and its
 * dependents. @throws {Failure} where the records cannot be read, `missing` where there is no such record
 */
export async function inspect(records: RecordReader, target: Identifier, values: Values): Promise<Inspection> {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const found = holder && (await records.one(holder));
  // A snapshot has no record of its own (spec §4), so perhaps nothing shows it. A database that a person chose beside it
  // need not be its own.
  const record = found && (holder === target || isHolder(found, target)) ? found : undefined;
  if (!record && target.noun !== 'snapshot') throw new Failure('missing', `No record shows ${target.text}.`);
  const { records: all } = await records.list('live').catch((error: unknown) => {
    // Without the list nobody knows the dependents, and the facts say so. A failure that a person can mend is thrown.
    if (!(error instanceof Failure) || error.kind === 'signed-out' || error.kind === 'busy') throw error;
    return { records: undefined };
  });
  const part = record && target.noun === 'snapshot' ? await records.part(record.id, target) : record;
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const names: Names = part ? await namesAround(records, part) : new Map();
  const labels = [part?.name, mention?.label].filter(label => label !== undefined);
  const touched = Object.values(values).flatMap(value =>
    typeof value === 'string' ? (parseIdentifier(value) ?? []) : [],
  );
  // A database is in an environment, shown or not; users and projects are in none.
  const isPlaced = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  const projects = record?.mentions.filter(({ id, inList }) => id.noun === 'project' && !inList) ?? [];
  return {
    facts: [
      factOf('identifier', target.text),
      factOf('name', part?.name ?? mention?.label),
      factOf('vendor', target.vendor && vendorNames[target.vendor]),
      ...(record && record.id.text !== target.text
        ? [factOf('of', named(record.name, record.id.text), record.id.text)]
        : []),
      ...factsOf(part, mention, names),
      ...projects
        .slice(0, 3)
        .map(({ id, label }) => factOf('project', named(calledIn(names, { id, label }), id.text), id.text)),
      ...(isPlaced && target.noun !== 'snapshot' ? snapshots(record) : []),
      dependents(target, all),
      ...tellingValues(part),
      await warnOfName(part, all, names),
    ].filter(entry => entry.value !== ''),
    names:
      record?.name === undefined || isPlace(record) ? undefined : [target.text, record.id.text, record.name, ...labels],
    environments: await naming(
      records,
      'environment',
      target.noun === 'environment' ? record && [record] : record?.environment && [record.environment],
      touched,
      isPlaced,
    ),
    projects: await naming(
      records,
      'project',
      target.noun === 'project' ? record && [record] : projects,
      touched,
      isPlaced && !(record && all?.some(({ mentions }) => mentions.some(({ id }) => id.noun === 'project'))),
    ),
    record,
  };
}

/** Whether a database is called by its host, for want of a name: others on that host are called the same. */
function isPlace({ id, readFrom }: RecordView): boolean {
  return id.noun !== 'environment' && /(host|host_?name|address|login)$/i.test(readFrom.name ?? '');
}

function named(name: string | undefined, id: string): string {
  return name === undefined || name === id ? id : `${name} (${id})`;
}

function factsOf(record: RecordView | undefined, mention: Mention | undefined, names: Names): Fact[] {
  const { state, environment, source, port, isPhysical, createdAt, readFrom } = record ?? {};
  // A busy record comes back by itself: a backup must not void an approval.
  const stands = state && (state.class === 'ok' || state.class === 'busy' ? 'in service' : state.word);
  const at = createdAt ?? mention?.time;
  // Any other time than that of the creation may be a new one in each reading.
  const isCreation = readFrom?.createdAt === undefined || /creat|snap|taken/i.test(readFrom.createdAt);
  return [
    factOf('state', state?.word, stands),
    factOf(
      'environment',
      environment && named(calledIn(names, environment), environment.id.text),
      environment?.id.text,
    ),
    factOf('source', source && named(calledIn(names, source), source.id.text), source?.id.text),
    factOf('port', port?.toString()),
    factOf('type', isPhysical === undefined ? undefined : isPhysical ? 'physical' : 'virtual'),
    at === undefined || !isCreation
      ? factOf('created', undefined)
      : factOf('created', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`, String(at)),
  ];
}

/** The target's own snapshots, and the snapshot that a clone was made from. New snapshots do not make it another target. */
function snapshots(record: RecordView | undefined): Fact[] {
  const all = record?.mentions.filter(({ id }) => id.noun === 'snapshot') ?? [];
  const own = new Set(all.filter(({ id }) => record && isHolder(record, id)).map(({ id }) => id.text));
  const [other] = all.filter(({ id }) => record?.id.noun === 'clone' && !own.has(id.text));
  return [
    factOf('snapshots', own.size > 0 ? `${own.size} of its own` : undefined, ''),
    factOf('from', other && named(other.label, other.id.text), ''),
  ];
}

/** Warns of a deceptive name: of invisible characters in it, and of other databases with a name that looks like it. */
async function warnOfName(part: RecordView | undefined, all: readonly RecordView[] = [], names: Names): Promise<Fact> {
  const { name, id } = part ?? {};
  if (name === undefined) return factOf('beware', undefined, '');
  const alike = await mapInSlices(all, one =>
    one.id.text !== id?.text && one.name !== undefined && looksLike(one.name, name) ? [one] : [],
  );
  const twins = alike.flat().map(({ id: { text }, environment }) => {
    const place = environment && calledIn(names, environment);
    return place === undefined ? text : `${text} on ${place}`;
  });
  const more = twins.length > maxTwins ? ` and ${twins.length - maxTwins} more` : '';
  const sentences = [
    hidesCharacters(name) ? 'The name holds invisible characters.' : '',
    twins.length > 0 ? `It looks like the name of ${twins.slice(0, maxTwins).join(', ')}${more}.` : '',
  ];
  return factOf('beware', sentences.filter(Boolean).join(' '), '');
}

function dependents(target: Identifier, all: readonly RecordView[] | undefined): Fact {
  if (all === undefined) return factOf('dependents', 'not visible in the records');
  const found = dependentsOf(target, all);
  if (found.length === 0) return factOf('dependents', 'none that the records show', '');
  const list = found.slice(0, maxDependents).map(({ id, name }) => named(name, id.text));
  const more = found.length > maxDependents ? ` and ${found.length - maxDependents} more` : '';
  const ids = found.map(({ id }) => id.text).sort();
  return { ...factOf('dependents', undefined, ids.join(' ')), value: `${list.join(', ')}${more}` };
}

function tellingValues(record: RecordView | undefined): Fact[] {
  return (record?.values ?? [])
    .filter(({ path, value }) => telling.test(path) && !moving.test(path) && value.trim() !== '' && value.length <= 200)
    .slice(0, maxTelling)
    .map(({ path, value }) => valueFactOf(path, maskValue(path, value)));
}

/**
 * Lists the identifiers and names of the environments or projects that a request touches: the target's own, and those that
 * were chosen. `undefined` where the list is not complete: the target may have one that is not shown (`isHidden`), or one
 * has no name.
 */
async function naming(
  records: RecordReader,
  noun: 'environment' | 'project',
  own: readonly (RecordView | Mention)[] = [],
  touched: readonly Identifier[],
  isHidden: boolean,
): Promise<readonly string[] | undefined> {
  const ids = [...own.map(({ id }) => id), ...touched].filter(id => id.noun === noun);
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
