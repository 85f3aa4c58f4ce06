import { type Identifier, vendorNames } from '../../../api/identifiers.ts';
import type { Names } from '../../../api/reading/labels.ts';
import type { Mention } from '../../../api/reading/mentions.ts';
import type { RecordList } from '../../../api/reading/recordList.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { isCreation } from '../../../api/reading/times.ts';
import { maskValue } from '../../../api/secrets/passwords.ts';
import { hidesCharacters, looksLike } from '../../../ground/lookalikes.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import { inRow } from '../../../ground/wording.ts';
import { writeMoment } from '../../../operations/requests/keepFor.ts';
import { isHolder } from '../../../records/snapshots.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import { factOf, nameAndId, valueFactOf } from './fact.ts';

/** The records that a target's facts are taken from. */
export type TargetReading = Readonly<{
  target: Identifier;
  /** The target's record; that of its database where the target is a snapshot. */
  record: RecordView | undefined;
  /** The target's own record, or its part of the record of its database. */
  part: RecordView | undefined;
  /** The names of the target's environment, project and source, by identifier. */
  names: Names;
  /** The list of all databases; absent where it cannot be read. */
  databases: RecordList | undefined;
}>;

/** The values of the fact about dependents where none is named. */
export const noDependents = { none: 'none that the records show', hidden: 'not visible in the records' } as const;

/** Max telling values and look-alikes that are shown. */
const maxTelling = 6;
const maxTwins = 3;
/** Keys whose values tell people what a record is about, or that another record has taken its place. */
const telling =
  /(owner|descr|comment|tags?|role|tier|purpose|critical|class|edition|version|dbid|incarnation|uuid|guid|serial|e-?mail|full_?name)$/i;
/** Keys whose values change by themselves. */
const moving = /(state|status|health|last|updated|modified|seen|sync|refresh|time|date|at$)/i;

/** Lists the facts that an approver has to see of a target, as far as records show them. */
export async function factsOf({ target, record, part, names, databases }: TargetReading): Promise<readonly Fact[]> {
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const isDatabase = target.noun === 'live' || target.noun === 'clone';
  const facts = [
    factOf('identifier', target.text),
    factOf('name', part?.name ?? mention?.label),
    factOf('vendor', target.vendor && vendorNames[target.vendor]),
    ...(record && record.id.text !== target.text
      ? [factOf('of', nameAndId(record.name, record.id.text), record.id.text)]
      : []),
    ...recordFacts(part, mention, names),
    ...projectsOf(record)
      .slice(0, 3)
      .map(({ id, label }) => factOf('project', nameAndId(calledIn(names, { id, label }), id.text), id.text)),
    ...(isDatabase ? snapshots(record) : []),
    await dependents(target, databases),
    ...tellingValues(part),
    await warnOfName(part, databases?.records, names),
  ];
  return facts.filter(({ value }) => value !== '');
}

/** The projects that a record is in. */
export function projectsOf(record: RecordView | undefined): readonly Mention[] {
  return record?.mentions.filter(({ id, inList }) => id.noun === 'project' && !inList) ?? [];
}

/** The name of a mention: from its own list, else from the record itself. */
function calledIn(names: Names, { id, label }: Pick<Mention, 'id' | 'label'>): string | undefined {
  return names.get(id.text) ?? label;
}

function recordFacts(record: RecordView | undefined, mention: Mention | undefined, names: Names): Fact[] {
  const { state, environment, source, port, isPhysical, createdAt, readFrom } = record ?? {};
  // A busy record comes back by itself: a backup must not void an approval.
  const stands = state && (state.class === 'ok' || state.class === 'busy' ? 'in service' : state.word);
  const at = createdAt ?? mention?.time;
  // A time that is not that of the creation may be a new one in each reading.
  const isSure = readFrom?.createdAt === undefined || isCreation(readFrom.createdAt);
  return [
    factOf('state', state?.word, stands),
    factOf(
      'environment',
      environment && nameAndId(calledIn(names, environment), environment.id.text),
      environment?.id.text,
    ),
    factOf('source', source && nameAndId(calledIn(names, source), source.id.text), source?.id.text),
    factOf('port', port?.toString()),
    factOf('type', isPhysical === undefined ? undefined : isPhysical ? 'physical' : 'virtual'),
    at === undefined || !isSure ? factOf('created', undefined) : factOf('created', writeMoment(at), String(at)),
  ];
}

/**
 * The target's own snapshots, and the snapshot that a clone was made from. New snapshots do not make it another target.
 */
function snapshots(record: RecordView | undefined): Fact[] {
  const all = record?.mentions.filter(({ id }) => id.noun === 'snapshot') ?? [];
  const own = new Set(all.filter(({ id }) => record && isHolder(record, id)).map(({ id }) => id.text));
  const [other] = all.filter(({ id }) => record?.id.noun === 'clone' && !own.has(id.text));
  return [
    factOf('snapshots', own.size > 0 ? `${own.size} of its own` : undefined, ''),
    factOf('from', other && nameAndId(other.label, other.id.text), ''),
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
  const sentences = [
    hidesCharacters(name) ? 'The name holds invisible characters.' : '',
    twins.length > 0 ? `It looks like the name of ${inRow(twins, maxTwins)}.` : '',
  ];
  return factOf('beware', sentences.filter(Boolean).join(' '), '');
}

async function dependents(target: Identifier, all: RecordList | undefined): Promise<Fact> {
  if (all === undefined) return factOf('dependents', noDependents.hidden);
  const found = await dependentsOf(target, all.records);
  if (found.length === 0) return factOf('dependents', all.cut ? noDependents.hidden : noDependents.none, '');
  // All of them: those who approve read each that their approval binds.
  const list = found.map(({ id, name }) => nameAndId(name, id.text));
  const ids = found.map(({ id }) => id.text).sort();
  const rest = all.cut ? ', and perhaps others that the service did not list' : '';
  return { ...factOf('dependents', undefined, ids.join(' ')), value: `${list.join(', ')}${rest}` };
}

function tellingValues(record: RecordView | undefined): Fact[] {
  return (record?.values ?? [])
    .filter(({ path, value }) => telling.test(path) && !moving.test(path) && value.trim() !== '' && value.length <= 200)
    .slice(0, maxTelling)
    .map(({ path, value }) => valueFactOf(path, maskValue(path, value)));
}

/** Max dependents that are named in one sentence. */
const maxNamed = 10;

/**
 * Lists the records that depend on `target`, as far as records show it. They name the target as theirs (a clone its
 * source or snapshot, a database its environment), or are clones that the target's own record lists. A physical clone
 * depends on nothing.
 */
export async function dependentsOf(target: Identifier, records: readonly RecordView[]): Promise<readonly RecordView[]> {
  const own = records.find(({ id }) => id.text === target.text);
  const listed = own?.mentions.filter(({ id, inList }) => inList && id.noun === 'clone').map(({ id }) => id.text) ?? [];
  const isOn = (record: RecordView) =>
    listed.includes(record.id.text) ||
    // The database of a snapshot may name it as its latest one.
    (!(target.noun === 'snapshot' && record.id.noun === 'live') &&
      record.mentions.some(({ id, inList }) => id.text === target.text && !inList));
  const found = await mapInSlices(records, record =>
    record.id.text !== target.text && isOn(record) && record.isPhysical !== true ? [record] : [],
  );
  return found.flat();
}

/** Adds to a refusal the dependents that it does not name itself. */
export async function withDependents(
  refusal: string,
  target: Identifier,
  records: readonly RecordView[],
): Promise<string> {
  const unnamed = (await dependentsOf(target, records)).filter(({ id }) => !refusal.includes(id.text));
  if (unnamed.length === 0) return refusal;
  const names = unnamed.map(({ id, name }) => nameAndId(name, id.text));
  return `${refusal} In the records, these depend on it: ${inRow(names, maxNamed)}.`;
}
