import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import { isListCall } from '../api/call.ts';
import { atLeast } from '../ground/clock.ts';
import { Failure, StoreTrouble, sentence } from '../ground/failure.ts';
import { type RecordReader, recordReader } from '../records/recordReader.ts';
import type { Step } from '../store/jobs/changing.ts';
import type { Evidence } from '../store/jobs/data.ts';
import type { JobChange, JobIn } from '../store/jobs/job.ts';
import type { Owner } from '../store/vault.ts';
import { isSameEvidence } from './evidence/evidence.ts';
import type { LookResult } from './evidence/judgement.ts';
import { lookForProof } from './evidence/lookForProof.ts';
import type { Parts } from './parts.ts';
import { holdForSignIn } from './signInHold.ts';

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

/** For so long after a job's time is over its last look is tried again, in milliseconds. */
const lastTries = minutesToMilliseconds(10);

/** A look that comes later than it should by so much, in milliseconds, comes after an outage of the bot. */
const late = minutesToMilliseconds(5);

/** Times that are not near are rounded up to this, in milliseconds, so that one step takes what several people wait for. */
const grain = 500;

type Running = JobIn<'running'>;

/** One look for all jobs of a person: what is due again in the same way is so at the same time, and written at once. */
type Look = Parts & Readonly<{ at: number; spread: number; inVain: Map<number, string[]>; steps: Step<'running'>[] }>;

/**
 * Looks at the records for one person's `running` jobs, with that person's token: each list is read once for all of
 * them. Each job is then proved, failed, unconfirmed, or due again.
 */
export async function followUp(parts: Parts, owner: Owner, running: readonly Running[]): Promise<void> {
  const credential = await parts.credentials.find(owner);
  if (!credential) return forEach(parts, running, job => hold(parts, job));
  const records = recordReader(
    call => {
      if (isListCall(call)) parts.meter.count('lists', {});
      return parts.service.fetch(credential.token, call);
    },
    parts.mapping,
    running.length > mostSingly ? parts.depth : undefined,
  );
  // People's looks spread over the time, so that they do not all meet the service at once.
  const spread = 0.8 + 0.4 * Math.random();
  const here: Look = { ...parts, at: parts.clock.now(), spread, inVain: new Map(), steps: [] };
  try {
    await forEach(parts, running, job => lookFor(here, owner, credential.token, job, records));
  } finally {
    // What was seen of the others is kept whatever came of one.
    for (const [dueAt, ids] of here.inVain) await parts.jobs.lookedInVain(ids, dueAt);
    await parts.jobs.applyAll(here.steps, here.at);
    if (here.steps.some(({ transition }) => transition.news)) parts.tell();
    await learn(parts, records);
  }
}

/** Does something for each job. A defect that one of them meets must not keep the others from their end. */
async function forEach({ log }: Parts, jobs: readonly Running[], act: (job: Running) => Promise<void>): Promise<void> {
  for (const job of jobs)
    await act(job).catch((error: unknown) => {
      if (error instanceof StoreTrouble) throw error;
      log.error({ job: job.id, error }, 'a job could not be followed up');
    });
}

/** Learns state words from the lists that were read anyway. */
async function learn({ vocabulary, jobs }: Parts, records: RecordReader): Promise<void> {
  // A list that could not be read was told of where it was needed.
  const known = vocabulary.isDue() ? await records.listed().catch(() => []) : [];
  if (known.length > 0) {
    const inHand = await jobs.inHand();
    vocabulary.observe(known, ({ id }) => inHand.has(id.text));
  }
  await vocabulary.keep();
}

async function lookFor(parts: Look, owner: Owner, token: string, given: Running, records: RecordReader): Promise<void> {
  parts.meter.count('looks', { operation: given.operation });
  const job = await withTime(parts, given);
  try {
    await settle(parts, job, await lookForProof(parts, job, records));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'signed-out') {
      await parts.credentials.drop(owner, token, parts.clock.now());
      return hold(parts, job);
    }
    parts.log.warn({ person: owner.person, job: job.id, error }, 'could not look at the records');
    // A last look that fails is tried again for a while.
    if (parts.at >= job.deadlineAt + lastTries) {
      const known = job.inDoubt ? job.reason : lastSeen(job.evidence);
      const reason = `${known ?? ''} When the time was over I could not look any more: ${sentence(error)}`.trim();
      return end(parts, job, 'unconfirmed', { reason });
    }
    await again(parts, job, {}, `I cannot look at the moment: ${sentence(error)}`, error.retryAfter);
  }
}

/** Gives a job that nobody looked at for long some time more: what its record shows now must stand for a while to count. */
async function withTime({ jobs, at }: Look, job: Running): Promise<Running> {
  const { dueAt, deadlineAt, lockedUntil } = job;
  const atLeastUntil = at + lastTries;
  if (dueAt === null || at - dueAt < late || deadlineAt >= atLeastUntil) return job;
  const changes = { deadlineAt: atLeastUntil, lockedUntil };
  const later = await jobs.apply(job, { state: 'running', changes, news: false }, at);
  return later?.state === 'running' ? later : job;
}

/** Writes down what a look means for the job. */
async function settle(parts: Look, job: Running, conclusion: LookResult): Promise<void> {
  const { verdict, seen, claimed, arrived } = conclusion;
  const change = {
    ...(claimed === undefined ? {} : { claimed }),
    ...(seen ? { evidence: seen } : {}),
  };
  switch (verdict.type) {
    case 'proved':
      return end(parts, job, 'succeeded', { ...change, reason: verdict.by, inDoubt: false });
    case 'finished':
      return end(parts, job, 'finished', { ...change, reason: verdict.by, inDoubt: false });
    case 'failed':
      return end(parts, job, 'failed', { ...change, reason: verdict.reason, inDoubt: false });
    case 'waiting': {
      const isDoubtful = job.inDoubt && !arrived;
      if (isOver(parts, job))
        return giveUp(parts, job, { ...change, ...(arrived ? { inDoubt: false } : {}) }, conclusion);
      const news = { ...change, ...(arrived ? { inDoubt: false } : {}) };
      return again(parts, job, news, isDoubtful ? job.reason : null, 0, seen);
    }
  }
}

function isOver({ at }: Look, { deadlineAt }: Running): boolean {
  return at >= deadlineAt;
}

/** Ends a job whose time is over, as far as the last look tells how. */
async function giveUp(
  parts: Look,
  job: Running,
  change: JobChange,
  { verdict, seen, arrived }: LookResult,
): Promise<void> {
  if (verdict.type !== 'waiting') return;
  const { contradiction, atLast } = verdict;
  const isDoubtful = job.inDoubt && !arrived;
  if (isDoubtful) return end(parts, job, 'unconfirmed', { ...change, reason: job.reason });
  // What went its way and shows the contrary is no mere silence.
  if (contradiction !== undefined && seen?.wasBusy !== undefined && seen.wasBusy !== seen.state)
    return end(parts, job, 'failed', { ...change, reason: contradiction });
  if (atLast !== undefined) return end(parts, job, 'finished', { ...change, reason: atLast });
  return end(parts, job, 'unconfirmed', { ...change, reason: contradiction ?? lastSeen(seen) });
}

/** Schedules the next look. */
async function again(
  parts: Look,
  job: Running,
  change: { evidence?: Evidence; claimed?: string; inDoubt?: boolean },
  reason: string | null,
  retryAfter = 0,
  seen?: Evidence,
): Promise<void> {
  const now = parts.at;
  const age = now - job.sentAt;
  const longest = pauses.find(({ upTo }) => age < upTo)?.pause ?? 0;
  const pause = Math.min(1_000 * 1.5 ** job.looks, longest) * parts.spread;
  const wanted = now + Math.round(Math.max(pause, atLeast(retryAfter)));
  const dueAt = pause < 10 * grain ? wanted : Math.ceil(wanted / grain) * grain;
  const before = job.evidence;
  const isNews = reason !== job.reason || (seen !== undefined && seen.state !== before?.state);
  const isKnown = seen === undefined || isSameEvidence(seen, before);
  const changesNothing =
    (change.claimed ?? job.claimed) === job.claimed && (change.inDoubt ?? job.inDoubt) === job.inDoubt;
  if (!isNews && isKnown && changesNothing) {
    parts.inVain.set(dueAt, [...(parts.inVain.get(dueAt) ?? []), job.id]);
    return;
  }
  const changes = { ...change, looks: job.looks + 1, dueAt, reason, hold: null };
  parts.steps.push({ job, transition: { state: 'running', changes, news: isNews } });
}

/** What a record showed to the end that proves nothing. */
function lastSeen(seen: Evidence | undefined): string | null {
  if (!seen || seen.gone) return null;
  if (seen.state === undefined) return `The record of ${seen.name ?? seen.id} is there, but shows no state.`;
  return seen.stateClass === 'busy' ? `Its state still is ${seen.state}.` : `Its state is ${seen.state}.`;
}

/** Stops looking until the person signs in again, at the latest until the job's time is over. */
async function hold(parts: Parts, job: Running): Promise<void> {
  const now = parts.clock.now();
  if (now >= job.deadlineAt) {
    await end(parts, job, 'unconfirmed', { reason: 'I could not look at the records without your sign-in.' });
    return;
  }
  await holdForSignIn(parts, job, job.deadlineAt);
}

async function end(
  parts: Parts,
  job: Running,
  state: 'succeeded' | 'finished' | 'failed' | 'unconfirmed',
  change: JobChange,
): Promise<void> {
  const now = parts.clock.now();
  await parts.jobs.move(job.id, 'running', state, { ...change, endedAt: now, dueAt: null, hold: null }, now);
  parts.tell();
}
