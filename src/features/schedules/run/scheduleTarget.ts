import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { creationOf } from '../../../api/reading/times.ts';
import { Failure } from '../../../ground/failure.ts';
import { inspect } from '../../../jobs/approval/facts/inspection.ts';
import { forbiddenBy, possibleVerdicts, strictest, subjectOf } from '../../../jobs/approval/policy/verdict.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { notSignedIn } from '../../../records/records.ts';
import { compareRecords } from '../../../records/sameRecord.ts';
import type { JobValues } from '../../../store/jobs/rows/data.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Schedule } from '../schedule.ts';

/** The parts by which the target of a schedule is recognised. */
export type Recognition = Pick<Schedule, 'targetName' | 'madeAt'>;

/**
 * Reads the target with a person’s own sign-in, and asks the policy whether that person may do this at all. Whether each
 * run needs approval is asked at that run.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where the target cannot be read now
 */
export async function recogniseTarget(
  parts: Judge & Parts<'records'>,
  owner: Owner,
  operation: JobOperation,
  values: JobValues,
): Promise<Recognition> {
  const id = parseIdentifier(String(values[operation.target] ?? ''));
  if (!id) throw new Failure('input', 'Say which record this should run on.');
  const session = await parts.records.session(owner);
  if (!session) throw notSignedIn();
  const inspection = await inspect(session.records, id, values);
  const subject = await subjectOf(parts, owner, operation, 'now');
  const verdict = strictest(possibleVerdicts(parts.policy, { ...subject, ...inspection }));
  if (verdict.type === 'forbid') throw new Failure('forbidden', forbiddenBy(verdict));
  return recognitionOf(inspection.record);
}

/** The parts by which a record is recognised, as far as it shows them. */
export function recognitionOf(record: RecordView | undefined): Recognition {
  return { targetName: record?.name ?? null, madeAt: (record && creationOf(record)) ?? null };
}

/**
 * Says in one sentence why a record is not, or may not be, the target of a schedule; `undefined` where it is. What
 * deletes nothing may also run where a record shows nothing that tells it from others. Of one that was renamed, its owner
 * is asked whether it is still meant.
 */
export function differenceOfTarget(
  { targetName, madeAt, operation }: Recognition & Pick<Schedule, 'operation'>,
  now: Recognition,
): string | undefined {
  const compared = compareRecords({ name: targetName, madeAt }, { name: now.targetName, madeAt: now.madeAt });
  if (compared.is === 'same') return undefined;
  if (compared.is === 'another') return 'Another record now has the identifier of its target.';
  if (compared.madeAt === false)
    return 'Another record may now have the identifier of its target: this one was made at another time.';
  const known = jobOperation(operation);
  const deletes = known === undefined || known.deletes === true || (known.type === 'plan' && !known.isBatch);
  if (compared.name === undefined)
    return deletes ? 'Only the identifier tells whether its target is the same record as before.' : undefined;
  return `Its target is now called ${now.targetName}; it was ${targetName} before.`;
}
