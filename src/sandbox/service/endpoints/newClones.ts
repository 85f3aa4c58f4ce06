import { z } from 'zod';
import { databaseWrite } from '../databaseWrite.ts';
import type { Endpoint } from '../endpoint.ts';
import { type CloneType, type Database, type Estate, restStates } from '../estate.ts';
import { absolutePath, databaseParams, identifier, newClone, oracleClone, serverClone } from '../fields.ts';
import { cloneKinds, installKinds, liveKinds, snapshotKinds, type Vendor } from '../identifiers.ts';
import { json } from '../input.ts';
import {
  checkFault,
  checkFree,
  checkProject,
  checkTarget,
  findClone,
  findEnvironment,
  findLive,
  findSnapshot,
} from '../lookups.ts';
import { snapshotOfClone, startClone, typedTexts } from '../newClone.ts';

/** Spec §4.3. Both ways to make a clone have a path of their own, and a `cloneType` that must fit it. */
function create(
  path: string,
  cloneType: Exclude<CloneType, 'STAGING'>,
  { make, lasts }: { make: 'createVirtual' | 'createPhysical'; lasts: number },
): Endpoint {
  const body = <Name extends Vendor, Fields extends z.core.$ZodLooseShape>(vendor: Name, fields: Fields) =>
    z.strictObject({
      vendor: z.literal(vendor),
      cloneType: z.literal(cloneType),
      sourceDatabase: identifier(liveKinds[vendor]),
      targetEnvironment: identifier('HOST_ENVIRONMENT'),
      snapshot: identifier(snapshotKinds[vendor]).optional(),
      install: identifier(installKinds[vendor]),
      databaseParams: databaseParams.optional(),
      specificPostScriptPath: absolutePath.optional(),
      ...newClone,
      ...fields,
    });
  return databaseWrite({
    method: 'POST',
    path,
    input: json(
      z.discriminatedUnion('vendor', [
        body('ORACLE', oracleClone),
        body('MYSQL', serverClone),
        body('MARIADB', serverClone),
      ]),
    ),
    developer: 'any',
    states: [...restStates, 'BACKING_UP', 'REFRESHING', 'RESTORING'],
    find({ estate }, { vendor, sourceDatabase, targetEnvironment, snapshot: snapshotId, ...settings }) {
      const database = findLive(estate, sourceDatabase, 'sourceDatabase');
      const snapshot = findSnapshot(database, snapshotId);
      const environment = findEnvironment(estate, targetEnvironment, 'targetEnvironment');
      checkTarget(environment, { vendor, ...settings });
      checkProject(estate, settings.project);
      const name = 'databaseName' in settings ? settings.databaseName : `${database.name}-${settings.port}`;
      return { database, snapshot, environment, clone: { ...settings, name } };
    },
    environments: ({ environment }) => [environment],
    check({ context, database, environment, clone }) {
      checkFree(context.estate, environment, clone);
      checkFault(context.engines[database.vendor].check(clone));
    },
    texts: ({ database, clone }) => [database.name, ...typedTexts(clone)],
    begin(accepted) {
      const { caller, database: source, snapshot, environment, clone } = accepted;
      return startClone(accepted, {
        make,
        lasts,
        source,
        snapshot,
        clone: { ...clone, environment: environment.id, owner: caller.username },
      });
    },
  });
}

const shareBody = <Name extends Vendor, Fields extends z.core.$ZodLooseShape>(vendor: Name, fields: Fields) =>
  z.strictObject({
    vendor: z.literal(vendor),
    sourceDatabase: identifier(cloneKinds[vendor]),
    environment: identifier('HOST_ENVIRONMENT'),
    install: identifier(installKinds[vendor]),
    ...newClone,
    ...fields,
  });

/** The name of the live database at the root: a clone of a clone is not called `orders-3310-3320`. */
function rootName(estate: Estate, database: Database): string {
  const source = database.sourceDatabase === undefined ? undefined : estate.databases.get(database.sourceDatabase);
  return source === undefined ? database.name : rootName(estate, source);
}

/** Spec §4.3 and §4.4. */
export const newCloneEndpoints: readonly Endpoint[] = [
  create('/database/clone/create', 'VIRTUALCLONE', { make: 'createVirtual', lasts: 3_000 }),
  create('/database/duplicate/create', 'PHYSICAL', { make: 'createPhysical', lasts: 12_000 }),

  databaseWrite({
    method: 'POST',
    path: '/database/clone/share',
    input: json(
      z.discriminatedUnion('vendor', [
        shareBody('ORACLE', oracleClone),
        shareBody('MYSQL', serverClone),
        shareBody('MARIADB', serverClone),
      ]),
    ),
    developer: 'any',
    states: ['RUNNING', 'STOPPED'],
    isForVirtual: true,
    find({ estate }, { vendor, sourceDatabase, environment: environmentId, ...settings }) {
      const database = findClone(estate, sourceDatabase, 'sourceDatabase');
      const environment = findEnvironment(estate, environmentId, 'environment');
      checkTarget(environment, { vendor, ...settings });
      checkProject(estate, settings.project);
      const snapshot = snapshotOfClone(estate, database);
      const name =
        'databaseName' in settings ? settings.databaseName : `${rootName(estate, database)}-${settings.port}`;
      return { database, snapshot, environment, clone: { ...settings, name } };
    },
    environments: ({ context, environment, database }) => [
      environment,
      context.estate.environments.get(database.environment),
    ],
    check({ context, database, environment, clone }) {
      checkFree(context.estate, environment, clone);
      checkFault(context.engines[database.vendor].check(clone));
    },
    texts: ({ database, clone }) => [database.name, ...typedTexts(clone)],
    begin(accepted) {
      const { caller, database: source, snapshot, environment, clone } = accepted;
      // A reset brings the snapshot back, which no script has masked: what masked the source masks it again.
      const { specificPostScriptPath } = source;
      return startClone(accepted, {
        make: 'share',
        lasts: 3_000,
        source,
        snapshot,
        clone: {
          ...clone,
          specificPostScriptPath,
          cloneType: 'VIRTUALCLONE',
          environment: environment.id,
          owner: caller.username,
        },
      });
    },
  }),
];
