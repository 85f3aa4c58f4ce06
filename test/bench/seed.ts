import type { JobRow, Store } from '../../src/store/database.ts';
import { fresh } from '../../src/store/jobs/encode.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { openVault } from '../../src/store/vault.ts';
import { tokenKey } from './bots.ts';
import {
  type Crowd,
  cloneAt,
  environmentAt,
  isVisible,
  jobAt,
  numbersBefore,
  personAt,
  portAt,
  source,
  team,
  tokenAt,
} from './estate.ts';

const minute = 60_000;
const rhythm = 10_000;
const channels = 20;
const inOneStatement = 100;

/**
 * Puts a crowd into a store: people who are signed in, each with jobs that run since a minute, told and looked at at the
 * usual rhythm. The first looks are due within one rhythm after `from`, or all at `from`.
 */
export async function seed(store: Store, crowd: Crowd, from: number, atOnce = false): Promise<void> {
  const credentials = credentialsIn(store, openVault([Buffer.from(tokenKey, 'base64')]));
  const rows: JobRow[] = [];
  for (let person = 0; person < crowd.people; person++) {
    await credentials.keep({ team, person: personAt(person) }, `user${person}`, tokenAt(person), from - minute);
    for (let job = 0; job < crowd.jobsEach; job++)
      rows.push(rowOf(person, job, from, atOnce ? from : from + Math.round(Math.random() * rhythm)));
  }
  await store.transaction().execute(async changes => {
    for (let index = 0; index < rows.length; index += inOneStatement)
      await changes
        .insertInto('jobs')
        .values(rows.slice(index, index + inOneStatement))
        .execute();
    const claims = rows.flatMap(({ id, claimed }) => (claimed === null ? [] : [{ record: claimed, job: id }]));
    for (let index = 0; index < claims.length; index += inOneStatement)
      await changes
        .insertInto('claims')
        .values(claims.slice(index, index + inOneStatement))
        .execute();
  });
}

/** A job that runs since a minute. Of every second one the clone can be seen: it is being made. */
function rowOf(person: number, job: number, from: number, dueAt: number): JobRow {
  const clone = cloneAt(person, job);
  const evidence = { id: clone, state: 'CREATING', stateClass: 'busy', since: from, seenAt: from };
  const inputs = {
    sourceDatabase: source,
    cloneType: 'VIRTUALCLONE',
    targetEnvironment: environmentAt(person),
    port: portAt(job),
  };
  return {
    ...blank,
    id: jobAt(person, job),
    requestKey: jobAt(person, job),
    person: personAt(person),
    inputs: JSON.stringify(inputs),
    baseline: JSON.stringify({ ids: { MYSQL_LIVE_SERVER: '1', MYSQL_CLONE_SERVER: numbersBefore(person) } }),
    evidence: isVisible(job) ? JSON.stringify(evidence) : null,
    claimed: isVisible(job) ? clone : null,
    createdAt: from - minute,
    sentAt: from - minute,
    deadlineAt: from + 29 * minute,
    dueAt,
    channel: `C0CROWD${person % channels}`,
    place: `C0CROWD${person % channels}`,
  };
}

const blank = {
  ...fresh,
  team,
  operation: 'clone.create',
  labels: '{}',
  target: source,
  targetName: 'orders',
  state: 'running',
  looks: 8,
  messageTs: '1767225600.000100',
  shown: 1,
  tellAt: null,
  purpose: null,
} as const;
