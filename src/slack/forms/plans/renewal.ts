import { typedIdentifier } from '../../../api/identifiers.ts';
import { plainKey } from '../../../api/reading/jsonTree.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { writeDatabaseParams } from '../../../operations/fields.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { knownRenewal, type MakingJob, type RenewedClone } from '../../../operations/plans/renew.ts';
import type { JobValues } from '../../../store/jobs/data.ts';
import type { Owner } from '../../../store/vault.ts';
import { bold, moment, plain } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import type { FormState } from '../formState.ts';

/**
 * Fills the form of a renewal with what the clone's record and Dolly's own job show, and says what nobody shows. What
 * the form holds already stays.
 */
export async function fillRenewal(
  desk: Desk,
  owner: Owner,
  operation: JobOperation,
  state: FormState,
): Promise<FormState> {
  const id = typedIdentifier(state.inputs[operation.target] ?? '');
  if (id?.noun !== 'clone' || state.inputs.sourceDatabase !== undefined) return state;
  try {
    const records = desk.records.of(owner);
    const record = await records.alone(id, records.placeNames());
    if (!record) return state;
    const job = (await desk.jobs.makersOf(owner.team, [id.text])).get(id.text);
    const made = job && { operation: job.operation, values: textsOf(job.values) };
    const { inputs, unknown } = knownRenewal(operation.fields, cloneOf(record), made);
    return {
      ...state,
      inputs: { ...inputs, ...state.inputs },
      labels: { ...(job?.labels ?? {}), ...labelsOf(record), ...state.labels },
      notes: [...state.notes, originNote(record, job), ...missingNote(unknown)],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, record: id.text }, 'a clone could not be read for its renewal');
    return {
      ...state,
      notes: [...state.notes, `I could not read the record of the clone: ${plain(error.message, 300)}`],
    };
  }
}

function originNote({ name, id }: RecordView, job: { endedAt: number } | undefined): string {
  const own = job ? ` and from my own job of ${moment(job.endedAt)}` : '';
  return `Filled in from the record of ${bold(name ?? id.text, 80)}${own}.`;
}

function missingNote(unknown: readonly string[]): readonly string[] {
  return unknown.length === 0
    ? []
    : [
        `The record does not show: ${unknown.map(label => plain(label, 60)).join(', ')}. Fill in what it had; the service decides on the rest.`,
      ];
}

function cloneOf(record: RecordView): RenewedClone {
  const { id, name, source, environment, project, port, isPhysical, mentions, values } = record;
  return {
    ...{ id: id.text, name, port, isPhysical },
    ...{ source: source?.id.text, environment: environment?.id.text, project: project?.id.text },
    values: Object.fromEntries(
      values.toReversed().map(({ path, value }) => [plainKey(path.split('.').at(-1) ?? ''), value]),
    ),
    mentions: mentions.filter(({ inList }) => !inList).map(mention => mention.id.text),
  };
}

function labelsOf({ id, name, source, environment, project, mentions }: RecordView): Record<string, string> {
  const named = [...mentions, source, environment, project].flatMap(mention =>
    mention?.label === undefined ? [] : [[mention.id.text, mention.label] as const],
  );
  return { ...Object.fromEntries(named), ...(name === undefined ? {} : { [id.text]: name }) };
}

function textsOf(values: JobValues): MakingJob['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? writeDatabaseParams(value) : String(value),
    ]),
  );
}
