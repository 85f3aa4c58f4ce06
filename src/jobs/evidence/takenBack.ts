import { parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { compareRecords, marksOf } from '../../records/sameRecord.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Job, JobIn } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import { saysOf } from './judgement.ts';
import { lookAt } from './lookForProof.ts';
import { makingOf } from './madeBefore.ts';
import { makingNothing } from './newRecords/ownRecord.ts';
import { ask, askAll, type Reading } from './reading.ts';
import type { Case } from './sighting.ts';
import { restsOnState, type ShownEnd } from './standingEnd.ts';

/*
 * An end that stood can be wrong all the same: a service begins anew after minutes, or takes away what it made. Only what an
 * end rests on speaks against it, never a state alone: a database that breaks later leaves what was done as it was.
 */

/** The states of ends that can be taken back. */
export type RevocableEnd = 'succeeded' | 'finished' | 'failed';
/** How a job ended, and when, by our clock in milliseconds since the epoch. */
export type Ended = Readonly<{ state: RevocableEnd; endedAt: number }>;

/** Whether an end rests on something that a later look can find otherwise. */
export function isRevocable(job: Job): job is JobIn<RevocableEnd> {
  const { state, steps, sentAt, evidence, claimed } = job;
  if (steps || sentAt === null || evidence === undefined) return false;
  if (state === 'failed') return true;
  if (state !== 'succeeded' && state !== 'finished') return false;
  return claimed !== null || evidence.gone === true || evidence.report?.isPlace === false;
}

/**
 * Says in a sentence what speaks against an end now; `undefined` where nothing does. `running` is the job as it was before that
 * end. @throws {NotReadYet} where more is to be read for that, and what a read threw that failed
 */
export function againstEnd(
  { state: end, endedAt }: Ended,
  running: JobIn<'running'>,
  request: JobRequest,
  reading: Reading,
): string | undefined {
  const here = { ...request, reading, job: running, isWhole: true };
  const shown = lookAt(here);
  if (end === 'failed') return signOf(here, shown, endedAt) ?? saysOtherwise(running, shown, ['busy', 'done']);
  const told = saysOtherwise(running, shown, ['busy', 'failed']);
  return told ?? (running.claimed === null ? backAgain(here, shown) : lost(here, shown, running.claimed));
}

/**
 * A sign of the work itself, after a failure: what the job made, or its target gone. A time that moved, or a snapshot that is not
 * seen to be from before the end, may be of whoever tried after that.
 */
function signOf(here: Case, { verdict, look, claimed }: ShownEnd, endedAt: number): string | undefined {
  if (verdict.type !== 'proved' || verdict.isSaid || verdict.sign !== undefined) return undefined;
  if (restsOnState(verdict, look, claimed) || look?.report !== undefined) return undefined;
  const id = parseIdentifier(claimed ?? '');
  if (id?.noun !== 'snapshot') return verdict.by;
  const made = partOf(here, look?.record, id.text);
  const { at = Number.POSITIVE_INFINITY, isZoned = false } = (made && makingOf(made)) ?? {};
  return isZoned && at <= endedAt + (here.job.baseline?.ahead ?? 0) ? verdict.by : undefined;
}

/** The job's own report, which works on, or tells of another end than when the job ended. */
function saysOtherwise(
  { evidence }: JobIn<'running'>,
  { look }: ShownEnd,
  outcomes: readonly string[],
): string | undefined {
  const before = evidence?.report;
  if (!before || before.isPlace) return undefined;
  const now = look?.record?.reports.find(({ identity }) => identity === before.identity);
  if (!now || !outcomes.includes(now.outcome)) return undefined;
  return now.outcome === readOutcome(before.told ?? before.word ?? '') ? undefined : saysOf(now);
}

/** The record that was deleted is there again, the same by its marks, and no other job may have made it anew. */
function backAgain(here: Case, { look }: ShownEnd): string | undefined {
  const { job, proof } = here;
  const { record, before } = look ?? {};
  if (proof.type !== 'gone' || !record || !before) return undefined;
  const { is, madeAt } = compareRecords(before, marksOf(record));
  const isSame = is === 'same' && (madeAt === true || makersOpen(here).length === 0);
  const isMadeAnew = isSame && ask(here, 'claims', [record.id.text]).some(one => one.sign === '' && one.job !== job.id);
  return isSame && !isMadeAnew ? `${record.name ?? record.id.text} is back in the service's records.` : undefined;
}

const makersOpen = (here: Case) => {
  const { id, sentAt } = here.job;
  return ask(here, 'unclaimed', { of: { id, sentAt }, makingNothing, places: undefined });
};

/** What the job made is gone, or has failed, and no other job of Dolly's on it, or on what holds it, explains that. */
function lost(here: Case, { look }: ShownEnd, claimed: string): string | undefined {
  const id = parseIdentifier(claimed);
  if (!id) return undefined;
  const isPart = id.noun === 'snapshot';
  // Where its database is gone or not shown, that explains it.
  if (isPart && !look?.record) return undefined;
  const made = isPart ? partOf(here, look?.record, claimed) : ask(here, 'one', { id, isWhole: true }).record;
  const { word = '', class: found } = made?.state ?? {};
  const isFailed = found === 'failed' || (isPart && readOutcome(word) === 'failed');
  if (made && !isFailed) return undefined;
  const { job, target } = here;
  const asked = (isPart ? [claimed, target.text] : [claimed]).map(record => ({
    ...{ id: job.id, sentAt: job.sentAt, target: record },
  }));
  if (askAll(here, 'overlaps', asked).flat().length > 0) return undefined;
  return made ? `${made.name ?? claimed} is ${word}.` : `${claimed} is gone from the service's records.`;
}

function partOf(here: Case, holder: RecordView | undefined, claimed: string): RecordView | undefined {
  const id = parseIdentifier(claimed);
  if (!holder || !id || !snapshotsOf(holder).includes(claimed)) return undefined;
  return ask(here, 'part', { holder: here.target, id });
}
