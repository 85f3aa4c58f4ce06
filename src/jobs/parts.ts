import type { Logger } from 'pino';
import type { Service } from '../api/connection/serviceClient.ts';
import { type Identifier, parseIdentifier } from '../api/identifiers.ts';
import type { Clock } from '../ground/clock.ts';
import type { Meter } from '../ground/meter.ts';
import { writeOperation } from '../operations/catalogue.ts';
import type { WriteOperation } from '../operations/operation.ts';
import type { Records } from '../records/records.ts';
import type { Job } from '../store/jobs/job.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { Audit } from '../store/tables/audit.ts';
import type { Credentials } from '../store/tables/credentials.ts';
import type { People } from './approval/people.ts';
import type { Policy } from './approval/rules.ts';
import type { Vocabulary } from './evidence/stateVocabulary.ts';

/** What the work on jobs needs. */
export type Parts = Readonly<{
  jobs: Jobs;
  audit: Audit;
  credentials: Credentials;
  policy: Policy;
  /** Where what needs approval is shown; where it was asked, if there is none. */
  approvalChannel: string | undefined;
  people: People;
  service: Service;
  records: Records;
  /** What the state words of the service mean, as far as they were learned. */
  vocabulary: Vocabulary;
  clock: Clock;
  log: Logger;
  meter: Meter;
  /** Called when something changed that readers should see. */
  tell(): void;
}>;

/** Whether this release knows an operation, and can do it to this target: else the job is another release's. */
export function knowsRequest(operation: string, target: string): boolean {
  return writeOperation(operation) !== undefined && parseIdentifier(target) !== undefined;
}

/** The operation that a job asks for. */
export function operationOf({ id, operation }: Pick<Job, 'id' | 'operation'>): WriteOperation {
  const known = writeOperation(operation);
  if (!known) throw new Error(`job ${id} was read although it is about ${operation}`);
  return known;
}

/** The identifier of what a job is about. */
export function targetOf({ id, target }: Pick<Job, 'id' | 'target'>): Identifier {
  const known = parseIdentifier(target);
  if (!known) throw new Error(`job ${id} was read although its target is ${target}`);
  return known;
}
