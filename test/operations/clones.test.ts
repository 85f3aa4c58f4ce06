import { describe, expect, test } from 'vitest';
import { type Identifier, parseIdentifier, type Vendor, vendors } from '../../src/api/identifiers.ts';
import { check } from '../../src/jobs/newJob.ts';
import { createClone } from '../../src/operations/clones.ts';
import { fieldsFor, proofOf } from '../../src/operations/operation.ts';

/** The table of spec §4.3, copied by hand: field, type, the vendors it applies to. */
const table = [
  ['vendor', 'string', 'all'],
  ['cloneType', 'string', 'all'],
  ['databaseName', 'string', 'Oracle'],
  ['mountBase', 'string', 'all'],
  ['snapshot', 'string', 'all'],
  ['environmentUser', 'string', 'all'],
  ['install', 'string', 'all'],
  ['sourceDatabase', 'string', 'all'],
  ['targetEnvironment', 'string', 'all'],
  ['project', 'string', 'all'],
  ['databaseParams', 'array', 'all'],
  ['rmanChannel', 'integer', 'Oracle'],
  ['dbUniqueName', 'string', 'Oracle'],
  ['instanceName', 'string', 'Oracle'],
  ['parallel', 'integer', 'MySQL, MariaDB'],
  ['port', 'integer', 'MySQL, MariaDB'],
  ['specificPostScriptPath', 'string', 'all'],
] as const;

const applies = { all: vendors, Oracle: ['ORACLE'], 'MySQL, MariaDB': ['MYSQL', 'MARIADB'] } as const;

function specified(vendor: Vendor): string[] {
  const names: (readonly [string, readonly Vendor[]])[] = table.map(([name, , to]) => [name, applies[to]]);
  return names.flatMap(([name, to]) => (to.includes(vendor) ? [name] : []));
}

const live = {
  ORACLE: 'ORACLE_LIVE_DATABASE-1',
  MYSQL: 'MYSQL_LIVE_SERVER-1',
  MARIADB: 'MARIADB_LIVE_SERVER-1',
} as const;
const ways = [
  ['VIRTUALCLONE', '/database/clone/create', 'Virtual clone'],
  ['PHYSICAL', '/database/duplicate/create', 'Physical clone'],
] as const;
const every = vendors.flatMap(vendor => ways.map(way => [vendor, ...way] as const));

/** Everything that a person could type, for all vendors at once. */
function typed(vendor: Vendor, cloneType: string): Record<string, string> {
  return {
    sourceDatabase: live[vendor].toLowerCase(),
    cloneType,
    targetEnvironment: 'HOST_ENVIRONMENT-4',
    databaseName: ' PAYQA ',
    port: '3310',
    mountBase: '/mnt/payqa',
    environmentUser: 'ENVIRONMENT_USER-7',
    install: `${vendor}_INSTALL-2`,
    snapshot: `${vendor}_SNAPSHOT-3`,
    project: 'PROJECT-1',
    dbUniqueName: 'PAYQA_U',
    instanceName: 'PAYQA1',
    rmanChannel: '4',
    parallel: '8',
    databaseParams: 'sql_mode:STRING=1\nmax_connections=200\nread_only=TRUE',
    specificPostScriptPath: '/opt/after.sh',
  };
}

function source(vendor: Vendor): Identifier {
  const id = parseIdentifier(live[vendor]);
  if (!id) throw new Error(`${live[vendor]} is no identifier`);
  return id;
}

function bodyOf(vendor: Vendor, inputs: Record<string, string>) {
  const checked = check(createClone, inputs);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createClone.call(source(vendor), checked.values);
}

describe.each(vendors)('the form for %s', vendor => {
  test('the form for a clone asks for exactly what the specification lists for its vendor', () => {
    const sent = fieldsFor(createClone, { sourceDatabase: live[vendor] }).filter(field => field.sent !== false);
    const names = sent.map(field => field.name);
    // The vendor comes from the identifier that is chosen, so nobody is asked for it.
    expect(['vendor', ...names].toSorted()).toEqual(specified(vendor).toSorted());
  });
});

test('the form for a clone asks only for what all vendors have before a source is chosen', () => {
  const common = table.filter(([name, , to]) => to === 'all' && name !== 'vendor').map(([name]) => name);
  expect(
    fieldsFor(createClone, {})
      .filter(field => field.sent !== false)
      .map(field => field.name)
      .toSorted(),
  ).toEqual(common.toSorted());
});

describe.each(every)('a %s %s', (vendor, cloneType, path, title) => {
  test('a clone’s request with every field is as the specification says, to the letter', () => {
    const all: Record<string, unknown> = {
      vendor,
      cloneType,
      databaseName: 'PAYQA',
      mountBase: '/mnt/payqa',
      snapshot: `${vendor}_SNAPSHOT-3`,
      environmentUser: 'ENVIRONMENT_USER-7',
      install: `${vendor}_INSTALL-2`,
      sourceDatabase: live[vendor],
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      project: 'PROJECT-1',
      databaseParams: [
        { name: 'sql_mode', type: 'STRING', value: '1' },
        { name: 'max_connections', type: 'NUMBER', value: 200 },
        { name: 'read_only', type: 'BOOLEAN', value: 'true' },
      ],
      rmanChannel: 4,
      dbUniqueName: 'PAYQA_U',
      instanceName: 'PAYQA1',
      parallel: 8,
      port: 3310,
      specificPostScriptPath: '/opt/after.sh',
    };
    expect(bodyOf(vendor, typed(vendor, cloneType))).toStrictEqual({
      method: 'POST',
      path,
      body: Object.fromEntries(specified(vendor).map(name => [name, all[name]])),
    });
  });

  test('a clone’s request with the fewest fields carries these and nothing empty', () => {
    const fewest = { sourceDatabase: live[vendor], cloneType, targetEnvironment: 'HOST_ENVIRONMENT-4' };
    const blank = Object.fromEntries(createClone.fields.map(field => [field.name, ' ']));
    const commented = { ...blank, ...fewest, databaseParams: '# none\n' };
    for (const inputs of [fewest, { ...blank, ...fewest }, commented]) {
      expect(bodyOf(vendor, inputs)).toStrictEqual({ method: 'POST', path, body: { vendor, ...fewest } });
    }
  });

  test('a clone’s job waits for a new record that contradicts nothing of its request', () => {
    const checked = check(createClone, typed(vendor, cloneType));
    if (!checked.ok) throw new Error('not checked');
    const proof = proofOf(createClone, source(vendor), checked.values);
    if (proof.type !== 'appears') throw new Error(`it waits for ${proof.type}`);
    expect(proof.nouns).toEqual(cloneType === 'PHYSICAL' ? ['clone', 'live'] : ['clone']);
    expect(proof.like).toEqual({
      source: live[vendor],
      environment: 'HOST_ENVIRONMENT-4',
      snapshot: `${vendor}_SNAPSHOT-3`,
      project: 'PROJECT-1',
      environmentUser: 'ENVIRONMENT_USER-7',
      install: `${vendor}_INSTALL-2`,
      mountBase: '/mnt/payqa',
      isPhysical: cloneType === 'PHYSICAL',
      ...(vendor === 'ORACLE'
        ? { names: { databaseName: 'PAYQA', dbUniqueName: 'PAYQA_U', instanceName: 'PAYQA1' } }
        : { port: 3310 }),
    });
    expect(createClone.title(checked.values)).toBe(title);
  });
});
