import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import { isList } from '../api/call.ts';
import { type Identifier, parseIdentifier } from '../api/identifiers.ts';
import type { RecordView } from '../api/recordView.ts';
import { atLeast } from '../clock.ts';
import { Failure, sentence } from '../failure.ts';
import type { Appears, Proof } from '../operations/proofs.ts';
import type { Job } from '../store/job.ts';
import type { Note } from '../store/jobs.ts';
import type { Owner } from '../store/vault.ts';
import {
  absence,
  type Baseline,
  baselineIn,
  type Evidence,
  evidenceIn,
  evidenceOf,
  isSame,
  snapshotsOf,
} from './evidence.ts';
import { holdForSignIn } from './hold.ts';
import { candidates, judgeNew, judgeTarget, type Verdict } from './judge.ts';
import { asked, type Parts, targetOf } from './parts.ts';
import { type Reader, reader } from './records.ts';

/** So many jobs of a person are looked up one by one; for more of them the list is read. */
const mostSingly = 5;

/**
 * The longest pause between two looks at jobs up to such an age, both in milliseconds: an end is told late by a small part
 * of the time that the work took. There are few pauses, so that a person's jobs fall due together.
 */
const pauses = [
  { upTo: minutesToMilliseconds(5), pause: secondsToMilliseconds(10) },
  { upTo: minutesToMilliseconds(20), pause: secondsToMilliseconds(30) },
  { upTo: minutesToMilliseconds(60), pause: secondsToMilliseconds(60) },
  { upTo: Number.POSITIVE_INFINITY, pause: secondsToMilliseconds(120) },
] as const;

/** Times that are not near are rounded up to this, in milliseconds, so that one step takes what several people wait for. */
const grain = 500;

/** One look for all jobs of a person: what is due again in the same way is so at the same time, and written at once. */
type Look = Parts & Readonly<{ at: number; spread: number; inVain: Map<number, string[]>; notes: Note[] }>;

/**
 * Looks at the records for one person's `running` jobs, with that person's token: each list is read once for all of
 * them. Each job is then proved, failed, unconfirmed, or due again.
 */
export async function look(parts: Parts, owner: Owner, running: readonly Job[]): Promise<void> {
  const credential = await parts.credentials.find(owner);
  if (!credential) {
    for (const job of running) await hold(parts, job);
    return;
  }
  const records = reader(
    call => {
      if (isList(call)) parts.meter.count('lists', {});
      return parts.service.fetch(credential.token, call);
    },
    parts.mapping,
    running.length > mostSingly,
  );
  // People's looks spread over the time, so that they do not all meet the service at once.
  const spread = 0.8 + 0.4 * Math.random();
  const here: Look = { ...parts, at: parts.clock.now(), spread, inVain: new Map(), notes: [] };
  try {
    for (const job of running) await lookFor(here, owner, credential.token, job, records);
  } finally {
    // What was seen of the others is kept whatever came of one.
    for (const [dueAt, ids] of here.inVain) await parts.jobs.lookedInVain(ids, dueAt);
    await parts.jobs.noteAll('running', here.notes, here.at);
    if (here.notes.some(({ isNews }) => isNews)) parts.tell();
  }
}

async function lookFor(parts: Look, owner: Owner, token: string, job: Job, records: Reader): Promise<void> {
  parts.meter.count('looks', { operation: job.operation });
  try {
    await conclude(parts, job, records);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'signed-out') {
      await parts.credentials.drop(owner, token, parts.clock.now());
      return hold(parts, job);
    }
    parts.log.warn({ person: owner.person, job: job.id, error }, 'could not look at the records');
    await again(parts, job, {}, `I cannot look at the moment: ${sentence(error)}`, error.retryAfter);
  }
}

async function conclude(parts: Look, job: Job, records: Reader): Promise<void> {
  const { operation, values } = asked(job);
  const target = targetOf(job);
  const proof = operation.proof(target, values);
  if (proof.type === 'appears') await concludeNew(parts, job, proof, target, records);
  else await concludeTarget(parts, job, proof, target, records);
}

/** A job that is proved by a new record. */
async function concludeNew(parts: Look, job: Job, proof: Appears, target: Identifier, reading: Reader): Promise<void> {
  const before = evidenceIn(job);
  const record = await ownRecord(parts, job, proof, target, reading);
  if (!record) {
    if (job.claimed !== null && before) {
      await end(parts, job, 'failed', {
        reason: `${before.name ?? before.id} was there, but its record is gone again.`,
      });
    } else await again(parts, job, {}, job.inDoubt ? job.reason : null);
    return;
  }
  const seen = evidenceOf(record, before, parts.clock.now());
  await settle(parts, job, seen, judgeNew(proof, seen, await beside(reading, record)), { claimed: seen.id });
}

/** The new record that is this job's own: the one it has, else the first candidate that no other job has. */
async function ownRecord(
  parts: Parts,
  job: Job,
  proof: Appears,
  target: Identifier,
  reading: Reader,
): Promise<RecordView | undefined> {
  const own = job.claimed === null ? undefined : parseIdentifier(job.claimed);
  if (own) return reading.record(own);
  const baseline = baselineIn(job);
  if (!baseline) return undefined;
  const { records } = await reading.list('live');
  const fitting = (some: readonly RecordView[]) => candidates(proof, target.vendor, baseline, some);
  for (const listed of fitting(records)) {
    // A list may show less than the record itself does, and nothing that contradicts.
    const record = (await reading.record(listed.id)) ?? listed;
    if (fitting([record]).length > 0 && (await parts.jobs.claim(job, record.id.text))) return record;
  }
  return undefined;
}

/** The records beside one whose state is of unknown meaning: what they show tells whether it is one to stay in. */
async function beside(reading: Reader, record: RecordView | undefined): Promise<readonly RecordView[]> {
  return record?.state?.class === 'unknown' && record.id.noun ? (await reading.list(record.id.noun)).records : [];
}

/** A job that is proved by what its target's record shows. */
async function concludeTarget(
  parts: Look,
  job: Job,
  proof: Exclude<Proof, Appears>,
  target: Identifier,
  reading: Reader,
): Promise<void> {
  const baseline = baselineIn(job);
  const now = parts.clock.now();
  const holder = parseIdentifier(baseline?.holder ?? job.target);
  const record = holder?.noun ? await reading.record(holder) : undefined;
  if (target.noun === 'snapshot') {
    const isThere = record !== undefined && snapshotsOf(record).includes(target.text);
    const part = holder && isThere ? await reading.part(holder, target) : undefined;
    const seen = part ? evidenceOf(part, evidenceIn(job), now) : absence(target.text, job.targetName, now);
    const verdict = judgeTarget(proof, baseline?.part, seen, part, job.sentAt ?? 0);
    await settle(parts, job, seen, verdict, {});
    return;
  }
  const seen = record ? evidenceOf(record, evidenceIn(job), now) : absence(target.text, job.targetName, now);
  const taken =
    record && proof.type === 'changes' && proof.by.includes('snapshot')
      ? await newSnapshot(parts, job, baseline, record)
      : undefined;
  const verdict: Verdict =
    taken && seen.stateClass !== 'busy' && seen.stateClass !== 'failed'
      ? { type: 'proved', by: `There is a new snapshot, ${taken}.` }
      : judgeTarget(proof, baseline?.target, seen, record, job.sentAt ?? 0);
  await settle(parts, job, seen, verdict, {});
}

/** The snapshot that this job made: one that was not there before, and that no other job has. */
async function newSnapshot(
  parts: Parts,
  job: Job,
  baseline: Baseline | undefined,
  record: RecordView,
): Promise<string | undefined> {
  if (job.claimed !== null) return job.claimed;
  if (!baseline?.target) return undefined;
  const known = new Set(baseline.target.snapshots);
  for (const id of snapshotsOf(record)) if (!known.has(id) && (await parts.jobs.claim(job, id))) return id;
  return undefined;
}

/** Writes down what a verdict means for the job. */
async function settle(
  parts: Look,
  job: Job,
  seen: Evidence,
  verdict: Verdict,
  change: { claimed?: string },
): Promise<void> {
  const evidence = JSON.stringify(seen);
  if (verdict.type === 'proved') {
    await end(parts, job, 'succeeded', { ...change, evidence, reason: verdict.by, inDoubt: 0 });
  } else if (verdict.type === 'failed') {
    await end(parts, job, 'failed', { ...change, evidence, reason: verdict.reason, inDoubt: 0 });
  } else {
    // A record that is busy, or a new one, shows that the call arrived; an unchanged one shows nothing.
    const arrived = change.claimed !== undefined || seen.wasBusy !== undefined;
    await again(
      parts,
      job,
      { ...change, evidence, ...(arrived ? { inDoubt: 0 } : {}) },
      job.inDoubt && !arrived ? job.reason : null,
      0,
      seen,
      verdict.contradiction,
    );
  }
}

/** Schedules the next look, or ends as unconfirmed when the job's time is over. */
async function again(
  parts: Look,
  job: Job,
  change: { evidence?: string; claimed?: string; inDoubt?: 0 },
  reason: string | null,
  retryAfter = 0,
  seen?: Evidence,
  contradiction?: string,
): Promise<void> {
  const now = parts.at;
  if (job.deadlineAt !== null && now >= job.deadlineAt) {
    // A record that shows the contrary after all this time is no mere silence.
    if (contradiction !== undefined && !job.inDoubt)
      await end(parts, job, 'failed', {
        ...change,
        reason: `The service accepted it, but its records show the contrary. ${contradiction}`,
      });
    else await end(parts, job, 'unconfirmed', { ...change, reason: reason ?? contradiction ?? lastSeen(seen) });
    return;
  }
  const age = now - (job.sentAt ?? job.createdAt);
  const longest = pauses.find(({ upTo }) => age < upTo)?.pause ?? 0;
  const pause = Math.min(1_000 * 1.5 ** job.looks, longest) * parts.spread;
  const wanted = now + Math.round(Math.max(pause, atLeast(retryAfter)));
  const dueAt = pause < 10 * grain ? wanted : Math.ceil(wanted / grain) * grain;
  const before = evidenceIn(job);
  const isNews = reason !== job.reason || (seen !== undefined && seen.state !== before?.state);
  const isKnown = seen === undefined || isSame(seen, before);
  const changesNothing =
    (change.claimed ?? job.claimed) === job.claimed && (change.inDoubt ?? job.inDoubt) === job.inDoubt;
  if (!isNews && isKnown && changesNothing) {
    parts.inVain.set(dueAt, [...(parts.inVain.get(dueAt) ?? []), job.id]);
    return;
  }
  const due = { looks: job.looks + 1, dueAt, reason, hold: null };
  parts.notes.push({ id: job.id, change: { ...change, ...due }, isNews });
}

/** What a record showed to the end that proves nothing. */
function lastSeen(seen: Evidence | undefined): string | null {
  if (!seen || seen.gone) return null;
  if (seen.state === undefined) return `The record of ${seen.name ?? seen.id} is there, but shows no state.`;
  if (seen.stateClass === 'unknown') return `Its state is ${seen.state}, which I do not know.`;
  return seen.stateClass === 'busy' ? `Its state still is ${seen.state}.` : null;
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
  parts.tell();
}
