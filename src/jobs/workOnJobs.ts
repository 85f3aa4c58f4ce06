import pLimit from 'p-limit';
import { thisMoment, wasSetSince } from '../ground/clock.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../ground/loop.ts';
import type { Looked } from '../store/jobs/queue/looks.ts';
import { isPlan, isUnsent, type Job, type RunningJob, runnerOf } from '../store/jobs/rows/job.ts';
import type { TakenLook } from '../store/jobs/rows/jobRow.ts';
import { dolly } from './actor.ts';
import { advance } from './advance.ts';
import { remindOrExpire } from './approval/remindOrExpire.ts';
import { type Follower, followUp } from './followUp.ts';
import type { Parts } from './parts.ts';
import { beginPlan } from './plans/beginPlan.ts';
import { turnPlan } from './plans/turn.ts';
import { type KnownLook, openLookMemory } from './sameLook.ts';
import { type Starter, send } from './send.ts';
import { openPace, type SendingPace } from './sendingPace.ts';
import { settleInterrupted } from './settleInterrupted.ts';

/** Max jobs that one statement takes, and of those that come along: to read more takes longer than others may wait. */
const maxAtOnce = 100;
/** Max jobs in flight. */
const maxInFlight = 5_000;
/** Max jobs in flight of one person: a service that hangs for one person must not block the others. */
const maxOfOnePerson = 500;
/** Max people whose records are read at once: fewer than connections, so that no read times out waiting for one. */
const followUpConcurrency = 24;
/** The longest time for which the note of a look in vain waits for others. Milliseconds. */
const maxNoteDelay = 100;
/** A follow-up takes along the person's other jobs that are due within this time. Milliseconds. */
const soon = 10_000;
/** The pause between two searches for jobs that are put off for too long since a clock was set. Milliseconds. */
const recallEvery = 60_000;

type InHand = Pick<Job, 'id' | 'person' | 'taken'>;

/**
 * Works on jobs as they fall due: sends the new and the approved, reminds of those that wait for approval, settles
 * those that were interrupted while they were sent, follows up the running.
 */
export function workOnDueJobs(parts: Starter, follower: Omit<Follower, 'memory'> & Parts<'isUninstalled'>): Loop {
  const pace = openPace(parts);
  const { jobs, clock, log } = parts;
  const inFlight = openInFlight();
  const renewLocks = lockRenewal(clock, until => jobs.renewDue(inFlight.jobs(), until));
  const recall = recallOf(parts);
  const memory = openLookMemory();
  const followUpInTurn = followUpsOf({ ...follower, memory });
  /** The people whose due jobs the last turn left alone, and whether it left all alone. */
  let [busy, isFull] = [new Set<string>(), false];
  const workOn = async (batch: readonly (Job | KnownLook)[]) => {
    inFlight.add(batch);
    const followedUp = followUpInTurn(batch.filter(isFollowedUp), batch.filter(isKnown));
    const steps = batch
      .filter(job => !isKnown(job))
      .map(async job =>
        (await isOrphan(follower, job)) ? advance(parts, job, uninstalled) : stepOf(parts, job, pace),
      );
    const results = await Promise.allSettled([followedUp, ...steps]);
    for (const result of results)
      if (result.status === 'rejected')
        log.error({ error: result.reason, jobs: batch.map(job => job.id) }, 'a step failed');
    inFlight.remove(batch);
    const hasMadeRoom = (isFull && inFlight.size() <= maxInFlight / 2) || batch.some(({ person }) => busy.has(person));
    if (hasMadeRoom) return undefined;
    // What a step made due is heard of by itself.
    return followedUp.catch(() => Number.POSITIVE_INFINITY);
  };
  const loop = startLoop(clock, {
    async turn(run, isPoll, known) {
      await recall();
      await renewLocks();
      const max = Math.min(maxAtOnce, maxInFlight - inFlight.size());
      isFull = max <= 0;
      // The batches that are finished make room, and wake the loop.
      if (isFull) return undefined;
      const without = inFlight.peopleWith(maxOfOnePerson);
      busy = new Set(without);
      const nextTime = async (after?: number) => (await jobs.nextTime('due', after)) ?? Number.POSITIVE_INFINITY;
      const now = clock.now();
      if (isPoll) {
        const next = await nextTime();
        if (next > now) return next;
      }
      const looks: KnownLook[] = [];
      const remembers = (look: TakenLook) => {
        const one = memory.of(look);
        if (one) looks.push(one);
        return one !== undefined;
      };
      const read = await jobs.takeDue(now, lockTime, max, { soon, without, remembers });
      const due = [...read, ...looks];
      // Each sign-in has a batch of its own: a service that is slow for one person delays no other.
      for (const batch of Map.groupBy(due, runnerIn).values()) run(workOn(batch));
      return due.length >= max ? now : (known ?? nextTime(now));
    },
    renew: renewLocks,
    failed: (error, times) => log.error({ error, times }, 'the list of due jobs could not be read'),
  });
  jobs.listen('due', loop.wake);
  return loop;
}

/**
 * Opens the set of the jobs that are being worked on, in batches. A job that is due again is taken anew while others of
 * its batch are still in flight.
 */
function openInFlight() {
  const batches = new Set<readonly InHand[]>();
  const byPerson = new Map<string, number>();
  let size = 0;
  const count = (jobs: readonly InHand[], by: 1 | -1) => {
    size += by * jobs.length;
    for (const { person } of jobs) {
      const many = (byPerson.get(person) ?? 0) + by;
      if (many > 0) byPerson.set(person, many);
      else byPerson.delete(person);
    }
  };
  return {
    add(batch: readonly InHand[]) {
      batches.add(batch);
      count(batch, 1);
    },
    remove(batch: readonly InHand[]) {
      batches.delete(batch);
      count(batch, -1);
    },
    size: () => size,
    jobs: () => [...batches].flat(),
    /** The people with at least so many jobs in flight. */
    peopleWith: (min: number) => [...byPerson].flatMap(([person, many]) => (many >= min ? [person] : [])),
  };
}

/** Takes the next step of a job that is not followed up along with others. */
async function stepOf(parts: Starter, job: Job, pace: SendingPace): Promise<void> {
  switch (job.state) {
    case 'new':
    case 'approved':
      return isPlan(job) ? beginPlan(parts, job) : send(parts, job, pace);
    case 'awaiting':
      return remindOrExpire(parts, job);
    case 'sending':
      return settleInterrupted(parts, job);
    case 'running':
      return isPlan(job) ? turnPlan(parts, job) : undefined;
  }
}

/** Whether a job was not sent yet, and the app was uninstalled for its team meanwhile: nobody could be told of it. */
async function isOrphan(parts: Parts<'isUninstalled'>, job: Job): Promise<boolean> {
  return isUnsent(job) && (await parts.isUninstalled(job.team));
}

const uninstalled = {
  type: 'withdrawn',
  by: dolly,
  reason: 'Not sent: Dolly was uninstalled first.',
} as const;

/** Whether the records tell how a job goes on. A plan goes on by its steps. */
function isFollowedUp(job: Job | KnownLook): job is RunningJob {
  return job.state === 'running' && !isPlan(job);
}

function isKnown(job: Job | KnownLook): job is KnownLook {
  return job.state === 'known';
}

/**
 * Follows up a person's jobs when it is that person's turn; jobs that fall due before join them. Gives the earliest time
 * at which one of those without news is due again, `Infinity` where there is none.
 */
function followUpsOf(parts: Follower) {
  const inTurn = pLimit(followUpConcurrency);
  type Turn = { jobs: RunningJob[]; known: KnownLook[]; inVain: Looked[]; done: Promise<number> };
  const waiting = new Map<string, Turn>();
  const notes = openNotes(parts);
  const take = async ({ inVain, ...due }: Turn, first: RunningJob | KnownLook) => {
    const owner = runnerOf(first);
    notes.begin();
    const inSlot = () => {
      waiting.delete(runnerIn(first));
      return followUp(parts, owner, due, inVain).finally(notes.end);
    };
    try {
      await inTurn(inSlot);
    } finally {
      // The slot is free for other people by now.
      await notes.add(inVain);
    }
    return Math.min(...inVain.map(({ dueAt }) => dueAt));
  };
  return async (jobs: readonly RunningJob[], known: readonly KnownLook[]): Promise<number> => {
    const [first] = [...jobs, ...known];
    if (!first) return Number.POSITIVE_INFINITY;
    const runner = runnerIn(first);
    const before = waiting.get(runner);
    if (before) {
      before.jobs.push(...jobs);
      before.known.push(...known);
      return before.done;
    }
    const turn: Turn = { jobs: [...jobs], known: [...known], inVain: [], done: Promise.resolve(0) };
    waiting.set(runner, turn);
    turn.done = take(turn, first);
    return turn.done;
  };
}

/**
 * Opens the notes of looks in vain. One statement writes those of many follow-ups: when the last that is under way has
 * ended, when there are many, and at the latest after a while.
 */
function openNotes({ jobs, clock }: Parts<'jobs' | 'clock'>) {
  let underWay = 0;
  let open: { looked: Looked[]; written: PromiseWithResolvers<void> } | undefined;
  const write = () => {
    if (!open) return;
    const { looked, written } = open;
    open = undefined;
    jobs.noChange(looked).then(written.resolve, written.reject);
  };
  return {
    begin() {
      underWay += 1;
    },
    end() {
      underWay -= 1;
    },
    async add(looked: readonly Looked[]): Promise<void> {
      if (looked.length > 0) {
        const notes = open ?? { looked: [], written: Promise.withResolvers<void>() };
        if (!open) void clock.wait(maxNoteDelay).then(() => notes === open && write());
        open = notes;
        notes.looked.push(...looked);
      }
      const written = open?.written.promise;
      if (underWay === 0 || (open?.looked.length ?? 0) >= maxAtOnce) write();
      if (looked.length > 0) await written;
    },
  };
}

/** Makes jobs due at once that are put off for too long since the time of day was set. Searches regularly, too. */
function recallOf({ jobs, clock }: Parts<'jobs' | 'clock'>): () => Promise<void> {
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

/** The sign-in with which a job runs, as a key. */
function runnerIn(job: Parameters<typeof runnerOf>[0]): string {
  const { team, person } = runnerOf(job);
  return `${team} ${person}`;
}
