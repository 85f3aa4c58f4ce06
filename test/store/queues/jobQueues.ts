import { day } from '../../../src/ground/durations.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import { eventOfFailedLook } from '../../../src/jobs/afterLook.ts';
import { pauseBefore } from '../../../src/jobs/pauseAfterFailure.ts';
import { pauseAfter } from '../../../src/slack/connection/retryAfter.ts';
import { Refused } from '../../../src/slack/connection/slackErrors.ts';
import type { Store } from '../../../src/store/database.ts';
import { type Jobs, jobsIn } from '../../../src/store/jobs/jobs.ts';
import { newRow } from '../../../src/store/jobs/rows/encode.ts';
import type { Job } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { awaited, wish } from '../folder.ts';
import { tellsWithout } from './leftTeam.ts';
import { type DueRow, type Held, inParts, type Process, type QueueCase } from './queue.ts';

/** The service is away: nothing was sent, and another try may help. */
export const away = new Failure('unsent', 'The service is away.');
/** A word of Slack’s that promises no end. */
export const refusal = new Refused('odd_error');

function processOf(
  store: Store,
  said: (() => void) | undefined,
  parts: (jobs: Jobs) => Pick<Process, 'take' | 'nextTime'>,
): Process {
  const jobs = jobsIn(store, { knows: () => true, ...(said ? { leftAlone: said } : {}) });
  return {
    ...parts(jobs),
    search: now => jobs.recall(now),
    recall: now => jobs.recall(now, 'all'),
  };
}

function rowOf({ id, dueAt, team = 'T1', person = 'U1' }: DueRow, change: Partial<JobRow>): JobRow {
  const row = newRow(wish({ id, requestKey: id, team, person, createdAt: dueAt }));
  return { ...row, tellAt: null, ...change };
}

const putJobs = (store: Store, rows: readonly JobRow[]) =>
  inParts(rows, some => store.insertInto('jobs').values(some).execute());

const spoilJob = (store: Store, id: string) =>
  store.updateTable('jobs').set({ state: 'dreaming' }).where('id', '=', id).execute();

async function seeJob(store: Store, id: string): Promise<JobRow | undefined> {
  return store.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The end of a job, by compare-and-set on its state. */
async function end(jobs: Jobs, { id, state, taken }: Job, now: number): Promise<boolean> {
  const changes = { endedAt: now, reason: 'It is over.', dueAt: null };
  return (await jobs.apply({ id, state, taken }, { state: 'failed', changes, news: false }, now)) !== undefined;
}

/** The jobs that are due for a step: here, to be sent. */
export const due: QueueCase = {
  lock: 'jobs.locked_until',
  max: 500,
  put: (store, rows) =>
    putJobs(
      store,
      rows.map(row => rowOf(row, {})),
    ),
  spoil: spoilJob,
  async see(store, id) {
    const row = await seeJob(store, id);
    return row && { dueAt: row.dueAt, lockedUntil: row.lockedUntil, tries: row.looks };
  },
  begin: (store, said) =>
    processOf(store, said, jobs => {
      const held = (job: Job): Held => {
        const { id, state, taken } = job;
        const wait = (dueAt: number, tries: number) =>
          jobs.apply({ id, state, taken }, { state, changes: { hold: 'busy', dueAt, tries }, news: false }, dueAt);
        const tries = job.state === 'new' ? job.tries : 0;
        return {
          id,
          renew: until => jobs.renewDue([job], until),
          rest: dueAt => wait(dueAt, tries),
          async fail(now) {
            const pause = pauseBefore(away, tries);
            await (pause === undefined ? end(jobs, job, now) : wait(now + pause, tries + 1));
          },
          step: now => end(jobs, job, now),
        };
      };
      return {
        take: async (now, max) => (await jobs.takeDue(now, lockTime, max)).map(held),
        nextTime: after => jobs.nextTime('due', after),
      };
    }),
};

/** The jobs that run and were looked at in vain: a narrow table has the next look. */
export const looks: QueueCase = {
  lock: 'looks.free_at',
  max: 500,
  async put(store, rows) {
    const running = (row: DueRow) =>
      rowOf(row, { state: 'running', sentAt: row.dueAt, deadlineAt: row.dueAt + day, dueAt: null });
    await putJobs(store, rows.map(running));
    const look = ({ id, team = 'T1', person = 'U1', dueAt }: DueRow) => ({ job: id, team, person, dueAt });
    await inParts(rows, some =>
      store
        .insertInto('looks')
        .values(some.map(row => ({ ...look(row), freeAt: row.dueAt, looks: 0, fence: 0 })))
        .execute(),
    );
  },
  // Whoever changes its state takes a job out of this queue.
  spoil: (store, id) => store.updateTable('jobs').set({ inputs: '{' }).where('id', '=', id).execute(),
  async see(store, id) {
    const job = await seeJob(store, id);
    const row = await store.selectFrom('looks').selectAll().where('job', '=', id).executeTakeFirst();
    if (job?.state !== 'running') return undefined;
    return row && { dueAt: row.dueAt, lockedUntil: row.freeAt === row.dueAt ? 0 : row.freeAt, tries: row.looks };
  },
  begin: (store, said) =>
    processOf(store, said, jobs => {
      const held = (job: Job): Held => {
        if (job.state !== 'running') throw new Error('it does not run');
        return {
          id: job.id,
          rest: dueAt => jobs.noChange([{ job, dueAt }]),
          renew: until => jobs.renewDue([job], until),
          async fail(now) {
            const event = eventOfFailedLook(job, away, { at: now, spread: 1 });
            if ('nextAt' in event) await jobs.noChange([{ job, dueAt: event.nextAt }]);
          },
          step: now => end(jobs, job, now),
        };
      };
      return {
        take: async (now, max) => (await jobs.takeDue(now, lockTime, max)).map(held),
        nextTime: after => jobs.nextTime('due', after),
      };
    }),
};

const { terms, facts, ...asked } = awaited;
const waiting: Partial<JobRow> = {
  ...{ ...asked, state: 'awaiting', terms: JSON.stringify(terms), facts: JSON.stringify(facts) },
};

/** The jobs whose message is behind. */
export const tell: QueueCase = {
  lock: 'jobs.tell_locked_until',
  max: 50,
  put: (store, rows) =>
    putJobs(
      store,
      rows.map(row => rowOf(row, { dueAt: null, tellAt: row.dueAt, ...(row.isUrgent ? waiting : {}) })),
    ),
  spoil: spoilJob,
  async see(store, id) {
    const row = await seeJob(store, id);
    return row && { dueAt: row.tellAt, lockedUntil: row.tellLockedUntil, tries: row.tellTries };
  },
  turnUninstalled: tellsWithout,
  begin: (store, said) =>
    processOf(store, said, jobs => {
      const held = ({ id, revision, tellTries }: Job): Held => {
        const wait = (tellAt: number, tries: number) =>
          jobs.noteMessage(id, { tellAt, tellTries: tries, tellLockedUntil: 0 });
        return {
          id,
          renew: until => jobs.renewUntold([id], until),
          rest: tellAt => wait(tellAt, tellTries),
          fail: now => wait(now + pauseAfter(refusal, tellTries), tellTries + 1),
          note: () => jobs.noteTold(id, revision, { shown: revision, tellTries: 0 }),
        };
      };
      return {
        take: async (now, max) => (await jobs.takeUntold(now, lockTime, max)).map(held),
        nextTime: after => jobs.nextTime('tell', after),
      };
    }),
};
