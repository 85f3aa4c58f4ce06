import { z } from 'zod';
import { changeDatabase } from '../change.ts';
import { databaseWrite } from '../databaseWrite.ts';
import type { Endpoint } from '../endpoint.ts';
import { identifier, name } from '../fields.ts';
import { liveKinds, snapshotKinds, type Vendor } from '../identifiers.ts';
import { json } from '../input.ts';
import { checkFault, findLive, findSnapshot } from '../lookups.ts';

const scope = <Type extends string, Fields extends z.core.$ZodLooseShape>(
  vendor: Vendor,
  objectType: Type,
  fields: Fields,
) =>
  z.strictObject({
    objectType: z.literal(objectType),
    database: identifier(liveKinds[vendor]),
    snapshot: identifier(snapshotKinds[vendor]).optional(),
    autoRecovery: z.boolean().optional(),
    ...fields,
  });
const oracle = { completeRecovery: z.boolean().optional(), fastRecovery: z.boolean().optional() };
const [pdb, databaseName, tableName] = [name, name, name];

/** Spec §4.6: the endpoint of restores. */
export const restoreEndpoint: Endpoint = databaseWrite({
  method: 'POST',
  path: '/database/restore',
  // objectType selects the scope, and the scope its fields.
  input: json(
    z.discriminatedUnion('objectType', [
      scope('ORACLE', 'ORACLE_DATABASE_RECOVERY_PARAMS', oracle),
      scope('ORACLE', 'ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS', { ...oracle, pdb }),
      scope('ORACLE', 'ORACLE_TABLESPACE_RECOVERY_PARAMS', { ...oracle, tablespaceName: name, pdb: pdb.optional() }),
      scope('ORACLE', 'ORACLE_DATAFILE_RECOVERY_PARAMS', {
        ...oracle,
        datafileName: z.int().min(1),
        pdb: pdb.optional(),
      }),
      scope('MYSQL', 'MYSQL_SERVER_RECOVERY_PARAMS', {}),
      scope('MYSQL', 'MYSQL_DATABASE_RECOVERY_PARAMS', { databaseName }),
      scope('MYSQL', 'MYSQL_TABLE_RECOVERY_PARAMS', { databaseName, tableName }),
      scope('MARIADB', 'MARIADB_SERVER_RECOVERY_PARAMS', {}),
      scope('MARIADB', 'MARIADB_DATABASE_RECOVERY_PARAMS', { databaseName }),
      scope('MARIADB', 'MARIADB_TABLE_RECOVERY_PARAMS', { databaseName, tableName }),
    ]),
  ),
  developer: 'none',
  states: ['RUNNING', 'FAILED'],
  find({ estate }, { database: id, snapshot, ...wanted }) {
    const database = findLive(estate, id, 'database');
    return { database, snapshot: findSnapshot(database, snapshot), scope: wanted };
  },
  check: ({ context, database, scope }) => checkFault(context.engines[database.vendor].checkRestore(database, scope)),
  texts({ database, scope: { objectType: _, ...typed } }) {
    return [database.name, ...Object.values(typed).filter(value => typeof value === 'string')];
  },
  begin(accepted) {
    const { context, database, snapshot, scope } = accepted;
    return changeDatabase(accepted, {
      during: 'RESTORING',
      lasts: 8_000,
      work: task => context.engines[database.vendor].restore({ ...task, database, snapshot, scope }),
      shows: time => ({ restoredAt: time, restoredSnapshot: snapshot.id, restoredScope: scope.objectType }),
    });
  },
});
