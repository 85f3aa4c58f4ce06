import { z } from 'zod';
import { type Beginning, changeDatabase, removeRecord } from '../change.ts';
import { databaseWrite } from '../databaseWrite.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Database, type Estate, nextIdentifier, restStates } from '../estate.ts';
import { identifier } from '../fields.ts';
import { liveKinds, snapshotKinds } from '../identifiers.ts';
import { inputQuery, json } from '../input.ts';
import { find, findLive, findSnapshot } from '../lookups.ts';
import { startClone } from '../newClone.ts';
import { Refusal } from '../refusal.ts';
import { checkSnapshotFree } from '../rules.ts';

type Live = Beginning & { database: Database };

/** Starts the job that takes a new snapshot of a live database. Resolves when it has ended, well or not. */
export function backUpData(live: Live): Promise<void> {
  const { context, database } = live;
  const id = nextIdentifier(context.estate, snapshotKinds[database.vendor]);
  return changeDatabase(live, {
    during: 'BACKING_UP',
    lasts: 4_000,
    async work(task) {
      const { type, sizeMb } = await context.engines[database.vendor].backup({ ...task, database, id });
      // The list grows only here, when the data is safe: a snapshot that is listed can be cloned.
      const createdAt = context.clock.now();
      const name = `${database.name}-${new Date(createdAt).toISOString().slice(0, 16)}`;
      database.snapshots.push({ id, name, type, state: 'AVAILABLE', createdAt, sizeMb });
      return {};
    },
  });
}

function backUpLogs(live: Live): Promise<void> {
  const { context, database, operation } = live;
  return changeDatabase(
    { ...live, operation: `${operation} LOG` },
    {
      during: 'BACKING_UP',
      lasts: 2_000,
      work: task => context.engines[database.vendor].backupLogs({ ...task, database }),
      shows: time => ({ lastLogBackupAt: time }),
    },
  );
}

function snapshotsOf({ databases }: Estate) {
  return new Map(
    [...databases.values()].flatMap(database =>
      database.snapshots.map(snapshot => [snapshot.id, { database, snapshot }] as const),
    ),
  );
}

const firstStagingPort = 13_400;

function freeStagingPort({ databases }: Estate): number {
  const taken = new Set([...databases.values()].map(({ port }) => port));
  let port = firstStagingPort;
  while (taken.has(port)) port += 1;
  return port;
}

/** Spec §4.1: snapshots, which backups make. */
export const snapshotEndpoints: readonly Endpoint[] = [
  databaseWrite({
    method: 'PUT',
    path: '/database/sync',
    input: json(
      z.strictObject({ database: identifier(...Object.values(liveKinds)), syncType: z.literal('LOG').optional() }),
    ),
    developer: 'any',
    states: ['RUNNING', 'FAILED'],
    find: ({ estate }, { database, syncType }) => ({ database: findLive(estate, database, 'database'), syncType }),
    begin: accepted => (accepted.syncType === 'LOG' ? backUpLogs(accepted) : backUpData(accepted)),
  }),

  databaseWrite({
    method: 'PUT',
    path: '/snapshot/delete',
    input: inputQuery,
    developer: 'none',
    states: restStates,
    find: ({ estate }, id) => find(snapshotsOf(estate), id, Object.values(snapshotKinds)),
    check({ context, database, snapshot }) {
      if (snapshot.state !== 'AVAILABLE') throw new Refusal('WRONG_STATE', `${snapshot.id} is ${snapshot.state}`);
      checkSnapshotFree(context.estate, database, snapshot);
    },
    texts: ({ snapshot }) => [snapshot.name],
    begin(accepted) {
      const { context, database, snapshot } = accepted;
      return removeRecord(accepted, snapshot, {
        lasts: 1_000,
        work: task => context.engines[database.vendor].removeSnapshot({ ...task, database, snapshot }),
        done() {
          database.snapshots = database.snapshots.filter(({ id }) => id !== snapshot.id);
        },
        // A snapshot that could not be removed is still there and still good.
        failed: message => Object.assign(snapshot, { state: 'AVAILABLE', error: message }),
      });
    },
  }),

  databaseWrite({
    method: 'POST',
    path: '/database/snapshot/mount',
    input: json(
      z.strictObject({
        database: identifier(...Object.values(liveKinds)),
        snapshot: identifier(...Object.values(snapshotKinds)).optional(),
      }),
    ),
    developer: 'any',
    states: ['RUNNING', 'FAILED', 'BACKING_UP'],
    find({ estate }, { database: id, snapshot }) {
      const database = findLive(estate, id, 'database');
      return { database, snapshot: findSnapshot(database, snapshot) };
    },
    texts: ({ database, snapshot }) => [database.name, snapshot.name],
    begin(accepted) {
      const { context, caller, database: source, snapshot } = accepted;
      const { estate, engines } = context;
      const number = nextIdentifier(estate, 'STAGING').split('-').at(-1);
      const { name, vendor, environment, environmentUser, install, project } = source;
      return startClone(accepted, {
        lasts: 3_000,
        make: 'mount',
        source,
        snapshot,
        clone: {
          name: `${name}-staging-${number}`,
          cloneType: 'STAGING',
          mountBase: `${engines[vendor].host?.mountRoot ?? '/staging'}/${name}_${number}`,
          ...(vendor === 'ORACLE' ? { databaseName: `STG${number}` } : { port: freeStagingPort(estate) }),
          environment,
          environmentUser,
          install,
          project,
          owner: caller.username,
        },
      });
    },
  }),
];
