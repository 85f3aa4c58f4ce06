import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Ask, literal } from '../servers/sql.ts';
import type { Wanted } from './journal.ts';
import { nameOf, type Part } from './parts.ts';

/* Why a restore of a part is refused before any work, in one sentence each. */

/** The rights that a restore needs everywhere, as MariaDB names them. Those to back up and to dump are not enough. */
const needed = [
  ...[
    'SELECT',
    'INSERT',
    'UPDATE',
    'DELETE',
    'CREATE',
    'DROP',
    'ALTER',
    'INDEX',
    'REFERENCES',
    'LOCK TABLES',
    'TRIGGER',
    'PROCESS',
  ],
  ...[
    'CREATE VIEW',
    'SHOW VIEW',
    'CREATE ROUTINE',
    'ALTER ROUTINE',
    'EVENT',
    'SET USER',
    'BINLOG MONITOR',
    'SLAVE MONITOR',
  ],
];

/** Engines whose rows lie elsewhere: no snapshot holds them, and to load them would change them there. */
const elsewhere = ['CONNECT', 'FEDERATED', 'SPIDER', 'S3', 'OQGRAPH', 'SPHINX', 'ROCKSDB', 'MROONGA', 'COLUMNSTORE'];

/** Why a live server cannot have parts restored. */
export async function refusalOf(ask: Ask, server: string, signal: AbortSignal): Promise<string | undefined> {
  const granted = await ask(
    `SELECT privilege_type FROM information_schema.user_privileges WHERE grantee IN (
       SELECT CONCAT("'", REPLACE(name, '@', "'@'"), "'") FROM (SELECT CURRENT_USER() AS name) me
       UNION SELECT CONCAT("'", CURRENT_ROLE(), "'@''"))`,
    signal,
  );
  const rights = new Set(granted.flat());
  const missing = rights.has('SUPER')
    ? needed.filter(right => !rights.has(right) && !ofSuper.includes(right))
    : needed.filter(right => !rights.has(right));
  if (missing.length > 0)
    return `The account on ${server} lacks rights that a restore needs: grant it ${missing.join(', ')} on *.*.`;
  const variables = new Map(
    (
      await ask(
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('wsrep_on', 'log_bin', 'log_bin_trust_function_creators')",
        signal,
      )
    ).map(([name = '', value = '']) => [name, value === 'ON']),
  );
  const isLogged = variables.get('log_bin');
  if (variables.get('wsrep_on'))
    return `${server} is a node of a Galera cluster, where a restore is not safe: restore on a server of its own.`;
  const sources = await ask('SHOW ALL SLAVES STATUS', signal);
  if (sources.length > 0)
    return `${server} replicates from another server, which would not have what is restored: restore on that one.`;
  const [[, , only = '', ignored = ''] = []] = isLogged ? await ask('SHOW MASTER STATUS', signal) : [];
  if (only !== '' || ignored !== '')
    return `${server} leaves databases out of its binary log (binlog_do_db, binlog_ignore_db), so that its replicas would break: take that setting away.`;
  if (isLogged && !variables.get('log_bin_trust_function_creators') && !rights.has('SUPER'))
    return `The account on ${server} may not make triggers and routines: grant it SUPER, or set log_bin_trust_function_creators.`;
  return undefined;
}

/** Rights that SUPER has in it. */
const ofSuper = ['SET USER', 'BINLOG MONITOR', 'SLAVE MONITOR'];

/** Why a part of a snapshot, on a copy of it, cannot be restored. */
export async function unrestorable(
  ask: Ask,
  { databaseName, tableName }: Part,
  signal: AbortSignal,
): Promise<string | undefined> {
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT table_name, IFNULL(engine, '') FROM information_schema.tables WHERE table_type <> 'VIEW' AND table_schema = ${literal(databaseName)};
     SELECT DISTINCT table_name, 'history' FROM information_schema.columns WHERE generation_expression = 'ROW START' AND data_type = 'bigint' AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  for (const [table = '', what = ''] of rows) {
    if (tableName !== undefined && tableName !== table) continue;
    if (elsewhere.includes(what.toUpperCase()))
      return `The rows of ${databaseName}.${table} lie elsewhere (engine ${what}), so that no snapshot holds them.`;
    if (what === 'history')
      return `${databaseName}.${table} keeps its history by transactions (BIGINT row start and end), which cannot be loaded.`;
  }
  return undefined;
}

/** Why what was taken out of the snapshot cannot come to this server. */
export async function conflictOf(
  ask: Ask,
  server: string,
  { databaseName, tableName }: Part,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<string | undefined> {
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT 'sequence', CONCAT('\`', REPLACE(table_schema, '\`', '\`\`'), '\`.\`', REPLACE(table_name, '\`', '\`\`'), '\`'), '' FROM information_schema.tables WHERE table_type = 'SEQUENCE';
     SELECT 'trigger', trigger_name, event_object_table FROM information_schema.triggers WHERE trigger_schema = ${literal(databaseName)};
     SELECT 'foreign key', constraint_name, table_name FROM information_schema.referential_constraints WHERE constraint_schema = ${literal(databaseName)}`,
    signal,
  );
  for (const { text, table } of wanted.defaults) {
    const [, sequence = ''] = /\((`(?:[^`]|``)*`\.`(?:[^`]|``)*`)/.exec(text) ?? [];
    const comesAlong = wanted.definitions.some(
      ({ kind, name }) => kind === 'sequence' && sequence.endsWith(`\`${name}\``),
    );
    if (sequence !== '' && !comesAlong && !rows.some(([kind, name]) => kind === 'sequence' && name === sequence))
      return `${databaseName}.${table} counts with the sequence ${sequence.replaceAll('`', '')}, which ${server} does not have: restore that first.`;
  }
  if (tableName === undefined) return undefined;
  const names = [
    ...wanted.definitions.filter(({ kind }) => kind === 'trigger').map(({ name }) => ['trigger', name]),
    ...wanted.keys.map(({ name }) => ['foreign key', name]),
  ];
  for (const [what, name] of names) {
    const taken = rows.find(([kind, other, table]) => kind === what && other === name && table !== tableName);
    if (taken !== undefined)
      return `The ${what} ${name} of ${nameOf({ databaseName, tableName })} cannot come back, since ${databaseName}.${taken[2]} has one of that name now: rename it.`;
  }
  return undefined;
}

/** The space that a load needs on the live server's disk, in bytes. */
export type Space = Readonly<{ bytes: number; folders: readonly string[] }>;

/** What a load needs: the rows once in the tables and once in the binary log, and a tenth more. */
export async function spaceFor(
  live: Ask,
  copy: Ask,
  { databaseName, tableName }: Part,
  signal: AbortSignal,
): Promise<Space> {
  const only = tableName === undefined ? '' : ` AND table_name = ${literal(tableName)}`;
  const [[size = '0'] = []] = await copy(
    `SELECT IFNULL(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = ${literal(databaseName)}${only}`,
    signal,
  );
  const folders = await foldersOf(live, signal);
  return { bytes: Math.ceil(Number(size) * folders.length * 1.1), folders };
}

/** The folders to which a server writes. */
export async function foldersOf(ask: Ask, signal: AbortSignal): Promise<readonly string[]> {
  const [[data = '', logs = '0', log = ''] = []] = await ask(
    "SELECT @@datadir, @@log_bin, IFNULL(@@log_bin_basename, '')",
    signal,
  );
  return logs === '1' ? [data, dirname(log)] : [data];
}

/** The folder in which there is not so much space, and how much there is, for people; undefined where there is, or where nobody can look. */
export async function shortOf({ bytes, folders }: Space): Promise<string | undefined> {
  for (const folder of folders) {
    const disk = await statfs(folder).catch(() => undefined);
    const free = disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
    if (free < bytes) return `the disk of ${folder} has ${megabytes(free)} MB left`;
  }
  return undefined;
}

/** Why there is not enough space for a load. */
export async function spaceFault(space: Space): Promise<string | undefined> {
  const short = await shortOf(space);
  return short && `A restore needs ${megabytes(space.bytes)} MB, and ${short}: make room.`;
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
