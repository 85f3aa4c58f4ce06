import type { Call } from '../api/call.ts';
import { type Identifier, parseIdentifier } from '../api/identifiers.ts';
import { jobOperation } from '../operations/catalogue.ts';
import { type JobOperation, proofOf, sentValues, type Values, type WriteOperation } from '../operations/operation.ts';
import type { Proof } from '../operations/proofs.ts';
import type { Job } from '../store/jobs/rows/job.ts';

/** The request of a job to the service, and the proof that it was done. */
export type JobRequest = Readonly<{ operation: WriteOperation; values: Values; target: Identifier; proof: Proof }>;
/** A request with the call that it makes. */
export type CallingRequest = JobRequest & Readonly<{ call(): Call }>;

/** The request of a job, as its form was checked when the job was made. @throws Error for a plan, which sends nothing */
export function requestOf(job: Job): CallingRequest {
  const [target, operation, { values }] = [targetOf(job), operationOf(job), job];
  if (operation.type !== 'write') throw new Error(`job ${job.id} is about ${job.operation}, which is no request`);
  const call = () => operation.call(target, sentValues(operation, values));
  return { operation, values, target, proof: proofOf(operation, target, values), call };
}

/** Whether this release knows an operation, and can do it to this target. If not, the job is another release's. */
export function knowsRequest(operation: string, target: string, isPlan: boolean): boolean {
  const type = isPlan ? 'plan' : 'write';
  return jobOperation(operation)?.type === type && parseIdentifier(target) !== undefined;
}

/** The operation that a job asks for. */
export function operationOf({ id, operation }: Pick<Job, 'id' | 'operation'>): JobOperation {
  const known = jobOperation(operation);
  if (!known) throw new Error(`job ${id} was read although it is about ${operation}`);
  return known;
}

/** The identifier of a job's target. */
export function targetOf({ id, target }: Pick<Job, 'id' | 'target'>): Identifier {
  const known = parseIdentifier(target);
  if (!known) throw new Error(`job ${id} was read although its target is ${target}`);
  return known;
}

/** Whether a plan is a batch: none of its steps waits for another one. */
export function isBatch(job: Job): boolean {
  const operation = operationOf(job);
  return operation.type === 'plan' && operation.isBatch === true;
}
