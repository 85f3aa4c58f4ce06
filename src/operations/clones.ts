import { post, put } from '../api/call.ts';
import { doubtOfPort, doubtOfWorkers } from './doubts.ts';
import {
  backUpFirst,
  choice,
  databaseParams,
  fileNameConvert,
  integer,
  keepFor,
  path,
  record,
  snapshotOf,
  target,
  text,
} from './fields.ts';
import { appears, defineWrite, type Field, type Operation, type Values } from './operation.ts';
import { phrasesOf } from './phrases.ts';
import { askedLikeness, changes, converts, newRecord } from './proofs.ts';
import { bringsTo } from './stateChange.ts';
import { works } from './work.ts';

const oracle = { vendors: ['ORACLE'] } as const;
const servers = { vendors: ['MYSQL', 'MARIADB'] } as const;
const seldom = { seldom: true } as const;

/** The fields that tell a clone from the others on its environment. */
const placeFields: readonly Field[] = [
  text('databaseName', 'Name of the clone', 'the name of the clone database', { ...oracle, fill: 'name' }),
  integer('port', 'Port', 65_535, {
    ...servers,
    fill: 'port',
    hint: 'The port of the cloned server',
    doubt: doubtOfPort,
  }),
  path('mountBase', 'Mount base', '/mnt/clones', { fill: 'path', hint: 'The directory to use as mount base' }),
];

/** What a clone needs of its environment, which the field of that name chooses. */
function hostFields(environment: string): readonly Field[] {
  return [
    record('environmentUser', 'Environment user', ['environmentUser'], { dependsOn: { [environment]: 'value' } }),
    record('install', 'Installation', ['install'], {
      hint: 'The database software on the target environment',
      dependsOn: { [environment]: 'value', sourceDatabase: 'vendor' },
    }),
  ];
}

/** The fields of any new clone that few people need. */
const seldomFields: readonly Field[] = [
  record('project', 'Project', ['project'], seldom),
  text('dbUniqueName', 'Unique name (DB_UNIQUE_NAME)', 'a unique database name', {
    ...oracle,
    ...seldom,
    fill: 'name',
  }),
  text('instanceName', 'Instance name', 'an instance name', { ...oracle, ...seldom, fill: 'name' }),
  integer('rmanChannel', 'RMAN channels', undefined, { ...oracle, ...seldom, doubt: doubtOfWorkers }, 0),
  integer('parallel', 'Parallel threads', undefined, { ...servers, ...seldom, doubt: doubtOfWorkers }, 0),
];

const isPhysical = (values: Values) => values.cloneType === 'PHYSICAL';

/**
 * Spec §4.3, which does not show the fields that the service requires. Dolly requires only those that it needs itself.
 */
export const createClone = defineWrite({
  name: 'clone.create',
  work: works.clone,
  quick: true,
  words: ['clone'],
  shortcut: 'clone',
  summary: 'Create a virtual or a physical clone from a snapshot',
  presets: true,
  step: { id: 'clone', title: 'Clone a database' },
  fields: [
    target('sourceDatabase', 'Source database', ['live']),
    choice(
      'cloneType',
      'Type of clone',
      [
        { value: 'VIRTUALCLONE', label: 'Virtual', description: 'No data copied' },
        { value: 'PHYSICAL', label: 'Physical', description: 'A full block-level copy on the target environment' },
      ],
      { required: true, role: 'kind' },
    ),
    record('targetEnvironment', 'Target environment', ['environment'], { required: true, role: 'environment' }),
    ...placeFields,
    ...hostFields('targetEnvironment'),
    backUpFirst('Newest data', 'Back up the source first, and use that snapshot', {
      ...seldom,
      targets: ['live'],
      feeds: 'snapshot',
    }),
    snapshotOf('sourceDatabase', { ...seldom, when: { backUpFirst: ['', 'false'] } }),
    ...seldomFields,
    databaseParams(seldom),
    path('specificPostScriptPath', 'Post-script', '/opt/scripts/after.sh', {
      ...seldom,
      hint: 'The path of a script to run after the creation',
    }),
    keepFor(),
  ],
  title: values => (isPhysical(values) ? 'Physical clone' : 'Virtual clone'),
  phrases: {
    asks: 'clone {name}[ to {place}]',
    running: 'Cloning {name}[ to {place}]',
    done: '{result} is ready',
    detail: '[ on {place}][, from the snapshot {snapshot}][ ({age} old)]',
    undone: 'Not cloned',
  },
  again: 'Clone again',
  next: ['clone.stop', 'database.delete'],
  call: ({ vendor = '' }, values) =>
    post(isPhysical(values) ? '/database/duplicate/create' : '/database/clone/create', { vendor, ...values }),
  proof: appears((source, values) =>
    newRecord(
      // The specification does not show the kind of a physical clone's record (§2, §4.3): it may count as a live
      // database.
      isPhysical(values) ? ['clone', 'live'] : ['clone'],
      askedLikeness(source, values.targetEnvironment, values, isPhysical(values)),
      isPhysical(values) ? 'long' : 'instant',
    ),
  ),
});

/** Spec §4.4: creates a further virtual clone from an existing clone. */
export const shareClone = defineWrite({
  name: 'clone.share',
  work: works.share,
  quick: true,
  words: ['share'],
  summary: 'Clone a virtual clone again, onto another environment',
  presets: true,
  fields: [
    target('sourceDatabase', 'Clone to share', ['clone']),
    record('environment', 'Target environment', ['environment'], { required: true, role: 'environment' }),
    ...placeFields,
    ...hostFields('environment'),
    ...seldomFields,
    keepFor(),
  ],
  title: () => 'Shared clone',
  phrases: {
    asks: 'share {name}[ to {place}]',
    running: 'Sharing {name}[ to {place}]',
    done: '{result} is ready',
    detail: '[ on {place}], shared from {name}',
    undone: 'Not shared',
  },
  again: 'Share again',
  next: ['clone.stop', 'database.delete'],
  onlyVirtual: true,
  call: ({ vendor = '' }, values) => post('/database/clone/share', { vendor, ...values }),
  proof: appears((source, values) =>
    newRecord(['clone'], askedLikeness(source, values.environment, values, false), 'instant'),
  ),
});

const converted = { ...oracle, fill: 'path', hint: "One path, or pairs such as '/old','/new'" } as const;

/** Spec §4.5. */
const convertClone = defineWrite({
  name: 'clone.convert',
  work: works.convert,
  words: ['convert'],
  summary: 'Convert a virtual clone to a physical one',
  presets: true,
  fields: [
    target('database', 'Clone', ['clone']),
    path('localDirectory', 'Local directory', '/data/clones', {
      fill: 'path',
      hint: 'The directory to copy the data to',
    }),
    fileNameConvert('dbFileNameConvert', 'Data file path (DB_FILE_NAME_CONVERT)', '/data/files', converted),
    fileNameConvert('logFileNameConvert', 'Log file path (LOG_FILE_NAME_CONVERT)', '/data/logs', converted),
  ],
  title: () => 'Conversion to physical',
  phrases: {
    asks: 'convert {name} to a physical clone',
    running: 'Converting {name} to a physical clone',
    done: '{name} is now a physical clone',
    undone: 'Not converted',
  },
  next: ['database.delete'],
  onlyVirtual: true,
  // The payload addresses an Oracle clone as a server (spec §2).
  call: (clone, values) =>
    post('/database/clone/switch', {
      ...values,
      database: clone.text.replace('ORACLE_CLONE_DATABASE', 'ORACLE_CLONE_SERVER'),
    }),
  proof: converts(),
});

/** Spec §4.2. */
export const stopClone = defineWrite({
  name: 'clone.stop',
  work: works.stop,
  quick: true,
  words: ['stop'],
  summary: 'Stop a virtual clone',
  fields: [target('database', 'Clone', ['clone'])],
  schedulable: true,
  together: true,
  ...bringsTo(['stopped', 'disabled'], 'Stop', '/database/stop', phrasesOf('stop', 'Stopping', 'stopped')),
  next: ['clone.start', 'database.delete'],
  onlyVirtual: true,
});

/** Spec §4.2. */
export const startClone = defineWrite({
  name: 'clone.start',
  work: works.start,
  quick: true,
  words: ['start'],
  summary: 'Start a virtual clone',
  fields: [target('database', 'Clone', ['clone'])],
  schedulable: true,
  together: true,
  ...bringsTo(['ok'], 'Start', '/database/start', phrasesOf('start', 'Starting', 'started')),
  next: ['clone.stop', 'database.delete'],
  onlyVirtual: true,
});

/** Spec §4.2. */
const resetClone = defineWrite({
  name: 'clone.reset',
  work: works.reset,
  quick: true,
  words: ['reset'],
  summary: 'Reset a virtual clone to its snapshot',
  fields: [target('database', 'Clone', ['clone'])],
  title: () => 'Reset',
  phrases: {
    ...phrasesOf('reset', 'Resetting', 'reset'),
    ...{ running: 'Resetting {name} to its snapshot', detail: ' to its snapshot' },
  },
  again: 'Reset again',
  next: ['clone.stop', 'database.delete'],
  onlyVirtual: true,
  warning: name => `Everything that was changed in ${name} since it was made will be lost.`,
  call: clone => put('/database/reset', clone.text),
  proof: changes('medium', { by: 'work' }),
});

/** The operations on clones (spec §4.2–4.5). */
export const cloneOperations: readonly Operation[] = [
  createClone,
  shareClone,
  convertClone,
  stopClone,
  startClone,
  resetClone,
];
