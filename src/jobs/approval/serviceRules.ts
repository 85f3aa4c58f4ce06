import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { Failure } from '../../ground/failure.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import { isDeleted, type RecordReader } from '../../records/recordReader.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import { dependentsOf } from './dependents.ts';
import type { Inspection } from './facts.ts';
import type { Finding, Gate } from './findings.ts';

/** How many records are named in one sentence. */
const mostNamed = 6;

/**
 * Holds a command against the service's own rules (spec §3), as far as records show what they are about. All of this is
 * a hint: the service decides, and what no record shows is `hidden`, never `passed`.
 */
export async function stands(
  operation: WriteOperation,
  values: Values,
  target: Identifier,
  { record }: Inspection,
  records: RecordReader,
): Promise<Finding[]> {
  const all = await records.list('live').catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  });
  return [
    ...stateOf(operation, target, record),
    ...(await environmentOf(operation, values, target, record, records)),
    ...dependentOf(operation, target, all?.cut === false ? all.records : undefined, all?.records ?? []),
    ...snapshotOf(operation, values, target, record),
  ];
}

const found = (gate: Gate, result: Finding['result'], sentence: string): Finding => ({ gate, result, sentence });

/** States in which the operation changes nothing, and what only virtual clones can do. */
function stateOf(operation: WriteOperation, target: Identifier, record: RecordView | undefined): Finding[] {
  if (!record || record.id.text !== target.text) return [];
  if (operation.onlyVirtual && record.isPhysical)
    return [found('state', 'failed', 'It is a physical clone; this is for virtual ones.')];
  const { state } = record;
  if (!state) return target.noun === 'environment' ? [] : [found('state', 'hidden', 'The record shows no state.')];
  if (state.class === 'unknown') return [found('state', 'hidden', `It is ${state.word}, a word that I do not know.`)];
  if (operation.pointlessIn?.includes(state.class))
    return [found('state', 'failed', `It is ${state.word} already, so that this changes nothing.`)];
  // Of an environment, the next gate tells it.
  return target.noun === 'environment' ? [] : [found('state', 'passed', `It is ${state.word}.`)];
}

/** Rule 1: nothing is executed on a disabled environment until it is enabled again. */
async function environmentOf(
  operation: WriteOperation,
  values: Values,
  target: Identifier,
  record: RecordView | undefined,
  records: RecordReader,
): Promise<Finding[]> {
  // Users and projects are on no environment, and that of an environment is its own state.
  if (target.noun === 'user' || target.noun === 'project') return [];
  const field = operation.fields.find(
    ({ name, widget }) => name !== operation.target && widget.type === 'record' && widget.nouns.includes('environment'),
  );
  const chosen = field && parseIdentifier(String(values[field.name] ?? ''));
  if (field && !chosen) return [found('environment', 'hidden', 'None is named yet: the form asks for it.')];
  const id = chosen ?? (target.noun === 'environment' ? target : record?.environment?.id);
  if (!id) return [found('environment', 'hidden', 'The record shows none.')];
  const own = record?.id.text === id.text ? record : undefined;
  const listed = own ?? (await environmentIn(records, id));
  if (listed instanceof Failure) return [found('environment', 'hidden', `${id.text}: ${listed.message}`)];
  const name = called(listed?.name, id);
  if (!listed) return [found('environment', 'hidden', `No record shows ${name}.`)];
  if (!listed.state || listed.state.class === 'unknown')
    return [found('environment', 'hidden', `The record of ${name} shows no state that I know.`)];
  const { proof } = operation;
  const mends = id === target && proof.type === 'reaches' && proof.classes.includes('ok');
  if (listed.state.class === 'disabled' && !mends)
    return [found('environment', 'failed', `${name} is ${listed.state.word}: nothing is executed on it.`)];
  return [found('environment', 'passed', `${name} is ${listed.state.word}.`)];
}

async function environmentIn(records: RecordReader, id: Identifier): Promise<RecordView | Failure | undefined> {
  try {
    return (await records.list('environment')).records.find(record => record.id.text === id.text);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Rules 2 and 3: what clones depend on cannot be deleted. `whole` is the list if it is known not to be cut. */
function dependentOf(
  operation: WriteOperation,
  target: Identifier,
  whole: readonly RecordView[] | undefined,
  known: readonly RecordView[],
): Finding[] {
  const isDeletion = operation.name.endsWith('.delete');
  if (!isDeletion || target.noun === 'user') return [];
  const isRule = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  // The rules are about clones, and what was deleted may still be listed.
  const isThere = (one: RecordView) => !isDeleted(one) && (!isRule || one.id.noun === 'clone');
  const dependents = dependentsOf(target, known).filter(isThere);
  const list = dependents.slice(0, mostNamed).map(({ id, name }) => called(name, id));
  const more = dependents.length > mostNamed ? ` and ${dependents.length - mostNamed} more` : '';
  if (dependents.length > 0) {
    const sentence = `${list.join(', ')}${more} ${dependents.length === 1 ? 'depends' : 'depend'} on it`;
    return isRule
      ? [found('dependents', 'failed', `${sentence}.`)]
      : [found('dependents', 'hidden', `${sentence}; whether that stops a deletion is not specified.`)];
  }
  // That no record speaks of it says something only where records do speak of what they come from.
  const speaks = known.some(({ source, environment, mentions }) =>
    isRule
      ? source !== undefined
      : target.noun === 'environment'
        ? environment !== undefined
        : mentions.some(({ id }) => id.noun === 'project'),
  );
  return whole && speaks
    ? [found('dependents', 'passed', 'The records show none.')]
    : [found('dependents', 'hidden', 'The records do not show what depends on what, or not all of it.')];
}

/** Rule 3: the last snapshot stays; and what comes from a snapshot needs one. */
function snapshotOf(
  operation: WriteOperation,
  values: Values,
  target: Identifier,
  record: RecordView | undefined,
): Finding[] {
  const all = record ? snapshotsOf(record) : [];
  const holder = record && called(record.name, record.id);
  if (target.noun === 'snapshot') {
    if (all.length === 0) return [found('snapshot', 'hidden', 'No record shows whose snapshot it is.')];
    return all.length === 1
      ? [found('snapshot', 'failed', `It is the last one of ${holder} that the records show.`)]
      : [found('snapshot', 'passed', `${holder} has ${all.length} of them.`)];
  }
  if (target.noun !== 'live' || !operation.fields.some(({ name }) => name === 'snapshot')) return [];
  const { snapshot } = values;
  if (all.length === 0) return [found('snapshot', 'hidden', 'The record shows none.')];
  if (typeof snapshot !== 'string')
    return [found('snapshot', 'passed', `It has ${all.length}; the latest is used (none was named).`)];
  return all.includes(snapshot)
    ? [found('snapshot', 'passed', `${snapshot} is one of it.`)]
    : [found('snapshot', 'hidden', `Its record does not show ${snapshot}.`)];
}

function called(name: string | undefined, { text }: Identifier): string {
  return name === undefined || name === text ? text : `${name} (${text})`;
}
