import { z } from 'zod';
import {
  cloneKinds,
  installKinds,
  isOfKind,
  liveKinds,
  oracleCloneAlias,
  snapshotKinds,
  vendorOf,
} from './identifiers.ts';
import { Refusal } from './refusal.ts';

const identifier = (...kinds: readonly string[]) =>
  z.string().refine(text => isOfKind(text, kinds), { error: `must be an identifier ${kinds.join('-<n> or ')}-<n>` });
const path = z.string().regex(/^\/\S*$/, { error: 'must be an absolute path without blanks' });
const word = z.string().regex(/^[A-Za-z][A-Za-z0-9_$#]{0,29}$/, {
  error: 'must be a letter followed by at most 29 letters, digits, _, $ or #',
});
const name = z.string().trim().min(1).max(128);
/** Bounds are our choice (spec §8 shows none). */
const port = z.int().min(1).max(65_535);
const parallel = z.int().min(1).max(64);
const rmanChannel = z.int().min(1).max(64);

const paramName = z.string().regex(/^\S+$/, { error: 'must be a parameter name without blanks' });
/** Spec §2: a BOOLEAN travels as the string true or false. */
const databaseParams = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ name: paramName, type: z.literal('STRING'), value: z.string() }),
    z.strictObject({ name: paramName, type: z.literal('NUMBER'), value: z.number() }),
    z.strictObject({ name: paramName, type: z.literal('BOOLEAN'), value: z.enum(['true', 'false']) }),
  ]),
);

const onTarget = {
  mountBase: path,
  environmentUser: identifier('ENVIRONMENT_USER'),
  project: identifier('PROJECT').optional(),
};
const oracleNames = {
  databaseName: word,
  dbUniqueName: word.optional(),
  instanceName: word.optional(),
  rmanChannel: rmanChannel.optional(),
};
const serverNumbers = { port, parallel: parallel.optional() };

const cloning = {
  ...onTarget,
  targetEnvironment: identifier('HOST_ENVIRONMENT'),
  databaseParams: databaseParams.optional(),
  specificPostScriptPath: path.optional(),
};

/** The body of a clone, virtual or physical (spec §4.3). Both paths have their own cloneType. */
const cloneBody = <Type extends 'VIRTUALCLONE' | 'PHYSICAL'>(cloneType: Type) =>
  z.discriminatedUnion('vendor', [
    z.strictObject({
      vendor: z.literal('ORACLE'),
      cloneType: z.literal(cloneType),
      sourceDatabase: identifier(liveKinds.ORACLE),
      snapshot: identifier(snapshotKinds.ORACLE).optional(),
      install: identifier(installKinds.ORACLE),
      ...cloning,
      ...oracleNames,
    }),
    z.strictObject({
      vendor: z.literal('MYSQL'),
      cloneType: z.literal(cloneType),
      sourceDatabase: identifier(liveKinds.MYSQL),
      snapshot: identifier(snapshotKinds.MYSQL).optional(),
      install: identifier(installKinds.MYSQL),
      ...cloning,
      ...serverNumbers,
    }),
    z.strictObject({
      vendor: z.literal('MARIADB'),
      cloneType: z.literal(cloneType),
      sourceDatabase: identifier(liveKinds.MARIADB),
      snapshot: identifier(snapshotKinds.MARIADB).optional(),
      install: identifier(installKinds.MARIADB),
      ...cloning,
      ...serverNumbers,
    }),
  ]);
export const virtualCloneBody = cloneBody('VIRTUALCLONE');
export const physicalCloneBody = cloneBody('PHYSICAL');

const sharing = { ...onTarget, environment: identifier('HOST_ENVIRONMENT') };
/** Spec §4.4. */
export const shareBody = z.discriminatedUnion('vendor', [
  z.strictObject({
    vendor: z.literal('ORACLE'),
    sourceDatabase: identifier(cloneKinds.ORACLE),
    install: identifier(installKinds.ORACLE),
    ...sharing,
    ...oracleNames,
  }),
  z.strictObject({
    vendor: z.literal('MYSQL'),
    sourceDatabase: identifier(cloneKinds.MYSQL),
    install: identifier(installKinds.MYSQL),
    ...sharing,
    ...serverNumbers,
  }),
  z.strictObject({
    vendor: z.literal('MARIADB'),
    sourceDatabase: identifier(cloneKinds.MARIADB),
    install: identifier(installKinds.MARIADB),
    ...sharing,
    ...serverNumbers,
  }),
]);

/** Spec §4.1: backup, and backup of the logs alone. */
export const syncBody = z.strictObject({
  database: identifier(...Object.values(liveKinds)),
  syncType: z.literal('LOG').optional(),
});

/** Spec §4.1: mount a snapshot. */
export const mountBody = z.strictObject({
  database: identifier(...Object.values(liveKinds)),
  snapshot: identifier(...Object.values(snapshotKinds)).optional(),
});

/** Spec §4.5: the file name conversions belong to Oracle. */
const oracleSwitchBody = z.strictObject({
  database: identifier(cloneKinds.ORACLE, oracleCloneAlias),
  localDirectory: path,
  dbFileNameConvert: path.optional(),
  logFileNameConvert: path.optional(),
});
const serverSwitchBody = z.strictObject({
  database: identifier(...Object.values(cloneKinds), oracleCloneAlias),
  localDirectory: path,
});

/** Reads the body of /database/clone/switch. It names no vendor: the clone's identifier does. Throws Refusal. */
export function readSwitchBody(body: unknown): { database: string; localDirectory: string } {
  const { database } = readBody(z.looseObject({ database: z.string() }), body);
  return readBody(vendorOf(database) === 'ORACLE' ? oracleSwitchBody : serverSwitchBody, body);
}

/** Spec §5.2. */
export const credentialsBody = z.strictObject({ username: z.string().min(1), password: z.string().min(1) });

const recovery = <Type extends string, Fields extends z.core.$ZodLooseShape>(
  objectType: Type,
  kind: string,
  snapshotKind: string,
  fields: Fields,
) =>
  z.strictObject({
    objectType: z.literal(objectType),
    database: identifier(kind),
    snapshot: identifier(snapshotKind).optional(),
    autoRecovery: z.boolean().optional(),
    ...fields,
  });
const oracleRecovery = <Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) =>
  recovery(type, liveKinds.ORACLE, snapshotKinds.ORACLE, {
    completeRecovery: z.boolean().optional(),
    fastRecovery: z.boolean().optional(),
    ...fields,
  });
const mysql = [liveKinds.MYSQL, snapshotKinds.MYSQL] as const;
const mariadb = [liveKinds.MARIADB, snapshotKinds.MARIADB] as const;

/** Spec §4.6: objectType selects the scope, and the scope its fields. */
export const restoreBody = z.discriminatedUnion('objectType', [
  oracleRecovery('ORACLE_DATABASE_RECOVERY_PARAMS', {}),
  oracleRecovery('ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS', { pdb: name }),
  oracleRecovery('ORACLE_TABLESPACE_RECOVERY_PARAMS', { tablespaceName: name, pdb: name.optional() }),
  oracleRecovery('ORACLE_DATAFILE_RECOVERY_PARAMS', { datafileName: z.int().min(1), pdb: name.optional() }),
  recovery('MYSQL_SERVER_RECOVERY_PARAMS', ...mysql, {}),
  recovery('MYSQL_DATABASE_RECOVERY_PARAMS', ...mysql, { databaseName: name }),
  recovery('MYSQL_TABLE_RECOVERY_PARAMS', ...mysql, { databaseName: name, tableName: name }),
  recovery('MARIADB_SERVER_RECOVERY_PARAMS', ...mariadb, {}),
  recovery('MARIADB_DATABASE_RECOVERY_PARAMS', ...mariadb, { databaseName: name }),
  recovery('MARIADB_TABLE_RECOVERY_PARAMS', ...mariadb, { databaseName: name, tableName: name }),
]);

/** Reads a body by its schema. Throws a Refusal that names every field at fault. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const faults = result.error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ field: [...issue.path, key].join('.'), text: 'is not a field of this request' }));
    const field = issue.path.join('.') || 'body';
    const value = issue.path.reduce<unknown>(valueAt, body);
    return [{ field, text: value === undefined ? 'is required' : issue.message }];
  });
  const message = faults.map(({ field, text }) => `${field}: ${text}`).join('; ');
  throw new Refusal('INVALID_REQUEST', message, faults[0]?.field);
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
