import type { Store } from '../../src/store/database.ts';
import { fresh } from '../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
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
/** So many that what one of them takes from Slack's limits is never what is waited for. */
const channels = 100;
const inOneStatement = 100;

/**
 * Puts a crowd into a store: people who are signed in, each with jobs that run since a minute, told and looked at at the
 * usual rhythm. The first looks are due within one rhythm after `from`, or all at `from`.
 */
export async function seed(store: Store, crowd: Crowd, from: number, atOnce = false): Promise<void> {
  const people = Array.from({ length: crowd.people }, (_, person) => person);
  const rows = people.flatMap(person =>
    Array.from({ length: crowd.jobsEach }, (_, job) =>
      rowOf(crowd, { person, job }, from, atOnce ? from : from + Math.round(Math.random() * rhythm)),
    ),
  );
  const claims = rows.flatMap(({ id, claimed }) =>
    claimed === null ? [] : [{ record: claimed, sign: '', job: id, name: null, madeAt: null }],
  );
  await store.transaction().execute(async changes => {
    await signInAll(changes, crowd.people, from);
    for (const some of slices(rows)) await changes.insertInto('jobs').values(some).execute();
    for (const some of slices(claims)) await changes.insertInto('claims').values(some).execute();
  });
}

/** Signs so many people in, a minute before `from`. */
export async function signInAll(store: Store, people: number, from: number): Promise<void> {
  const vault = openVault([Buffer.from(tokenKey, 'base64')]);
  const credentials = await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      const owner = { team, person: personAt(person) };
      const username = `user${person}`;
      const token = await vault.seal(owner, JSON.stringify([username, tokenAt(person)]));
      return { ...owner, username, token, createdAt: from - minute };
    }),
  );
  for (const some of slices(credentials)) await store.insertInto('credentials').values(some).execute();
}

/** So many rows as one statement takes. */
export function slices<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / inOneStatement);
  return Array.from({ length: count }, (_, index) => rows.slice(index * inOneStatement, (index + 1) * inOneStatement));
}

/** A job that runs since a minute. If its clone can be seen, it is being made. */
function rowOf(
  crowd: Crowd,
  { person, job }: Readonly<{ person: number; job: number }>,
  from: number,
  dueAt: number,
): JobRow {
  const clone = cloneAt(person, job);
  const evidence = { id: clone, state: 'CREATING', stateClass: 'busy', wasBusy: 'CREATING', since: from, seenAt: from };
  const inputs = {
    sourceDatabase: source,
    cloneType: 'VIRTUALCLONE',
    targetEnvironment: environmentAt(person),
    port: portAt(job),
  };
  const before = numbersBefore(person);
  const visible = isVisible(person, job, crowd.areVisible);
  return {
    ...fresh,
    ...told,
    id: jobAt(person, job),
    requestKey: jobAt(person, job),
    person: personAt(person),
    inputs: JSON.stringify(inputs),
    baseline: JSON.stringify({ ids: { MYSQL_LIVE_SERVER: `1,${before}`, MYSQL_CLONE_SERVER: before } }),
    evidence: visible ? JSON.stringify(evidence) : null,
    claimed: visible ? clone : null,
    takesOn: environmentAt(person),
    takesPort: portAt(job),
    createdAt: from - minute,
    sentAt: from - minute,
    deadlineAt: from + 29 * minute,
    dueAt,
    channel: `C0CROWD${person % channels}`,
    place: `C0CROWD${person % channels}`,
  };
}

const told = {
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
