import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { approve } from '../../../src/jobs/approval/decide.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import { writeOperation } from '../../../src/operations/catalogue.ts';
import { planStep } from '../../../src/operations/plans/plan.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import type { Job, NewJob } from '../../../src/store/jobs/rows/job.ts';
import { board } from '../deciding.ts';

/** A clone, the database that it was made from, and another clone, of the sandbox's estate. */
export const [clone, live, other] = ['MARIADB_CLONE_SERVER-1', 'MARIADB_LIVE_SERVER-1', 'MARIADB_CLONE_SERVER-2'];

/** A step that does something to a record. */
export function stepOn(name: string, id: string | undefined, more: object = {}) {
  const operation = writeOperation(name);
  if (!operation || id === undefined) throw new Error(`there is no ${name}`);
  return planStep(operation, { [operation.target]: id, ...more }, {});
}

/** A plan that deletes a clone and then its database. */
export const teardown = {
  operation: 'database.testplan',
  target: live ?? '',
  values: { database: live ?? '' },
  steps: [stepOn('database.delete', clone), stepOn('database.delete', live)],
};

/** A board with a plan that was asked for, and the loop that works on it. */
export async function planBoard(
  store: Store,
  change: Partial<NewJob> = {},
  file: object = {},
  middleware?: Middleware,
) {
  const here = await board(store, file, () => undefined, middleware);
  const { parts, clock } = here;
  const id = 'plan-1';
  const asked = { id, requestKey: id, team: 'T1', person: 'U0ANA', labels: {}, targetName: null, channel: 'C1' };
  await parts.jobs.add({ ...asked, purpose: 'It is old.', createdAt: clock.now(), ...teardown, ...change });
  const plan = async (): Promise<Job> => {
    const job = await parts.jobs.find(id);
    if (!job || job.state === 'unreadable') throw new Error('the plan is gone');
    return job;
  };
  return {
    ...here,
    plan,
    /** The states of the plan's steps, in the order in which they were begun. */
    async steps() {
      return (await parts.jobs.stepsOf(id)).map(job => `${job.state === 'unreadable' ? '?' : job.step} ${job.state}`);
    },
    /** Lets the loop work, with these parts, until something is so. */
    async works(isDone: () => Promise<boolean>, at: AllParts = parts, most = 120) {
      const loop = workOnDueJobs(at, at);
      try {
        for (let turn = 0; turn < most; turn++) {
          if (await isDone()) return;
          // In small steps at first; a job in doubt takes half an hour.
          await clock.advance(turn < 60 ? 1_000 : 60_000);
        }
        throw new Error(`it did not come to that: ${JSON.stringify(await plan())}`);
      } finally {
        await loop.stop();
      }
    },
    async approvesPlan(person = 'U0DEV', asked = id) {
      const job = await parts.jobs.find(asked);
      if (!job || job.state === 'unreadable') throw new Error(`there is no ${asked}`);
      return approve(parts, job, { team: 'T1', person, channel: 'C1', digest: job.approval?.digest ?? '' });
    },
    /** What the service was asked to write, as the method and what it is about. */
    written: () =>
      here.service.requests
        .filter(({ method, path }) => method !== 'GET' && path.includes('/database'))
        .map(({ method, query, body }) => `${method} ${Object.values(query).join(' ') || JSON.stringify(body)}`)
        // What the board itself asked for.
        .filter(line => !line.includes('MARIADB_LIVE_SERVER-5')),
  };
}
export type PlanBoard = Awaited<ReturnType<typeof planBoard>>;
