import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { Store } from '../database.ts';
import type { Owner } from '../vault.ts';
import { type Actor, inTrail, type Told } from './audit.ts';
import { about, asJob, fresh, type Job, type JobChange, type JobState, type NewJob, type Next, open } from './job.ts';
import { type Queue, queueIn } from './queue.ts';

/** What is to be set of a job that stays in its state, and whether readers are told. */
export type Note = Readonly<{ id: string; change: JobChange; isNews: boolean }>;

/** How a transition stands in the audit trail, where the bot itself did not make it, or it needs other words. */
export type By = Partial<Actor> & { event?: string; detail?: string };

/** The jobs' rows. Every change of state is one compare-and-set statement: whoever comes second changes nothing. */
export type Jobs = Queue<Job> & {
  /** Adds a job that is due at once. A request key that is known already gives the job it made. */
  add(job: NewJob, by?: By): Promise<{ job: Job; isNew: boolean }>;
  find(id: string): Promise<Job | undefined>;
  /** The job that a request key made. */
  findAsked(requestKey: string): Promise<Job | undefined>;
  /** The jobs of one person, the newest first. */
  ofPerson(owner: Owner, most: number): Promise<Job[]>;
  /** The jobs of a team that wait for approval, the oldest first. */
  awaiting(team: string, most: number): Promise<Job[]>;
  /** The jobs of a team about this target that have not ended. */
  openOn(team: string, target: string): Promise<Job[]>;
  /**
   * Moves a job on and marks it to be told, and writes that to the audit trail, both or neither. `undefined` where it was
   * no longer in the state `from`.
   */
  move<From extends JobState>(
    id: string,
    from: From,
    to: Next<From>,
    change: JobChange,
    now: number,
    by?: By,
  ): Promise<Job | undefined>;
  /**
   * Adds to the decisions on an `awaiting` job, and moves it on where `to` says so. `undefined` where it no longer is as
   * `job` has it: somebody else decided meanwhile.
   */
  decide(
    job: Job,
    decisions: string,
    to: 'awaiting' | Next<'awaiting'>,
    change: JobChange,
    now: number,
    by: By,
  ): Promise<Job | undefined>;
  /** Changes a job within its state; with `isNews`, readers are told. `undefined` where it left that state. */
  note(id: string, state: JobState, change: JobChange, isNews: boolean, now: number): Promise<Job | undefined>;
  /** The same for several jobs at once; those that left that state stay as they are. */
  noteAll(state: JobState, notes: readonly Note[], now: number): Promise<void>;
  /** Sets what is known of a job's message, whatever its state; with `revision`, unless the job moved on since. */
  told(id: string, change: JobChange, revision?: number): Promise<void>;
  /** Remembers where one of a job's other messages stands, and that nothing is being posted. */
  posted(id: string, part: string, message: { place: string; ts: string }): Promise<void>;
  /** Readers have all that this revision says: nothing is to be told, unless the job moved on since. */
  toldAll(id: string, revision: number): Promise<void>;
  /**
   * Makes due at once what is put off for longer than anything ever is, or with `all` whatever is put off: the time of
   * day was set since. What waits for a person, to decide or to sign in, may wait for long.
   */
  recall(now: number, all?: 'all'): Promise<void>;
  /** How many jobs there are in each state that has not ended, and how many are to be told. */
  standing(): Promise<Readonly<Record<string, number>>>;
  /** Makes a person's jobs that wait for a sign-in due at once. */
  resume(owner: Owner, now: number): Promise<void>;
  /** Gives a new record to this job as its proof; `false` where another job that ran meanwhile has it. */
  claim(job: Job, record: string): Promise<boolean>;
  /** Gives another sign to this job, such as a time that moved; `false` where another job that ran meanwhile has it. */
  claimSign(job: Job, sign: string): Promise<boolean>;
  /** The other jobs on the same record that were under way at any time since this one was sent. */
  overlapping(job: Job): Promise<Job[]>;
  /** The other jobs of these operations that are under way and have no new record of their own yet. */
  unclaimed(job: Job, operations: readonly string[]): Promise<Job[]>;
  /** Which of these records other jobs have as their own that were under way since this one was sent. */
  taken(job: Job, records: readonly string[]): Promise<ReadonlySet<string>>;
  /** The records that jobs are under way on, and those that they make. */
  inHand(): Promise<ReadonlySet<string>>;
  /** Frees every lease, when no other process can hold one. */
  freeLeases(): Promise<void>;
};

/** Keeps jobs in the store; `told` hears of what the trail has of them, and `moved` of each transition that was kept. */
export function jobsIn(store: Store, told?: Told, moved: (job: Job) => void = () => undefined): Jobs {
  const change = async (
    id: string,
    from: JobState,
    set: JobChange & { state?: JobState },
    news: number | undefined,
    decisions?: string,
    within: Store = store,
  ) => {
    const row = await within
      .updateTable('jobs')
      .set(set)
      .$if(news !== undefined, query =>
        query.set(eb => ({ revision: eb('revision', '+', 1), tellAt: news ?? null, tellTries: 0 })),
      )
      .where('id', '=', id)
      .where('state', '=', from)
      .$if(decisions !== undefined, query => query.where('decisions', '=', decisions ?? ''))
      .returningAll()
      .executeTakeFirst();
    return row && asJob(row);
  };
  /** A transition and its entry in the trail stand or fall together. */
  const transition = async (
    id: string,
    from: JobState,
    set: JobChange & { state: JobState },
    now: number,
    by: By,
    decisions?: string,
  ) => {
    const kept = await inTrail(store, told, async (changes, note) => {
      const job = await change(id, from, { leaseUntil: 0, ...set }, now, decisions, changes);
      if (job) await note({ ...about(job), event: eventOf(from, job), detail: job.reason, ...by, at: now });
      return job;
    });
    if (kept) moved(kept);
    return kept;
  };
  const find = async (id: string) => {
    const row = await store.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
    return row && asJob(row);
  };
  /** What shows the end of one job is no sign of another; a record is kept as the job's own beside that. */
  const claimIn = (job: Job, sign: string, isRecord: boolean) =>
    store.transaction().execute(async changes => {
      const mine = changes.selectFrom('jobs').select('id').where('id', '=', job.id).where('state', '=', 'running');
      if (!(await mine.executeTakeFirst())) return false;
      const row = { record: sign, job: job.id };
      const claimed = await changes
        .insertInto('claims')
        .values(row)
        .onConflict(conflict =>
          conflict
            .column('record')
            .doUpdateSet(row)
            // A record that an earlier job claimed before this one was sent was in this one's baseline, if it still was there.
            .where(({ or, eb, exists, selectFrom }) =>
              or([
                eb('claims.job', '=', job.id),
                exists(
                  selectFrom('jobs as other')
                    .select('other.id')
                    .whereRef('other.id', '=', 'claims.job')
                    .where('other.endedAt', '<', job.sentAt ?? 0),
                ),
              ]),
            ),
        )
        .returning('record')
        .executeTakeFirst();
      if (!claimed) return false;
      if (isRecord) await changes.updateTable('jobs').set({ claimed: sign }).where('id', '=', job.id).execute();
      return true;
    });
  return {
    ...queueIn(store, asJob),
    find,
    async findAsked(requestKey) {
      const row = await store.selectFrom('jobs').selectAll().where('requestKey', '=', requestKey).executeTakeFirst();
      return row && asJob(row);
    },
    async add(job, by = {}) {
      const inserted = await inTrail(store, told, async (changes, note) => {
        const row = await changes
          .insertInto('jobs')
          .values({ ...fresh, ...job, dueAt: job.createdAt, tellAt: job.createdAt })
          .onConflict(conflict => conflict.column('requestKey').doNothing())
          .returningAll()
          .executeTakeFirst();
        const entry = { actor: job.person, event: 'asked', detail: job.purpose, at: job.createdAt };
        if (row) await note({ ...about(asJob(row)), ...entry, ...by });
        return row;
      });
      if (inserted) return { job: asJob(inserted), isNew: true };
      const before = await store
        .selectFrom('jobs')
        .selectAll()
        .where('requestKey', '=', job.requestKey)
        .executeTakeFirstOrThrow();
      return { job: asJob(before), isNew: false };
    },
    async ofPerson(owner, most) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('team', '=', owner.team)
        .where('person', '=', owner.person)
        .orderBy('createdAt', 'desc')
        .limit(most)
        .execute();
      return rows.map(asJob);
    },
    async awaiting(team, most) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('team', '=', team)
        .where('state', '=', 'awaiting')
        .orderBy('createdAt')
        .limit(most)
        .execute();
      return rows.map(asJob);
    },
    async openOn(team, target) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('team', '=', team)
        .where('target', '=', target)
        .where('state', 'in', open)
        .orderBy('createdAt')
        .execute();
      return rows.map(asJob);
    },
    move: (id, from, to, set, now, by = {}) => transition(id, from, { ...set, state: to }, now, by),
    decide: (job, decisions, to, set, now, by) =>
      transition(job.id, 'awaiting', { ...set, decisions, state: to }, now, by, job.decisions),
    note: (id, state, set, isNews, now) => change(id, state, { leaseUntil: 0, ...set }, isNews ? now : undefined),
    async noteAll(state, notes, now) {
      if (notes.length === 0) return;
      await store.transaction().execute(async changes => {
        for (const { id, change: set, isNews } of notes)
          await change(id, state, { leaseUntil: 0, ...set }, isNews ? now : undefined, undefined, changes);
      });
    },
    async told(id, set, revision) {
      await store
        .updateTable('jobs')
        .set(set)
        .where('id', '=', id)
        .$if(revision !== undefined, query => query.where('revision', '=', revision ?? 0))
        .execute();
    },
    posted: (id, part, message) =>
      store.transaction().execute(async changes => {
        const row = await changes.selectFrom('jobs').select('posts').where('id', '=', id).executeTakeFirstOrThrow();
        const posts = JSON.stringify({ ...JSON.parse(row.posts), [part]: message });
        await changes.updateTable('jobs').set({ posts, posting: null }).where('id', '=', id).execute();
      }),
    async toldAll(id, revision) {
      await store
        .updateTable('jobs')
        .set({ tellAt: null })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .execute();
    },
    async recall(now, all) {
      const far = all ? now : now + farthest;
      await store
        .updateTable('jobs')
        .set({ dueAt: now })
        .where('dueAt', '>', far)
        .where('state', 'in', ['new', 'approved', 'sending', 'running'])
        .where(({ or, eb }) => or([eb('hold', 'is', null), eb('hold', '!=', 'sign-in')]))
        .execute();
      await store.updateTable('jobs').set({ tellAt: now }).where('tellAt', '>', far).execute();
    },
    async standing() {
      const [states, untold] = await Promise.all([
        store
          .selectFrom('jobs')
          .select(['state', eb => eb.fn.countAll().as('many')])
          .where('state', 'in', open)
          .groupBy('state')
          .execute(),
        store
          .selectFrom('jobs')
          .select(eb => eb.fn.countAll().as('many'))
          .where('tellAt', 'is not', null)
          .executeTakeFirst(),
      ]);
      const counted = new Map(states.map(({ state, many }) => [state, Number(many)]));
      return {
        ...Object.fromEntries(open.map(state => [state, counted.get(state) ?? 0])),
        untold: Number(untold?.many ?? 0),
      };
    },
    async resume(owner, now) {
      await store
        .updateTable('jobs')
        .set(eb => ({
          dueAt: now,
          hold: null,
          reason: null,
          leaseUntil: 0,
          revision: eb('revision', '+', 1),
          tellAt: now,
        }))
        .where('team', '=', owner.team)
        .where('person', '=', owner.person)
        .where('hold', '=', 'sign-in')
        .execute();
    },
    claim: (job, record) => claimIn(job, record, true),
    claimSign: (job, sign) => claimIn(job, sign, false),
    async overlapping({ id, target, sentAt }) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('target', '=', target)
        .where('id', '!=', id)
        .where(({ or, eb }) =>
          or([eb('state', 'in', ['sending', 'running']), eb('endedAt', '>=', sentAt ?? Number.MAX_SAFE_INTEGER)]),
        )
        .where('sentAt', 'is not', null)
        .limit(mostOverlapping)
        .execute();
      return rows.map(asJob);
    },
    async unclaimed({ id }, operations) {
      const rows = await store
        .selectFrom('jobs')
        .selectAll()
        .where('state', 'in', ['sending', 'running'])
        .where('operation', 'in', operations)
        .where('claimed', 'is', null)
        .where('id', '!=', id)
        .limit(mostOverlapping)
        .execute();
      return rows.map(asJob);
    },
    async taken({ id, sentAt }, records) {
      const rows = await store
        .selectFrom('claims')
        .innerJoin('jobs', 'jobs.id', 'claims.job')
        .select('claims.record')
        .where('claims.record', 'in', records)
        .where('claims.job', '!=', id)
        .where(({ or, eb }) => or([eb('jobs.endedAt', 'is', null), eb('jobs.endedAt', '>=', sentAt ?? 0)]))
        .execute();
      return new Set(rows.map(({ record }) => record));
    },
    async inHand() {
      const rows = await store
        .selectFrom('jobs')
        .select(['target', 'claimed'])
        .where('state', 'in', ['sending', 'running'])
        .execute();
      return new Set(rows.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
    },
    async freeLeases() {
      await store.updateTable('jobs').set({ leaseUntil: 0, tellLeaseUntil: 0 }).execute();
    },
  };
}

/** Nothing is put off for longer than this, in milliseconds: the service and Slack ask for some minutes at most. */
const farthest = minutesToMilliseconds(15);

/** So many other jobs are held beside one at most. */
const mostOverlapping = 200;

/** What a transition is called in the trail. */
function eventOf(from: JobState, { state, inDoubt }: Job): string {
  if (state === 'running')
    return from === 'unconfirmed' || from === 'finished' ? 'looking again' : inDoubt ? 'in doubt' : 'accepted';
  return from === 'sending' && (state === 'new' || state === 'approved') ? 'put off' : state;
}
