import { describe, expect, test } from 'vitest';
import { check, leftOut, newJob } from '../../src/jobs/newJob.ts';
import { createClone } from '../../src/operations/clones.ts';
import { restoreDatabase } from '../../src/operations/restores.ts';

const least = {
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  cloneType: 'VIRTUALCLONE',
  targetEnvironment: 'HOST_ENVIRONMENT-4',
};

describe('a form', () => {
  test('a form gives the values that its texts mean', () => {
    const inputs = {
      ...least,
      sourceDatabase: ' mysql_live_server-1 ',
      port: ' 3310 ',
      databaseParams: 'a=1',
      mountBase: ' ',
    };
    expect(check(createClone, inputs)).toEqual({
      ok: true,
      values: { ...least, port: 3310, databaseParams: [{ name: 'a', type: 'NUMBER', value: 1 }] },
    });
  });

  test('a form leaves out what is empty, of another vendor, or no field of the form', () => {
    const inputs = {
      ...least,
      port: '',
      databaseParams: '\n# none',
      databaseName: 'QA',
      rmanChannel: 'x',
      nonsense: '1',
      __proto__: '2',
    };
    expect(check(createClone, inputs)).toEqual({ ok: true, values: least });
  });

  test('a restore form asks for the pluggable database only where that is what is restored', () => {
    const database = 'ORACLE_LIVE_DATABASE-3';
    const asked = (part: string, more = {}) =>
      check(restoreDatabase, { database, objectType: `ORACLE_${part}_RECOVERY_PARAMS`, ...more });
    expect(asked('PLUGGABLE_DATABASE')).toEqual({ ok: false, faults: { pdb: 'Pluggable database is needed.' } });
    expect(asked('PLUGGABLE_DATABASE', { pdb: 'STOCK' })).toMatchObject({ ok: true });
    expect(asked('DATAFILE', { datafileName: '7' })).toMatchObject({ ok: true });
  });

  test('a form names every field that is wrong at once', () => {
    const inputs = {
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      cloneType: 'COPY',
      port: '0',
      mountBase: 'mnt',
      install: 'x',
      databaseParams: '=',
    };
    expect(check(createClone, inputs)).toEqual({
      ok: false,
      faults: {
        cloneType: 'Choose VIRTUALCLONE or PHYSICAL.',
        targetEnvironment: 'Target environment is needed.',
        port: 'Type a whole number from 1 to 65535.',
        mountBase: 'Type an absolute path, which begins with a slash, such as /mnt/clones.',
        install: 'Choose an installation, or type its identifier.',
        databaseParams: 'Line 1, “=”: write it as name=value.',
      },
    });
  });

  test('a clone form without a source asks for it, and refuses a clone as the source', () => {
    const { sourceDatabase: _, ...rest } = least;
    expect(check(createClone, rest)).toEqual({ ok: false, faults: { sourceDatabase: 'Source database is needed.' } });
    expect(check(createClone, { ...rest, sourceDatabase: 'MYSQL_CLONE_SERVER-1' })).toMatchObject({
      faults: { sourceDatabase: 'MYSQL_CLONE_SERVER-1 is a clone; choose a live database.' },
    });
  });

  test('a form takes no record of another vendor than its source has', () => {
    expect(
      check(createClone, {
        ...least,
        install: 'ORACLE_INSTALL-1',
        snapshot: 'MARIADB_SNAPSHOT-1',
        project: 'PROJECT-1',
      }),
    ).toEqual({
      ok: false,
      faults: {
        install: 'ORACLE_INSTALL-1 belongs to ORACLE, but the source is MYSQL.',
        snapshot: 'MARIADB_SNAPSHOT-1 belongs to MARIADB, but the source is MYSQL.',
      },
    });
  });

  test('Dolly says which given fields do not apply to the vendor', () => {
    expect(leftOut(createClone, { ...least, port: '1', databaseName: 'QA', rmanChannel: '2' })).toEqual([
      'databaseName is not used for MySQL',
      'rmanChannel is not used for MySQL',
    ]);
  });
});

test('each new job has its own identity, and the same form of the same person has one request key', () => {
  const labels = { 'MYSQL_LIVE_SERVER-1': 'orders', 'HOST_ENVIRONMENT-4': 'HOST_ENVIRONMENT-4', 'PROJECT-1': 'shop' };
  const asked = {
    team: 'T1',
    person: 'U1',
    request: 'form-1',
    channel: 'C1',
    labels,
    purpose: null,
    now: 5,
  };
  const [one, two] = [newJob(createClone, least, asked), newJob(createClone, least, asked)];
  expect(one).toMatchObject({
    team: 'T1',
    person: 'U1',
    operation: 'clone.create',
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    channel: 'C1',
    createdAt: 5,
  });
  // Only what the form holds is worth a label, and only where that says more than the identifier.
  expect(one.labels).toEqual({ 'MYSQL_LIVE_SERVER-1': 'orders' });
  expect(one.values).toEqual(least);
  expect(one.id).not.toBe(two.id);
  expect(one.requestKey).toBe(two.requestKey);
  for (const other of [{ person: 'U2' }, { team: 'T2' }, { request: 'form-2' }])
    expect(newJob(createClone, least, { ...asked, ...other }).requestKey).not.toBe(one.requestKey);
});
