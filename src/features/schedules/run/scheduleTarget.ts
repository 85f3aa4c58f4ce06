import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { inspect } from '../../../jobs/approval/facts/inspection.ts';
import { forbiddenBy, possibleVerdicts, strictest, subjectOf } from '../../../jobs/approval/policy/verdict.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { creationOf } from '../../../records/creation.ts';
import { notSignedIn } from '../../../records/records.ts';
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
  if (!id) throw new Failure('input', 'Say on which record this is to run.');
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
 * Says in one sentence why a record is not, or may not be, the target of a schedule; `undefined` where it is. A renamed
 * record is the same where its creation time says so, unless others approved the schedule for the name that they saw.
 */
export function differenceOfTarget(
  { targetName, madeAt, runsAs }: Recognition & Pick<Schedule, 'runsAs'>,
  now: Recognition,
): string | undefined {
  const isRenamed = targetName !== null && now.targetName !== null && now.targetName !== targetName;
  const isAnew = madeAt !== null && now.madeAt !== null && now.madeAt !== madeAt;
  if (isAnew) return 'Another record has the identifier of its target now: that one was made at another time.';
  if (!isRenamed || (madeAt !== null && now.madeAt === madeAt && runsAs === 'owner')) return undefined;
  return `Its target is called ${now.targetName} now; it was ${targetName} before.`;
}
