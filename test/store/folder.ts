import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { PolicyFile, policyOf } from '../../src/jobs/approval/policy/rules.ts';
import type { Ran, Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { type Jobs, jobsIn } from '../../src/store/jobs/jobs.ts';
import type { Job, NewJob } from '../../src/store/jobs/rows/job.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { openVault } from '../../src/store/vault.ts';
import { freshTables } from '../postgres.ts';
import { hasPostgres } from '../postgresServer.ts';
import { scratchFolder } from '../scratch.ts';

/** A folder that is gone after the test. */
export function folder(): string {
  const path = scratchFolder('store');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The store in a folder, closed after the test. `ran` is called after each statement. */
export async function storeIn(dataDir: string, ran?: Ran): Promise<Store> {
  const store = await openStore(dataDir, ran);
  onTestFinished(() => store.destroy());
  return store;
}

/** An empty store in PostgreSQL, closed after the test. `faulty` hears of connections that end without a statement. */
export async function storeInPostgres(faulty = (error: unknown): void => raise(error)): Promise<Store> {
  const { store, close } = await openShared(await freshTables(), systemClock, { heard: () => undefined, faulty });
  onTestFinished(close);
  return store;
}

function raise(error: unknown): never {
  throw error;
}

/** Each kind of store, empty: what is claimed of one is claimed of the other. */
export const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['the embedded store', () => storeIn(folder())],
  ...(hasPostgres ? [['PostgreSQL', () => storeInPostgres()] as const] : []),
];

export const ben = { team: 'T1', person: 'U1' };

let count = 0;
/** What Ben asked for, as a row to add. */
export function wish(change: Partial<NewJob> = {}): NewJob {
  count += 1;
  return {
    id: `job-${count}`,
    requestKey: `request-${count}`,
    ...ben,
    operation: 'clone.create',
    values: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'VIRTUALCLONE' },
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    labels: {},
    channel: 'C1',
    purpose: null,
    createdAt: 1_000,
    ...change,
  };
}

/** Adds a job that is to be told at once, as one that has news. */
export async function addNews(jobs: Jobs, change: Partial<NewJob> = {}): Promise<{ job: Job }> {
  const { job } = await jobs.add(wish(change));
  await jobs.noteMessage(job.id, { tellAt: job.createdAt });
  if (job.state === 'unreadable') throw new Error('it cannot be read');
  return { job };
}

/** The jobs of a store to which every operation is known. */
export function jobsOf(store: Store): Jobs {
  return jobsIn(store, { knows: () => true });
}

/** What tells who is the same person: the sign-ins of a store, and a policy that says nothing of them. */
export function judgingIn(store: Store) {
  return {
    credentials: credentialsIn(store, openVault([Buffer.alloc(32, 1)])),
    policy: policyOf(PolicyFile.parse({}), []),
  };
}

/** What the sending of a job sets. */
export function sent(sentAt: number) {
  return { sentAt, deadlineAt: sentAt + 1_800_000 };
}

/** What the need for an approval sets. */
export const awaited = {
  ...{ login: 'ben', digest: 'd', facts: [], expiresAt: 86_400_000, cardPlace: null },
  terms: { rule: 'all', approvals: 1, approvers: [], asker: { users: [], names: ['ben'] } },
};
