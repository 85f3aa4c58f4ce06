import { isSecret, type LeftOutValue, textsWithoutSecrets } from '../../jobs/approval/facts/secretValues.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { writeValues } from '../../operations/fields.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import { whyBlock } from '../blocks/reasonInput.ts';

/** The texts of an earlier job by field name, and what they lack for whoever reads them. */
export type JobInputs = Readonly<{ inputs: Inputs; left: readonly LeftOutValue[] }>;

/** The texts of a job for a form: all of them for its own person, and for others those without passwords. */
export function textsFor(
  { person }: Pick<Owner, 'person'>,
  job: Pick<Job, 'person' | 'values'>,
  { fields }: Pick<JobOperation, 'fields'>,
) {
  return job.person === person ? { texts: writeValues(job.values), left: [] } : textsWithoutSecrets(fields, job.values);
}

/** The same, with the job's reason. */
export function inputsFor(
  asker: Pick<Owner, 'person'>,
  job: Pick<Job, 'person' | 'values' | 'purpose'>,
  operation: Pick<JobOperation, 'fields'>,
): JobInputs {
  const { texts, left } = textsFor(asker, job, operation);
  if (job.purpose === null) return { inputs: texts, left };
  if (job.person !== asker.person && isSecret(job.purpose))
    return { inputs: texts, left: [...left, { field: whyBlock, called: 'Reason' }] };
  return { inputs: { ...texts, [whyBlock]: job.purpose }, left };
}
