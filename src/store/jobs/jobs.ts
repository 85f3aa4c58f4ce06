import { randomUUID } from 'node:crypto';
import type { Store } from '../database.ts';
import { quarantineFor } from '../quarantine.ts';
import type { Told } from '../tables/audit/audit.ts';
import type { EndHooks } from '../things/endNews.ts';
import { type JobChanging, jobChangesIn } from './changing.ts';
import { chosenJobsIn, type JobChoosing } from './chosen.ts';
import { dealingsIn, type JobDealings } from './dealings.ts';
import { type JobMessages, jobMessagesIn } from './messages.ts';
import { type JobsOnRecords, jobsOnRecordsIn } from './onRecord.ts';
import { type JobQueues, queueIn } from './queue/jobQueue.ts';
import { type JobReading, jobReadingIn } from './reading.ts';
import { claimsIn, type JobClaims } from './recordClaims.ts';
import { type JobRequests, jobRequestsIn } from './requests.ts';
import type { Knows } from './rows/decode.ts';
import type { Job, Unreadable } from './rows/job.ts';
import { type RunCounting, runCountingIn } from './runCounts.ts';
import { type JobSweeping, jobSweepingIn } from './sweeping.ts';
import { type JobTimings, jobTimingsIn } from './timings.ts';

/** The jobs in the store: by what is done with them, a part each. */
export type Jobs = JobReading &
  JobChanging &
  JobMessages &
  JobQueues &
  JobClaims &
  JobsOnRecords &
  JobDealings &
  JobRequests &
  JobChoosing &
  JobTimings &
  RunCounting &
  JobSweeping;

/** The links from the store's jobs to the rest of Dolly. */
type Hooks = Readonly<{
  knows: Knows;
  ends?: readonly EndHooks[];
  /** Called with each entry of the trail, once it is committed. */
  told?: Told;
  /** Called with the job after each change of state, once it is committed. */
  moved?: (job: Job) => void;
  /** Called once for each job that a loop takes and that only another release can read. */
  leftAlone?: (job: Unreadable) => void;
}>;

export function jobsIn(store: Store, { knows, leftAlone = () => undefined, ...hooks }: Hooks): Jobs {
  const { told } = hooks;
  const holder = randomUUID();
  return {
    ...jobReadingIn(store, knows),
    ...jobsOnRecordsIn(store, knows),
    ...chosenJobsIn(store, knows),
    ...dealingsIn(store),
    ...jobTimingsIn(store),
    ...jobRequestsIn(store),
    ...jobChangesIn(store, knows, hooks),
    ...queueIn(store, knows, quarantineFor(leftAlone), holder),
    ...claimsIn(store, knows),
    ...runCountingIn(store),
    ...jobMessagesIn(store, holder),
    ...jobSweepingIn(store, told),
  };
}
