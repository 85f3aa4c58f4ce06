import type { RecordView } from '../../api/reading/recordView.ts';
import { minute } from '../../ground/durations.ts';
import { compareRecords, marksOf } from '../../records/sameRecord.ts';
import type { Claim, HeldClaim } from '../../store/jobs/recordClaims.ts';
import type { RunningJob } from '../../store/jobs/rows/job.ts';
import { type Asking, ask } from './reading.ts';

type WantedClaim = Omit<Claim, 'over'>;

/** What a job would claim of a record: the record itself, or a sign on it. */
export function claimOn(record: RecordView, sign = ''): WantedClaim {
  const { name = null, madeAt = null } = marksOf(record);
  return { record: record.id.text, sign, name, madeAt };
}

type Claimant = Pick<RunningJob, 'id' | 'sentAt'>;

/**
 * The longest time between the look before a call and the note that it is sent, in milliseconds. What a job made that
 * ended in this time may be missing in the baseline of the next one.
 */
const baselineAge = minute;

/**
 * Those of the wanted claims that no other job has: what one job has done is no sign of another’s work. `over` is this job
 * itself where it has made the claim before.
 */
export function freeClaims(
  here: Asking & Readonly<{ job: Claimant }>,
  wanted: readonly WantedClaim[],
): readonly Claim[] {
  const held = ask(here, 'claims', [...new Set(wanted.map(({ record }) => record))]);
  return wanted.flatMap(one => {
    const holder = held.find(({ record, sign }) => record === one.record && sign === one.sign);
    if (holder && standsAgainst(holder, one, here.job)) return [];
    return [{ ...one, over: holder?.job ?? null }];
  });
}

/**
 * Whether a claim stands against what a job would claim. It does not where another record has the identifier now, or
 * where its job had ended before this one looked and was sent: what that one made was no news then.
 */
function standsAgainst(holder: HeldClaim, wanted: WantedClaim, { id, sentAt }: Claimant): boolean {
  if (holder.job === id) return false;
  const compared = compareRecords(holder, wanted);
  if (compared.is === 'another') return false;
  if (holder.endedAt === null) return true;
  if (wanted.sign !== '') return holder.endedAt >= sentAt;
  return compared.madeAt === true || holder.endedAt >= sentAt - baselineAge;
}
