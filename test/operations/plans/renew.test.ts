import { describe, expect, test } from 'vitest';
import { knownRenewal, planRenewal, type RenewedClone } from '../../../src/operations/plans/renew.ts';
import { renewClone } from '../../../src/operations/plans/teardownAndRenew.ts';

const clone: RenewedClone = {
  ...{ id: 'MYSQL_CLONE_SERVER-7', name: 'shop-3310', source: 'MYSQL_LIVE_SERVER-2' },
  ...{ environment: 'HOST_ENVIRONMENT-4', project: 'PROJECT-1', port: 3310, isPhysical: false },
  values: { mountbase: '/mnt/shop-3310', parallel: '4', version: '8.4.3', databasename: 'shop' },
  mentions: ['HOST_ENVIRONMENT-4', 'ENVIRONMENT_USER-9', 'MYSQL_INSTALL-3', 'MYSQL_SNAPSHOT-5', 'MYSQL_LIVE_SERVER-2'],
};
const shown = {
  ...{ database: clone.id, sourceDatabase: 'MYSQL_LIVE_SERVER-2', cloneType: 'VIRTUALCLONE' },
  ...{ targetEnvironment: 'HOST_ENVIRONMENT-4', port: '3310', mountBase: '/mnt/shop-3310', parallel: '4' },
  ...{ environmentUser: 'ENVIRONMENT_USER-9', install: 'MYSQL_INSTALL-3', project: 'PROJECT-1' },
};
const known = (record: Partial<RenewedClone>, job?: Parameters<typeof knownRenewal>[2]) =>
  knownRenewal(renewClone.fields, { ...clone, ...record }, job);

describe('what is known of a clone', () => {
  test('a renewal’s form shows what the clone’s record shows but its snapshot, and asks for the rest', () => {
    const { inputs, unknown } = known({});
    expect(inputs).toEqual(shown);
    expect(unknown).toEqual(['Database parameters', 'Post-script']);
  });

  test('a renewal’s form also shows what Dolly asked for, but the clone’s record counts more', () => {
    const made = {
      sourceDatabase: 'MYSQL_LIVE_SERVER-2',
      cloneType: 'VIRTUALCLONE',
      port: '3309',
      databaseParams: 'max_connections:NUMBER=9',
      ...{ snapshot: 'MYSQL_SNAPSHOT-1', backUpFirst: 'true', keepFor: '2w' },
    };
    const { inputs, unknown } = known({}, { operation: 'clone.create', values: made });
    expect(inputs).toEqual({ ...shown, databaseParams: 'max_connections:NUMBER=9' });
    expect(unknown).toEqual([]);
  });

  test.each<[string, Partial<RenewedClone>, Parameters<typeof knownRenewal>[2], object]>([
    ['a physical clone', { isPhysical: true }, undefined, { cloneType: 'PHYSICAL' }],
    ['a clone of a clone', { source: 'MYSQL_CLONE_SERVER-1' }, undefined, { cloneType: 'SHARED' }],
    [
      'a clone that Dolly shared',
      { source: undefined },
      {
        operation: 'clone.share',
        values: { sourceDatabase: 'MYSQL_CLONE_SERVER-1', environment: 'HOST_ENVIRONMENT-5' },
      },
      { cloneType: 'SHARED', sourceDatabase: 'MYSQL_CLONE_SERVER-1', targetEnvironment: 'HOST_ENVIRONMENT-4' },
    ],
    [
      'a snapshot that Dolly mounted',
      { source: undefined, environment: undefined },
      { operation: 'snapshot.mount', values: { database: 'MYSQL_LIVE_SERVER-2' } },
      { cloneType: 'MOUNTED', sourceDatabase: 'MYSQL_LIVE_SERVER-2', database: clone.id },
    ],
    [
      'an Oracle clone, whose name is chosen',
      { id: 'ORACLE_CLONE_DATABASE-1', name: 'PAYDEV', values: { instancename: 'paydev1' }, mentions: [] },
      undefined,
      { databaseName: 'PAYDEV', instanceName: 'paydev1' },
    ],
  ])('a renewal’s form is filled in for %s', (_, record, job, inputs) => {
    expect(known(record, job).inputs).toMatchObject(inputs);
  });

  test('a renewal’s form takes nothing from a record that its field would refuse', () => {
    const { inputs, unknown } = known({ values: { mountbase: '../etc', parallel: 'many' } });
    expect(inputs).not.toHaveProperty('mountBase');
    expect(unknown).toEqual(expect.arrayContaining(['Mount base', 'Parallel threads']));
  });
});

describe('a renewal', () => {
  const values = { ...shown, port: 3310, parallel: 4 };
  const names = { [clone.id]: 'shop-3310', 'MYSQL_LIVE_SERVER-2': 'shop' };

  test('a renewal deletes the clone, and makes it again from the latest snapshot', () => {
    const made = planRenewal(values, names);
    expect(made).toMatchObject({
      ok: true,
      steps: [
        { operation: 'database.delete', target: clone.id, targetName: 'shop-3310' },
        { operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-2', targetName: 'shop' },
      ],
    });
    const { database: _, ...rest } = values;
    expect(made.ok && made.steps[1]?.values).toEqual(rest);
  });

  test('a renewal uses the snapshot of the backup that comes first', () => {
    const made = planRenewal({ ...values, backUpFirst: true }, names);
    expect(made.ok && made.steps.map(({ operation }) => operation)).toEqual([
      ...['database.backup', 'database.delete', 'clone.create'],
    ]);
    expect(made.ok && made.steps[2]?.values.snapshot).toEqual({ step: 0, brings: 'snapshot' });
    expect(made.ok && made.steps[2]?.values).not.toHaveProperty('backUpFirst');
  });

  test('a renewal shares a shared clone again, and mounts a mounted snapshot', () => {
    const shared = planRenewal({ ...values, cloneType: 'SHARED', sourceDatabase: 'MYSQL_CLONE_SERVER-1' }, names);
    expect(shared.ok && shared.steps[1]).toMatchObject({
      operation: 'clone.share',
      values: { sourceDatabase: 'MYSQL_CLONE_SERVER-1', environment: 'HOST_ENVIRONMENT-4', port: 3310 },
    });
    const mounted = planRenewal({ ...values, cloneType: 'MOUNTED', snapshot: 'MYSQL_SNAPSHOT-9' }, names);
    expect(mounted.ok && mounted.steps[1]?.values).toEqual({
      database: 'MYSQL_LIVE_SERVER-2',
      snapshot: 'MYSQL_SNAPSHOT-9',
    });
  });

  test.each<[string, object, string]>([
    ['of a clone without a source', { sourceDatabase: undefined }, 'sourceDatabase'],
    ['of a clone of itself', { sourceDatabase: clone.id }, 'sourceDatabase'],
    ['of a shared clone from a live database', { cloneType: 'SHARED' }, 'sourceDatabase'],
    ['of a virtual clone from a clone', { sourceDatabase: 'MYSQL_CLONE_SERVER-1' }, 'sourceDatabase'],
    ['with a backup and an older snapshot', { backUpFirst: true, snapshot: 'MYSQL_SNAPSHOT-1' }, 'snapshot'],
  ])('a renewal %s is refused at its field', (_, change, field) => {
    const made = planRenewal(
      Object.fromEntries(Object.entries({ ...values, ...change }).filter(([, v]) => v !== undefined)),
      names,
    );
    expect(made).toMatchObject({ ok: false, field });
  });
});
