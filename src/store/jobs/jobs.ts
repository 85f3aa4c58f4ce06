import type { Store } from '../database.ts';
import type { Told } from '../tables/audit.ts';
import { asideFor } from './aside.ts';
import { type JobChanging, jobChangesIn } from './changing.ts';
import { claimsIn, type JobClaims } from './claims.ts';
import type { Knows } from './decode.ts';
import type { Job, Unreadable } from './job.ts';
import { type JobMessages, jobMessagesIn } from './messages.ts';
import { type Queue, queueIn } from './queue.ts';
import { type JobReading, jobReadingIn } from './reading.ts';

/** The jobs in the store. */
export type Jobs = JobReading & JobChanging & Queue & JobClaims & JobMessages;

/** What the store has to know of the rest of Dolly. */
type Hooks = Readonly<{
  knows: Knows;
  /** Hears of each entry of the trail, once it stands. */
  told?: Told;
  /** Hears of each change of state, once it stands. */
  moved?: (job: Job) => void;
  /** Hears once of each job that a loop came upon and that only another release can read. */
  leftAlone?: (job: Unreadable) => void;
}>;

/** Keeps jobs in the store. */
export function jobsIn(store: Store, { knows, told, moved, leftAlone = () => undefined }: Hooks): Jobs {
  return {
    ...jobReadingIn(store, knows),
    ...jobChangesIn(store, knows, told, moved),
    ...queueIn(store, knows, asideFor(leftAlone)),
    ...claimsIn(store, knows),
    ...jobMessagesIn(store),
  };
}
