import { randomUUID } from 'node:crypto';
import type { Store } from '../database.ts';
import { quarantineFor } from '../quarantine.ts';
import type { Told } from '../tables/audit/audit.ts';
import type { EndHooks } from '../things/endNews.ts';
import { jobChangesIn } from './changing.ts';
import { chosenJobsIn } from './chosen.ts';
import { claimsIn } from './claims.ts';
import { dealingsIn } from './dealings.ts';
import { jobMessagesIn } from './messages.ts';
import { jobsOnRecordsIn } from './onRecord.ts';
import { queueIn } from './queue/jobQueue.ts';
import { jobReadingIn } from './reading.ts';
import { jobRequestsIn } from './requests.ts';
import type { Knows } from './rows/decode.ts';
import type { Job, Unreadable } from './rows/job.ts';
import { runCountingIn } from './runCounts.ts';
import { jobSweepingIn } from './sweeping.ts';
import { jobTimingsIn } from './timings.ts';

/** The jobs in the store. */
export type Jobs = ReturnType<typeof jobsIn>;

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

export function jobsIn(store: Store, { knows, leftAlone = () => undefined, ...hooks }: Hooks) {
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
