import { post, put, remove } from '../api/call.ts';
import type { Noun } from '../api/identifiers.ts';
import { deletion } from './deletion.ts';
import { backUpFirst, keepFor, record, snapshotOf, target } from './fields.ts';
import { appears, defineReads, defineWrite, type Operation } from './operation.ts';
import { phrasesOf } from './phrases.ts';
import { changes, newRecord } from './proofs.ts';
import { bringsTo } from './stateChange.ts';
import { works } from './work.ts';

const databases: readonly Noun[] = ['live', 'clone'];
const liveDatabase = target('database', 'Database', ['live']);
const anyDatabase = target('database', 'Database', databases);

/** Spec §4.1: an incremental backup makes a new snapshot. */
export const backUpDatabase = defineWrite({
  name: 'database.backup',
  work: works.backup,
  quick: true,
  words: ['backup'],
  summary: 'Back up a live database: take an incremental snapshot',
  presets: true,
  step: { id: 'back_up', title: 'Back up a database' },
  fields: [liveDatabase],
  schedulable: true,
  together: true,
  title: () => 'Backup',
  label: 'Back up',
  phrases: { ...phrasesOf('back up', 'Backing up', 'backed up'), detail: '[: snapshot {snapshot}]' },
  again: 'Back up again',
  next: ['clone.create'],
  instead: { synctype: 'backup-logs', log: 'backup-logs', logs: 'backup-logs', archivelog: 'backup-logs' },
  call: ({ text }) => put('/database/sync', { database: text }),
  proof: changes('long', { makes: 'snapshot', by: 'work' }),
});

/** Spec §4.1: `syncType` LOG backs up only the database logs. */
export const backUpLogs = defineWrite({
  name: 'database.backupLogs',
  work: works.logs,
  words: ['backup-logs'],
  summary: 'Back up only the logs of a live database',
  presets: true,
  fields: [liveDatabase],
  schedulable: true,
  together: true,
  title: () => 'Log backup',
  label: 'Back up logs',
  phrases: {
    asks: 'back up the logs of {name}',
    running: 'Backing up the logs of {name}',
    done: 'The logs of {name} are backed up',
    undone: 'Logs not backed up',
  },
  again: 'Back up logs again',
  next: ['database.backup'],
  call: ({ text }) => put('/database/sync', { database: text, syncType: 'LOG' }),
  proof: changes('medium', { by: 'work' }),
});

/** Whether an operation only backs up: no record is to be without it, and `late` means what is late with it. */
export function isBackup({ name }: Readonly<{ name: string }>): boolean {
  return name === backUpDatabase.name || name === backUpLogs.name;
}

/** Spec §4.1. */
const refreshDatabase = defineWrite({
  name: 'database.refresh',
  work: works.refresh,
  quick: true,
  words: ['refresh'],
  summary: 'Read the metadata of a database again from its host',
  step: { id: 'refresh', title: 'Refresh a database' },
  fields: [anyDatabase],
  schedulable: true,
  together: true,
  title: () => 'Refresh',
  phrases: { ...phrasesOf('refresh', 'Refreshing', 'refreshed'), running: 'Refreshing the metadata of {name}' },
  again: 'Refresh again',
  call: ({ text }) => put('/database/refresh', text),
  proof: changes('short', { by: 'work' }),
});

/** Spec §4.1. */
const disableDatabase = defineWrite({
  name: 'database.disable',
  work: works.disable,
  words: ['disable'],
  summary: 'Disable a live database',
  fields: [liveDatabase],
  ...bringsTo(['disabled'], 'Disabling', '/database/disable', phrasesOf('disable', 'Disabling', 'disabled')),
  next: ['database.enable'],
  warning: name => `${name} is not backed up, cloned or restored while it is disabled.`,
});

/** Spec §4.1. */
const enableDatabase = defineWrite({
  name: 'database.enable',
  work: works.enable,
  quick: true,
  words: ['enable'],
  summary: 'Enable a live database again',
  fields: [liveDatabase],
  ...bringsTo(['ok', 'stopped'], 'Enabling', '/database/enable', phrasesOf('enable', 'Enabling', 'enabled')),
  next: ['database.backup'],
});

/** Spec §4.1; refused where clones depend on it (spec §3, rule 2). */
export const deleteDatabase = defineWrite({
  ...deletion,
  name: 'database.delete',
  words: ['delete'],
  summary: 'Delete a database or a clone',
  fields: [
    anyDatabase,
    backUpFirst('A last backup', 'Back up first; the service may delete that backup with the database', {
      targets: ['live'],
    }),
  ],
  together: 'clones',
  phrases: phrasesOf('delete', 'Deleting', 'deleted'),
  warning: (_, { database }) =>
    isClone(database)
      ? 'This cannot be undone. Only this clone is deleted: its source and the snapshots of its source stay.'
      : 'This cannot be undone. Its snapshots are deleted with it.',
  call: ({ text }) => remove('/database/delete', text),
});

/** Whether a database is a clone, by its identifier, which may stand behind its name. */
function isClone(database: unknown): boolean {
  return /_CLONE_[A-Z]+-\d+\)?$/.test(String(database));
}

/** Spec §4.1: mounts a snapshot on the source environment as a staging clone; the latest where none is named. */
export const mountSnapshot = defineWrite({
  name: 'snapshot.mount',
  work: works.mount,
  words: ['mount'],
  summary: 'Mount a snapshot on the source environment, as a staging clone',
  presets: true,
  fields: [liveDatabase, snapshotOf('database'), keepFor()],
  title: () => 'Mounted snapshot',
  phrases: {
    asks: 'mount a snapshot of {name}',
    running: 'Mounting a snapshot of {name}',
    done: '{result} is mounted',
    detail: '[ on {place}][, from the snapshot {snapshot}][ ({age} old)]',
    undone: 'Not mounted',
  },
  again: 'Mount again',
  next: ['clone.stop', 'database.delete'],
  call: (_, values) => post('/database/snapshot/mount', { ...values }),
  proof: appears((source, { snapshot: chosen }) => {
    const from = typeof chosen === 'string' ? { snapshot: chosen } : {};
    return newRecord(['clone'], { source: source.text, isBesideSource: true, isPhysical: false, ...from }, 'medium');
  }),
});

/** Spec §4.1; refused for a snapshot with clones, and for the last one (spec §3, rule 3). */
export const deleteSnapshot = defineWrite({
  ...deletion,
  name: 'snapshot.delete',
  words: ['snapshot', 'delete'],
  summary: 'Delete a snapshot',
  fields: [
    record('database', 'Database', databases, {
      sent: false,
      fill: 'never',
      hint: 'Shows its snapshots below; not needed if you type an identifier',
    }),
    target('snapshot', 'Snapshot', ['snapshot'], { dependsOn: { database: 'value' } }),
  ],
  phrases: phrasesOf('delete', 'Deleting', 'deleted', 'the snapshot '),
  warning: () => 'This cannot be undone.',
  call: ({ text }) => remove('/snapshot/delete', text, 'PUT'),
});

/** The operations on databases and their snapshots (spec §4.1). */
export const databaseOperations: readonly Operation[] = [
  ...defineReads('database', {
    words: [],
    nouns: databases,
    summaries: [
      'List databases and clones, all or those that match the words',
      'Show one database or clone: its state, snapshots and what belongs to it',
    ],
  }),
  backUpDatabase,
  backUpLogs,
  refreshDatabase,
  disableDatabase,
  enableDatabase,
  deleteDatabase,
  mountSnapshot,
  deleteSnapshot,
];
