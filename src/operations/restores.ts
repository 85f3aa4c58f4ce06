import { post } from '../api/call.ts';
import { capital } from '../ground/wording.ts';
import { backUpFirst, choice, flag, integer, part, snapshotOf, target } from './fields.ts';
import { defineWrite, type Operation, type Values } from './operation.ts';
import { changes } from './proofs.ts';
import { works } from './work.ts';

/** The ten scopes of a restore (spec §4.6), each with its label and the names that it takes. */
const scopes = [
  { value: 'ORACLE_DATABASE_RECOVERY_PARAMS', label: 'The whole database', takes: [] },
  { value: 'ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS', label: 'A pluggable database', takes: ['pdb'] },
  { value: 'ORACLE_TABLESPACE_RECOVERY_PARAMS', label: 'A tablespace', takes: ['tablespaceName', 'pdb'] },
  { value: 'ORACLE_DATAFILE_RECOVERY_PARAMS', label: 'A data file', takes: ['datafileName', 'pdb'] },
  { value: 'MYSQL_SERVER_RECOVERY_PARAMS', label: 'The whole server', takes: [] },
  { value: 'MYSQL_DATABASE_RECOVERY_PARAMS', label: 'One database', takes: ['databaseName'] },
  { value: 'MYSQL_TABLE_RECOVERY_PARAMS', label: 'One table', takes: ['databaseName', 'tableName'] },
  { value: 'MARIADB_SERVER_RECOVERY_PARAMS', label: 'The whole server', takes: [] },
  { value: 'MARIADB_DATABASE_RECOVERY_PARAMS', label: 'One database', takes: ['databaseName'] },
  { value: 'MARIADB_TABLE_RECOVERY_PARAMS', label: 'One table', takes: ['databaseName', 'tableName'] },
] as const;

/** Asks for a name in the scopes that take it. */
function takenBy(name: (typeof scopes)[number]['takes'][number]) {
  const values = scopes.filter(({ takes }) => takes.some(taken => taken === name)).map(({ value }) => value);
  return { when: { objectType: values }, required: true, fill: 'only' } as const;
}

const vendors = ['ORACLE', 'MYSQL', 'MARIADB'] as const;
const oracle = { vendors: ['ORACLE'] } as const;
/** A restore does harm, so nothing of an earlier one is repeated. */
const afresh = { seldom: true, fill: 'never' } as const;

/** The part that is restored, in its phrases. */
const partPhrase =
  '[table {tableName} in ][tablespace {tablespaceName} of ][data file {datafileName} of ][database {databaseName} of ][PDB {pdb} of ]{name}';

/** Spec §4.6. */
export const restoreDatabase = defineWrite({
  name: 'database.restore',
  work: works.restore,
  quick: true,
  words: ['restore'],
  shortcut: 'restore',
  summary: 'Restore a database, a part of it or a table from a snapshot',
  presets: true,
  fields: [
    target('database', 'Database', ['live']),
    choice(
      'objectType',
      'What to restore',
      scopes.map(({ value, label }) => ({ value, label, vendors: vendors.filter(one => value.startsWith(one)) })),
      { required: true, fill: 'only', vendors, dependsOn: { database: 'vendor' } },
    ),
    part('databaseName', 'Database on the server', 'database', takenBy('databaseName')),
    part('tableName', 'Table', 'table', {
      ...takenBy('tableName'),
      inside: 'databaseName',
    }),
    part('tablespaceName', 'Tablespace', 'tablespace', {
      ...takenBy('tablespaceName'),
      inside: 'pdb',
    }),
    integer('datafileName', 'Data file', undefined, {
      ...takenBy('datafileName'),
      hint: 'The number of the data file',
    }),
    part('pdb', 'Pluggable database', 'pdb', {
      ...takenBy('pdb'),
      required: false,
      requiredWith: { objectType: ['ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS'] },
      // The only pluggable database may still not be the one around a tablespace.
      fill: 'never',
    }),
    snapshotOf('database'),
    backUpFirst('The way back', 'Back up first, so that this can be taken back', { targets: ['live'] }),
    flag('autoRecovery', 'Automatic recovery', afresh),
    flag('completeRecovery', 'Complete recovery', { ...oracle, ...afresh }),
    flag('fastRecovery', 'Fast recovery', { ...oracle, ...afresh }),
  ],
  title: () => 'Restore',
  phrases: {
    asks: `restore ${partPhrase}`,
    running: `Restoring ${partPhrase}`,
    done: `Restored ${partPhrase}`,
    detail: '[, from the snapshot {snapshot}]',
    undone: 'Not restored',
  },
  again: 'Restore again',
  warning: (name, values) =>
    `${whatOf(values)} of ${name} will be replaced with ${values.snapshot ?? 'the latest snapshot'}.`,
  rewinds: 'What was changed since then will be lost.',
  typed: true,
  call: (_, values) => post('/database/restore', { ...values }),
  proof: changes('long', { by: 'work' }),
});

/** The part that is replaced, in words: `Table orders.customers`. */
function whatOf({ objectType, ...values }: Values): string {
  const label = scopes.find(({ value }) => value === objectType)?.label ?? 'All';
  const { databaseName, tableName, tablespaceName, datafileName, pdb } = values;
  const inner = [databaseName, tableName].filter(name => name !== undefined).join('.');
  const names = [inner || (tablespaceName ?? datafileName), pdb].filter(name => name !== undefined && name !== '');
  if (names.length === 0) return label;
  const noun = label.replace(/^(?:One|A) /, '');
  return `${capital(noun)} ${names.join(' of ')}`;
}

/** Restore and recovery (spec §4.6). */
export const restoreOperations: readonly Operation[] = [restoreDatabase];
