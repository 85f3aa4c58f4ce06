import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Identifier, parseIdentifier, vendorNames } from '../api/identifiers.ts';
import type { Mention } from '../api/mentions.ts';
import type { Names } from '../api/names.ts';
import { maskValue } from '../api/passwords.ts';
import type { RecordView } from '../api/recordView.ts';
import { Failure } from '../failure.ts';
import type { Values } from '../operations/operation.ts';
import type { Job } from '../store/job.ts';
import { dependentsOf } from './dependents.ts';
import { snapshotsOf } from './evidence.ts';
import { calledIn, namesAround } from './names.ts';
import { holderOf, isHolder, type Reader } from './records.ts';

/**
 * One thing that an approver sees of the target. `compared` stands for it in the digest where that is not the value
 * itself: it is empty for what may change without a change of what was approved.
 */
const Fact = z.object({ label: z.string(), value: z.string(), compared: z.string().optional() });
export type Fact = z.infer<typeof Fact>;

/** What the records show of a job's target, and what the policy judges it by; a list that no record shows is left out. */
export type Inspection = Readonly<{
  facts: readonly Fact[];
  names: readonly string[] | undefined;
  environments: readonly string[] | undefined;
  projects: readonly string[] | undefined;
  /** The record itself, or of a snapshot its database's. */
  record: RecordView | undefined;
}>;

/** How many dependents, and how many other telling values, are worth a line. */
const mostNamed = 12;
const mostTelling = 6;
/** Keys whose texts tell people what a record is about, or that it is another one than it was. */
const telling =
  /(owner|descr|comment|tags?|role|tier|purpose|critical|class|edition|version|dbid|incarnation|uuid|guid|serial|e-?mail|full_?name)$/i;
/** What moves by itself. */
const moving = /(state|status|health|last|updated|modified|seen|sync|refresh|time|date|at$)/i;

/**
 * Reads what an approver has to see of a target: what it is, where, in which state, and what depends on it, as far as
 * records show it. @throws {Failure} where the records cannot be read, `missing` where there is no such record
 */
export async function inspect(records: Reader, target: Identifier, values: Values): Promise<Inspection> {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const found = holder && (await records.record(holder));
  // A snapshot has no record of its own (spec §4), so it may be that nothing shows it; that a person chose a database
  // beside it does not make it that one's.
  const record = found && (holder === target || isHolder(found, target)) ? found : undefined;
  if (!record && target.noun !== 'snapshot') throw new Failure('missing', `No record shows ${target.text}.`);
  const { records: all } = await records.list('live').catch((error: unknown) => {
    // Without the list it is not known what depends on the target, which is told; what a person can mend is not passed over.
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
  // Users and projects are in no environment; a database is in one, shown or not.
  const isPlaced = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  const projects = record?.mentions.filter(({ id, inList }) => id.noun === 'project' && !inList) ?? [];
  return {
    facts: [
      fact('Identifier', target.text),
      fact('Name', part?.name ?? mention?.label),
      fact('Vendor', target.vendor && vendorNames[target.vendor]),
      ...(record && record.id.text !== target.text
        ? [fact('Of', named(record.name, record.id.text), record.id.text)]
        : []),
      ...factsOf(part, mention, names),
      ...projects
        .slice(0, 3)
        .map(({ id, label }) => fact('Project', named(calledIn(names, { id, label }), id.text), id.text)),
      ...(isPlaced && target.noun !== 'snapshot' ? snapshots(record) : []),
      dependents(target, all),
      ...tellingValues(part),
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

/** Whether a database is called by where it is, for want of a name: others there are called the same, and its own is hidden. */
function isPlace({ id, readFrom }: RecordView): boolean {
  return id.noun !== 'environment' && /(host|host_?name|address|login)$/i.test(readFrom.name ?? '');
}

/** The facts kept with a job. */
export function factsIn(job: Job): readonly Fact[] {
  return job.facts === null ? [] : z.array(Fact).parse(JSON.parse(job.facts));
}

/** A digest over what is asked and what an approver sees: 16 hexadecimal digits of a SHA-256. */
export function digestOf({ operation, inputs }: Pick<Job, 'operation' | 'inputs'>, facts: readonly Fact[]): string {
  const seen = facts.map(({ label, value, compared }) => [label, compared ?? value]);
  return createHash('sha256')
    .update(JSON.stringify([operation, inputs, seen]))
    .digest('hex')
    .slice(0, 16);
}

/** What differs between two readings, a sentence for each fact. */
export function differences(before: readonly Fact[], now: readonly Fact[]): readonly string[] {
  const labels = [...new Set([...before, ...now].map(({ label }) => label))];
  return labels.flatMap(label => {
    const [was, is] = [before, now].map(facts => facts.filter(entry => entry.label === label));
    const weigh = (facts: readonly Fact[] = []) => facts.map(({ value, compared }) => compared ?? value).join('\n');
    const show = (facts: readonly Fact[] = []) => facts.map(({ value }) => value).join(', ') || 'not shown';
    return weigh(was) === weigh(is) ? [] : [`${label} was ${show(was)}, and is ${show(is)}.`];
  });
}

function fact(label: string, value: string | undefined, compared?: string): Fact {
  const text = (value ?? '').slice(0, 500);
  return compared === undefined ? { label, value: text } : { label, value: text, compared };
}

function named(name: string | undefined, id: string): string {
  return name === undefined || name === id ? id : `${name} (${id})`;
}

function factsOf(record: RecordView | undefined, mention: Mention | undefined, names: Names): Fact[] {
  const { state, environment, source, port, isPhysical, createdAt, readFrom } = record ?? {};
  // What is busy comes back by itself, and a backup must not void an approval.
  const stands = state && (state.class === 'ok' || state.class === 'busy' ? 'in service' : state.word);
  const at = createdAt ?? mention?.time;
  // Of other times than that of its creation, a record may show a new one each time.
  const isCreation = readFrom?.createdAt === undefined || /creat|snap|taken/i.test(readFrom.createdAt);
  return [
    fact('State', state?.word, stands),
    fact('Environment', environment && named(calledIn(names, environment), environment.id.text), environment?.id.text),
    fact('Source', source && named(calledIn(names, source), source.id.text), source?.id.text),
    fact('Port', port?.toString()),
    fact('Type', isPhysical === undefined ? undefined : isPhysical ? 'physical' : 'virtual'),
    at === undefined || !isCreation
      ? fact('Created', undefined)
      : fact('Created', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`, String(at)),
  ];
}

/** Its snapshots go with it; that there are more of them since does not make it another database. */
function snapshots(record: RecordView | undefined): Fact[] {
  const many = record ? snapshotsOf(record).length : 0;
  return many > 0 ? [fact('Snapshots', `${many}, deleted with it`, '')] : [];
}

function dependents(target: Identifier, all: readonly RecordView[] | undefined): Fact {
  if (all === undefined) return fact('Dependents', 'not visible in the records');
  const found = dependentsOf(target, all);
  if (found.length === 0) return fact('Dependents', 'none that the records show', '');
  const list = found.slice(0, mostNamed).map(({ id, name }) => named(name, id.text));
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : '';
  const ids = found.map(({ id }) => id.text).sort();
  return { ...fact('Dependents', undefined), value: `${list.join(', ')}${more}`, compared: ids.join(' ') };
}

function tellingValues(record: RecordView | undefined): Fact[] {
  return (record?.values ?? [])
    .filter(({ path, value }) => telling.test(path) && !moving.test(path) && value.trim() !== '' && value.length <= 200)
    .slice(0, mostTelling)
    .map(({ path, value }) => fact(`${path.charAt(0).toUpperCase()}${path.slice(1)}`, maskValue(path, value)));
}

/**
 * Identifiers and names of what a request touches of a noun: the target's own and those that were chosen. `undefined` where
 * that is not known whole: the target may have one that is not shown (`isHidden`), or one has no name.
 */
async function naming(
  records: Reader,
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
