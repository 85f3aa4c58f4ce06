import { randomUUID } from 'node:crypto';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { about, type Job } from '../store/jobs/job.ts';
import { actorOf } from './actor.ts';
import type { Parts } from './parts.ts';

/** How long Dolly looks when a person asks it to look again at a job that it had given up. */
const secondLook = minutesToMilliseconds(5);

/**
 * Looks at once, also for a job whose end was not shown; answers with the sentence for the person who asked. Here and
 * below, `channel` is where they clicked.
 */
export async function lookAgain(parts: Parts, job: Job, channel = job.channel): Promise<string> {
  const { jobs, audit, clock } = parts;
  const now = clock.now();
  const by = await actorOf(parts, job, channel);
  if (job.state === 'unconfirmed' || job.state === 'finished') {
    // A reply that may be lost is that of the end before this.
    const untold = { replyTs: null, posting: null };
    const again = { ...untold, looks: 0, dueAt: now, deadlineAt: now + secondLook, endedAt: null, reason: null };
    const moved = await jobs.move(job.id, job.state, 'running', again, now, by);
    if (moved) return 'I am looking again, for five minutes.';
  } else if (job.state === 'running') {
    if (job.hold === 'sign-in') return 'I cannot look before you sign in again.';
    await jobs.note(job.id, 'running', { looks: 0, dueAt: now }, false, now);
    await audit.add({ ...about(job), ...by, event: 'looking again', at: now });
    return 'I am looking now.';
  }
  return over(job);
}

/** Gives up looking for the proof of a running job, at a person's wish. */
export async function stopLooking(parts: Parts, job: Job, channel = job.channel): Promise<string> {
  const { jobs, clock } = parts;
  const now = clock.now();
  const change = { reason: 'You asked me to stop looking.', endedAt: now, dueAt: null, hold: null };
  const moved = await jobs.move(job.id, 'running', 'unconfirmed', change, now, await actorOf(parts, job, channel));
  return moved ? 'I stopped looking. The service may still be at it.' : over(job);
}

/** Takes back a job that was not sent yet. */
export async function withdraw(parts: Parts, job: Job, channel = job.channel): Promise<string> {
  const { jobs, audit, clock } = parts;
  const now = clock.now();
  const by = await actorOf(parts, job, channel);
  const change = { reason: 'It was withdrawn before anything was sent.', endedAt: now, dueAt: null, hold: null };
  // It may get on at this moment: what was not sent yet can still be taken back.
  for (const from of ['new', 'awaiting', 'approved'] as const)
    if (await jobs.move(job.id, from, 'withdrawn', change, now, by)) return 'Withdrawn. Nothing was sent.';
  await audit.add({ ...about(job), ...by, at: now, event: 'refused', detail: 'withdraw: too late' });
  return 'It is too late to withdraw this: it was sent already, or is over.';
}

/**
 * Asks for the same once more, with no form: after an approval that came to nothing. A second click finds the job that
 * the first one made.
 */
export async function askAnew(parts: Parts, job: Job, from = job.channel): Promise<string> {
  const { jobs, clock, tell } = parts;
  if (job.state !== 'void' && job.state !== 'expired') return over(job);
  const { team, person, operation, values, labels, target, targetName, channel, purpose } = job;
  const wish = {
    id: randomUUID(),
    requestKey: JSON.stringify([team, person, 'anew', job.id]),
    ...{ team, person, operation, values, labels, target, targetName, channel, purpose },
    createdAt: clock.now(),
  };
  const { isNew } = await jobs.add(wish, await actorOf(parts, job, from));
  tell();
  return isNew ? 'I ask anew.' : 'You have asked anew already.';
}

function over(job: Job): string {
  return job.state === 'succeeded' ? 'This is done already.' : 'This is over already.';
}
