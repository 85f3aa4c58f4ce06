import { describe, expect, test } from 'vitest';
import { createClone } from '../../../src/operations/clones.ts';
import { restoreDatabase } from '../../../src/operations/restores.ts';
import { fitChoices, knownInputs } from '../../../src/slack/forms/fill/inputsInWords.ts';
import { chooser } from '../../../src/slack/records/chooser.ts';
import { recordOf } from '../../jobs/rows.ts';

describe('what is typed for a choice', () => {
  const on = (database: string, objectType: string) => fitChoices(restoreDatabase, { database, objectType });

  test('a choice typed by its label becomes the value of the target’s vendor', () => {
    const { inputs } = knownInputs(restoreDatabase, { objectType: 'one TABLE' });
    for (const [database, value] of [
      ['MYSQL_LIVE_SERVER-1', 'MYSQL_TABLE_RECOVERY_PARAMS'],
      ['MARIADB_LIVE_SERVER-1', 'MARIADB_TABLE_RECOVERY_PARAMS'],
    ] as const)
      expect(on(database, inputs.objectType ?? '')).toEqual({ inputs: { database, objectType: value }, notes: [] });
  });

  test('a typed choice that the vendor does not have is left out, with a sentence', () => {
    expect(on('MYSQL_LIVE_SERVER-1', 'ORACLE_DATAFILE_RECOVERY_PARAMS')).toEqual({
      inputs: { database: 'MYSQL_LIVE_SERVER-1' },
      notes: ['What to restore: MySQL has no `ORACLE_DATAFILE_RECOVERY_PARAMS`.'],
    });
  });

  test('a typed choice stays where the vendor is not known yet, or all vendors have it', () => {
    const inputs = { objectType: 'MYSQL_TABLE_RECOVERY_PARAMS' };
    expect(fitChoices(restoreDatabase, inputs)).toEqual({ inputs, notes: [] });
    const clone = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'PHYSICAL' };
    expect(fitChoices(createClone, clone)).toEqual({ inputs: clone, notes: [] });
  });
});

test('a choice between records shows each by name, and those of one name by identifier and environment', () => {
  const records = [
    recordOf('MYSQL_LIVE_SERVER-1', { name: 'orders', environment: { id: 'HOST_ENVIRONMENT-1', name: 'dev' } }),
    recordOf('MARIADB_LIVE_SERVER-1', { name: 'orders' }),
    recordOf('MYSQL_LIVE_SERVER-2', { name: 'shop' }),
    recordOf('MYSQL_LIVE_SERVER-3'),
  ];
  const buttons = chooser(['env', 'refresh'], records);
  expect(buttons.map(({ text }) => text.text)).toEqual([
    'MYSQL_LIVE_SERVER-1 on dev',
    'MARIADB_LIVE_SERVER-1',
    'shop',
    'MYSQL_LIVE_SERVER-3',
  ]);
  expect(buttons[2]).toMatchObject({
    action_id: 'command.run:MYSQL_LIVE_SERVER-2',
    value: 'env refresh MYSQL_LIVE_SERVER-2',
  });
});
