import type { ExpressionBuilder, Transaction } from 'kysely';
import { inTransaction, noteDue } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { gathered } from '../gathered.ts';
import { noteRows } from '../history/recentRows.ts';
import { isShared, lockOrder } from '../lock.ts';
import { isAccount } from '../serviceOwner.ts';
import { equals, oneMore } from '../statementParts.ts';
import { type Actor, inTrail, type NewEntry, newEntry, type Told } from '../tables/audit/audit.ts';
import { type EndHooks, writeEndNews } from '../things/endNews.ts';
import type { Owner } from '../vault.ts';
import { insertAsked, insertNoted, type MustBeFree } from './adding.ts';
import { beginsWork, hasConsent } from './consent.ts';
import { type Claim, ClaimLost, writeClaims } from './recordClaims.ts';
import { decode, type Knows } from './rows/decode.ts';
import { columnsOf, newRow, stepRow } from './rows/encode.ts';
import {
  about,
  type Job,
  type JobChange,
  type JobState,
  type JobTaking,
  type NewJob,
  type NewStep,
  type Unreadable,
} from './rows/job.ts';
import { noteJob, tellPlans, toldAt } from './telling.ts';

/** An entry of the audit trail about a job. Its actor is the bot itself unless the entry names another. */
export type TrailNote = Partial<Actor> & Readonly<{ event: string; detail?: string | null }>;

/** One step of a job. It is written as a whole, or not at all. */
export type Transition = Readonly<{
  /** The state that follows; the same state where the job only changes within it. */
  state: JobState;
  changes: JobChange;
  /** The step's entry in the audit trail, if it has one. */
  trail?: TrailNote | undefined;
  /** Whether the job's readers are told: at the time `tellAt` if the changes have one, else at once. */
  news: boolean;
  /** What the step rests on and shows no other job's work: it is written with the step, or neither is. */
  claims?: readonly Claim[] | undefined;
  /** The revision that the step rests on, where the state alone is not enough: an approval counts the earlier ones. */
  revision?: number | undefined;
  /** The sign-in that the step rests on, by its time: it still stands when the step is written. */
  signIn?: Readonly<{ owner: Owner; since: number }> | undefined;
}>;

/** A job and its step, for writing several of them at once. `plan` tells that the job is a step of a plan. */
export type Step = Readonly<{
  job: Pick<Job, 'id' | 'state'> & Partial<Pick<Job, 'plan' | 'taken'>>;
  transition: Transition;
}>;

/** A job that was added, or the one that its request made before. */
type AddedJob = Readonly<{ job: Job | Unreadable; isNew: boolean }>;

/** A step and the time at which it is taken. */
type TimedStep = Step & Readonly<{ now: number }>;

/**
 * The operations that change jobs. Each change of state is one compare-and-set statement: of two that race, the second
 * changes nothing.
 */
export type JobChanging = Readonly<{
  /**
   * Takes a job one step on: its row and the step's entry in the trail are written in one transaction. Gives `undefined` where
   * the job has left its state, or the revision that the step rests on, or where a loop took it and somebody else has it by
   * now, or where it is to begin and the consent of its workflow’s step does not stand. The lock on the job ends, unless the
   * changes set it.
   */
  apply(job: Step['job'], transition: Transition, now: number): Promise<Job | undefined>;
  /** The same, in one transaction with the steps that come while an earlier one is written: for many jobs at once. */
  applyAlong(job: Step['job'], transition: Transition, now: number): Promise<Job | undefined>;
  /** The same for several jobs in one transaction; those that left their state stay as they are. */
  applyAll(steps: readonly Step[], now: number): Promise<void>;
  /**
   * Adds a job that is due at once. For a request key that is known already, gives the job that was made with it.
   * @throws Error where neither is so
   */
  add(job: NewJob, by?: Partial<TrailNote>): Promise<AddedJob>;
  /** The same, unless another job takes what must be free where this one takes it: then it gives `undefined`. */
  addIfFree(job: NewJob, by: Partial<TrailNote>, free?: MustBeFree): Promise<AddedJob | undefined>;
  /**
   * Takes a plan one step on, and adds the job of that step, or the batches that ask for approval, in one transaction. Gives
   * the plan, or `undefined` where it has moved on already.
   */
  beginStep(
    plan: Step['job'],
    transition: Transition,
    first: NewStep,
    ...others: readonly NewStep[]
  ): Promise<Job | undefined>;
  /** Makes the jobs due at once that wait for this sign-in, as {@link resumeJobs} does. */
  resume(owner: Owner, now: number): Promise<void>;
}>;

/** Selects a sign-in that still stands. Where processes share the store, nobody ends it before the transaction does. */
function standing(store: Store, { owner, since }: NonNullable<Transition['signIn']>) {
  const signIn = store
    .selectFrom('credentials')
    .select('person')
    .where(equals({ team: owner.team, person: owner.person, createdAt: since }));
  return isShared(store) ? signIn.forShare() : signIn;
}

/** Whether nobody has taken a job since a loop did. A step that no loop takes rests on the state alone. */
function isStillTaken(taken: JobTaking | undefined) {
  return ({ and, eb, exists, selectFrom }: ExpressionBuilder<Schema, 'jobs'>) => {
    if (taken?.by === 'job') return eb('jobs.fence', '=', taken.fence);
    const look = selectFrom('looks').select('job').whereRef('looks.job', '=', 'jobs.id');
    return taken ? exists(look.where('looks.fence', '=', taken.fence)) : and([]);
  };
}

/**
 * Makes the operations that change jobs. `moved` is called for each change of state with a trail, once it is committed.
 */
export function jobChangesIn(
  store: Store,
  knows: Knows,
  { told, moved, ends = [] }: Readonly<{ told?: Told; moved?: (job: Job) => void; ends?: readonly EndHooks[] }>,
): JobChanging {
  const write = async (changes: Store, { job, transition, now }: TimedStep) => {
    const { state, revision, news, signIn } = transition;
    const { tellAt = now, ...changed } = transition.changes;
    const row = await changes
      .updateTable('jobs')
      .set({ lockedUntil: 0, ...columnsOf(changed), state })
      .$if(!job.taken, query => query.set({ fence: oneMore('fence') }))
      .$if(news, query =>
        query.set({ revision: oneMore('revision'), tellAt: toldAt(tellAt, transition), tellTries: 0 }),
      )
      .where(equals({ id: job.id, state: job.state }))
      .where(isStillTaken(job.taken))
      .$if(beginsWork(job.state, state), query => query.where(hasConsent(changes)))
      .$if(revision !== undefined, query => query.where('revision', '=', revision ?? 0))
      .$if(signIn !== undefined, query =>
        signIn ? query.where(({ exists }) => exists(standing(changes, signIn))) : query,
      )
      .returningAll()
      .executeTakeFirst();
    if (row) noteJob(changes, row, now, job.state);
    if (row) noteRows(changes, { table: 'jobs', row });
    return row && readable(decode(row, knows));
  };
  const writeTogether = (steps: readonly TimedStep[]) =>
    inTrail(store, told, async (changes, note) => {
      const jobs = new Map<TimedStep, Job>();
      // Processes that change the same jobs lock them in the same order, so that none waits for the other for ever.
      for (const step of steps.toSorted((one, other) => lockOrder(one.job.id, other.job.id))) {
        const job = await write(changes, step);
        if (!job) continue;
        jobs.set(step, job);
        const { trail } = step.transition;
        if (trail) await note(entryOf(job, trail, step.now));
      }
      // Those rows are locked after the rows of all the jobs.
      const claims = [...jobs.keys()].flatMap(({ job, transition }) =>
        (transition.claims ?? []).map(claim => ({ ...claim, job: job.id })),
      );
      await writeClaims(changes, claims);
      const written = [...jobs].map(([{ now, job: before }, job]) => ({ job, was: before.state, now }));
      await writeEndNews(changes, note, written, ends);
      await tellPlans(changes, jobs);
      return jobs;
    });
  const writeAll = async (steps: readonly TimedStep[]): Promise<readonly (Job | undefined)[]> => {
    const written = await writeTogether(steps).catch((error: unknown) => {
      if (error instanceof ClaimLost) return error.job;
      throw error;
    });
    if (typeof written === 'string') return writeWithout(written, steps);
    for (const [step, job] of written) if (job.state !== step.job.state) moved?.(job);
    return steps.map(step => written.get(step));
  };
  /** Writes the others' steps, and looks again for the job whose claim another one has. */
  const writeWithout = async (lost: string, steps: readonly TimedStep[]) => {
    const again = ({ job, now }: TimedStep) => {
      const changes = { dueAt: now };
      return { job, now, transition: { state: job.state, changes, news: false } };
    };
    const jobs = await writeAll(steps.map(step => (step.job.id === lost ? again(step) : step)));
    return jobs.map((job, index) => (steps[index]?.job.id === lost ? undefined : job));
  };
  const gather = gathered(writeAll);
  const addAsked: JobChanging['addIfFree'] = async (job, by, free) => {
    const row = newRow(job);
    const made = readable(decode(row, knows));
    const asked = { event: 'asked', detail: job.purpose, actor: job.person, ...by };
    const entry = newEntry(entryOf(made, asked, job.createdAt));
    if (await insertAsked(store, row, entry, free)) {
      noteJob(store, row, job.createdAt);
      noteRows(store, { table: 'jobs', row });
      told?.(entry);
      return { job: made, isNew: true };
    }
    const before = await store
      .selectFrom('jobs')
      .selectAll()
      .where('requestKey', '=', job.requestKey)
      .executeTakeFirst();
    return before && { job: decode(before, knows), isNew: false };
  };
  return {
    async add(job, by = {}) {
      const added = await addAsked(job, by);
      if (!added) throw new Error(`job ${job.id} was not added, and no other has its request`);
      return added;
    },
    addIfFree: addAsked,
    apply: async (job, transition, now) => {
      // A single statement needs no transaction around it.
      const step = { job, transition, now };
      const isAlone = !transition.trail && !transition.claims?.length && !(job.plan && transition.news);
      return isAlone ? write(store, step) : (await writeAll([step]))[0];
    },
    applyAlong: (job, transition, now) => gather({ job, transition, now }),
    async applyAll(steps, now) {
      if (steps.length > 0) await writeAll(steps.map(step => ({ ...step, now })));
    },
    async beginStep(plan, transition, first, ...others) {
      const now = first.createdAt;
      return inTrail(store, told, async (changes, note) => {
        const next = await write(changes, { job: plan, transition, now });
        if (!next) return undefined;
        for (const step of [first, ...others]) {
          const row = stepRow(step);
          const detail = step.steps
            ? `those of the batch that need approval: ${step.steps.length}`
            : `step ${step.step + 1} of ${next.steps?.length}`;
          if (await insertNoted(changes, row, now))
            await note(entryOf(readable(decode(row, knows)), { event: 'begun', detail }, now));
        }
        return next;
      });
    },
    resume: (owner, now) => inTransaction(store, changes => resumeJobs(changes, owner, now)),
  };
}

/**
 * Makes the jobs due at once that wait for this sign-in, in a transaction. Their messages, or those of their plans, ask for
 * it no more.
 */
export async function resumeJobs(changes: Transaction<Schema>, owner: Owner, now: number): Promise<void> {
  const news = { state: 'new', changes: {}, news: true } as const;
  const rows = await changes
    .updateTable('jobs')
    .set({
      ...{ dueAt: now, hold: null, reason: null, lockedUntil: 0, revision: oneMore('revision') },
      tellAt: toldAt(now, news),
    })
    .where('team', '=', owner.team)
    .where(isRunWith(owner))
    .where('hold', '=', 'sign-in')
    .returning(['plan', 'endedAt'])
    .execute();
  await tellPlans(changes, new Map(rows.map(row => [{ transition: news, now }, row])));
  for (const queue of ['jobs', 'jobs to tell'] as const) noteDue(changes, queue, now);
  noteDue(changes, 'homes', now, isAccount(owner) ? { team: owner.team } : owner);
}

/** Whether a job runs with the sign-in of this owner. */
function isRunWith(owner: Owner) {
  return (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    isAccount(owner)
      ? eb('runsAs', '=', 'service')
      : eb.and([eb('person', '=', owner.person), eb('runsAs', 'is', null)]);
}

function entryOf(job: Job, { detail, ...by }: TrailNote, at: number): NewEntry {
  return { ...about(job), detail: detail === undefined ? job.reason : detail, ...by, at };
}

/**
 * Gives a job that was just written.
 * @throws Error where it cannot be read, which rolls back the transaction around it
 */
function readable(job: Job | Unreadable): Job {
  if (job.state === 'unreadable') throw new Error(`job ${job.id} cannot be written: ${job.why}`);
  return job;
}
