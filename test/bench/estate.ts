/*
 * What the service of the crowd shows: to each person, a list of records of their own. Every second one is the clone that a
 * job waits for: it is being made, or is not there yet.
 */

/** A person of the crowd, by number from 0. */
export type Crowd = Readonly<{ people: number; jobsEach: number }>;

/** What the list of each person holds beside the clones of the jobs. */
const others = 50;
/** A person's records are numbered from here, times the person's number. */
const numbersEach = 1_000;

export const team = 'T0BENCH001';
export const source = 'MYSQL_LIVE_SERVER-1';

export const personAt = (person: number) => `U0CROWD${person}`;
export const tokenAt = (person: number) => `token-${person}`;
export const jobAt = (person: number, job: number) => `job-${person}-${job}`;
/** Where the clones of a person are made: others may not make one on the same port there. */
export const environmentAt = (person: number) => `HOST_ENVIRONMENT-${person + 1}`;
export const portAt = (job: number) => 10_000 + job;
/** The clone that a job waits for. */
export const cloneAt = (person: number, job: number) => `MYSQL_CLONE_SERVER-${person * numbersEach + others + job + 1}`;
/** Whether the clone can be seen from the start, and has a state in which it is being made. */
export const isVisible = (job: number) => job % 2 === 0;
/** The numbers of the clones that were there before any job. */
export const numbersBefore = (person: number) => `${person * numbersEach + 1}-${person * numbersEach + others}`;

/** A record as a service may show it, in about 400 characters. */
export function recordOf(id: string, state: string, port: number, environment: string): object {
  return {
    id,
    databaseName: `shop-${port}`,
    objectType: id.slice(0, id.lastIndexOf('-')),
    vendor: 'MYSQL',
    state,
    port,
    mountBase: `/mnt/clones/${port}`,
    cloneType: 'VIRTUALCLONE',
    sourceDatabase: source,
    sourceDatabaseName: 'orders',
    environment,
    environmentName: 'lab',
    sizeGb: 128,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-20T08:00:00.000Z',
  };
}

/** A person's records: `isDone` tells of which jobs the clones are finished. */
export function recordsOf(person: number, jobs: number, isDone: (job: number) => boolean): object[] {
  const environment = environmentAt(person);
  const before = Array.from({ length: others }, (_, index) =>
    recordOf(`MYSQL_CLONE_SERVER-${person * numbersEach + index + 1}`, 'RUNNING', 5_000 + index, environment),
  );
  const own = Array.from({ length: jobs }, (_, job) => job).flatMap(job =>
    isDone(job) || isVisible(job)
      ? [recordOf(cloneAt(person, job), isDone(job) ? 'RUNNING' : 'CREATING', portAt(job), environment)]
      : [],
  );
  return [{ ...recordOf(source, 'RUNNING', 3_306, environment), cloneType: undefined }, ...before, ...own];
}
