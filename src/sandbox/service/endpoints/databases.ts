import { backUpData, backUpLogs } from '../backUp.ts';
import { changeDatabase, fail } from '../change.ts';
import type { Endpoint, PlanBody, PlanText } from '../endpoint.ts';
import { type Database, nextIdentifier } from '../estate.ts';
import { cloneKinds, liveKinds, snapshotKinds } from '../identifiers.ts';
import { bookkeeping } from '../jobs.ts';
import { checkFault, find, findDatabase, findLive, findSnapshot } from '../lookups.ts';
import { databaseRecord } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { checkEnabled, checkNoDependents, checkPermission, checkSnapshotFree, checkState } from '../rules.ts';
import { mountBody, readBody, restoreBody, syncBody } from '../schemas.ts';
import { startClone } from './clones.ts';

const databaseKinds = [...Object.values(liveKinds), ...Object.values(cloneKinds)];

const backUp: PlanBody = (context, caller, body) => {
  const { database: id, syncType } = readBody(syncBody, body);
  const database = findLive(context.estate, id, 'database');
  checkPermission(caller, 'database/sync');
  checkEnabled(context.estate.environments.get(database.environment));
  checkState('database/sync', database);
  const begun = syncType === 'LOG' ? backUpLogs : backUpData;
  return { texts: [database.name], begin: effects => begun(context, database, effects) };
};

const refresh: PlanText = (context, caller, id) => {
  const database = findDatabase(context.estate, id);
  checkPermission(caller, 'database/refresh', database);
  checkEnabled(context.estate.environments.get(database.environment));
  checkState('database/refresh', database);
  const state = database.state === 'STOPPED' ? 'STOPPED' : 'RUNNING';
  return {
    texts: [database.name],
    begin: effects =>
      changeDatabase(context, database, {
        operation: 'database/refresh',
        effects,
        during: 'REFRESHING',
        work: task => context.engines[database.vendor].refresh({ ...task, database }),
        after: now => ({ state, refreshedAt: now }),
      }),
  };
};

const toggle = (write: 'database/disable' | 'database/enable'): PlanText => {
  const disabling = write === 'database/disable';
  return (context, caller, id) => {
    const database = findLive(context.estate, id);
    checkPermission(caller, write, database);
    checkEnabled(context.estate.environments.get(database.environment));
    checkState(write, database);
    return {
      texts: [database.name],
      begin: effects =>
        changeDatabase(context, database, {
          operation: write,
          effects,
          during: disabling ? 'DISABLING' : 'ENABLING',
          async work(task) {
            await bookkeeping(context.clock, task);
            return {};
          },
          after: () => ({ state: disabling ? 'DISABLED' : 'RUNNING' }),
        }),
    };
  };
};

const remove: PlanText = (context, caller, id) => {
  const { estate, jobs, engines, clock } = context;
  const database = findDatabase(estate, id);
  checkPermission(caller, 'database/delete', database);
  checkEnabled(estate.environments.get(database.environment));
  checkState('database/delete', database);
  checkNoDependents(estate, database);
  return {
    // A clone that failed as its name asked can still be tidied away.
    texts: database.usable ? [database.name] : [],
    begin(effects) {
      database.state = 'DELETING';
      database.error = undefined;
      return jobs.start({
        operation: 'database/delete',
        target: database.id,
        effects,
        work: task => engines[database.vendor].remove({ ...task, database }),
        done: () => estate.databases.delete(database.id),
        failed: message => fail(database, message, clock.now()),
      });
    },
  };
};

const removeSnapshot: PlanText = (context, caller, id) => {
  const { estate, jobs, engines } = context;
  const { database, snapshot } = find(snapshotsOf(estate.databases), id, Object.values(snapshotKinds));
  checkPermission(caller, 'snapshot/delete');
  checkEnabled(estate.environments.get(database.environment));
  checkState('snapshot/delete', database);
  if (snapshot.state !== 'AVAILABLE') throw new Refusal('WRONG_STATE', `${id} is ${snapshot.state}`);
  checkSnapshotFree(estate, database, snapshot);
  return {
    texts: [snapshot.name],
    begin(effects) {
      snapshot.state = 'DELETING';
      snapshot.error = undefined;
      return jobs.start({
        operation: 'snapshot/delete',
        target: id,
        effects,
        work: task => engines[database.vendor].removeSnapshot({ ...task, database, snapshot }),
        done() {
          database.snapshots = database.snapshots.filter(other => other.id !== id);
        },
        // A snapshot that could not be removed is still there and still good.
        failed: message => Object.assign(snapshot, { state: 'AVAILABLE', error: message }),
      });
    },
  };
};

function snapshotsOf(databases: ReadonlyMap<string, Database>) {
  return new Map(
    [...databases.values()].flatMap(database =>
      database.snapshots.map(snapshot => [snapshot.id, { database, snapshot }] as const),
    ),
  );
}

const firstStagingPort = 13_400;

const mount: PlanBody = (context, caller, body) => {
  const { database: id, snapshot: snapshotId } = readBody(mountBody, body);
  const { estate } = context;
  const source = findLive(estate, id, 'database');
  const snapshot = findSnapshot(source, snapshotId);
  checkPermission(caller, 'database/snapshot/mount');
  checkEnabled(estate.environments.get(source.environment));
  checkState('database/snapshot/mount', source);
  return {
    texts: [source.name, snapshot.name],
    begin(effects) {
      const number = nextIdentifier(estate, 'STAGING').split('-').at(-1);
      const settings = {
        mountBase: `${context.engines[source.vendor].host?.mountRoot ?? '/staging'}/${source.name}_${number}`,
        ...(source.vendor === 'ORACLE'
          ? { databaseName: `STG${number}` }
          : { port: freePort(estate.databases.values()) }),
      };
      return startClone(context, {
        operation: 'database/snapshot/mount',
        make: 'mount',
        effects,
        source,
        snapshot,
        clone: {
          ...settings,
          name: `${source.name}-staging-${number}`,
          cloneType: 'STAGING',
          environment: source.environment,
          environmentUser: source.environmentUser,
          install: source.install,
          project: source.project,
          owner: caller.username,
        },
      });
    },
  };
};

function freePort(databases: Iterable<Database>): number {
  const taken = new Set([...databases].map(({ port }) => port));
  let port = firstStagingPort;
  while (taken.has(port)) port += 1;
  return port;
}

const restore: PlanBody = (context, caller, body) => {
  const { database: id, snapshot: snapshotId, ...scope } = readBody(restoreBody, body);
  const database = findLive(context.estate, id, 'database');
  checkPermission(caller, 'database/restore', database);
  const snapshot = findSnapshot(database, snapshotId);
  checkEnabled(context.estate.environments.get(database.environment));
  checkState('database/restore', database);
  checkFault(context.engines[database.vendor].checkRestore(database, scope));
  const typed = Object.entries(scope).map(([key, value]) =>
    key !== 'objectType' && typeof value === 'string' ? value : undefined,
  );
  return {
    texts: [database.name, ...typed],
    begin: effects =>
      changeDatabase(context, database, {
        operation: 'database/restore',
        effects,
        during: 'RESTORING',
        work: task => context.engines[database.vendor].restore({ ...task, database, snapshot, scope }),
        after: now => ({ restoredAt: now, restoredSnapshot: snapshot.id, restoredScope: scope.objectType }),
      }),
  };
};

/** Spec §4.1 and §4.6. */
export const databaseEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/database/list',
    takes: 'nothing',
    read: ({ estate }) => [...estate.databases.values()].map(database => databaseRecord(estate, database)),
  },
  {
    method: 'GET',
    path: '/database/{id}',
    takes: 'path',
    read: ({ estate }, id) => databaseRecord(estate, find(estate.databases, id, databaseKinds)),
  },
  { method: 'PUT', path: '/database/sync', takes: 'json', write: 'database/sync', plan: backUp },
  { method: 'PUT', path: '/database/refresh', takes: 'text', write: 'database/refresh', plan: refresh },
  {
    method: 'PUT',
    path: '/database/disable',
    takes: 'text',
    write: 'database/disable',
    plan: toggle('database/disable'),
  },
  { method: 'PUT', path: '/database/enable', takes: 'text', write: 'database/enable', plan: toggle('database/enable') },
  { method: 'DELETE', path: '/database/delete', takes: 'input', write: 'database/delete', plan: remove },
  { method: 'PUT', path: '/snapshot/delete', takes: 'input', write: 'snapshot/delete', plan: removeSnapshot },
  { method: 'POST', path: '/database/snapshot/mount', takes: 'json', write: 'database/snapshot/mount', plan: mount },
  { method: 'POST', path: '/database/restore', takes: 'json', write: 'database/restore', plan: restore },
];
