import type { Logger } from 'pino';
import type { Service } from '../api/connection/serviceClient.ts';
import type { Clock } from '../ground/clock.ts';
import type { Meter } from '../ground/meter.ts';
import type { Records } from '../records/records.ts';
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
