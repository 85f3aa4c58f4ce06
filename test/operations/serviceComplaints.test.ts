import { describe, expect, test } from 'vitest';
import { writeOperation } from '../../src/operations/catalogue.ts';
import type { Values } from '../../src/operations/operation.ts';
import { complaintsIn } from '../../src/operations/serviceComplaints.ts';

/** What a refusal of a clone of a MySQL server is read as: `field` that is missing, `field!` whose value is wrong. */
function read(words: string, given: Values = {}, name = 'clone.create', target = 'MYSQL_LIVE_SERVER-1'): string[] {
  const operation = writeOperation(name);
  if (!operation) throw new Error(`no ${name}`);
  const values = { [operation.target]: target, cloneType: 'VIRTUALCLONE', ...given };
  return complaintsIn(`The service refused: “${words}”.`, { operation, values }).map(
    ({ field, type, isConditional }) => `${field.name}${type === 'wrong' ? '!' : ''}${isConditional ? '?' : ''}`,
  );
}

const four = ['port', 'mountBase', 'environmentUser', 'install'];

describe('fields that the words say to be missing:', () => {
  test.each([
    // The sandbox's own words, and those of common libraries and people.
    'mountBase: is required; environmentUser: is required; install: is required; port: is required',
    'Validation failed; port: must not be null; mountBase: must not be blank; environmentUser: must not be null; install: must not be empty',
    'Missing required fields: port, mountBase, environmentUser and install',
    'missing: mount_base, environment_user, install, port',
    'The fields port, mount base, environment user and installation are mandatory',
    'port, mountBase, environmentUser, install required',
    'body.port: field required; body.mountBase: field required; body.environmentUser: field required; body.install: field required',
    'No port given. No mount base given. No environment user specified. install was not provided',
    'mount_base cannot be empty, port can not be null, ENVIRONMENT_USER can’t be blank, install may not be omitted',
    'Please provide a port, a mountBase, an environmentUser and an install',
    'must have required property port; must have required property mountBase; must have required property environmentUser; must have required property install',
    'null value in column "port" violates not-null constraint; mountbase is null; environmentuser is undefined; install is absent',
    '/port: Required; /mountBase: Required; /environmentUser: Required; /install: Required',
    'CloneRequest.port has to be set, CloneRequest.mountBase must be specified, environmentUserId is missing, installId needs to be given',
  ])('all four missing fields are read from the refusal: %s', words => {
    expect(read(words).toSorted()).toEqual(four.toSorted());
  });

  test('a refusal’s longer field name is not taken for the shorter one in it', () => {
    expect(read('environment user is required', {}, 'clone.share', 'MYSQL_CLONE_SERVER-1')).toEqual([
      'environmentUser',
    ]);
    expect(read('environment_user_id is required', {}, 'clone.share', 'MYSQL_CLONE_SERVER-1')).toEqual([
      'environmentUser',
    ]);
    expect(read('the ports are missing; importing is required; user is required')).toEqual([]);
  });

  test('a refusal that names a field of another vendor, or one not there for this choice, tells of none', () => {
    expect(read('dbUniqueName is required; instanceName is required')).toEqual([]);
    expect(read('port is required', {}, 'clone.create', 'ORACLE_LIVE_DATABASE-1')).toEqual([]);
    expect(read('tableName is required', { objectType: 'MYSQL_DATABASE_RECOVERY_PARAMS' }, 'database.restore')).toEqual(
      [],
    );
    expect(read('tableName is required', { objectType: 'MYSQL_TABLE_RECOVERY_PARAMS' }, 'database.restore')).toEqual([
      'tableName',
    ]);
  });
});

describe('words that say something else:', () => {
  const given = { port: 3306, mountBase: '/mnt', environmentUser: 'ENVIRONMENT_USER-1', install: 'MYSQL_INSTALL-1' };
  test.each<[string, readonly string[]]>([
    ['port 3306 is already in use on dev', ['port!']],
    ['port: 3306 is taken', ['port!']],
    ['mountBase must begin with a slash, and install is unknown', ['mountBase!', 'install!']],
    ['port must be between 1024 and 65535; project is required', ['port!', 'project']],
    ['port is invalid, project is missing', ['port!', 'project']],
    ['the project is required to be active', []],
    ['project is not required here', []],
    ['project must not be given', []],
    ['PROJECT-7 is missing', []],
    ['the database has no snapshot', []],
    ['the environment is DISABLED; operations on it wait until it is enabled', []],
    ['MYSQL_LIVE_SERVER-1 has dependent clones: MYSQL_CLONE_SERVER-1 (orders-3320)', []],
    ['something is required', []],
    ['Bad Request', []],
    ['', []],
    // What was sent cannot be missing: the service means something else.
    ['port is required', []],
    ['if the clone is shared, project is required', ['project?']],
    ['either project or parallel is required', ['project?', 'parallel?']],
  ])('only what a refusal surely says of fields is read: %s', (words, expected) => {
    expect(read(words, given).toSorted()).toEqual([...expected].toSorted());
  });
});

test('a long refusal of any signs is read within two seconds', () => {
  const before = process.threadCpuUsage();
  for (const words of [
    'port, '.repeat(100_000),
    'no '.repeat(50_000),
    'must not be '.repeat(20_000),
    '“'.repeat(99_999),
  ])
    read(words);
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
});

describe('names of other things are no fields, so nothing is said to be missing:', () => {
  test.each([
    'the port of call is missing',
    'the port of the listener was not given',
    'the owner of the project is missing',
    'the source is missing a snapshot',
    'shop is missing a port',
    'the SSH port is required',
    'ssh_port is required; sshPort: is required; config.sshPort must not be null',
    'port range is missing; project lead is required; install directory must be given',
    'install.example.com is missing; the host db-port.example.com is required',
    '/opt/oracle/install is missing; /u01/port: required file is missing',
    'please install the missing agent; install missing packages',
    'environment user "install" is missing; project "port" is required',
    'the project finance is missing; installation mysql8 is absent; port 3310 is required by another clone',
    'the environment user is missing on dev',
    'port, the agent is required',
    'the project, which is on port 3306, needs an agent',
    'mountBaseDir is required; portName is required; the port’s owner is missing',
    '{"port": "needs no value"}',
  ])('names of other things in a refusal are not read as missing fields: %s', words => {
    expect(read(words).filter(name => !name.endsWith('!'))).toEqual([]);
  });
});

describe('words that do not say for sure that it is missing teach nothing:', () => {
  test.each([
    'project may be omitted; the project can be left out; project should be empty',
    'project is not missing; this needs no project; it requires no port; a project is optional',
    'it does not need a project; cloning doesn’t require a port; port is no longer needed',
    'port is required for physical clones; the install needs to be restarted',
    'the database needs a snapshot; a snapshot is required',
    'MySQL 8 needs a newer installation; it needs more parallel threads; port is needed to connect',
    'please add port 22 to the firewall; please choose a different port',
    // Other languages.
    'port ist erforderlich; le port est obligatoire; el puerto es obligatorio; port は必須です; Der Port darf nicht leer sein',
    'порт: требуется port',
  ])('an unsure refusal teaches nothing about missing fields: %s', words => {
    expect(read(words)).toEqual([]);
  });

  test('a field that is needed on a condition is marked so, and its sentence is told whole', () => {
    for (const words of ['project or parallel is required', 'project is missing, so the default is used'])
      expect(read(words).every(name => name.endsWith('?'))).toBe(true);
    const operation = writeOperation('clone.create');
    if (!operation) throw new Error('no clone.create');
    const values = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'VIRTUALCLONE' };
    expect(complaintsIn('if it is shared, project is required', { operation, values })).toMatchObject([
      { isConditional: true, says: 'if it is shared, project is required' },
    ]);
  });
});

describe('the refusals of common libraries are read:', () => {
  test.each([
    'Path `port` is required.',
    '"port" is required',
    "'port' is a required property",
    'The port field is required.',
    'Port can’t be blank',
    'port: This field is required.',
    'Required at "port"',
    'Invalid input: expected number, received undefined at port',
    "instance: must have required property 'port'",
    "Key: 'CloneRequest.Port' Error:Field validation for 'Port' failed on the 'required' tag",
    'Required request parameter "port" is missing',
    'A value for params.port was not given',
    'Field "port" was not provided.',
    'Bad Request - missing port in the request body',
    'Cannot clone shop: this operation requires a port',
    '$.params.port must not be null or empty',
    'PORT: MUST BE SPECIFIED',
  ])('the missing port is read from a common library’s refusal: %s', words => {
    expect(read(words)).toEqual(['port']);
  });
});

test('a refusal of 50 kB is read as far as it is shown', () => {
  expect(read(`port is required; ${'the log of the day, '.repeat(2_500)}; project is required`)).toEqual(['port']);
});
