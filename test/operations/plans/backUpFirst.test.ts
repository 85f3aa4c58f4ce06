import { describe, expect, test } from 'vitest';
import { catalogue, jobOperation, writeOperation } from '../../../src/operations/catalogue.ts';
import { backUpField, planAfterBackup } from '../../../src/operations/plans/backUpFirst.ts';

const operationCalled = (name: string) => {
  const operation = writeOperation(name);
  if (!operation) throw new Error(`the catalogue has no ${name}`);
  return operation;
};
const shop = 'MYSQL_LIVE_SERVER-2';
const names = { [shop]: 'shop' };

describe('after a backup', () => {
  test('a plan with a backup first makes the clone from the new snapshot', () => {
    const values = { sourceDatabase: shop, cloneType: 'VIRTUALCLONE', port: 3310, backUpFirst: true };
    expect(planAfterBackup(operationCalled('clone.create'), values, names)).toEqual({
      ok: true,
      steps: [
        { operation: 'database.backup', values: { database: shop }, labels: names, target: shop, targetName: 'shop' },
        {
          operation: 'clone.create',
          values: {
            ...{ sourceDatabase: shop, cloneType: 'VIRTUALCLONE', port: 3310 },
            snapshot: { step: 0, brings: 'snapshot' },
          },
          ...{ labels: names, target: shop, targetName: 'shop' },
        },
      ],
    });
  });

  test('a plan with a backup first keeps the clone for as long as its form says', () => {
    const values = { sourceDatabase: shop, cloneType: 'VIRTUALCLONE', keepFor: '2d', backUpFirst: true };
    const made = planAfterBackup(operationCalled('clone.create'), values, names);
    expect(made.ok && made.steps[1]?.values).toMatchObject({ keepFor: '2d' });
  });

  test('a plan with a backup first restores to the chosen snapshot, and asks for one where none is', () => {
    const restore = operationCalled('database.restore');
    const values = { database: shop, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS', backUpFirst: true };
    const made = planAfterBackup(restore, { ...values, snapshot: 'MYSQL_SNAPSHOT-1' }, names);
    expect(made.ok && made.steps[1]?.values).toEqual({
      ...{ database: shop, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS', snapshot: 'MYSQL_SNAPSHOT-1' },
    });
    expect(planAfterBackup(restore, values, names)).toMatchObject({ ok: false, field: 'snapshot' });
  });

  test('a plan with a backup first deletes a database after its backup', () => {
    const made = planAfterBackup(operationCalled('database.delete'), { database: shop, backUpFirst: true }, names);
    expect(made.ok && made.steps.map(({ operation }) => operation)).toEqual(['database.backup', 'database.delete']);
  });
});

describe('the plan with a backup first', () => {
  const withBackup = catalogue.flatMap(entry => (entry.type === 'write' && backUpField(entry) ? [entry] : []));

  test('a backup first is offered for clones, restores and deletions', () => {
    expect(withBackup.map(({ name }) => name).toSorted()).toEqual([
      'clone.create',
      'database.delete',
      'database.restore',
    ]);
  });

  test.each(withBackup)(
    'the plan with a backup first for $name has its own name, and the operation’s guard',
    operation => {
      const plan = jobOperation(`${operation.name}.afterBackup`);
      expect(plan).toMatchObject({ type: 'plan', of: operation.name, target: operation.target });
      expect(plan?.guarded).toBe(operation.guarded);
      expect(catalogue.some(({ name }) => name === plan?.name)).toBe(false);
    },
  );

  test.each(withBackup)('the plan with a backup first for $name is offered for live databases only', operation => {
    const field = backUpField(operation);
    expect(field?.sent).toBe(false);
    expect(field?.targets ?? ['live']).toEqual(['live']);
  });
});
