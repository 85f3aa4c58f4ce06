import pLimit from 'p-limit';
import { thisMoment, wasSetSince } from '../ground/clock.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../ground/loop.ts';
import type { Job, JobIn } from '../store/jobs/job.ts';
import { remindOrExpire } from './approval/reminders.ts';
import { followUp } from './followUp.ts';
import type { Parts } from './parts.ts';
import { send, settle } from './send.ts';

/** Max jobs that one statement takes. */
const maxAtOnce = 500;
/** Max jobs in flight. */
const maxInFlight = 5_000;
/** Max jobs in flight of one person: a service that hangs for one person must not block the others. */
const maxOfOnePerson = 500;
/** Max people whose records are read at once: fewer than connections, so that no read times out waiting for one. */
const followUpConcurrency = 24;
/** A follow-up takes along the person's other jobs that are due within this time. Milliseconds. */
const soon = 10_000;
/** The pause between two searches for jobs that are put off for too long since a clock was set. Milliseconds. */
const recallEvery = 60_000;

type Running = JobIn<'running'>;

/** Jobs that one step works on. A job that is due again is taken anew while others of its batch are still in flight. */
type Batches = Set<readonly Job[]>;

/**
 * Works on jobs as they fall due: sends the new and the approved, reminds of those that wait for approval, settles
 * those that were interrupted while they were sent, follows up the running.
 */
export function workOnDueJobs(parts: Parts): Loop {
  const { jobs, clock, log } = parts;
  const batches: Batches = new Set();
  const inFlight = () => [...batches].flat();
  const renewLocks = lockRenewal(clock, until => {
    const ids = inFlight().map(({ id }) => id);
    return jobs.renew('due', ids, until);
  });
  const recall = recallOf(parts);
  const followUpInTurn = followUpsOf(parts, batches);
  const workOn = async (batch: readonly Job[]) => {
    batches.add(batch);
    const followedUp = followUpInTurn(batch.filter(job => job.state === 'running'));
    const steps = batch.map(job => stepOf(parts, job));
    for (const result of await Promise.allSettled([followedUp, ...steps])) {
      if (result.status === 'rejected')
        log.error({ error: result.reason, jobs: batch.map(job => job.id) }, 'a step failed');
    }
    batches.delete(batch);
  };
  return startLoop(clock, {
    async turn(run) {
      await recall();
      await renewLocks();
      const max = Math.min(maxAtOnce, maxInFlight - inFlight().length);
      // A batch that is finished makes room, and wakes the loop.
      if (max <= 0) return undefined;
      const busy = [...Map.groupBy(inFlight(), ({ person }) => person)].flatMap(([person, { length }]) =>
        length >= maxOfOnePerson ? [person] : [],
      );
      const due = await jobs.takeDue(clock.now(), lockTime, max, busy);
      // Each person has a batch of their own: a service that is slow for one person delays no other.
      for (const batch of Map.groupBy(due, personOf).values()) run(workOn(batch));
      return due.length === max ? clock.now() : jobs.nextTime('due', clock.now(), { people: busy });
    },
    failed: (error, times) => log.error({ error, times }, 'the list of due jobs could not be read'),
  });
}

/** Takes the next step of a job that is not followed up along with others. */
async function stepOf(parts: Parts, job: Job): Promise<void> {
  switch (job.state) {
    case 'new':
    case 'approved':
      return send(parts, job);
    case 'awaiting':
      return remindOrExpire(parts, job);
    case 'sending':
      return settle(parts, job);
  }
}

/** Follows up a person's jobs when it is that person's turn; jobs that fall due before join them. */
function followUpsOf(parts: Parts, batches: Batches): (due: readonly Running[]) => Promise<void> {
  const { jobs, clock } = parts;
  const inTurn = pLimit(followUpConcurrency);
  const waiting = new Map<string, { due: Running[]; done: Promise<void> }>();
  const followUpAll = async (due: readonly Running[], { team, person }: Running) => {
    const owner = { team, person };
    const now = clock.now();
    const along = await jobs.takeAlong(owner, now + soon, now, lockTime, maxAtOnce);
    batches.add(along);
    try {
      await followUp(parts, owner, [...due, ...along]);
    } finally {
      batches.delete(along);
    }
  };
  return async due => {
    const [first] = due;
    if (!first) return;
    const person = personOf(first);
    const known = waiting.get(person);
    if (known) {
      known.due.push(...due);
      return known.done;
    }
    const turn = { due: [...due], done: Promise.resolve() };
    waiting.set(person, turn);
    turn.done = inTurn(() => {
      waiting.delete(person);
      return followUpAll(turn.due, first);
    });
    return turn.done;
  };
}

/** Makes jobs due at once that are put off for too long since the time of day was set. Searches regularly, too. */
function recallOf({ jobs, clock }: Parts): () => Promise<void> {
  let recalledAt = Number.NEGATIVE_INFINITY;
  let before = thisMoment(clock);
  return async () => {
    // The clock of another process may have been set, or this one while no process ran: hence the regular search.
    if (wasSetSince(clock, before)) await jobs.recall(clock.now(), 'all');
    else if (clock.steady() - recalledAt >= recallEvery) {
      await jobs.recall(clock.now());
      recalledAt = clock.steady();
    }
    before = thisMoment(clock);
  };
}

function personOf({ team, person }: Job): string {
  return `${team} ${person}`;
}
