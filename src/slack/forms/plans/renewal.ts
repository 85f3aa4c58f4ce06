import { typedIdentifier } from '../../../api/identifiers.ts';
import { plainKey } from '../../../api/reading/jsonTree.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { leftOutNotes } from '../../../jobs/approval/facts/secretValues.ts';
import { isMadeBy } from '../../../jobs/approval/people/maker.ts';
import { operationOf } from '../../../jobs/request.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { fieldOfRenewal, knownRenewal, type RenewedClone } from '../../../operations/plans/renew.ts';
import type { Owner } from '../../../store/vault.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { textsFor } from '../jobInputs.ts';

/** Reads how a clone was made from its record and from Dolly's own job, and says what neither shows. */
export async function readRenewal(
  desk: Desk<'jobs' | 'records' | 'log'>,
  owner: Owner,
  operation: JobOperation,
  target: string | undefined,
) {
  const id = typedIdentifier(target ?? '');
  if (id?.noun !== 'clone') return { labels: {}, notes: [] };
  try {
    const records = desk.records.of(owner);
    const record = await records.alone(id, records.placeNames());
    if (!record) return { labels: {}, notes: ['The records no longer show this clone.'] };
    const maker = await desk.jobs.makerOf(owner.team, id.text);
    const job = maker && isMadeBy(maker, record) ? maker : undefined;
    const { texts, left } = job ? textsFor(owner, job, operationOf(job)) : { texts: {}, left: [] };
    const making = job && { operation: job.operation, values: texts };
    const { inputs, fromJob, unknown } = knownRenewal(operation.fields, cloneOf(record), making);
    return {
      made: { texts: inputs, fromJob },
      left: left.map(one => ({ ...one, field: fieldOfRenewal(one.field) })),
      labels: { ...(job?.labels ?? {}), ...labelsOf(record) },
      notes: [...missingNote(unknown), ...leftOutNotes(left).map(note => plain(note, 900))],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, record: id.text }, 'a clone could not be read for its renewal');
    return { labels: {}, notes: [`I could not read the record of the clone: ${plain(error.message, 300)}`] };
  }
}

function missingNote(unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return [];
  const labels = unknown.map(label => plain(label, 60)).join(', ');
  return [
    `Its record does not show: ${labels}. Fill in the values it had; the service decides on fields that you leave empty.`,
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
