/*
 * What the service of the crowd shows: to each person, a list of records of their own. Every second job waits for a clone that
 * is being made, every other one for a clone that is not there yet.
 */

/**
 * A crowd: its people and their jobs are numbered from 0. With `areVisible`, the clones of all jobs can be seen from the start:
 * one look then finds an end, while a clone that is there all of a sudden has to stand for a while before Dolly believes it.
 * With `areReported`, a record says that its clone is finished: then one look finds the end of any.
 */
export type Crowd = Readonly<{ people: number; jobsEach: number; areVisible?: true; areReported?: true }>;

/** What the list of each person holds beside the clones of the jobs. Every fifth is a live database. */
const others = 50;
const liveEach = 5;
/** Live databases have many snapshots. */
const snapshotsOf = { live: 10, clone: 1 } as const;
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
export const isVisible = (person: number, job: number, areVisible = false) => areVisible || (person + job) % 2 === 0;
/** The numbers of the records that were there before any job, of live databases and of clones alike. */
export const numbersBefore = (person: number) => `${person * numbersEach + 1}-${person * numbersEach + others}`;

/** A live database of a person. */
export const liveAt = (person: number, index: number) =>
  `MYSQL_LIVE_SERVER-${person * numbersEach + index * liveEach + 1}`;
/** A record of a long list that everybody shares, of which the first `live` are live databases. */
export const manyAt = (index: number, live: number) =>
  index < live ? `MYSQL_LIVE_SERVER-${index + 1}` : `MYSQL_CLONE_SERVER-${index + 1}`;

/** A record as a service may show it, in about 500 characters for a clone and 1,700 for a live database. */
export function recordOf(
  id: string,
  state: string,
  port: number,
  environment: string,
  many: number = snapshotsOf[id.includes('_LIVE_') ? 'live' : 'clone'],
): object {
  const isLive = id.includes('_LIVE_');
  const number = Number(id.slice(id.lastIndexOf('-') + 1));
  return {
    id,
    databaseName: `shop-${port}`,
    objectType: id.slice(0, id.lastIndexOf('-')),
    vendor: 'MYSQL',
    state,
    port,
    mountBase: `/mnt/clones/${port}`,
    ...(isLive ? {} : { cloneType: 'VIRTUALCLONE', sourceDatabase: source, sourceDatabaseName: 'orders' }),
    environment,
    environmentName: 'lab',
    snapshots: Array.from({ length: many }, (_, index) => ({
      id: `MYSQL_SNAPSHOT-${number * 10 + index}`,
      name: `shop-${port}-${index}`,
      state: 'AVAILABLE',
      sizeGb: 12,
      createdAt: '2026-11-20T06:00:00.000Z',
    })),
    sizeGb: 128,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-20T08:00:00.000Z',
  };
}

/** A person's records: `isDone` tells of which jobs the clones are finished, which a report of that time may say. */
export function recordsOf(
  person: number,
  jobs: number,
  isDone: (job: number) => boolean,
  { areVisible = false, reportedAt }: Readonly<{ areVisible?: boolean; reportedAt?: string | undefined }> = {},
): object[] {
  const environment = environmentAt(person);
  const before = Array.from({ length: others }, (_, index) => {
    const kind = index % liveEach === 0 ? 'LIVE' : 'CLONE';
    return recordOf(`MYSQL_${kind}_SERVER-${person * numbersEach + index + 1}`, 'RUNNING', 5_000 + index, environment);
  });
  const report = reportedAt && {
    type: 'CLONE_CREATE',
    status: 'SUCCEEDED',
    startedAt: reportedAt,
    endedAt: reportedAt,
  };
  const own = Array.from({ length: jobs }, (_, job) => job).flatMap(job => {
    const state = isDone(job) ? 'RUNNING' : 'CREATING';
    const record = recordOf(cloneAt(person, job), state, portAt(job), environment);
    const isShown = isDone(job) || isVisible(person, job, areVisible);
    return isShown ? [isDone(job) && report ? { ...record, lastJob: report } : record] : [];
  });
  return [recordOf(source, 'RUNNING', 3_306, environment), ...before, ...own];
}
