import { parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { compareRecords, marksOf } from '../../records/sameRecord.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Job, JobIn } from '../../store/jobs/rows/job.ts';
import { requestOf } from '../request.ts';
import { saysOf } from './judgement.ts';
import { lookAt } from './lookForProof.ts';
import { makingNothing } from './newRecords/newRecord.ts';
import type { Case } from './sighting.ts';
import { restsOnState, type ShownEnd } from './standingEnd.ts';

/*
 * An end that stood can be wrong all the same: a service begins anew after minutes, or takes away what it made. Only what an
 * end rests on speaks against it, never a state alone: a database that breaks later leaves what was done as it was.
 */

/** The states of ends that can be taken back. */
export type RevocableEnd = 'succeeded' | 'finished' | 'failed';

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
 * end.
 * @throws {Failure} where the records cannot be read
 */
export async function againstEnd(
  parts: Case['parts'],
  end: RevocableEnd,
  running: JobIn<'running'>,
  records: RecordReader,
): Promise<string | undefined> {
  const here = { ...requestOf(running), parts, job: running, records, isWhole: true };
  const shown = await lookAt(here);
  if (end === 'failed') return signOf(shown) ?? saysOtherwise(running, shown, ['busy', 'done']);
  const told = saysOtherwise(running, shown, ['busy', 'failed']);
  return told ?? (running.claimed === null ? await isBack(here, shown) : await isLost(here, shown, running.claimed));
}

/** A sign of the work itself, after a failure. */
function signOf({ verdict, look, claimed }: ShownEnd): string | undefined {
  if (verdict.type !== 'proved' || verdict.isSaid || restsOnState(verdict, look, claimed)) return undefined;
  return verdict.by;
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
async function isBack({ parts, job, proof }: Case, { look }: ShownEnd): Promise<string | undefined> {
  const { record, before } = look ?? {};
  if (proof.type !== 'gone' || !record || !before) return undefined;
  const { is, madeAt } = compareRecords(before, marksOf(record));
  if (is !== 'same' || (madeAt !== true && (await parts.jobs.unclaimed(job, makingNothing)).length > 0))
    return undefined;
  const holders = await parts.jobs.claimsOn([record.id.text]);
  if (holders.some(one => one.sign === '' && one.job !== job.id)) return undefined;
  return `${record.name ?? record.id.text} is back in the service's records.`;
}

/** What the job made is gone, or has failed, and no other job of Dolly's on it, or on what holds it, explains that. */
async function isLost(here: Case, { look }: ShownEnd, claimed: string): Promise<string | undefined> {
  const { parts, job, target, records } = here;
  const id = parseIdentifier(claimed);
  if (!id) return undefined;
  const isPart = id.noun === 'snapshot';
  // Where its database is gone or not shown, that explains it.
  if (isPart && !look?.record) return undefined;
  const made = isPart ? await partOf(records, look?.record, here) : await records.one(id, true);
  const { word = '', class: found } = made?.state ?? {};
  const isFailed = found === 'failed' || (isPart && readOutcome(word) === 'failed');
  if (made && !isFailed) return undefined;
  const asked = isPart ? [claimed, target.text] : [claimed];
  const others = await Promise.all(
    asked.map(record => parts.jobs.overlapping({ id: job.id, sentAt: job.sentAt, target: record })),
  );
  if (others.flat().length > 0) return undefined;
  return made ? `${made.name ?? claimed} is ${word}.` : `${claimed} is gone from the service's records.`;
}

async function partOf(records: RecordReader, holder: RecordView | undefined, { job, target }: Case) {
  const id = parseIdentifier(job.claimed ?? '');
  return holder && id && snapshotsOf(holder).includes(id.text) ? records.part(target, id) : undefined;
}
