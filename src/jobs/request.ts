import type { Identifier } from '../api/identifiers.ts';
import { proofOf, type Values, type WriteOperation } from '../operations/operation.ts';
import type { Proof } from '../operations/proofs.ts';
import type { Job } from '../store/jobs/job.ts';
import { operationOf, targetOf } from './parts.ts';

/** What a job asks of the service, and what proves that it was done. */
export type JobRequest = Readonly<{ operation: WriteOperation; values: Values; target: Identifier; proof: Proof }>;

/** The request of a job, as its form was checked when the job was made. */
export function requestOf(job: Job): JobRequest {
  const [operation, target, { values }] = [operationOf(job), targetOf(job), job];
  return { operation, values, target, proof: proofOf(operation, target, values) };
}
