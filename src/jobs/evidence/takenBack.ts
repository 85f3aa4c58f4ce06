import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import { compareRecords, marksOf } from '../../records/sameRecord.ts';
import type { Job, JobIn, RunningJob } from '../../store/jobs/rows/job.ts';
import type { JobRequest } from '../request.ts';
import type { Case } from './case.ts';
import { lookAt } from './lookForProof.ts';
import { makingOf } from './madeBefore.ts';
import { partIn } from './newSnapshot.ts';
import { ask, askAll, type Reading } from './reading.ts';
import { saysOf } from './sentences.ts';
import { restsOnState, type ShownEnd } from './standingEnd.ts';

/*
 * An end that stood can be wrong all the same: a service begins anew after minutes, or takes away what it made. Only what an
 * end rests on speaks against it, never a state alone: a database that breaks later leaves what was done as it was.
 */

/** The states of ends that can be taken back. */
export type RevocableEnd = 'succeeded' | 'finished' | 'failed';
/** How a job ended, and when, by our clock in milliseconds since the epoch. */
export type Ended = Readonly<{ state: RevocableEnd; endedAt: number }>;

/** Says in clauses what a later look can find that takes an end back; none where it rests on nothing of the kind. */
export function revokedBy({ state, steps, sentAt, evidence, claimed }: Job): readonly string[] {
  const isDone = state === 'succeeded' || state === 'finished';
  if (steps || sentAt === null || evidence === undefined || !(isDone || state === 'failed')) return [];
  const clauses = [
    [!isDone, 'there is a sign of the work after all'],
    [isDone && claimed !== null, 'what it made is gone or has failed'],
    [isDone && claimed === null && evidence.gone, 'the record is there again'],
    [evidence.report?.isPlace === false, 'its own report works on or tells of another end'],
  ] as const;
  return clauses.flatMap(([isSo, clause]) => (isSo ? [clause] : []));
}

/** Whether an end rests on something that a later look can find otherwise. */
export function isRevocable(job: Job): job is JobIn<RevocableEnd> {
  return revokedBy(job).length > 0;
}

/**
 * Says in a sentence what speaks against an end now; `undefined` where nothing does. `running` is the job as it was before that
 * end. @throws {NotReadYet} where more is to be read for that, and what a read threw that failed
 */
export function againstEnd(
  { state: end, endedAt }: Ended,
  running: RunningJob,
  request: JobRequest,
  reading: Reading,
): string | undefined {
  const here = { ...request, reading, job: running, isWhole: true };
  const shown = lookAt(here);
  if (end === 'failed') return ownSignSince(here, shown, endedAt) ?? saysOtherwise(running, shown, ['busy', 'done']);
  const made = parseIdentifier(running.claimed ?? '');
  const told = saysOtherwise(running, shown, ['busy', 'failed']);
  return told ?? (made ? lost(here, shown, made) : backAgain(here, shown));
}

/**
 * A sign of the work itself, after a failure: what the job made, or its target gone. A time that moved, or a snapshot that is not
 * seen to be from before the end, may be of whoever tried after that.
 */
function ownSignSince(here: Case, { judgement, look, claimed }: ShownEnd, endedAt: number): string | undefined {
  const isOther = restsOnState(judgement, look, claimed) || look?.report !== undefined;
  if (judgement.type !== 'proved' || judgement.sign !== undefined || isOther) return undefined;
  const id = parseIdentifier(claimed ?? '');
  if (id?.noun !== 'snapshot') return judgement.by;
  const made = partIn(here, look?.record, id);
  const making = made && makingOf(made);
  const isInTime = making?.isZoned && making.at <= endedAt + (here.job.baseline?.ahead ?? 0);
  return isInTime ? judgement.by : undefined;
}

/** The job's own report, which works on, or tells of another end than when the job ended. */
function saysOtherwise({ evidence }: RunningJob, { look }: ShownEnd, outcomes: readonly string[]): string | undefined {
  const before = evidence?.report;
  const now = look?.record?.reports.find(({ identity }) => identity === before?.identity);
  if (!before || before.isPlace || !now || !outcomes.includes(now.outcome)) return undefined;
  return now.outcome === readOutcome(before.told ?? before.word ?? '') ? undefined : saysOf(now);
}

/** The record that was deleted is there again, by the time of its making: one that another job made anew shows another time. */
function backAgain({ proof }: Case, { look }: ShownEnd): string | undefined {
  const { record, before } = look ?? {};
  if (proof.type !== 'gone' || !record || !before) return undefined;
  const { is, madeAt } = compareRecords(before, marksOf(record));
  return is === 'same' && madeAt ? `${record.name ?? record.id.text} is back in the service's records.` : undefined;
}

/** What the job made is gone, or has failed, and no other job of Dolly's on it, or on what holds it, explains that. */
function lost(here: Case, { look }: ShownEnd, id: Identifier): string | undefined {
  const isPart = id.noun === 'snapshot';
  // Where its database is gone or not shown, that explains it.
  if (isPart && !look?.record) return undefined;
  const made = isPart ? partIn(here, look?.record, id) : ask(here, 'one', { id, isWhole: true }).record;
  if (made && made.state?.class !== 'failed') return undefined;
  const { job, target } = here;
  const asked = (isPart ? [id.text, target.text] : [id.text]).map(record => ({
    ...{ id: job.id, sentAt: job.sentAt, target: record },
  }));
  if (askAll(here, 'overlaps', asked).flat().length > 0) return undefined;
  return made ? `${made.name ?? id.text} is ${made.state?.word}.` : `${id.text} is gone from the service's records.`;
}
