import { describe, expect, test } from 'vitest';
import { namesReplaced } from '../../../src/features/objections/withoutNames.ts';

const replaced = (data: unknown, words: readonly string[] = []) => JSON.stringify(namesReplaced(new Set(words))(data));

describe('of what a record shows, for the people who make Dolly,', () => {
  test.each([
    'payroll-prod',
    'Maria Sánchez',
    'maria.sanchez@corp.example',
    'jdbc:oracle:thin:@db7.corp.example:1521/ORCL',
    'disk group DATA7 of host db7 is full',
    'the backup of payroll succeeded',
    'Ana',
    '/u01/oradata/payroll',
    'https://hooks.example/T0/B0/secret',
  ])('a record shown to the people who make Dolly has its names and texts replaced: %s', text => {
    expect(replaced({ field: text })).toBe('{"field":"text-1"}');
    expect(replaced([{ deep: [text] }])).not.toContain(text);
  });

  test.each([
    'MYSQL_LIVE_SERVER-7',
    '2026-11-30T09:00:00Z',
    '30.11.2026 09:00:00',
    'RUNNING',
    'COMPLETED_WITH_WARNINGS',
    'true',
    '45 %',
    '10.11.9',
    '',
  ])('a record shown to the people who make Dolly keeps its identifiers, times, states and numbers: %s', text => {
    expect(replaced({ field: text })).toBe(JSON.stringify({ field: text }));
  });

  test('a record without its names keeps the words by which records tell of work, and numbers', () => {
    const data = { kind: 'VDB_PROVISION', state: 'SAVING_AWAY', port: 3306, ready: false, error: null };
    expect(replaced(data, ['VDB_PROVISION', 'SAVING_AWAY'])).toBe(JSON.stringify(data));
  });

  test('a record without its names has the same text replaced by the same, also as a key', () => {
    const data = { name: 'payroll', databases: { payroll: { name: 'payroll' } }, other: 'sales', 'a b': 1 };
    expect(replaced(data)).toBe(
      '{"name":"text-1","databases":{"text-1":{"name":"text-1"}},"other":"text-2","text-3":1}',
    );
  });

  test('a record without its names has its passwords replaced whatever they look like', () => {
    expect(replaced({ rootPassword: 'RUNNING' })).not.toContain('RUNNING');
  });
});
