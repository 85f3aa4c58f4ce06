import type { Logger } from 'pino';
import type { Service } from '../api/connection/serviceClient.ts';
import type { Clock } from '../ground/clock.ts';
import type { Meter } from '../ground/meter.ts';
import type { Records } from '../records/records.ts';
import type { ServiceAccount } from '../records/serviceAccount.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { Alerts } from '../store/tables/alerts.ts';
import type { Audit } from '../store/tables/audit.ts';
import type { Credentials } from '../store/tables/credentials.ts';
import type { Notices } from '../store/tables/notices.ts';
import type { RequiredFields } from '../store/tables/requiredFields.ts';
import type { Sights } from '../store/tables/sights.ts';
import type { Things } from '../store/things/things.ts';
import type { People } from './approval/people.ts';
import type { Policy } from './approval/rules.ts';
import type { Vocabulary } from './evidence/stateVocabulary.ts';

/** The parts of Dolly that the work on jobs needs. */
export type Parts = Readonly<{
  jobs: Jobs;
  audit: Audit;
  /** People’s sign-ins, and that of the service account, which signs in when it is asked for. */
  credentials: Credentials;
  /** The service account; `undefined` where none is configured. */
  account: ServiceAccount | undefined;
  /** The durable things: leases, schedules, the runs of workflows’ steps, and people’s leave for them. */
  things: Things;
  notices: Notices;
  alerts: Alerts;
  sights: Sights;
  policy: Policy;
  /** The channel of a team’s cards for approvers; without one, the channel of the request has the buttons. */
  approvalChannel(team: string): string | undefined;
  people: People;
  service: Service;
  records: Records;
  /** The meanings of the service's state words, as far as they were learned. */
  vocabulary: Vocabulary;
  /** The fields that the service requires, as far as its refusals taught them. */
  requiredFields: RequiredFields;
  /** Whether the app was uninstalled for a team: nobody there can be told of anything, so nothing new is done. */
  hasLeft(team: string): Promise<boolean>;
  clock: Clock;
  log: Logger;
  meter: Meter;
  /** Called when something changed that readers should see. */
  tell(): void;
}>;
