import { basename } from 'node:path';
import type { z } from 'zod';
import { changeDatabase, fail } from '../change.ts';
import type { Context, Endpoint, PlanBody, PlanText } from '../endpoint.ts';
import type { Effects, Engine } from '../engine.ts';
import { type Database, type DatabaseState, type Estate, nextIdentifier, type Snapshot } from '../estate.ts';
import { cloneKinds, oracleCloneAlias } from '../identifiers.ts';
import {
  checkFault,
  checkFree,
  checkTarget,
  find,
  findClone,
  findEnvironment,
  findLive,
  findSnapshot,
} from '../lookups.ts';
import { Refusal } from '../refusal.ts';
import { checkEnabled, checkPermission, checkState, checkVirtual, type DatabaseWrite } from '../rules.ts';
import { physicalCloneBody, readBody, readSwitchBody, shareBody, virtualCloneBody } from '../schemas.ts';

type NewClone = {
  operation: DatabaseWrite;
  make: 'createVirtual' | 'createPhysical' | 'mount' | 'share';
  effects: Effects;
  source: Database;
  snapshot: Snapshot;
  clone: Omit<
    Database,
    'id' | 'vendor' | 'state' | 'usable' | 'snapshots' | 'contents' | 'facts' | 'simulated' | 'createdAt' | 'updatedAt'
  >;
};

/** Puts a clone into the estate, in CREATING, and starts the job that makes it. Resolves when the job has ended. */
export function startClone(
  { estate, engines, jobs, clock }: Context,
  { operation, make, effects, source, snapshot, clone: given }: NewClone,
): Promise<void> {
  const engine: Engine = engines[source.vendor];
  const now = clock.now();
  const clone: Database = {
    ...given,
    id: nextIdentifier(estate, cloneKinds[source.vendor]),
    vendor: source.vendor,
    state: 'CREATING',
    usable: false,
    sourceDatabase: source.id,
    snapshot: snapshot.id,
    snapshots: [],
    contents: {},
    facts: {},
    simulated: engine.simulated,
    createdAt: now,
    updatedAt: now,
  };
  estate.databases.set(clone.id, clone);
  return jobs.start({
    operation,
    target: clone.id,
    effects,
    work: task => engine[make]({ ...task, clone, source, snapshot }),
    done({ contents = {}, facts = {}, port = clone.port }) {
      Object.assign(clone, { state: 'RUNNING', usable: true, contents, facts, port, updatedAt: clock.now() });
    },
    failed: message => fail(clone, message, clock.now()),
  });
}

const create =
  (
    schema: typeof virtualCloneBody | typeof physicalCloneBody,
    write: DatabaseWrite,
    make: NewClone['make'],
  ): PlanBody =>
  (context, caller, body) => {
    const {
      vendor,
      sourceDatabase,
      targetEnvironment,
      snapshot: snapshotId,
      ...clone
    } = readBody<z.ZodType<z.output<typeof virtualCloneBody> | z.output<typeof physicalCloneBody>>>(schema, body);
    const { estate } = context;
    const source = findLive(estate, sourceDatabase, 'sourceDatabase');
    const snapshot = findSnapshot(source, snapshotId);
    const environment = findEnvironment(estate, targetEnvironment, 'targetEnvironment');
    checkTarget(environment, { vendor, ...clone });
    checkProject(estate, clone.project);
    checkPermission(caller, write);
    checkEnabled(environment);
    checkState(write, source);
    const name = 'databaseName' in clone ? clone.databaseName : `${source.name}-${clone.port}`;
    checkFree(estate, environment, { ...clone, name });
    checkFault(context.engines[vendor].check(clone));
    return {
      texts: [source.name, ...typedTexts(context.engines[vendor], clone)],
      begin: effects =>
        startClone(context, {
          operation: write,
          make,
          effects,
          source,
          snapshot,
          clone: { ...clone, name, environment: environment.id, owner: caller.username },
        }),
    };
  };

const share: PlanBody = (context, caller, body) => {
  const { vendor, sourceDatabase, environment: environmentId, ...clone } = readBody(shareBody, body);
  const { estate } = context;
  const source = findClone(estate, sourceDatabase, 'sourceDatabase');
  const environment = findEnvironment(estate, environmentId, 'environment');
  checkTarget(environment, { vendor, ...clone });
  checkProject(estate, clone.project);
  checkPermission(caller, 'database/clone/share');
  checkEnabled(environment);
  checkEnabled(estate.environments.get(source.environment));
  checkVirtual('database/clone/share', source);
  checkState('database/clone/share', source);
  const snapshot = snapshotOfClone(estate, source);
  const name = 'databaseName' in clone ? clone.databaseName : `${rootName(estate, source)}-${clone.port}`;
  checkFree(estate, environment, { ...clone, name });
  checkFault(context.engines[vendor].check(clone));
  return {
    texts: [source.name, ...typedTexts(context.engines[vendor], clone)],
    begin: effects =>
      startClone(context, {
        operation: 'database/clone/share',
        make: 'share',
        effects,
        source,
        snapshot,
        clone: { ...clone, name, cloneType: 'VIRTUALCLONE', environment: environment.id, owner: caller.username },
      }),
  };
};

const convert: PlanBody = (context, caller, body) => {
  const { database: id, localDirectory } = readSwitchBody(body);
  const { estate, engines } = context;
  const clone = findClone(estate, id.replace(oracleCloneAlias, cloneKinds.ORACLE), 'database');
  checkPermission(caller, 'database/clone/switch', clone);
  checkEnabled(estate.environments.get(clone.environment));
  checkVirtual('database/clone/switch', clone);
  checkState('database/clone/switch', clone);
  checkFault(engines[clone.vendor].check({ localDirectory }));
  return {
    texts: [clone.name, ...typedTexts(engines[clone.vendor], { localDirectory })],
    begin: effects =>
      changeDatabase(context, clone, {
        operation: 'database/clone/switch',
        effects,
        during: 'CONVERTING',
        work: task => engines[clone.vendor].convert({ ...task, clone, localDirectory }),
        after: () => ({ cloneType: 'PHYSICAL', localDirectory }),
      }),
  };
};

/** Stop, start and reset differ in a word, a state and the engine's function (spec §4.2). */
const power =
  (action: 'stop' | 'start' | 'reset', during: DatabaseState): PlanText =>
  (context, caller, id) => {
    const { estate, engines } = context;
    const write = `database/${action}` as const;
    const clone = findClone(estate, id);
    checkPermission(caller, write, clone);
    checkEnabled(estate.environments.get(clone.environment));
    checkVirtual(write, clone);
    checkState(write, clone);
    const snapshot = snapshotOfClone(estate, clone);
    return {
      texts: [clone.name],
      begin: effects =>
        changeDatabase(context, clone, {
          operation: write,
          effects,
          during,
          work: task => engines[clone.vendor][action]({ ...task, clone, snapshot }),
          after: now => (action === 'stop' ? { state: 'STOPPED' } : action === 'reset' ? { resetAt: now } : {}),
        }),
    };
  };

/** The snapshot that a clone stands on: rule 3 keeps it. */
function snapshotOfClone(estate: Estate, clone: Database): Snapshot {
  for (const { snapshots } of estate.databases.values()) {
    const found = snapshots.find(({ id }) => id === clone.snapshot);
    if (found !== undefined) return found;
  }
  throw new Refusal('NO_SNAPSHOT', `the snapshot of ${clone.id} is gone`);
}

/** The name of the live database at the root: a clone of a clone is not called `orders-3310-3320`. */
function rootName(estate: Estate, database: Database): string {
  const source = database.sourceDatabase === undefined ? undefined : estate.databases.get(database.sourceDatabase);
  return source === undefined ? database.name : rootName(estate, source);
}

function checkProject(estate: Estate, id: string | undefined): void {
  if (id !== undefined) find(estate.projects, id, ['PROJECT'], 'project');
}

/** What a person typed, for provoking words. On a real host the folders above are the machine's, and called anything. */
function typedTexts({ host }: Engine, settings: Database | Record<string, unknown>): readonly string[] {
  const typed = [
    'databaseName',
    'mountBase',
    'dbUniqueName',
    'instanceName',
    'specificPostScriptPath',
    'localDirectory',
  ];
  return Object.entries(settings).flatMap(([key, value]) =>
    typed.includes(key) && typeof value === 'string' ? [host === undefined ? value : basename(value)] : [],
  );
}

/** Spec §4.2 to §4.5. */
export const cloneEndpoints: readonly Endpoint[] = [
  { method: 'PUT', path: '/database/stop', takes: 'text', write: 'database/stop', plan: power('stop', 'STOPPING') },
  { method: 'PUT', path: '/database/start', takes: 'text', write: 'database/start', plan: power('start', 'STARTING') },
  { method: 'PUT', path: '/database/reset', takes: 'text', write: 'database/reset', plan: power('reset', 'RESETTING') },
  {
    method: 'POST',
    path: '/database/clone/create',
    takes: 'json',
    write: 'database/clone/create',
    plan: create(virtualCloneBody, 'database/clone/create', 'createVirtual'),
  },
  {
    method: 'POST',
    path: '/database/duplicate/create',
    takes: 'json',
    write: 'database/duplicate/create',
    plan: create(physicalCloneBody, 'database/duplicate/create', 'createPhysical'),
  },
  { method: 'POST', path: '/database/clone/share', takes: 'json', write: 'database/clone/share', plan: share },
  { method: 'POST', path: '/database/clone/switch', takes: 'json', write: 'database/clone/switch', plan: convert },
];
