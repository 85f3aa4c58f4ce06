import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { post } from '../api/call.ts';
import { choice, databaseParams, integer, path, record, text } from './fields.ts';
import { defineOperation, type Values } from './operation.ts';
import { appears } from './proofs.ts';

const oracle = { vendors: ['ORACLE'] } as const;
const servers = { vendors: ['MYSQL', 'MARIADB'] } as const;

const isPhysical = (values: Values) => values.cloneType === 'PHYSICAL';

/** Spec §4.3. Which fields the service requires is not shown; Dolly asks only for what it needs to know itself. */
export const createClone = defineOperation({
  type: 'write',
  name: 'clone.create',
  words: ['clone'],
  summary: 'Create a virtual or a physical clone from a snapshot',
  target: 'sourceDatabase',
  fields: [
    record('sourceDatabase', 'Source database', ['live'], { required: true }),
    choice(
      'cloneType',
      'Type of clone',
      [
        {
          value: 'VIRTUALCLONE',
          label: 'Virtual',
          description: 'There at once: a snapshot is used, no data is copied',
        },
        { value: 'PHYSICAL', label: 'Physical', description: 'A full block-level copy on the target environment' },
      ],
      { required: true },
    ),
    record('targetEnvironment', 'Target environment', ['environment'], { required: true }),
    text('databaseName', 'Name of the clone', 'the name of the clone database', oracle),
    integer('port', 'Port', 65_535, { ...servers, hint: 'The port of the cloned server' }),
    path('mountBase', 'Mount base', '/mnt/clones', { hint: 'The directory that is used as mount base' }),
    record('environmentUser', 'Environment user', ['environmentUser'], { dependsOn: { targetEnvironment: 'value' } }),
    record('install', 'Installation', ['install'], {
      hint: 'The database software on the target environment',
      dependsOn: { targetEnvironment: 'value', sourceDatabase: 'vendor' },
    }),
    record('snapshot', 'Snapshot', ['snapshot'], {
      hint: 'The latest snapshot is used if none is chosen',
      dependsOn: { sourceDatabase: 'value' },
    }),
    record('project', 'Project', ['project']),
    text('dbUniqueName', 'Unique name (DB_UNIQUE_NAME)', 'a unique database name', oracle),
    text('instanceName', 'Instance name', 'an instance name', oracle),
    integer('rmanChannel', 'RMAN channels', undefined, oracle),
    integer('parallel', 'Parallel threads', undefined, servers),
    databaseParams(),
    path('specificPostScriptPath', 'Post-script', '/opt/scripts/after.sh', {
      hint: 'The path of a script that is run after the creation',
    }),
  ],
  title: values => (isPhysical(values) ? 'Physical clone' : 'Virtual clone'),
  call: (vendor, values) =>
    post(isPhysical(values) ? '/database/duplicate/create' : '/database/clone/create', { vendor, ...values }),
  proof: values =>
    appears(
      // What kind of record a physical clone gets is not shown (spec §2, §4.3): it may count as a live database.
      isPhysical(values) ? ['clone', 'live'] : ['clone'],
      {
        ...(typeof values.sourceDatabase === 'string' ? { source: values.sourceDatabase } : {}),
        ...(typeof values.targetEnvironment === 'string' ? { environment: values.targetEnvironment } : {}),
        ...(typeof values.port === 'number' ? { port: values.port } : {}),
        names: [values.databaseName, values.dbUniqueName, values.instanceName].filter(name => typeof name === 'string'),
      },
      isPhysical(values) ? hoursToMilliseconds(24) : minutesToMilliseconds(30),
    ),
});
