import { get, lists } from '../api/call.ts';
import { parseIdentifier } from '../api/identifiers.ts';
import { type RecordView, readList, readRecord } from '../api/records.ts';
import { Failure, sentence } from '../failure.ts';
import type { Job } from '../store/jobs.ts';
import type { Owner } from '../store/vault.ts';
import { baselineIn, type Evidence, evidenceIn, evidenceOf } from './evidence.ts';
import { holdForSignIn } from './hold.ts';
import { candidates, judge, type Verdict } from './judge.ts';
import { asked, type Parts } from './parts.ts';

/** The longest pause between two looks, in milliseconds. */
const longestPause = 30_000;

/**
 * Looks at the records for one person's `running` jobs: one read of the list, with that person's token, serves all of
 * them. Each job is then proved, failed, unconfirmed, or due again.
 */
export async function look(parts: Parts, owner: Owner, running: readonly Job[]): Promise<void> {
  const credential = await parts.credentials.find(owner);
  if (!credential) {
    for (const job of running) await hold(parts, job);
    return;
  }
  const read = (call: Parameters<typeof parts.service.fetch>[1]) => parts.service.fetch(credential.token, call);
  try {
    const { records } = readList(await read(lists.databases), ['live', 'clone']);
    const one = async (record: RecordView) => {
      const answer = await read(get('/database', record.id.text)).catch(() => undefined);
      return readRecord(answer, record.id) ?? record;
    };
    for (const job of running) await conclude(parts, job, records, one);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'signed-out') {
      await parts.credentials.drop(owner, credential.token);
      for (const job of running) await hold(parts, job);
      return;
    }
    parts.log.warn({ person: owner.person, jobs: running.map(job => job.id), error }, 'could not look at the records');
    const retryAfter = error instanceof Failure ? error.retryAfter : undefined;
    for (const job of running)
      await again(parts, job, {}, `I cannot look at the moment: ${sentence(error)}`, retryAfter);
  }
}

async function conclude(
  parts: Parts,
  job: Job,
  records: readonly RecordView[],
  one: (record: RecordView) => Promise<RecordView>,
): Promise<void> {
  const { operation, values } = asked(job);
  const proof = operation.proof(values);
  const baseline = baselineIn(job);
  const fitting = baseline ? candidates(proof, parseIdentifier(job.target)?.vendor, baseline, records) : [];
  const claimed = await claim(parts, job, fitting, records);
  if (!claimed) {
    const gone = job.claimed !== null && evidenceIn(job);
    if (gone)
      await end(parts, job, 'failed', { reason: `${gone.name ?? gone.id} was there, but its record is gone again.` });
    else await again(parts, job, {}, job.inDoubt ? job.reason : null);
    return;
  }
  // A list may show less than the record itself does.
  const record = claimed.state ? claimed : await one(claimed);
  const seen = evidenceOf(record, evidenceIn(job), parts.clock.now());
  const verdict: Verdict = judge(seen, records);
  const evidence = JSON.stringify(seen);
  if (verdict.type === 'waiting')
    await again(parts, job, { evidence, claimed: seen.id, inDoubt: 0 }, null, undefined, seen);
  else if (verdict.type === 'proved') await end(parts, job, 'succeeded', { evidence, reason: null, inDoubt: 0 });
  else await end(parts, job, 'failed', { evidence, reason: verdict.reason, inDoubt: 0 });
}

/** The record that is this job's own: the one it has, else the first candidate that no other job has. */
async function claim(parts: Parts, job: Job, fitting: readonly RecordView[], records: readonly RecordView[]) {
  if (job.claimed !== null) return records.find(record => record.id.text === job.claimed);
  for (const record of fitting) if (await parts.jobs.claim(job, record.id.text)) return record;
  return undefined;
}

/** Schedules the next look, or ends as unconfirmed when the job's time is over. */
async function again(
  parts: Parts,
  job: Job,
  change: { evidence?: string; claimed?: string; inDoubt?: 0 },
  reason: string | null,
  retryAfter = 0,
  seen?: Evidence,
): Promise<void> {
  const now = parts.clock.now();
  if (job.deadlineAt !== null && now >= job.deadlineAt) {
    await end(parts, job, 'unconfirmed', {
      ...change,
      reason: reason ?? (seen ? `Its state still is ${seen.state}.` : null),
    });
    return;
  }
  const pause = Math.min(1_000 * 1.5 ** job.looks, longestPause) * (0.8 + 0.4 * Math.random());
  const isNews = reason !== job.reason || (seen !== undefined && seen.state !== evidenceIn(job)?.state);
  const due = { looks: job.looks + 1, dueAt: now + Math.round(Math.max(pause, retryAfter)), reason, hold: null };
  await parts.jobs.note(job.id, 'running', { ...change, ...due }, isNews, now);
  if (isNews) parts.tell();
}

/** Stops looking until the person signs in again, at the latest until the job's time is over. */
async function hold(parts: Parts, job: Job): Promise<void> {
  const now = parts.clock.now();
  if (job.deadlineAt !== null && now >= job.deadlineAt) {
    await end(parts, job, 'unconfirmed', { reason: 'I could not look at the records without your sign-in.' });
    return;
  }
  await holdForSignIn(parts, job, job.deadlineAt);
}

async function end(
  parts: Parts,
  job: Job,
  state: 'succeeded' | 'failed' | 'unconfirmed',
  change: { evidence?: string; claimed?: string; reason: string | null; inDoubt?: 0 },
): Promise<void> {
  const now = parts.clock.now();
  await parts.jobs.move(job.id, 'running', state, { ...change, endedAt: now, dueAt: null, hold: null }, now);
  parts.log.info({ job: job.id, operation: job.operation, state }, 'job ended');
  parts.tell();
}
