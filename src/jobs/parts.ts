import type { Logger } from 'pino';
import { z } from 'zod';
import type { Service } from '../api/connection/serviceClient.ts';
import { type Identifier, parseIdentifier } from '../api/identifiers.ts';
import type { Mapping } from '../api/reading/recordMapping.ts';
import type { Clock } from '../ground/clock.ts';
import type { Meter } from '../ground/meter.ts';
import { writeOperation } from '../operations/catalogue.ts';
import type { FieldValue, Values, WriteOperation } from '../operations/operation.ts';
import type { ListDepth } from '../records/listDepth.ts';
import type { Audit } from '../store/tables/audit.ts';
import type { Credentials } from '../store/tables/credentials.ts';
import type { Job } from '../store/tables/job.ts';
import type { Jobs } from '../store/tables/jobs.ts';
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
  /** What the operator says of records that Dolly would misread. */
  mapping: Mapping;
  /** What the state words of the service mean, as far as they were learned. */
  vocabulary: Vocabulary;
  /** How much its lists show. */
  depth: ListDepth;
  clock: Clock;
  log: Logger;
  meter: Meter;
  /** Called when something changed that readers should see. */
  tell(): void;
}>;

const Param = z.union([
  z.object({ name: z.string(), type: z.enum(['STRING', 'BOOLEAN']), value: z.string() }),
  z.object({ name: z.string(), type: z.literal('NUMBER'), value: z.number() }),
]);
const Stored: z.ZodType<Values> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(Param)]) satisfies z.ZodType<FieldValue>,
);

const Labels = z.record(z.string(), z.string());

/** A job's operation, its values as they were checked when the job was made, and what the identifiers among them are called. */
export function asked(job: Job): {
  operation: WriteOperation;
  values: Values;
  labels: Readonly<Record<string, string>>;
} {
  const operation = writeOperation(job.operation);
  if (!operation) throw new Error(`job ${job.id} is about ${job.operation}, which this release does not know`);
  return { operation, values: Stored.parse(JSON.parse(job.inputs)), labels: Labels.parse(JSON.parse(job.labels)) };
}

/** The identifier of what a job is about: it was checked when the job was made. */
export function targetOf(job: Job): Identifier {
  const target = parseIdentifier(job.target);
  if (!target) throw new Error(`job ${job.id} has the target ${job.target}, which is no identifier`);
  return target;
}
