import { type Identifier, parseIdentifier } from '../api/identifiers.ts';
import { writeOperation } from '../operations/catalogue.ts';
import { proofOf, type Values, type WriteOperation } from '../operations/operation.ts';
import type { Proof } from '../operations/proofs.ts';
import type { Job } from '../store/jobs/job.ts';

/** The request of a job to the service, and the proof that it was done. */
export type JobRequest = Readonly<{ operation: WriteOperation; values: Values; target: Identifier; proof: Proof }>;

/** The request of a job, as its form was checked when the job was made. */
export function requestOf(job: Job): JobRequest {
  const [operation, target, { values }] = [operationOf(job), targetOf(job), job];
  return { operation, values, target, proof: proofOf(operation, target, values) };
}

/** Whether this release knows an operation, and can do it to this target. If not, the job is another release's. */
export function knowsRequest(operation: string, target: string): boolean {
  return writeOperation(operation) !== undefined && parseIdentifier(target) !== undefined;
}

/** The operation that a job asks for. */
export function operationOf({ id, operation }: Pick<Job, 'id' | 'operation'>): WriteOperation {
  const known = writeOperation(operation);
  if (!known) throw new Error(`job ${id} was read although it is about ${operation}`);
  return known;
}

/** The identifier of a job's target. */
export function targetOf({ id, target }: Pick<Job, 'id' | 'target'>): Identifier {
  const known = parseIdentifier(target);
  if (!known) throw new Error(`job ${id} was read although its target is ${target}`);
  return known;
}
