import type { RecordView } from '../../api/reading/recordView.ts';
import type { StateClass } from '../../api/reading/stateWords.ts';
import type { Before } from '../../store/jobs/rows/data.ts';
import type { RunningJob } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { isAsBefore } from './baseline.ts';
import { type Asking, askWords } from './reading.ts';
import type { StateMeaning } from './words/stateMeaning.ts';
import type { LeftWord, Worded } from './words/stateVocabulary.ts';

/** One look for one job. `left` is the word that it saw its record leave in a list: this counts as learned. */
export type Case = JobRequest & Asking & Readonly<{ job: RunningJob; left?: LeftWord | undefined }>;

/** The baseline of a record that was not there before the call. */
export const nothing: Before = { snapshots: [], times: {}, counters: {}, reports: {} };

/**
 * The meaning of a record's state. A record that is as before the call is in its usual state, unless it was busy then.
 */
export function meaningOf(here: Case, record: RecordView, before: Before | undefined): StateMeaning {
  const isBack = before !== undefined && isAsBefore(before, record) && record.state?.class !== 'busy';
  return isBack && record.state ? 'usual' : meaningInWords(here, record);
}

/** What the record's state word means in the records of this service. */
export function meaningInWords(here: Case, { id, state }: Worded): StateMeaning {
  return askWords(here, 'meaning', { left: here.left, id, state });
}

/** Whether databases like this were ever seen in a word of one of these classes. */
export function hasSeen(here: Case, { id, state }: Worded, classes: readonly StateClass[]): boolean {
  return askWords(here, 'seen', { left: here.left, id, state, classes });
}
