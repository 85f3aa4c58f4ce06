import type { Store } from '../database.ts';
import { type Actor, inTrail, type NewEntry, type Told } from '../tables/audit.ts';
import type { Owner } from '../vault.ts';
import { decode, type Knows } from './decode.ts';
import { columnsOf, newRow } from './encode.ts';
import { about, type Job, type JobChange, type JobState, type NewJob, type Next, type Unreadable } from './job.ts';

/** An entry of the audit trail about a job; done by the bot itself unless it says otherwise. */
export type TrailNote = Partial<Actor> & Readonly<{ event: string; detail?: string | null }>;

/** One step of a job. All of it is written, or nothing. */
export type Transition<From extends JobState = JobState> = Readonly<{
  /** The state that follows; the same one where the job only changes within it. */
  state: From | Next<From>;
  changes: JobChange;
  /** The step's entry in the audit trail, if it has one. */
  trail?: TrailNote | undefined;
  /** Whether the job's readers are told. */
  news: boolean;
  /** The revision that the step rests on, where it rests on more than the state: an approval counts those before it. */
  revision?: number | undefined;
}>;

/** A job's step, as several of them are written at once. */
export type Step<From extends JobState = JobState> = Readonly<{
  job: Readonly<{ id: string; state: From }>;
  transition: Transition<From>;
}>;

/** What changes jobs. Each change of state is one compare-and-set statement: of two that race, the second changes nothing. */
export type JobChanging = {
  /** Adds a job that is due at once. A request key that is known already gives the job that it made. */
  add(job: NewJob, by?: Partial<TrailNote>): Promise<{ job: Job | Unreadable; isNew: boolean }>;
  /**
   * Takes a job one step on: its row, its entry in the trail and what hangs on them are written in one transaction.
   * `undefined` where the job has left its state, or moved on from the revision that the step rests on. The lock on it
   * ends, unless the changes say otherwise.
   */
  apply<From extends JobState>(
    job: Step<From>['job'],
    transition: Transition<From>,
    now: number,
  ): Promise<Job | undefined>;
  /** The same for several jobs in one transaction; those that left their state stay as they are. */
  applyAll<From extends JobState>(steps: readonly Step<From>[], now: number): Promise<void>;
  /** Moves a job on, and says so in the trail in the state's own words, unless `by` has others. */
  move<From extends JobState>(
    id: string,
    from: From,
    to: Next<From>,
    changes: JobChange,
    now: number,
    by?: Partial<TrailNote>,
  ): Promise<Job | undefined>;
  /** Changes a job within its state; with `news`, readers are told. `undefined` where it left that state. */
  note(id: string, state: JobState, changes: JobChange, news: boolean, now: number): Promise<Job | undefined>;
  /** Makes a person's jobs that wait for a sign-in due at once. */
  resume(owner: Owner, now: number): Promise<void>;
};

/** The parts of the store's jobs that write. `moved` hears of each change of state, once it stands. */
export function jobChangesIn(store: Store, knows: Knows, told?: Told, moved?: (job: Job) => void): JobChanging {
  const write = async (changes: Store, { job, transition }: Step, now: number) => {
    const { state, revision, news } = transition;
    const row = await changes
      .updateTable('jobs')
      .set({ leaseUntil: 0, ...columnsOf(transition.changes), state })
      .$if(news, query => query.set(eb => ({ revision: eb('revision', '+', 1), tellAt: now, tellTries: 0 })))
      .where('id', '=', job.id)
      .where('state', '=', job.state)
      .$if(revision !== undefined, query => query.where('revision', '=', revision ?? 0))
      .returningAll()
      .executeTakeFirst();
    return row && readable(decode(row, knows));
  };
  const writeAll = async (steps: readonly Step[], now: number) => {
    const written = await inTrail(store, told, async (changes, note) => {
      const jobs: { job: Job; isMoved: boolean }[] = [];
      for (const step of steps) {
        const job = await write(changes, step, now);
        if (!job) continue;
        jobs.push({ job, isMoved: job.state !== step.job.state });
        const { trail } = step.transition;
        if (trail) await note(entryOf(job, trail, now));
      }
      return jobs;
    });
    for (const { job, isMoved } of written) if (isMoved) moved?.(job);
    return written;
  };
  const apply: JobChanging['apply'] = async (job, transition, now) =>
    // A single statement needs no transaction around it.
    transition.trail || transition.state !== job.state
      ? (await writeAll([{ job, transition }], now))[0]?.job
      : write(store, { job, transition }, now);
  return {
    apply,
    move(id, from, to, changes, now, by = {}) {
      const trail = { event: eventOf(from, to, changes), ...by };
      return apply({ id, state: from }, { state: to, changes, trail, news: true }, now);
    },
    note: (id, state, changes, news, now) => apply({ id, state }, { state, changes, news }, now),
    async add(job, by = {}) {
      const added = await inTrail(store, told, async (changes, note) => {
        const row = await changes
          .insertInto('jobs')
          .values(newRow(job))
          .onConflict(conflict => conflict.column('requestKey').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const made = readable(decode(row, knows));
        const asked = { event: 'asked', detail: job.purpose, actor: job.person, ...by };
        await note(entryOf(made, asked, job.createdAt));
        return made;
      });
      if (added) return { job: added, isNew: true };
      const before = await store
        .selectFrom('jobs')
        .selectAll()
        .where('requestKey', '=', job.requestKey)
        .executeTakeFirstOrThrow();
      return { job: decode(before, knows), isNew: false };
    },
    async applyAll(steps, now) {
      if (steps.length > 0) await writeAll(steps, now);
    },
    async resume(owner, now) {
      await store
        .updateTable('jobs')
        .set(eb => ({ ...resumed(now), revision: eb('revision', '+', 1) }))
        .where('team', '=', owner.team)
        .where('person', '=', owner.person)
        .where('hold', '=', 'sign-in')
        .execute();
    },
  };
}

function resumed(now: number) {
  return { dueAt: now, hold: null, reason: null, leaseUntil: 0, tellAt: now };
}

function entryOf(job: Job, { detail, ...by }: TrailNote, at: number): NewEntry {
  return { ...about(job), detail: detail === undefined ? job.reason : detail, ...by, at };
}

/** A job as it was just written. @throws Error where it cannot be read: then the transaction is taken back */
function readable(job: Job | Unreadable): Job {
  if (job.state === 'unreadable') throw new Error(`job ${job.id} cannot be written: ${job.why}`);
  return job;
}

/** What a transition is called in the trail. */
function eventOf(from: JobState, to: JobState, { inDoubt }: JobChange): string {
  if (to === 'running')
    return from === 'unconfirmed' || from === 'finished' ? 'looking again' : inDoubt ? 'in doubt' : 'accepted';
  return from === 'sending' && (to === 'new' || to === 'approved') ? 'put off' : to;
}
