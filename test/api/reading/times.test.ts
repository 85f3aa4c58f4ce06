import { describe, expect, test } from 'vitest';
import { at, only } from '../reading.ts';

describe('times', () => {
  const createdAt = (value: unknown) => only([{ id: 'MYSQL_CLONE_SERVER-1', createdAt: value }]).createdAt;
  test.each([
    ['2026-11-01T10:00:00Z'],
    ['2026-11-01T10:00:00.000Z'],
    ['2026-11-01T12:00:00+02:00'],
    ['2026-11-01T10:00:00'],
    ['2026-11-01 10:00:00'],
    ['Sun, 01 Nov 2026 10:00:00 GMT'],
    [at],
    [at / 1000],
    [String(at)],
    [String(at / 1000)],
  ])('a record’s time is read as %s, in UTC where no zone is said', value => {
    expect(createdAt(value)).toBe(at);
  });
  test.each([['yesterday'], [''], [7], [-5], [1e20], ['10:00'], [true], [null], [{}]])(
    'a record’s time is not read out of %j',
    value => {
      expect(createdAt(value)).toBeUndefined();
    },
  );
});
